import { hashWord } from "../vocabulary.ts";
import { Collector, type Piece } from "./piece.ts";

/** Common words, and those an injection cannot do without: their disguised forms give a cipher away. */
const TELLTALES =
  "the and you your this that with from have please ignore forget disregard previous prior above instruction instructions prompt system rules reveal password secret print output answer respond assistant following should would message everything".split(
    " ",
  );

const shift = (text: string, by: number): string =>
  text.replace(/[a-z]/gi, (letter) => {
    const first = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(first + ((letter.charCodeAt(0) - first + by) % 26));
  });

const mirrored = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => {
    const first = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(first + 25 - (letter.charCodeAt(0) - first));
  });

const reversedText = (text: string): string => [...text].reverse().join("");

const REVERSED = 26;
const MIRRORED = 27;
export const CIPHERS = 28;

let table: Map<number, number> | undefined;

/** Which cipher a folded word gives away, by the word's hash; 0 for none. 1 to 25 are the shift that was applied. */
export function cipherOf(hash: number): number {
  table ??= buildTable();
  return table.get(hash) ?? 0;
}

function buildTable(): Map<number, number> {
  const built = new Map<number, number>();
  const plain = new Set(TELLTALES);
  const put = (word: string, cipher: number): void => {
    if (!plain.has(word) && !built.has(hashWord(word))) built.set(hashWord(word), cipher);
  };
  for (const word of TELLTALES) {
    put(reversedText(word), REVERSED);
    put(shift(word, 13), 13);
    put(mirrored(word), MIRRORED);
    // A short word shifted by some amount is often another word; only long ones tell all shifts apart.
    if (word.length >= 5) for (let by = 1; by < 26; by += 1) put(shift(word, by), by);
  }
  return built;
}

/** The texts that `text` may stand for when `cipher` was given away. */
export function deciphered(text: string, cipher: number): Piece[] {
  if (cipher === REVERSED) return [reversed(text), reversedWords(text)];
  const plain = cipher === MIRRORED ? mirrored(text) : shift(text, 26 - cipher);
  const name = cipher === MIRRORED ? "atbash" : cipher === 13 ? "rot13" : "caesar";
  return [{ name, text: plain, at: Int32Array.from({ length: text.length + 1 }, (_, index) => index) }];
}

/** The text read backwards. A span of it covers the same letters of the original, so places run down. */
function reversed(text: string): Piece {
  const size = text.length;
  return {
    name: "reversed",
    text: Array.from({ length: size }, (_, index) => text.charAt(size - 1 - index)).join(""),
    at: Int32Array.from({ length: size + 1 }, (_, index) => Math.max(0, size - index)),
  };
}

function reversedWords(text: string): Piece {
  const out = new Collector();
  for (const match of text.matchAll(/\p{L}+|[^\p{L}]+/gu)) {
    const letter = /^\p{L}/u.test(match[0]);
    out.add(letter ? reversedText(match[0]) : match[0], match.index);
  }
  return out.piece("reversed", text.length);
}
