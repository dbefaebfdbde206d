/** What a letter is to a word. Unspaced scripts write words without gaps, so there each letter stands alone. */
export const LETTER = { none: 0, spaced: 1, digit: 2, unspaced: 3 } as const;

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]/u;
const WORDLIKE = /[\p{L}\p{M}\p{N}\ufffd]/u;
const UNASKED = 255;

const kinds = new Uint8Array(65536).fill(UNASKED);
for (let unit = 0; unit < 128; unit += 1) {
  const digit = unit >= 0x30 && unit <= 0x39;
  kinds[unit] = digit ? LETTER.digit : unit >= 0x61 && unit <= 0x7a ? LETTER.spaced : LETTER.none;
}

/** The kind of a folded unit; each unit's is found once and remembered. */
export function letterKind(unit: number): number {
  const known = kinds[unit] as number;
  if (known !== UNASKED) return known;
  // The large blocks by their numbers: asking for their script takes a text's first letters most of their time.
  if ((unit >= 0x4e00 && unit < 0xa000) || (unit >= 0xac00 && unit < 0xd7a4)) {
    kinds[unit] = unit < 0xa000 ? LETTER.unspaced : LETTER.spaced;
    return kinds[unit] as number;
  }
  const character = String.fromCharCode(unit);
  let kind: number = LETTER.none;
  if (UNSPACED.test(character)) kind = LETTER.unspaced;
  else if (WORDLIKE.test(character)) kind = LETTER.spaced;
  kinds[unit] = kind;
  return kind;
}

export const HASH_SEED = 0x811c9dc5 | 0;

/** One step of the word hash (FNV-1a over code units). */
export const hashStep = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);
