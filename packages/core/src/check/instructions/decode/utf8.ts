import type { Piece } from "./piece.ts";

/**
 * Reads bytes as UTF-8. Bytes that are not UTF-8 become U+FFFD, one each. `place(i)` says where byte `i` came from; `place(bytes.length)` is
 * the end.
 */
export function readUtf8(
  name: string,
  bytes: readonly number[] | Uint8Array,
  size: number,
  place: (byte: number) => number,
): Piece {
  const at = new Int32Array(size + 1);
  let text = "";
  let chunk: number[] = [];
  let length = 0;
  const put = (unit: number, byte: number): void => {
    chunk.push(unit);
    at[length] = place(byte);
    length += 1;
    if (chunk.length === 4096) {
      text += String.fromCharCode(...chunk);
      chunk = [];
    }
  };
  for (let i = 0; i < size; ) {
    const [code, width] = codePoint(bytes, i, size);
    if (code > 0xffff) {
      put(0xd800 + ((code - 0x10000) >> 10), i);
      put(0xdc00 + ((code - 0x10000) & 0x3ff), i);
    } else put(code, i);
    i += width;
  }
  text += String.fromCharCode(...chunk);
  at[length] = place(size);
  return { name, text, at: at.subarray(0, length + 1) };
}

function codePoint(bytes: readonly number[] | Uint8Array, i: number, size: number): [code: number, width: number] {
  const first = bytes[i] as number;
  if (first < 0x80) return [first, 1];
  const width =
    first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xc2 && first < 0xe0 ? 2 : 0;
  if (width === 0 || i + width > size) return [0xfffd, 1];
  let code = first & (0xff >> (width + 1));
  for (let k = 1; k < width; k += 1) {
    const next = bytes[i + k] as number;
    if ((next & 0xc0) !== 0x80) return [0xfffd, 1];
    code = (code << 6) | (next & 0x3f);
  }
  const lowest = width === 2 ? 0x80 : width === 3 ? 0x800 : 0x10000;
  return code < lowest || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? [0xfffd, 1] : [code, width];
}
