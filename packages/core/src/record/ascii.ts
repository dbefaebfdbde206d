/** The bytes of a text in ASCII. Not for any other text: what does not fit into seven bits comes out as something else. */
export function asciiBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** Sixteen at a time: a call with as many arguments as there are bytes takes half as long again, and has a limit. */
export function asciiText(bytes: Uint8Array): string {
  const { fromCharCode } = String;
  let text = "";
  let i = 0;
  for (; i + 16 <= bytes.length; i += 16) {
    text += fromCharCode(
      bytes[i] as number,
      bytes[i + 1] as number,
      bytes[i + 2] as number,
      bytes[i + 3] as number,
      bytes[i + 4] as number,
      bytes[i + 5] as number,
      bytes[i + 6] as number,
      bytes[i + 7] as number,
      bytes[i + 8] as number,
      bytes[i + 9] as number,
      bytes[i + 10] as number,
      bytes[i + 11] as number,
      bytes[i + 12] as number,
      bytes[i + 13] as number,
      bytes[i + 14] as number,
      bytes[i + 15] as number,
    );
  }
  for (; i < bytes.length; i += 1) text += fromCharCode(bytes[i] as number);
  return text;
}
