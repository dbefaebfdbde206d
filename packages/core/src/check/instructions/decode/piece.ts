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
  private readonly places: number[] = [];

  get length(): number {
    return this.places.length;
  }

  /** Adds `text`, all of it from `at`. */
  add(text: string, at: number): void {
    for (let i = 0; i < text.length; i += 1) this.places.push(at);
    if (text !== "") this.parts.push(text);
  }

  piece(name: string, end: number): Piece {
    const at = new Int32Array(this.places.length + 1);
    at.set(this.places);
    at[this.places.length] = end;
    return { name, text: this.parts.join(""), at };
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
