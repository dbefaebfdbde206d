import { HASH_SEED, hashStep } from "../letters.ts";
import { SHORTEST_STEM, stemId, type Vocabulary, wordId } from "../vocabulary.ts";
import { Collector, type Piece } from "./piece.ts";

/** Digits and signs that imitate letters. `1`, `|` and `!` stand for i or l: the vocabulary decides. */
const IMITATED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "0": "o",
    "1": "il",
    "3": "e",
    "4": "a",
    "5": "s",
    "6": "gb",
    "7": "t",
    "8": "b",
    "9": "g",
    "@": "a",
    $: "s",
    "!": "il",
    "|": "li",
    "€": "e",
    "+": "t",
    "(": "c",
    "£": "l",
    "¡": "i",
    "2": "z",
  }),
);
const MAX_READINGS = 16;

const known = (vocabulary: Vocabulary, word: string): boolean => {
  let hash = HASH_SEED;
  let stem = false;
  for (let i = 0; i < word.length; i += 1) {
    hash = hashStep(hash, word.charCodeAt(i));
    if (i + 1 >= SHORTEST_STEM && stemId(vocabulary, hash) !== 0) stem = true;
  }
  return stem || wordId(vocabulary, hash) !== 0;
};

/** The text with letters in place of the digits and signs that imitate them, inside words that have both. */
export function withoutLeet(text: string, vocabulary: Vocabulary): Piece | undefined {
  let changed = 0;
  const plain = text.replace(/[\p{L}\d@$!|€+(£¡]{2,64}/gu, (word) => {
    const read = readLeet(word, vocabulary);
    if (read !== word) changed += 1;
    return read;
  });
  if (changed < 1) return undefined;
  return { name: "leet", text: plain, at: Int32Array.from({ length: text.length + 1 }, (_, index) => index) };
}

function readLeet(word: string, vocabulary: Vocabulary): string {
  if (!/\p{L}/u.test(word)) return /^[0-9@$!|€+(£¡]{3,}$/u.test(word) ? bestReading(word, vocabulary, false) : word;
  if (!/[\d@$!|€+(£¡]/u.test(word)) return word;
  // "mp3", "4th", "v2": a digit that no letter follows or precedes on the inside imitates nothing, unless the reading is a known word.
  const inside = /\p{L}[\d@$!|€+(£¡]+\p{L}/u.test(word);
  return bestReading(word, vocabulary, inside);
}

function bestReading(word: string, vocabulary: Vocabulary, fallback: boolean): string {
  const tail = /[!+(|]+$/u.exec(word)?.[0] ?? "";
  const core = word.slice(0, word.length - tail.length);
  let readings = [""];
  for (const letter of core) {
    const options = IMITATED.get(letter) ?? letter;
    const room = readings.length * options.length <= MAX_READINGS;
    readings = readings.flatMap((reading) =>
      (room ? [...options] : [options.charAt(0)]).map((option) => reading + option),
    );
  }
  const found = readings.find((reading) => known(vocabulary, reading.toLowerCase()));
  if (found !== undefined) return found + tail;
  return fallback ? (readings[0] ?? core) + tail : word;
}

/**
 * Words taken apart letter by letter (`i g n o r e`, `i-g-n-o-r-e`) put together, and words run together (`ignoreallrules`) taken apart where
 * the vocabulary knows their parts.
 */
export function rejoined(text: string, vocabulary: Vocabulary): Piece | undefined {
  const out = new Collector();
  let changed = false;
  let kept = 0;
  for (const match of text.matchAll(
    /(?<![\p{L}\p{N}])\p{L}(?:([ .\-_*/|,~+\u00b7\u2022])\1{0,3}\p{L}(?![\p{L}\p{N}])){3,}|[a-z]{16,400}/giu,
  )) {
    const words =
      match[1] === undefined
        ? segment(match[0], match.index, vocabulary)
        : lettersOf(match[0], match.index, match[1], vocabulary);
    if (words === undefined) continue;
    changed = true;
    for (let i = kept; i < match.index; i += 1) out.add(text.charAt(i), i);
    for (const { word, at } of words) {
      for (let i = 0; i < word.length; i += 1) out.add(word.charAt(i), at[i] ?? match.index);
      out.add(" ", (at[word.length - 1] ?? match.index) + 1);
    }
    kept = match.index + match[0].length;
  }
  if (!changed) return undefined;
  for (let i = kept; i < text.length; i += 1) out.add(text.charAt(i), i);
  return out.piece("joined", text.length);
}

interface Placed {
  readonly word: string;
  readonly at: readonly number[];
}

function lettersOf(run: string, start: number, gap: string, vocabulary: Vocabulary): Placed[] {
  const words: Placed[] = [];
  let word = "";
  let at: number[] = [];
  const end = (): void => {
    if (word !== "") words.push(...(segmentPlaced(word, at, vocabulary) ?? [{ word, at }]));
    word = "";
    at = [];
  };
  for (let i = 0; i < run.length; i += 1) {
    if (run.charAt(i) !== gap) {
      word += run.charAt(i);
      at.push(start + i);
    } else if (run.charAt(i - 1) === gap) end();
  }
  end();
  return words;
}

const segment = (word: string, start: number, vocabulary: Vocabulary): Placed[] | undefined =>
  segmentPlaced(
    word,
    Array.from({ length: word.length }, (_, index) => start + index),
    vocabulary,
  );

const LONGEST_PART = 14;

/** Cuts a word into known words of at least two letters, longest first from the left; undefined when less than three quarters is covered. */
function segmentPlaced(word: string, at: readonly number[], vocabulary: Vocabulary): Placed[] | undefined {
  const lower = word.toLowerCase();
  if (lower.length < 16 || known(vocabulary, lower)) return undefined;
  const parts: Placed[] = [];
  let covered = 0;
  let loose = 0;
  for (let i = 0; i < lower.length; ) {
    let best = 0;
    let hash = HASH_SEED;
    for (let k = i; k < Math.min(lower.length, i + LONGEST_PART); k += 1) {
      hash = hashStep(hash, lower.charCodeAt(k));
      if (k > i && wordId(vocabulary, hash) !== 0) best = k - i + 1;
    }
    if (best === 0) {
      i += 1;
      continue;
    }
    if (loose < i) parts.push({ word: word.slice(loose, i), at: at.slice(loose, i) });
    parts.push({ word: word.slice(i, i + best), at: at.slice(i, i + best) });
    covered += best;
    i += best;
    loose = i;
  }
  if (loose < word.length) parts.push({ word: word.slice(loose), at: at.slice(loose) });
  return covered * 4 >= lower.length * 3 && parts.length > 2 && parts.length * 4 <= lower.length ? parts : undefined;
}
