import { type Piece, Rewriting } from "./piece.ts";
import { hexValue } from "./radix.ts";

const NAMED: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
  ["Tab", " "],
  ["NewLine", "\n"],
  ["excl", "!"],
  ["period", "."],
  ["comma", ","],
  ["colon", ":"],
  ["semi", ";"],
  ["lbrack", "["],
  ["rbrack", "]"],
  ["shy", ""],
  ["zwnj", ""],
  ["zwj", ""],
  ["ZeroWidthSpace", ""],
]);

interface Escape {
  readonly name: string;
  readonly text: string;
  readonly width: number;
}

/** Rounds of escapes inside escapes (`%2520`) that are undone. */
const ROUNDS = 3;
/** Fewer escaped letters hide nothing: an occasional `&amp;`, a `\\d` in a pattern. */
const LEAST: ReadonlyMap<string, number> = new Map([["backslashes", 8]]);
const LEAST_OTHERS = 3;

/**
 * The text with character escapes undone: HTML entities, percent encoding, `\u0041`, `\x41`, `\u{41}`, quoted-printable, and letters with a
 * backslash before each.
 */
export function unescaped(text: string): Piece | undefined {
  let piece: Piece | undefined;
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = unescapeOnce(piece?.text ?? text);
    if (next === undefined) break;
    const outer = piece;
    piece =
      outer === undefined
        ? next
        : { name: outer.name, text: next.text, at: next.at.map((place) => outer.at[place] as number) };
  }
  return piece;
}

function unescapeOnce(text: string): Piece | undefined {
  const out = new Rewriting(text);
  const seen = new Map<string, number>();
  for (let i = 0; i < text.length; ) {
    const undone = escapeAt(text, i);
    if (undone === undefined) {
      i += 1;
      continue;
    }
    out.replace(i, i + undone.width, undone.text);
    if (/[\p{L}\p{N}%&\\]/u.test(undone.text)) seen.set(undone.name, (seen.get(undone.name) ?? 0) + 1);
    i += undone.width;
  }
  const [name, most] = [...seen].reduce((best, next) => (next[1] > best[1] ? next : best), ["", 0]);
  return most < (LEAST.get(name) ?? LEAST_OTHERS) ? undefined : out.piece(name);
}

function escapeAt(text: string, i: number): Escape | undefined {
  switch (text.charCodeAt(i)) {
    case 0x26:
      return entity(text, i);
    case 0x25:
      return percent(text, i);
    case 0x5c:
      return backslash(text, i);
    case 0x3d:
      return quotedPrintable(text, i);
    default:
      return undefined;
  }
}

function entity(text: string, i: number): Escape | undefined {
  const match = /^&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,14}));?/i.exec(text.slice(i, i + 18));
  if (match === null) return undefined;
  const [whole, hex, decimal, word] = match;
  if (word !== undefined) {
    const named = NAMED.get(word);
    return named === undefined || !whole.endsWith(";")
      ? undefined
      : { name: "entities", text: named, width: whole.length };
  }
  return character("entities", Number.parseInt(hex ?? decimal ?? "", hex === undefined ? 10 : 16), whole.length);
}

function character(name: string, code: number, width: number): Escape | undefined {
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
  return { name, text: String.fromCodePoint(code), width };
}

const hexAt = (text: string, i: number, size: number): number => {
  let value = 0;
  for (let k = 0; k < size; k += 1) {
    const digit = i + k < text.length ? hexValue(text.charCodeAt(i + k)) : 255;
    if (digit === 255) return -1;
    value = value * 16 + digit;
  }
  return value;
};

/** One character of percent-encoded UTF-8. */
function percent(text: string, i: number): Escape | undefined {
  const first = hexAt(text, i + 1, 2);
  if (first < 0) return undefined;
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  if (size === 1) return first < 0x80 ? character("percent", first, 3) : undefined;
  let code = first & (0xff >> (size + 1));
  for (let k = 1; k < size; k += 1) {
    const next = text.charCodeAt(i + 3 * k) === 0x25 ? hexAt(text, i + 3 * k + 1, 2) : -1;
    if (next < 0x80 || next > 0xbf) return undefined;
    code = (code << 6) | (next & 0x3f);
  }
  return character("percent", code, size * 3);
}

function backslash(text: string, i: number): Escape | undefined {
  const next = text.charCodeAt(i + 1);
  if (next === 0x75 && text.charCodeAt(i + 2) === 0x7b) {
    const match = /^\\u\{([0-9a-f]{1,6})\}/i.exec(text.slice(i, i + 10));
    return match === null ? undefined : character("unicode", Number.parseInt(match[1] ?? "", 16), match[0].length);
  }
  if (next === 0x75) {
    const high = hexAt(text, i + 2, 4);
    if (high < 0) return undefined;
    const low = high >= 0xd800 && high < 0xdc00 && text.charCodeAt(i + 6) === 0x5c ? hexAt(text, i + 8, 4) : -1;
    if (low >= 0xdc00 && low <= 0xdfff)
      return character("unicode", 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00), 12);
    return character("unicode", high, 6);
  }
  if (next === 0x78) {
    const code = hexAt(text, i + 2, 2);
    return code < 0 ? undefined : character("hex", code, 4);
  }
  const after = text.charCodeAt(i + 2);
  // Every letter behind a backslash of its own: `\I\g\n`; a lone `\n` or a path is none of that.
  if (after === 0x5c && ((next >= 0x41 && next <= 0x5a) || (next >= 0x61 && next <= 0x7a) || next === 0x20))
    return { name: "backslashes", text: text.charAt(i + 1), width: 2 };
  return undefined;
}

function quotedPrintable(text: string, i: number): Escape | undefined {
  if (text.charCodeAt(i + 1) === 0x0a) return { name: "quoted-printable", text: "", width: 2 };
  const code = hexAt(text, i + 1, 2);
  const upper = !/[a-f]/.test(text.slice(i + 1, i + 3));
  return code >= 0x20 && code < 0x7f && upper ? character("quoted-printable", code, 3) : undefined;
}
