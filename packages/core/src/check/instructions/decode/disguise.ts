import { HASH_SEED, hashStep } from "../letters.ts";
import { stemId, type Vocabulary, wordId } from "../vocabulary.ts";
import { type Piece, Rewriting } from "./piece.ts";

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
const TELLING_STEM = 4;

/** Whether a word is one of the vocabulary's, or begins with a stem long enough to be no chance. */
const known = (vocabulary: Vocabulary, word: string): boolean => {
  let hash = HASH_SEED;
  let stem = false;
  for (let i = 0; i < word.length; i += 1) {
    hash = hashStep(hash, word.charCodeAt(i));
    if (i + 1 >= TELLING_STEM && stemId(vocabulary, hash) !== 0) stem = true;
  }
  return stem || wordId(vocabulary, hash) !== 0;
};

/**
 * The text with letters in place of the digits and signs that imitate them, inside words that have both. Undefined unless one of
 * them becomes a word that the vocabulary knows: identifiers and part numbers do not.
 */
export function withoutLeet(text: string, vocabulary: Vocabulary): Piece | undefined {
  const out = new Rewriting(text);
  let recognised = 0;
  let looked = 0;
  for (let i = 0; i < text.length && looked < MAX_WORDS; ) {
    const start = i;
    let letters = 0;
    let signs = 0;
    for (; i < text.length; i += 1) {
      const unit = text.charCodeAt(i);
      const kind = unit < 256 ? (KINDS[unit] as number) : LETTER_LIKE;
      if (kind === GAP) break;
      if (kind === SIGN) signs += 1;
      else if (kind === LETTER_LIKE) letters += 1;
    }
    if (signs > 0 && letters + signs > 2 && i - start <= LONGEST_CHUNK) {
      for (const match of text.slice(start, i).matchAll(/[\p{L}\d@$!|€+(£¡]{2,24}/gu)) {
        const reading = readLeet(match[0], vocabulary);
        if (reading === undefined) continue;
        looked += 1;
        if (reading.known) recognised += 1;
        out.replace(start + match.index, start + match.index + match[0].length, reading.text);
      }
    }
    i += 1;
  }
  return recognised === 0 ? undefined : out.piece("leet");
}

/** Disguised words that are read; the rest of a text with more stays as it is. */
const MAX_WORDS = 4000;
const LONGEST_CHUNK = 64;
const GAP = 1;
const SIGN = 2;
const LETTER_LIKE = 3;
const KINDS = new Uint8Array(256);
for (let unit = 0; unit < 256; unit += 1) {
  const sign = String.fromCharCode(unit);
  if (unit <= 0x20 || unit === 0xa0) KINDS[unit] = GAP;
  else if (IMITATED.has(sign)) KINDS[unit] = SIGN;
  else if (/\p{L}/u.test(sign)) KINDS[unit] = LETTER_LIKE;
}

interface Reading {
  readonly text: string;
  readonly known: boolean;
}

/** What a word with imitating signs says; undefined when it has none or says what it is, as "mp3" and "4th" do. */
function readLeet(word: string, vocabulary: Vocabulary): Reading | undefined {
  if (!/[\d@$!|€+(£¡]/u.test(word) || !/\p{L}/u.test(word)) return undefined;
  const best = bestReading(word, vocabulary);
  if (best.known) return best;
  return /\p{L}[\d@$!|€+(£¡]+\p{L}/u.test(word) ? best : undefined;
}

function bestReading(word: string, vocabulary: Vocabulary): Reading {
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
  const found = readings.find((reading) => reading.length > 1 && known(vocabulary, reading.toLowerCase()));
  return { text: (found ?? readings[0] ?? core) + tail, known: found !== undefined };
}

const SPELLED = /(?<![\p{L}\p{N}])\p{L}(?:([ .\-_*/|,~+\u00b7\u2022])\1{0,3}\p{L}(?![\p{L}\p{N}])){3,}/gu;

/** Words taken apart letter by letter (`i g n o r e`, `i-g-n-o-r-e`), put together. */
export function rejoined(text: string, vocabulary: Vocabulary): Piece | undefined {
  const out = new Rewriting(text);
  for (const match of text.matchAll(SPELLED))
    put(out, match.index, match[0].length, lettersOf(match[0], match.index, match[1] ?? " ", vocabulary));
  return out.changes === 0 ? undefined : out.piece("joined");
}

/** Words run together (`ignoreallrules`), taken apart where the vocabulary knows their parts. */
export function takenApart(text: string, vocabulary: Vocabulary): Piece | undefined {
  const out = new Rewriting(text);
  for (let i = 0; i < text.length; ) {
    const start = i;
    while (i < text.length && isAsciiLetter(text.charCodeAt(i))) i += 1;
    if (i - start >= LONG_WORD && i - start <= LONGEST_RUN) {
      const words = segment(text.slice(start, i), start, vocabulary);
      if (words !== undefined) put(out, start, i - start, words);
    }
    i += 1;
  }
  return out.changes === 0 ? undefined : out.piece("joined");
}

export const LONG_WORD = 16;
const LONGEST_RUN = 400;
const isAsciiLetter = (unit: number): boolean => (unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a;

function put(out: Rewriting, from: number, length: number, words: readonly Placed[]): void {
  const at: number[] = [];
  for (const { word, at: places } of words) at.push(...places, (places[word.length - 1] ?? from) + 1);
  out.replace(from, from + length, words.map(({ word }) => `${word} `).join(""), at);
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
  if (lower.length < LONG_WORD || known(vocabulary, lower)) return undefined;
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
