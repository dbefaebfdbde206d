import { CIPHERS, cipherOf } from "./decode/cipher.ts";

/** What was met in a text that may hide words: each trait says which decoder is worth its work. */
export class Traits {
  /** Words with a digit or a sign between letters, as `1n5truct10n` has. */
  disguised = 0;
  /** Most letters in a row that stood alone. */
  spelled = 0;
  /** Most numbers or pairs of hexadecimal digits in a row. */
  codes = 0;
  /** Signs that begin an escape: `&`, `%`, a backslash, `=`. */
  escapes = 0;
  tags = 0;
  dots = 0;
  /** Letters and digits of the longest word, and letters of the longest word of letters only. */
  longest = 0;
  longestLetters = 0;
  /** By cipher: words that give it away. */
  readonly ciphers = new Uint16Array(CIPHERS);
  private spelling = 0;
  private coding = 0;

  /** Takes note of a word: its units are `units[start]` up to `units[end]`. */
  word(units: Uint16Array, start: number, end: number, digits: number, hash: number, known: boolean): void {
    const size = end - start;
    if (size > this.longest) this.longest = size;
    if (size === 1 && digits === 0) {
      this.spelling += 1;
      if (this.spelling > this.spelled) this.spelled = this.spelling;
    } else this.spelling = 0;
    if (digits === size || (size === 2 && isHex(units[start] as number) && isHex(units[start + 1] as number))) {
      this.coding += 1;
      if (this.coding > this.codes) this.codes = this.coding;
      return;
    }
    this.coding = 0;
    if (digits > 0) {
      if (size <= LONGEST_DISGUISE && digitInside(units, start, end)) this.disguised += 1;
      return;
    }
    if (size > this.longestLetters) this.longestLetters = size;
    if (IMITATING.has(units[end] ?? 0) && isLetter(units[end + 1] ?? 0)) this.disguised += 1;
    if (known || size < 3) return;
    const cipher = cipherOf(hash);
    if (cipher !== 0) this.ciphers[cipher] = (this.ciphers[cipher] as number) + 1;
  }

  sign(unit: number, run: number): void {
    if (unit === 0x26 || unit === 0x25 || unit === 0x5c || unit === 0x3d) this.escapes += 1;
    else if (unit === 0x3c) this.tags += 1;
    else if (unit === 0x2d || unit === 0x2e) this.dots += run;
  }
}

/** Disguised words are words; longer mixtures are identifiers and digests. */
const LONGEST_DISGUISE = 18;
const IMITATING = new Set([..."@$|!€"].map((sign) => sign.charCodeAt(0)));
const isLetter = (unit: number): boolean => unit >= 0x61 && unit <= 0x7a;
const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;
const isHex = (unit: number): boolean => isDigit(unit) || (unit >= 0x61 && unit <= 0x66);

function digitInside(units: Uint16Array, start: number, end: number): boolean {
  for (let i = start + 1; i < end; i += 1)
    if (isDigit(units[i - 1] as number) && isLetter(units[i] as number)) return true;
  return false;
}
