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

export function hashWord(word: string): number {
  let hash = HASH_SEED;
  for (let i = 0; i < word.length; i += 1) hash = hashStep(hash, word.charCodeAt(i));
  return hash;
}

/** Builds the tables. Where two phrases are spelled alike the first gives the value. */
export function buildVocabulary(phrases: readonly Phrase[]): Vocabulary {
  const building = new Building(phrases.reduce((sum, { text }) => sum + cellCount(text), 0));
  for (const phrase of phrases) building.add(phrase);
  return building.vocabulary;
}

/** At least as many cells as a phrase has. */
function cellCount(text: string): number {
  if (text.charCodeAt(0) >= FIRST_UNSPACED) return text.length;
  let count = 1;
  for (let i = text.indexOf(" "); i !== -1; i = text.indexOf(" ", i + 1)) count += 1;
  return count;
}

const FIRST_UNSPACED = 0xe00;

class Building {
  readonly vocabulary: Vocabulary;
  private words = FIRST_WORD;
  private states = 1;

  constructor(cells: number) {
    const size = tableSize(cells);
    const table = (): Int32Array => new Int32Array(size);
    this.vocabulary = {
      wordKeys: table(),
      wordIds: table(),
      stemKeys: table(),
      stemIds: table(),
      stemBits: new Int32Array(STEM_BITS >> 5),
      stepStates: table(),
      stepIds: table(),
      stepNext: table(),
      values: new Uint8Array(cells + 1),
    };
  }

  /** Takes a phrase cell by cell: words, and letters of unspaced scripts each alone, as they are read off a text. */
  add({ text, open, value }: Phrase): void {
    const { values } = this.vocabulary;
    let state = 0;
    let hash = HASH_SEED;
    let length = 0;
    for (let i = 0; i <= text.length; i += 1) {
      const unit = i < text.length ? text.charCodeAt(i) : 0x20;
      const kind = letterKind(unit);
      if (kind === LETTER.spaced || kind === LETTER.digit) {
        hash = hashStep(hash, unit);
        length += 1;
        continue;
      }
      if (length > 0) state = this.step(state, this.word(hash, open && i === text.length && length >= SHORTEST_STEM));
      hash = HASH_SEED;
      length = 0;
      if (kind === LETTER.unspaced) state = this.step(state, unit);
    }
    if (values[state] === 0) values[state] = value;
  }

  private word(hash: number, stem: boolean): number {
    const { wordKeys, wordIds, stemKeys, stemIds, stemBits } = this.vocabulary;
    const id = numberOf(stem ? stemKeys : wordKeys, stem ? stemIds : wordIds, hash, this.words);
    if (id === this.words) this.words += 1;
    if (stem) {
      const bit = spread(hash) & (STEM_BITS - 1);
      stemBits[bit >> 5] = (stemBits[bit >> 5] as number) | (1 << (bit & 31));
    }
    return id;
  }

  private step(state: number, id: number): number {
    const { stepStates, stepIds, stepNext } = this.vocabulary;
    const mask = stepNext.length - 1;
    let slot = stepHash(state, id) & mask;
    while (stepNext[slot] !== 0 && !(stepIds[slot] === id && stepStates[slot] === state)) slot = (slot + 1) & mask;
    if (stepNext[slot] === 0) {
      stepStates[slot] = state;
      stepIds[slot] = id;
      stepNext[slot] = this.states;
      this.states += 1;
    }
    return stepNext[slot] as number;
  }
}
