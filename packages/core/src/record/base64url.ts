const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const values: ReadonlyMap<number, number> = new Map([...alphabet].map((char, value) => [char.charCodeAt(0), value]));

/** Two characters for each of the 4,096 values of 12 bits: half the steps of one character at a time. */
const pairs: readonly string[] = [...alphabet].flatMap((high) => [...alphabet].map((low) => high + low));

/** RFC 4648 section 5, without padding. */
export function encodeBase64url(bytes: Uint8Array): string {
  const whole = bytes.length - (bytes.length % 3);
  let text = "";
  for (let i = 0; i < whole; i += 3) {
    const group = ((bytes[i] as number) << 16) | ((bytes[i + 1] as number) << 8) | (bytes[i + 2] as number);
    text += (pairs[group >> 12] as string) + (pairs[group & 0xfff] as string);
  }
  const left = bytes.length - whole;
  if (left === 1) text += pairs[(bytes[whole] as number) << 4];
  if (left === 2) {
    const group = ((bytes[whole] as number) << 10) | ((bytes[whole + 1] as number) << 2);
    text += (pairs[group >> 6] as string) + (alphabet[group & 63] as string);
  }
  return text;
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
    const value = values.get(text.charCodeAt(i));
    if (value === undefined) return undefined;
    held = (held << 6) | value;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = held >> bits;
    held &= (1 << bits) - 1;
  }
  return held === 0 ? bytes : undefined;
}
