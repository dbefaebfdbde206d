const pairs: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Lower case, two digits a byte. */
export function hex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += pairs[byte];
  return text;
}

/** The bytes, or undefined for anything but what `hex` writes. */
export function unhex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-f]*$/.test(text)) return undefined;
  return Uint8Array.from({ length: text.length / 2 }, (_, i) => Number.parseInt(text.slice(2 * i, 2 * i + 2), 16));
}
