/** Bytes to text; undefined when they are not UTF-8. A leading byte order mark stays in the text. */
export type Utf8Decoder = (bytes: Uint8Array) => string | undefined;

const chunk = 8192;

/**
 * UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF. Pure, so that core reads bytes
 * anywhere; a server hands in its runtime's decoder, which is faster.
 */
export const decodeUtf8: Utf8Decoder = (bytes) => {
  const units = new Uint16Array(Math.min(bytes.length, chunk) + 2);
  let text = "";
  let filled = 0;
  let at = 0;
  while (at < bytes.length) {
    const lead = bytes[at] as number;
    if (lead < 0x80) {
      units[filled++] = lead;
      at += 1;
    } else {
      const size = sequenceLength(lead);
      // Read past the end is undefined, which no range below contains.
      const second = bytes[at + 1] as number;
      if (size === 0 || !secondFits(lead, second)) return undefined;
      let point = (lead & (0x7f >> size)) * 64 + (second & 0x3f);
      for (let i = 2; i < size; i += 1) {
        const next = bytes[at + i] as number;
        if (!(next >= 0x80 && next <= 0xbf)) return undefined;
        point = point * 64 + (next & 0x3f);
      }
      at += size;
      if (point > 0xffff) {
        units[filled++] = 0xd7c0 + (point >> 10);
        units[filled++] = 0xdc00 + (point & 0x3ff);
      } else {
        units[filled++] = point;
      }
    }
    if (filled >= chunk || at >= bytes.length) {
      text += String.fromCharCode.apply(null, units.subarray(0, filled) as unknown as number[]);
      filled = 0;
    }
  }
  return text;
};

function sequenceLength(lead: number): 0 | 2 | 3 | 4 {
  if (lead < 0xc2 || lead > 0xf4) return 0;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** The second byte carries the limits: overlong forms, surrogates and code points that do not exist. */
function secondFits(lead: number, second: number): boolean {
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  return second >= low && second <= high;
}

/** Bytes that the first `end` units of `text` take as UTF-8. A lone surrogate counts as three. */
export function utf8Length(text: string, end = text.length): number {
  let bytes = end;
  for (let i = 0; i < end; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    // A pair is four bytes: its second unit is paid for with the first.
    if (unit >= 0xd800 && unit <= 0xdbff && i + 1 < end && isLowSurrogate(text.charCodeAt(i + 1))) i += 1;
  }
  return bytes;
}

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** UTF-8 of a text without lone surrogates (one would become three bytes that no decoder takes). */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(utf8Length(text));
  let at = 0;
  for (let i = 0; i < text.length; i += 1) {
    const point = text.codePointAt(i) as number;
    if (point < 0x80) {
      bytes[at++] = point;
    } else if (point < 0x800) {
      bytes[at++] = 0xc0 | (point >> 6);
      bytes[at++] = 0x80 | (point & 0x3f);
    } else if (point < 0x10000) {
      bytes[at++] = 0xe0 | (point >> 12);
      bytes[at++] = 0x80 | ((point >> 6) & 0x3f);
      bytes[at++] = 0x80 | (point & 0x3f);
    } else {
      i += 1;
      bytes[at++] = 0xf0 | (point >> 18);
      bytes[at++] = 0x80 | ((point >> 12) & 0x3f);
      bytes[at++] = 0x80 | ((point >> 6) & 0x3f);
      bytes[at++] = 0x80 | (point & 0x3f);
    }
  }
  return bytes;
}

/** Where the first surrogate without its partner stands, -1 when there is none. */
export function loneSurrogateAt(text: string): number {
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    if (unit > 0xdbff || !isLowSurrogate(text.charCodeAt(i + 1))) return i;
    i += 1;
  }
  return -1;
}
