import { CONCEPTS } from "./lexicon/concept.ts";

const FIRST_SHAPE = CONCEPTS.length + 1;

/** Classes of words that no concept names. Concepts are numbered from 1, below these. */
export const SHAPE = {
  other: 0,
  name: FIRST_SHAPE,
  number: FIRST_SHAPE + 1,
  longNumber: FIRST_SHAPE + 2,
  code: FIRST_SHAPE + 3,
  url: FIRST_SHAPE + 4,
  address: FIRST_SHAPE + 5,
  price: FIRST_SHAPE + 6,
  shout: FIRST_SHAPE + 7,
} as const;

export const FIRST_MARK = FIRST_SHAPE + 8;

/** Classes of what stands between words and means something. */
export const MARK = {
  stop: FIRST_MARK,
  question: FIRST_MARK + 1,
  exclamation: FIRST_MARK + 2,
  colon: FIRST_MARK + 3,
  quote: FIRST_MARK + 4,
  line: FIRST_MARK + 5,
  paragraph: FIRST_MARK + 6,
  ruler: FIRST_MARK + 7,
  tag: FIRST_MARK + 8,
  endTag: FIRST_MARK + 9,
  comment: FIRST_MARK + 10,
  special: FIRST_MARK + 11,
  bracket: FIRST_MARK + 12,
  brace: FIRST_MARK + 13,
  heading: FIRST_MARK + 14,
  fence: FIRST_MARK + 15,
  bullet: FIRST_MARK + 16,
  /** A line's end after which nothing reads on in small letters: `line` is one inside a sentence. */
  row: FIRST_MARK + 17,
} as const;

/** One more than the largest class. */
export const CLASSES = FIRST_MARK + 18;
