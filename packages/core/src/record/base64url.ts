import { asciiBytes, asciiText } from "./ascii.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The ASCII code of each value of six bits. */
const codes = Uint8Array.from(alphabet, (char) => char.charCodeAt(0));

/** The value of each ASCII code; `none` where the alphabet does not have it. */
const none = 64;
const values = new Uint8Array(128).fill(none);
for (const [value, code] of codes.entries()) values[code] = value;

/** RFC 4648 section 5, without padding. */
export const encodeBase64url = (bytes: Uint8Array): string => asciiText(base64urlBytes(bytes));

/** The same as ASCII bytes, for what is signed and not read. */
export function base64urlBytes(bytes: Uint8Array): Uint8Array {
  const text = new Uint8Array(base64urlLength(bytes.length));
  let at = 0;
  // Beyond the end is read as zero bits, and written only as far as there are bytes.
  for (let i = 0; i < bytes.length; i += 3) {
    writeGroup(text, at, ((bytes[i] as number) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0));
    at += 4;
  }
  return text;
}

export const base64urlLength = (bytes: number): number => Math.ceil((bytes * 4) / 3);

/** Writes a text of ASCII in base64url into `into` from `at` on, without bytes of it in between; gives where it ends. */
export function writeBase64url(ascii: string, into: Uint8Array, at: number): number {
  const rest = ascii.length % 3;
  const whole = ascii.length - rest;
  let to = at;
  for (let i = 0; i < whole; i += 3) {
    writeGroup(into, to, (ascii.charCodeAt(i) << 16) | (ascii.charCodeAt(i + 1) << 8) | ascii.charCodeAt(i + 2));
    to += 4;
  }
  if (rest === 0) return to;
  const last = base64urlBytes(asciiBytes(ascii.slice(whole)));
  into.set(last, to);
  return to + last.length;
}

function writeGroup(into: Uint8Array, at: number, group: number): void {
  into[at] = codes[group >> 18] as number;
  into[at + 1] = codes[(group >> 12) & 63] as number;
  into[at + 2] = codes[(group >> 6) & 63] as number;
  into[at + 3] = codes[group & 63] as number;
}

/**
 * The bytes, or undefined for anything but the one spelling `encodeBase64url` gives them: padding, other alphabets,
 * white space and stray low bits are refused, else a signature would have several spellings.
 */
export function decodeBase64url(text: string): Uint8Array | undefined {
  if (text.length % 4 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let held = 0;
  let bits = 0;
  let at = 0;
  for (let i = 0; i < text.length; i += 1) {
    const value = values[text.charCodeAt(i)] ?? none;
    if (value === none) return undefined;
    held = (held << 6) | value;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = held >> bits;
    held &= (1 << bits) - 1;
  }
  return held === 0 ? bytes : undefined;
}
