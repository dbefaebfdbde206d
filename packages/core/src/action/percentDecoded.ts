import { decodeUtf8, encodeUtf8 } from "../check/url/utf8.ts";

/**
 * Decodes escapes until none is left, in one pass: a decoded byte goes back on the stack and may complete an outer escape
 * ("%2525" gives "%"). No escape overlaps another, so this is what repeated decoding gives. Bytes that are not UTF-8
 * become U+FFFD, and `wellFormed` is false.
 */
export function percentDecoded(text: string): { readonly text: string; readonly wellFormed: boolean } {
  if (!text.includes("%")) return { text, wellFormed: true };
  const stack = new Uint8Array(text.length * 3);
  let top = 0;
  for (const byte of encodeUtf8(text)) {
    stack[top++] = byte;
    while (top >= 3 && stack[top - 3] === 0x25) {
      const high = hexValue(stack[top - 2]);
      const low = hexValue(stack[top - 1]);
      if (high < 0 || low < 0) break;
      top -= 3;
      stack[top++] = high * 16 + low;
    }
  }
  return decodeUtf8(stack.subarray(0, top));
}

function hexValue(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
