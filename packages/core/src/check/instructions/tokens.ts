import type { Folded } from "./fold.ts";
import { HASH_SEED, hashStep, LETTER, letterKind } from "./letters.ts";
import { FIRST_MARK, MARK, SHAPE } from "./shape.ts";
import { Traits } from "./traits.ts";
import { SHORTEST_STEM, stemId, step, type Vocabulary, wordId } from "./vocabulary.ts";

/** Tokens in text order, column by column. */
export interface Tokens {
  readonly count: number;
  /** Concept number, SHAPE or MARK. */
  readonly classes: Uint8Array;
  /** First and last folded unit (exclusive). */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Hash of the first word; 0 for a mark. */
  readonly hashes: Int32Array;
  /** Distance from the start of the text: two for a word, one for an unspaced letter, nothing for a mark. */
  readonly places: Int32Array;
  /** Words and letters seen. */
  readonly words: number;
  readonly traits: Traits;
}

const isMark = (kind: number): boolean => kind === LETTER.none;

/** Reads words and marks off the folded text and names the phrases among them: leftmost first, longest wins. */
export function tokenise(folded: Folded, vocabulary: Vocabulary): Tokens {
  return new Reader(folded, vocabulary).read();
}

class Reader {
  private readonly folded: Folded;
  private readonly vocabulary: Vocabulary;
  private count = 0;
  private classes: Uint8Array;
  private from: Int32Array;
  private to: Int32Array;
  private hashes: Int32Array;
  private ids: Int32Array;
  private stems: Int32Array;
  private readonly traits = new Traits();
  /** Where the phrase that `longest` found ends. */
  private phraseEnd = 0;

  constructor(folded: Folded, vocabulary: Vocabulary) {
    this.folded = folded;
    this.vocabulary = vocabulary;
    const size = (folded.length >> 1) + 16;
    this.classes = new Uint8Array(size);
    this.from = new Int32Array(size);
    this.to = new Int32Array(size);
    this.hashes = new Int32Array(size);
    this.ids = new Int32Array(size);
    this.stems = new Int32Array(size);
  }

  read(): Tokens {
    this.cells();
    return this.phrases();
  }

  private put(kind: number, from: number, to: number, hash: number, id: number, stem: number): void {
    const { count } = this;
    if (count === this.classes.length) this.grow();
    this.classes[count] = kind;
    this.from[count] = from;
    this.to[count] = to;
    this.hashes[count] = hash;
    this.ids[count] = id;
    this.stems[count] = stem;
    this.count = count + 1;
  }

  private grow(): void {
    const longer = (old: Int32Array): Int32Array => {
      const fresh = new Int32Array(old.length * 2);
      fresh.set(old);
      return fresh;
    };
    const classes = new Uint8Array(this.classes.length * 2);
    classes.set(this.classes);
    this.classes = classes;
    this.from = longer(this.from);
    this.to = longer(this.to);
    this.hashes = longer(this.hashes);
    this.ids = longer(this.ids);
    this.stems = longer(this.stems);
  }

  private cells(): void {
    const { units, length } = this.folded;
    let i = 0;
    while (i < length) {
      const kind = letterKind(units[i] as number);
      if (kind === LETTER.none) i = this.mark(i);
      else if (kind === LETTER.unspaced) {
        this.put(SHAPE.other, i, i + 1, units[i] as number, units[i] as number, 0);
        i += 1;
      } else i = this.word(i);
    }
  }

  private word(start: number): number {
    const { vocabulary } = this;
    const { units, length } = this.folded;
    let hash = HASH_SEED;
    let stem = 0;
    let digits = 0;
    let i = start;
    for (; i < length; i += 1) {
      const unit = units[i] as number;
      const kind = letterKind(unit);
      if (kind === LETTER.digit) digits += 1;
      else if (kind !== LETTER.spaced) break;
      hash = hashStep(hash, unit);
      if (i - start + 1 >= SHORTEST_STEM) {
        const found = stemId(vocabulary, hash);
        if (found !== 0) stem = found;
      }
    }
    const size = i - start;
    let id = wordId(vocabulary, hash);
    const first = units[start] as number;
    if (id === 0 && stem === 0 && first >= 0x590 && first < 0x700 && size > 3) {
      [id, stem] = this.withoutPrefix(start, i);
    }
    if (i + 2 < length && units[i] === 0x3a && units[i + 1] === 0x2f && units[i + 2] === 0x2f)
      return this.url(start, i, hash);
    if (i + 1 < length && units[i] === 0x40 && letterKind(units[i + 1] as number) === LETTER.spaced)
      return this.address(start, i, hash);
    this.put(this.shape(start, size, digits), start, i, hash, id, stem);
    this.traits.word(units, start, i, digits, hash, id !== 0 || stem !== 0);
    return i;
  }

