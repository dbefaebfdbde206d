import { HASH_SEED, hashStep, LETTER, letterKind } from "./letters.ts";

export interface Phrase {
  /** Folded words, joined by one space. */
  readonly text: string;
  /** Whether the last word may go on: `instruktion` also means `instruktionen`. */
  readonly open: boolean;
  readonly value: number;
}

/**
 * The phrases as a trie over words, in flat hash tables. A cell of text is a word, or one letter of an unspaced script; from each cell the
 * trie is walked at most `longest` cells on, so matching is linear in the text with a small constant.
 */
export interface Vocabulary {
  /** Word hash to word id, for whole words and for stems. 0 is no word. */
  readonly wordKeys: Int32Array;
  readonly wordIds: Int32Array;
  readonly stemKeys: Int32Array;
  readonly stemIds: Int32Array;
  /** One bit for each stem hash, so that most letters need no table. */
  readonly stemBits: Int32Array;
  readonly stepStates: Int32Array;
  readonly stepIds: Int32Array;
  readonly stepNext: Int32Array;
  /** The value of the phrase that ends in a state; 0 for none. */
  readonly values: Uint8Array;
}

/** Ids of unspaced letters are their code units; words are numbered above them. */
const FIRST_WORD = 0x10000;
export const SHORTEST_STEM = 2;
const STEM_BITS = 1 << 16;

const spread = (hash: number): number => {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
};

const tableSize = (entries: number): number => {
  let size = 1024;
  while (size < entries * 2) size *= 2;
  return size;
};

function numberOf(keys: Int32Array, ids: Int32Array, hash: number, fresh: number): number {
  const mask = keys.length - 1;
  let slot = spread(hash) & mask;
  while (ids[slot] !== 0) {
    if (keys[slot] === hash) return ids[slot] as number;
    slot = (slot + 1) & mask;
  }
  keys[slot] = hash;
  ids[slot] = fresh;
  return fresh;
}

function find(keys: Int32Array, ids: Int32Array, hash: number): number {
  const mask = keys.length - 1;
  for (let slot = spread(hash) & mask; ids[slot] !== 0; slot = (slot + 1) & mask)
    if (keys[slot] === hash) return ids[slot] as number;
  return 0;
}

export const wordId = (vocabulary: Vocabulary, hash: number): number =>
  find(vocabulary.wordKeys, vocabulary.wordIds, hash);

export function stemId(vocabulary: Vocabulary, hash: number): number {
  const bit = spread(hash) & (STEM_BITS - 1);
  if (((vocabulary.stemBits[bit >> 5] as number) & (1 << (bit & 31))) === 0) return 0;
  return find(vocabulary.stemKeys, vocabulary.stemIds, hash);
}

const stepHash = (state: number, id: number): number => spread(Math.imul(state, 0x9e3779b1) ^ id);

/** The state after `id`, or 0 when no phrase goes on so. State 0 is the start. */
export function step(vocabulary: Vocabulary, state: number, id: number): number {
  const { stepStates, stepIds, stepNext } = vocabulary;
  const mask = stepNext.length - 1;
  for (let slot = stepHash(state, id) & mask; stepNext[slot] !== 0; slot = (slot + 1) & mask)
    if (stepIds[slot] === id && stepStates[slot] === state) return stepNext[slot] as number;
  return 0;
}

/** Words of a phrase; letters of unspaced scripts stand alone, as they do in a text. */
function cellsOf(text: string): string[] {
  const cells: string[] = [];
  let word = "";
  for (let i = 0; i <= text.length; i += 1) {
    const kind = i < text.length ? letterKind(text.charCodeAt(i)) : LETTER.none;
    if (kind === LETTER.spaced || kind === LETTER.digit) {
      word += text.charAt(i);
      continue;
    }
    if (word !== "") cells.push(word);
    word = "";
    if (kind === LETTER.unspaced) cells.push(text.charAt(i));
  }
  return cells;
}

export function hashWord(word: string): number {
  let hash = HASH_SEED;
  for (let i = 0; i < word.length; i += 1) hash = hashStep(hash, word.charCodeAt(i));
  return hash;
}

/** Builds the tables. Where two phrases are spelled alike the first gives the value. */
export function buildVocabulary(phrases: readonly Phrase[]): Vocabulary {
  const cells = phrases.map((phrase) => cellsOf(phrase.text));
  const total = cells.reduce((sum, list) => sum + list.length, 0);
  const size = tableSize(total);
  const vocabulary = {
    wordKeys: new Int32Array(size),
    wordIds: new Int32Array(size),
    stemKeys: new Int32Array(size),
    stemIds: new Int32Array(size),
    stemBits: new Int32Array(STEM_BITS >> 5),
    stepStates: new Int32Array(size),
    stepIds: new Int32Array(size),
    stepNext: new Int32Array(size),
    values: new Uint8Array(total + 1),
  };
  let words = FIRST_WORD;
  let states = 1;
  for (let index = 0; index < phrases.length; index += 1) {
    const phrase = phrases[index] as Phrase;
    const list = cells[index] as string[];
    let state = 0;
    for (let i = 0; i < list.length; i += 1) {
      const cell = list[i] as string;
      let id = cell.charCodeAt(0);
      if (letterKind(id) !== LETTER.unspaced) {
        const hash = hashWord(cell);
        const stem = phrase.open && i === list.length - 1 && cell.length >= SHORTEST_STEM;
        id = stem
          ? numberOf(vocabulary.stemKeys, vocabulary.stemIds, hash, words)
          : numberOf(vocabulary.wordKeys, vocabulary.wordIds, hash, words);
        if (id === words) words += 1;
        if (stem) {
          const bit = spread(hash) & (STEM_BITS - 1);
          vocabulary.stemBits[bit >> 5] = (vocabulary.stemBits[bit >> 5] as number) | (1 << (bit & 31));
        }
      }
      const mask = size - 1;
      let slot = stepHash(state, id) & mask;
      while (
        vocabulary.stepNext[slot] !== 0 &&
        !(vocabulary.stepIds[slot] === id && vocabulary.stepStates[slot] === state)
      )
        slot = (slot + 1) & mask;
      if (vocabulary.stepNext[slot] === 0) {
        vocabulary.stepStates[slot] = state;
        vocabulary.stepIds[slot] = id;
        vocabulary.stepNext[slot] = states;
        states += 1;
      }
      state = vocabulary.stepNext[slot] as number;
    }
    if (vocabulary.values[state] === 0) vocabulary.values[state] = phrase.value;
  }
  return vocabulary;
}
