import { MARK } from "./shape.ts";
import type { Tokens } from "./tokens.ts";

/** Windows of so many sentences: what an order needs, whatever stands after it. */
const SENTENCES = 3;
/** Sizes of the other windows in places (two a word): a paragraph, and a setting that takes its time. */
const SIZES = [90, 180] as const;

/** Windows start where sentences do, and inside a sentence at the latest after so many places. */
const FARTHEST = 60;

/** A stretch of tokens that is judged on its own. */
export interface Windows {
  readonly count: number;
  readonly from: Int32Array;
  /** Exclusive. */
  readonly to: Int32Array;
}

/** Marks that a sentence, a line or a block begins after. */
const opens = new Uint8Array(256);
for (const mark of [
  MARK.stop,
  MARK.question,
  MARK.exclamation,
  MARK.line,
  MARK.row,
  MARK.paragraph,
  MARK.ruler,
  MARK.comment,
  MARK.special,
  MARK.heading,
  MARK.fence,
  MARK.quote,
  MARK.bullet,
])
  opens[mark] = 1;
/** Marks that end a sentence. */
const closing = new Uint8Array(256);
for (const mark of [MARK.stop, MARK.question, MARK.exclamation, MARK.row, MARK.paragraph]) closing[mark] = 1;
/** A mark that opens inside so few places starts nothing new: lists of single words are not sentences. */
const CLOSEST = 6;

/**
 * Windows that depend on what the text says and not on where it stands in it: text put before or after an order leaves the order's own
 * windows as they were.
 */
export function windowsOf(tokens: Tokens): Windows {
  const { count, classes, places } = tokens;
  const from: number[] = [];
  const to: number[] = [];
  const sentenceEnds = endsOfSentences(tokens);
  const sizeEnds = new Int32Array(SIZES.length);
  let lastStart = Number.NEGATIVE_INFINITY;
  for (let token = 0; token < count; token += 1) {
    const place = places[token] as number;
    const since = place - lastStart;
    const opening = token === 0 || opens[classes[token - 1] as number] === 1;
    if (since < FARTHEST && !(since >= CLOSEST && opening && opens[classes[token] as number] === 0)) continue;
    lastStart = place;
    let last = -1;
    const put = (end: number): void => {
      if (end <= last || end <= token) return;
      last = end;
      from.push(token);
      to.push(end);
    };
    let end = token;
    for (let sentence = 0; sentence < SENTENCES && end < count; sentence += 1) {
      end = sentenceEnds[end] as number;
      if ((places[Math.min(end, count - 1)] as number) - place > SIZES[0]) break;
      put(end);
    }
    for (let size = 0; size < SIZES.length; size += 1) {
      let reach = Math.max(sizeEnds[size] as number, token);
      while (reach < count && (places[reach] as number) - place < (SIZES[size] as number)) reach += 1;
      sizeEnds[size] = reach;
      put(reach);
    }
  }
  return { count: from.length, from: Int32Array.from(from), to: Int32Array.from(to) };
}

/** For each token the end of its sentence: after the marks that close it. */
function endsOfSentences({ count, classes }: Tokens): Int32Array {
  const ends = new Int32Array(count);
  let end = count;
  for (let token = count - 1; token >= 0; token -= 1) {
    const closes = closing[classes[token] as number] === 1;
    if (closes && (token + 1 === count || closing[classes[token + 1] as number] === 0)) end = token + 1;
    ends[token] = end;
  }
  return ends;
}