  /** Arabic and Hebrew write "and", "in", "to", "the" onto the front of a word: looks again without them. */
  private withoutPrefix(start: number, end: number): [number, number] {
    const { units } = this.folded;
    for (let from = start; from < start + 4 && end - from > 2; from += 1) {
      if (from > start && !PREFIXES.has(units[from - 1] as number)) break;
      let hash = HASH_SEED;
      let stem = 0;
      for (let i = from; i < end; i += 1) {
        hash = hashStep(hash, units[i] as number);
        if (i - from + 1 >= SHORTEST_STEM) {
          const found = stemId(this.vocabulary, hash);
          if (found !== 0) stem = found;
        }
      }
      const id = wordId(this.vocabulary, hash);
      if (id !== 0 || stem !== 0) return [id, stem];
    }
    return [0, 0];
  }

  private url(start: number, colon: number, hash: number): number {
    const { units, length } = this.folded;
    let i = colon + 3;
    while (i < length && inUrl(units[i] as number)) i += 1;
    this.put(SHAPE.url, start, i, hash, 0, 0);
    return i;
  }

  private address(start: number, sign: number, hash: number): number {
    const { units, length } = this.folded;
    let i = sign + 1;
    while (i < length && inHost(units[i] as number)) i += 1;
    this.put(SHAPE.address, start, i, hash, 0, 0);
    return i;
  }

  private shape(start: number, size: number, digits: number): number {
    if (digits === size) {
      const before = start > 0 ? (this.folded.units[start - 1] as number) : 0;
      if (before === 0x24 || before === 0x20ac || before === 0xa3) return SHAPE.price;
      return size >= 5 ? SHAPE.longNumber : SHAPE.number;
    }
    if (digits > 0) return SHAPE.code;
    const { text, at } = this.folded;
    const first = text.charCodeAt(at[start] as number);
    if (first < 0x41 || first > 0x5a) return SHAPE.other;
    const second = size > 1 ? text.charCodeAt(at[start + 1] as number) : 0;
    return size > 2 && second >= 0x41 && second <= 0x5a ? SHAPE.shout : SHAPE.name;
  }

  private mark(start: number): number {
    const { units, length } = this.folded;
    const unit = units[start] as number;
    if (unit === 0x20) return start + 1;
    let end = start + 1;
    while (end < length && units[end] === unit) end += 1;
    const run = end - start;
    const next = end < length ? (units[end] as number) : 0;
    let kind = 0;
    this.traits.sign(unit, run);
    if (unit === 0x0a) kind = run > 1 ? MARK.paragraph : this.lineMark(end);
    else if (unit === 0x5c) return this.escape(start, end, next);
    else if (unit === 0x3c) {
      if (next === 0x21 && units[end + 1] === 0x2d) kind = MARK.comment;
      else if (next === 0x7c) kind = MARK.special;
      else if (next === 0x2f) kind = MARK.endTag;
      else if (letterKind(next) === LETTER.spaced) kind = run > 1 ? MARK.special : MARK.tag;
      else if (run > 2) kind = MARK.ruler;
    } else if (unit === 0x23) kind = run > 1 ? MARK.heading : 0;
    else if (unit === 0x60 || unit === 0x27) kind = run > 2 ? MARK.fence : 0;
    else if (unit === 0x2d || unit === 0x2a) {
      if (run > 2) kind = MARK.ruler;
      else if (run === 1 && next === 0x20 && (start === 0 || units[start - 1] === 0x0a)) kind = MARK.bullet;
    } else if (unit === 0x2e) kind = letterKind(next) === LETTER.none || run > 1 ? MARK.stop : 0;
    else if (unit === 0x3f) kind = MARK.question;
    else if (unit === 0x21) kind = MARK.exclamation;
    else if (unit === 0x3a) kind = run > 2 ? MARK.ruler : MARK.colon;
    else if (unit === 0x22) kind = run > 2 ? MARK.fence : MARK.quote;
    else if (unit === 0x5b) kind = MARK.bracket;
    else if (unit === 0x7b) kind = MARK.brace;
    else if (run > 2 && unit > 0x20 && unit < 0x7f) kind = MARK.ruler;
    if (kind !== 0) this.put(kind, start, end, 0, 0, 0);
    return end;
  }

