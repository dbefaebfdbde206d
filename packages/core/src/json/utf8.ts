/** Bytes to text; undefined when they are not UTF-8. A leading byte order mark stays in the text. */
export type Utf8Decoder = (bytes: Uint8Array) => string | undefined;

/**
 * UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF. Pure, so that core reads bytes
 * anywhere; a server hands in its runtime's decoder, which is faster.
 */
export const decodeUtf8: Utf8Decoder = (bytes) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = "";
  let at = 0;
  while (at < bytes.length) {
    // Most of JSON is ASCII, which goes by eight bytes at a time.
    if (at + 8 <= bytes.length) {
      const [left, right] = [view.getUint32(at), view.getUint32(at + 4)];
      if (((left | right) & 0x80808080) === 0) {
        text += eightUnits(left, right);
        at += 8;
        continue;
      }
    }
    const lead = bytes[at] as number;
    const size = sequenceLength(lead);
    if (size === 0 || at + size > bytes.length) return undefined;
    let point = lead & leadMask[size];
    for (let i = 1; i < size; i += 1) {
      const next = bytes[at + i] as number;
      if (i === 1 ? !secondFits(lead, next) : (next & 0xc0) !== 0x80) return undefined;
      point = point * 64 + (next & 0x3f);
    }
    text += String.fromCodePoint(point);
    at += size;
  }
  return text;
};

const eightUnits = (left: number, right: number): string =>
  String.fromCharCode(
    left >>> 24,
    (left >> 16) & 0xff,
    (left >> 8) & 0xff,
    left & 0xff,
    right >>> 24,
    (right >> 16) & 0xff,
    (right >> 8) & 0xff,
    right & 0xff,
  );

/** The bits of a lead byte that are of the code point, by the length of its sequence. */
const leadMask = { 1: 0x7f, 2: 0x1f, 3: 0x0f, 4: 0x07 } as const;

function sequenceLength(lead: number): 0 | 1 | 2 | 3 | 4 {
  if (lead < 0x80) return 1;
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

/** As WHATWG's encoder and every runtime: a lone surrogate becomes U+FFFD. Refuse those first where bytes are hashed. */
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
      const scalar = point >= 0xd800 && point <= 0xdfff ? 0xfffd : point;
      bytes[at++] = 0xe0 | (scalar >> 12);
      bytes[at++] = 0x80 | ((scalar >> 6) & 0x3f);
      bytes[at++] = 0x80 | (scalar & 0x3f);
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
