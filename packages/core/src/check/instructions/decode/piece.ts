/** Text that was hidden in another text. */
export interface Piece {
  /** How it was hidden: the name of the view. */
  readonly name: string;
  readonly text: string;
  /** `at[i]` is where code unit `i` came from in the outer text; `at[text.length]` is where the hidden part ends. */
  readonly at: Int32Array;
}

/** Collects decoded characters and where each came from. */
export class Collector {
  private readonly parts: string[] = [];
  private at = new Int32Array(64);
  length = 0;

  /** Adds `text`, all of it from `at`. */
  add(text: string, at: number): void {
    this.room(text.length);
    for (let i = 0; i < text.length; i += 1) this.at[this.length + i] = at;
    this.length += text.length;
    if (text !== "") this.parts.push(text);
  }

  /** Adds what stands in `text` from `from` up to `to`, as it is. */
  copy(text: string, from: number, to: number): void {
    if (to <= from) return;
    this.room(to - from);
    for (let i = from; i < to; i += 1) this.at[this.length + i - from] = i;
    this.length += to - from;
    this.parts.push(text.slice(from, to));
  }

  private room(more: number): void {
    if (this.length + more < this.at.length) return;
    const bigger = new Int32Array((this.length + more) * 2 + 1);
    bigger.set(this.at);
    this.at = bigger;
  }

  piece(name: string, end: number): Piece {
    this.at[this.length] = end;
    return { name, text: this.parts.join(""), at: this.at.subarray(0, this.length + 1) };
  }
}

/** How much of the text around a change is read with it. */
const CONTEXT = 240;

/**
 * A text with parts of it rewritten. What comes out is the rewritten parts with what stands around them, so that a page with one odd word costs
 * a line and not a page.
 */
export class Rewriting {
  private readonly text: string;
  private readonly out = new Collector();
  /** Up to here the text has been copied; -1 before the first change. */
  private kept = -1;
  changes = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Puts `plain` in place of [from, to), which lies after every earlier change. `at` places its characters, else they count from `from`. */
  replace(from: number, to: number, plain: string, at?: readonly number[]): void {
    this.changes += 1;
    const start = Math.max(0, from - CONTEXT);
    if (this.kept === -1) this.out.copy(this.text, start, from);
    else if (start <= this.kept + CONTEXT) this.out.copy(this.text, this.kept, from);
    else {
      this.out.copy(this.text, this.kept, this.kept + CONTEXT);
      this.out.add("\n\n", this.kept + CONTEXT);
      this.out.copy(this.text, start, from);
    }
    if (at !== undefined) for (let i = 0; i < plain.length; i += 1) this.out.add(plain.charAt(i), at[i] ?? from);
    else if (plain.length === to - from)
      for (let i = 0; i < plain.length; i += 1) this.out.add(plain.charAt(i), from + i);
    else this.out.add(plain, from);
    this.kept = to;
  }

  piece(name: string): Piece {
    const end = Math.min(this.text.length, Math.max(0, this.kept) + CONTEXT);
    if (this.kept !== -1) this.out.copy(this.text, this.kept, end);
    return this.out.piece(name, end);
  }
}

/** Whether decoded text reads like language: mostly letters and spaces, with some of both. Random bytes do not. */
export function readable(text: string): boolean {
  let letters = 0;
  let spaces = 0;
  let control = 0;
  const size = Math.min(text.length, 512);
  for (let i = 0; i < size; i += 1) {
    const unit = text.charCodeAt(i);
    if ((unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a)) letters += 1;
    else if (unit === 0x20 || unit === 0x0a) spaces += 1;
    else if (unit < 0x20 || (unit >= 0x7f && unit < 0xa0) || unit === 0xfffd) control += 1;
    else if (unit >= 0xc0) letters += 1;
  }
  return size >= 4 && control * 20 <= size && (letters + spaces) * 10 >= size * 7;
}