  /** Whether a sentence goes on after a line's end: only a small letter says so. */
  private lineMark(next: number): number {
    const { text, at, units, length } = this.folded;
    let i = next;
    while (i < length && units[i] === 0x20) i += 1;
    if (i >= length) return MARK.row;
    const letter = text.charAt(at[i] as number);
    return letter !== letter.toUpperCase() && letter === letter.toLowerCase() ? MARK.line : MARK.row;
  }

  /** `\n` written out, as in the text of JSON, ends a line; other backslashes mean nothing here. */
  private escape(start: number, end: number, next: number): number {
    const newline = next === 0x6e || next === 0x72;
    if (!newline && next !== 0x74) return end;
    if ((end - start) % 2 === 0 || this.startsName(end)) return end;
    if (newline) this.put(this.lineMark(end + 1), start, end + 1, 0, 0, 0);
    return end + 1;
  }

  /** Whether the letter after a backslash rather begins a lower-case word of a path: `\\new folder`. */
  private startsName(letter: number): boolean {
    const { text, at } = this.folded;
    const before = letter > 1 ? text.charCodeAt((at[letter] as number) - 2) : 0;
    return before === 0x3a;
  }

  /** Names the phrases: from each cell the longest one that begins there; its cells become one token. */
  private phrases(): Tokens {
    const { vocabulary, classes, from, to, hashes, ids, count } = this;
    const places = new Int32Array(count);
    let place = 0;
    let words = 0;
    let kept = 0;
    for (let i = 0; i < count; ) {
      let end = i + 1;
      let kind = classes[i] as number;
      const mark = kind >= FIRST_MARK;
      if (!mark) {
        const state = this.longest(i);
        if (state !== 0) {
          kind = vocabulary.values[state] as number;
          end = this.phraseEnd;
        }
      }
      const unspaced =
        !mark && (hashes[i] as number) > 0 && ids[i] === hashes[i] && (to[i] as number) - (from[i] as number) === 1;
      let size = 0;
      for (let k = i; k < end; k += 1) if ((classes[k] as number) < FIRST_MARK) size += unspaced ? 1 : 2;
      if (!mark) words += end - i;
      // Unspaced letters that say nothing are not kept: their run would push meanings out of each other's reach only by its length.
      if (kind !== SHAPE.other || !unspaced) {
        classes[kept] = kind;
        from[kept] = from[i] as number;
        to[kept] = to[end - 1] as number;
        hashes[kept] = mark ? 0 : (hashes[i] as number);
        places[kept] = place;
        kept += 1;
      }
      place += size;
      i = end;
    }
    return { count: kept, classes, from, to, hashes, places, words, traits: this.traits };
  }

  /** The state of the longest phrase that begins at a cell, 0 for none. */
  private longest(start: number): number {
    const { vocabulary, classes, ids, stems, count } = this;
    let state = 0;
    let best = 0;
    if ((ids[start] as number) === 0 && (stems[start] as number) === 0) return 0;
    for (let i = start; i < count; i += 1) {
      const mark = classes[i] as number;
      if (mark >= FIRST_MARK) {
        // Words that run over a line's end or carry quotes or markup still make a phrase; sentences do not.
        if (ENDS_PHRASE.has(mark)) break;
        continue;
      }
      const id = ids[i] as number;
      const stem = stems[i] as number;
      const stemmed = stem === 0 ? 0 : step(vocabulary, state, stem);
      if (stemmed !== 0 && vocabulary.values[stemmed] !== 0) {
        best = stemmed;
        this.phraseEnd = i + 1;
      }
      const next = id === 0 ? 0 : step(vocabulary, state, id);
      if (next === 0) break;
      if (vocabulary.values[next] !== 0) {
        best = next;
        this.phraseEnd = i + 1;
      }
      state = next;
    }
    return best;
  }
}

const ENDS_PHRASE: ReadonlySet<number> = new Set([
  MARK.stop,
  MARK.question,
  MARK.exclamation,
  MARK.colon,
  MARK.paragraph,
  MARK.ruler,
  MARK.heading,
]);

const PREFIXES = new Set([...("وفبلكا" + "והבלמשכ")].map((letter) => letter.charCodeAt(0)));

const inUrl = (unit: number): boolean =>
  unit > 0x20 &&
  unit !== 0x22 &&
  unit !== 0x27 &&
  unit !== 0x3c &&
  unit !== 0x3e &&
  unit !== 0x29 &&
  unit !== 0x5d &&
  unit !== 0x60 &&
  unit !== 0x5c &&
  letterKind(unit) !== LETTER.unspaced;
const inHost = (unit: number): boolean => unit === 0x2e || unit === 0x2d || (unit < 0x80 && !isMark(letterKind(unit)));
