const DIGITS = new Int8Array(128).fill(-1);
for (const [value, char] of [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].entries())
  DIGITS[char.charCodeAt(0)] = value;
DIGITS["-".charCodeAt(0)] = 62;
DIGITS["_".charCodeAt(0)] = 63;

const isPrintable = (byte: number): boolean => (byte >= 32 && byte < 127) || byte === 9 || byte === 10 || byte === 13;

/** Base64 of either alphabet as text; undefined at the first byte that is no printable ASCII, so that data costs little. */
export function decodePrintable(base64: string): string | undefined {
  let bits = 0;
  let held = 0;
  const codes = new Uint8Array((base64.length * 3) >> 2);
  let length = 0;
  for (let at = 0; at < base64.length; at += 1) {
    const digit = DIGITS[base64.charCodeAt(at)] ?? -1;
    if (digit === -1) {
      if (base64[at] === "=") break;
      return undefined;
    }
    bits = ((bits << 6) | digit) & 0xffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    const byte = (bits >> held) & 0xff;
    if (!isPrintable(byte)) return undefined;
    codes[length] = byte;
    length += 1;
  }
  return textOf(codes.subarray(0, length));
}

/** Hexadecimal as text, or undefined as above. An odd last digit is left out. */
export function decodePrintableHex(hex: string): string | undefined {
  const codes = new Uint8Array(hex.length >> 1);
  for (let at = 0; at < codes.length; at += 1) {
    const byte = Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16);
    if (!isPrintable(byte)) return undefined;
    codes[at] = byte;
  }
  return textOf(codes);
}

/** Piece by piece, since a call takes only so many arguments. */
function textOf(codes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < codes.length; at += 4096) parts.push(String.fromCharCode(...codes.subarray(at, at + 4096)));
  return parts.join("");
}
