import { textureOf } from "./randomness.ts";
import type { Reader } from "./reader.ts";

const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;

/** Line breaks, also escaped ones, and what programs put around lines. */
const GAP = /(?:\s|\\{1,4}[nrt]|["'`+,|>]){0,64}/y;
const HEADER = /[A-Za-z][A-Za-z-]{1,30}: ?[^\n\\]{0,120}/y;
const FIRST_LINE = /[A-Za-z0-9+/=]{16,}/y;
const LINES = /(?:[A-Za-z0-9+/=\s"'`,|>]|\\{1,4}[nrt]){0,16384}/y;

const MAX_BODY = 16_384;

/** From the marker at `at` to the end of the private key, or -1 for a marker that no key follows. */
export function privateKeyEnd({ text }: Reader, at: number): number {
  let end = after(BEGIN, text, at);
  if (end === -1) return -1;
  for (let headers = 0; headers < 6; headers += 1) {
    end = after(GAP, text, end);
    const header = after(HEADER, text, end);
    if (header === -1) break;
    end = header;
  }
  const line = after(FIRST_LINE, text, end);
  if (line === -1 || !isBase64(text.slice(end, end + 64))) return -1;
  const marker = text.slice(line, line + MAX_BODY).indexOf("-----END ");
  if (marker === -1) return after(LINES, text, line);
  const close = text.indexOf("-----", line + marker + 9);
  return close === -1 || close > line + marker + 64 ? line + marker : close + 5;
}

/** Lines of a key hold all of these; a long word holds no digit. */
function isBase64(line: string): boolean {
  const { digits, lower, upper, distinct } = textureOf(line);
  return digits > 0 && lower > 0 && upper > 0 && distinct > 8;
}

function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
