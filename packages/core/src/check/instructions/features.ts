import { CONCEPTS } from "./lexicon/concept.ts";
import type { RuleHit } from "./rules.ts";
import { FIRST_MARK, SHAPE } from "./shape.ts";
import type { Tokens } from "./tokens.ts";

/** Features over meanings, then features over words: both hashed, side by side in one table. */
export const MEANING_SLOTS = 1 << 15;
export const WORD_SLOTS = 1 << 17;
export const SLOTS = MEANING_SLOTS + WORD_SLOTS;

/** What each token adds, row by row: token `t` has the features `slots[starts[t]]` up to `slots[starts[t + 1]]`. */
export interface Features {
  readonly starts: Int32Array;
  readonly slots: Int32Array;
}

/** Words so common that beside them only their neighbours say something. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set([
  "the",
  "this",
  "to",
  "and",
  "with",
  "be",
  "we",
  "can",
  "will",
  "want",
  "ask",
  "help",
  "if",
]);
const strong = new Uint8Array(256);
CONCEPTS.forEach((concept, index) => {
  strong[index + 1] = FUNCTION_WORDS.has(concept) ? 0 : 1;
});
strong[SHAPE.url] = 1;
strong[SHAPE.address] = 1;

/** Strong tokens that a token is paired with, and how far back they may stand (two places a word). */
const PAIRED = 5;
const PAIR_REACH = 24;
const PER_TOKEN = 16;

const mix = (a: number, b: number): number => {
  const mixed = Math.imul(a ^ Math.imul(b, 0x85ebca6b), 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
};
const meaning = (kind: number, a: number, b: number): number => mix(mix(kind, a), b) & (MEANING_SLOTS - 1);
const word = (kind: number, a: number, b: number): number => MEANING_SLOTS + (mix(mix(kind, a), b) & (WORD_SLOTS - 1));

/** A feature seen again within this many tokens adds nothing: saying a thing ten times is not ten reasons. */
const MEMORY = 64;
const REMEMBERED = 1 << 13;

export const ruleSlot = (rule: number): number => meaning(9, rule, 0);

/** The features of every token, with those of the rules that end on it. Work is a constant for each token. */
export function featuresOf(tokens: Tokens, hits: readonly RuleHit[]): Features {
  return new Extraction(tokens).run(hits);
}

class Extraction {
  private readonly tokens: Tokens;
  private readonly starts: Int32Array;
  private slots: Int32Array;
  private size = 0;
  private token = 0;
  /** By slot, folded: the slot last seen there, and the token it was seen at. */
  private readonly seenSlot = new Int32Array(REMEMBERED).fill(-1);
  private readonly seenAt = new Int32Array(REMEMBERED);
  private readonly recent = new Int32Array(PAIRED).fill(-1);
  private newest = 0;

  constructor(tokens: Tokens) {
    this.tokens = tokens;
    this.starts = new Int32Array(tokens.count + 1);
    this.slots = new Int32Array(tokens.count * 12 + PER_TOKEN);
  }

  run(hits: readonly RuleHit[]): Features {
    const { count, classes, hashes } = this.tokens;
    let hit = 0;
    // The meanings before: a run of unnamed words counts as one.
    let last = FIRST_MARK;
    let beforeLast = FIRST_MARK;
    let thirdLast = FIRST_MARK;
    let lastWord = 0;
    for (let token = 0; token < count; token += 1) {
      this.token = token;
      this.starts[token] = this.size;
      if (this.size + PER_TOKEN > this.slots.length) this.grow();
      const kind = classes[token] as number;
      const own = kind === SHAPE.name ? SHAPE.other : kind;
      if (!(own === SHAPE.other && last === SHAPE.other)) {
        this.put(meaning(1, own, 0));
        this.put(meaning(2, last, own));
        this.put(meaning(3, (beforeLast << 8) | last, own));
        this.put(meaning(4, (thirdLast << 16) | (beforeLast << 8) | last, own));
        thirdLast = beforeLast;
        beforeLast = last;
        last = own;
      }
      if (strong[kind] === 1) this.pairs(kind);
      const hash = hashes[token] as number;
      if (hash !== 0) {
        this.put(word(1, hash, 0));
        this.put(word(2, lastWord, hash));
        this.put(word(3, beforeLast, hash));
        lastWord = hash;
      } else lastWord = kind;
      for (; hit < hits.length && hits[hit]?.last === token; hit += 1) {
        if (this.size + PER_TOKEN > this.slots.length) this.grow();
        this.put(ruleSlot(hits[hit]?.rule ?? 0));
      }
    }
    this.starts[count] = this.size;
    return { starts: this.starts, slots: this.slots };
  }

  private put(slot: number): void {
    const held = slot & (REMEMBERED - 1);
    const fresh = this.seenSlot[held] !== slot || this.token - (this.seenAt[held] as number) > MEMORY;
    this.seenSlot[held] = slot;
    this.seenAt[held] = this.token;
    if (!fresh) return;
    this.slots[this.size] = slot;
    this.size += 1;
  }

  /** Which meanings stand near each other, in either order. */
  private pairs(kind: number): void {
    const { classes, places } = this.tokens;
    const place = places[this.token] as number;
    for (let k = 0; k < PAIRED; k += 1) {
      const other = this.recent[k] as number;
      if (other < 0 || place - (places[other] as number) > PAIR_REACH) continue;
      const before = classes[other] as number;
      this.put(before < kind ? meaning(5, before, kind) : meaning(5, kind, before));
    }
    this.recent[this.newest] = this.token;
    this.newest = (this.newest + 1) % PAIRED;
  }

  private grow(): void {
    const fresh = new Int32Array(this.slots.length * 2 + PER_TOKEN);
    fresh.set(this.slots.subarray(0, this.size));
    this.slots = fresh;
  }
}
