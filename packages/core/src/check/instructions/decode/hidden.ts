import { Collector, type Piece, Rewriting } from "./piece.ts";
import { readUtf8 } from "./utf8.ts";

/** ASCII written in tag characters (U+E0020 to U+E007E), which no reader sees. */
export function tagCharacters(text: string): Piece | undefined {
  const out = new Collector();
  let end = 0;
  for (let i = text.indexOf("\udb40"); i !== -1; i = text.indexOf("\udb40", i + 1)) {
    const code = text.codePointAt(i) ?? 0;
    if (code < 0xe0020 || code > 0xe007e) continue;
    out.add(String.fromCharCode(code - 0xe0000), i);
    end = i + 2;
  }
  return out.length < 4 ? undefined : out.piece("tags", end);
}

/** Bytes written in variation selectors, one a byte. */
export function variationSelectors(text: string): Piece | undefined {
  const bytes: number[] = [];
  const places: number[] = [];
  let end = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xfe00 && unit <= 0xfe0f) bytes.push(unit - 0xfe00);
    else if (unit === 0xdb40 && (text.codePointAt(i) ?? 0) >= 0xe0100 && (text.codePointAt(i) ?? 0) <= 0xe01ef)
      bytes.push((text.codePointAt(i) ?? 0) - 0xe0100 + 16);
    else continue;
    places.push(i);
    end = i + 1;
  }
  if (bytes.length < 8) return undefined;
  return readUtf8("selectors", bytes, bytes.length, (byte) => places[byte] ?? end);
}

const INLINE = /^<\/?(?:a|abbr|b|bdi|bdo|big|cite|del|em|font|i|ins|mark|q|s|small|span|strong|sub|sup|tt|u|wbr)\b/i;

/** The text of HTML without its tags: inline ones leave nothing, others a line. Comments keep their words. */
export function htmlText(text: string): Piece | undefined {
  const out = new Rewriting(text);
  let i = 0;
  let close = -1;
  while (i < text.length) {
    const open = text.indexOf("<", i);
    if (open === -1) break;
    if (close < open) close = text.indexOf(">", open);
    if (close === -1) break;
    const next = text.charAt(open + 1);
    i = open + 1;
    if (!/[a-z/!]/i.test(next) || close - open > LONGEST_TAG) continue;
    if (next === "!") {
      i = open + (text.startsWith("<!--", open) ? 4 : 2);
      out.replace(open, i, "\n");
      continue;
    }
    i = close + 1;
    out.replace(open, i, INLINE.test(text.slice(open, open + 12)) ? "" : "\n");
  }
  return out.changes < 2 ? undefined : out.piece("html");
}

const LONGEST_TAG = 4096;

const MORSE: ReadonlyMap<string, string> = new Map(
  ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.."
    .split(" ")
    .map((code, index) => [code, String.fromCharCode(97 + index)]),
);

/** Runs of at least eight Morse letters. */
export function morse(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const run of text.matchAll(/[.\-\u2212\u2013_\u00b7/| ]{24,}/g)) {
    const out = new Collector();
    for (const match of run[0].matchAll(/[^/| ]+|[/|]| {2,}/g)) {
      const at = run.index + match.index;
      const code = match[0].replace(/[\u2212\u2013_]/g, "-").replace(/\u00b7/g, ".");
      out.add(MORSE.get(code) ?? " ", at);
    }
    if (out.length >= 8) pieces.push(out.piece("morse", run.index + run[0].length));
    if (pieces.length >= 16) break;
  }
  return pieces;
}
