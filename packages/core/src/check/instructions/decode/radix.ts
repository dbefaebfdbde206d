import { Collector, type Piece, readable } from "./piece.ts";
import { readUtf8 } from "./utf8.ts";

/** Value of each base64 character in both alphabets, else 255. */
const SIXTY_FOUR = new Uint8Array(128).fill(255);
[..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].forEach((letter, value) => {
  SIXTY_FOUR[letter.charCodeAt(0)] = value;
});
SIXTY_FOUR[0x2d] = 62;
SIXTY_FOUR[0x5f] = 63;

const THIRTY_TWO = new Uint8Array(128).fill(255);
[..."ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"].forEach((letter, value) => {
  THIRTY_TWO[letter.charCodeAt(0)] = value;
});

const HEX = new Uint8Array(128).fill(255);
[..."0123456789abcdef"].forEach((letter, value) => {
  HEX[letter.charCodeAt(0)] = value;
  HEX[letter.toUpperCase().charCodeAt(0)] = value;
});

export const hexValue = (unit: number): number => (unit < 128 ? (HEX[unit] as number) : 255);

/** How many runs of one kind are looked at, and how many characters of each are tried before it counts as no text. */
const MAX_RUNS = 256;

interface Radix {
  readonly name: string;
  readonly values: Uint8Array;
  readonly bits: number;
  readonly shortest: number;
}

const RADICES: readonly Radix[] = [
  { name: "base64", values: SIXTY_FOUR, bits: 6, shortest: 16 },
  { name: "base32", values: THIRTY_TWO, bits: 5, shortest: 24 },
  { name: "hex", values: HEX, bits: 4, shortest: 16 },
];

/** Runs of base64, base32 and hexadecimal digits that decode to readable text. Line breaks inside a long run are passed over. */
export function radixPieces(text: string): Piece[] {
  return RADICES.flatMap((radix) => runsOf(text, radix));
}

function runsOf(text: string, radix: Radix): Piece[] {
  const { values, shortest } = radix;
  const pieces: Piece[] = [];
  let runs = 0;
  for (let i = 0; i < text.length && runs < MAX_RUNS; ) {
    const unit = text.charCodeAt(i);
    if (unit >= 128 || values[unit] === 255) {
      i += 1;
      continue;
    }
    const start = i;
    let digits = 0;
    for (; i < text.length; i += 1) {
      const next = text.charCodeAt(i);
      if (next < 128 && values[next] !== 255) digits += 1;
      else if (!(next === 0x0a && digits >= 60 && digits % 4 === 0) && next !== 0x0d) break;
    }
    if (digits < shortest) continue;
    runs += 1;
    const piece = decodeRun(text, start, i, radix);
    if (piece !== undefined) pieces.push(piece);
  }
  return pieces;
}

function decodeRun(text: string, start: number, end: number, radix: Radix): Piece | undefined {
  // A path or a key before the run shifts the groups; the first offset that reads as text is taken.
  const head = readRun(text, start, Math.min(end, start + 96), radix);
  if (!readable(head.text)) return undefined;
  return readRun(text, start, end, radix);
}

function readRun(text: string, start: number, end: number, { name, values, bits }: Radix): Piece {
  const bytes: number[] = [];
  const places: number[] = [];
  let held = 0;
  let count = 0;
  for (let i = start; i < end; i += 1) {
    const unit = text.charCodeAt(i);
    const value = unit < 128 ? (values[unit] as number) : 255;
    if (value === 255) continue;
    held = ((held << bits) | value) & 0xffff;
    count += bits;
    if (count >= 8) {
      count -= 8;
      bytes.push((held >> count) & 0xff);
      places.push(i);
    }
  }
  return readUtf8(name, bytes, bytes.length, (byte) =>
    byte === 0 ? start : byte < places.length ? (places[byte] as number) : end,
  );
}

/**
 * Characters written as numbers: `73 103 110`, `0x49 0x67`, `49 67 6e`, `01001001 01100111`. At least eight in a row that make readable
 * text.
 */
export function codePieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  const run = new Map<string, { out: Collector; start: number }>();
  const numbers = /(?:\\x|0x|\\|u\+|&#)?([0-9a-f]{2,8})(?:;)?([\s,;:|_\\/x-]{0,3})/gi;
  const flush = (name: string, end: number): void => {
    const held = run.get(name);
    run.delete(name);
    if (held === undefined || held.out.length < 8 || pieces.length >= MAX_RUNS) return;
    const piece = held.out.piece(name, end);
    if (readable(piece.text)) pieces.push(piece);
  };
  let last = 0;
  for (const match of text.matchAll(numbers)) {
    const digits = match[1] ?? "";
    const adjacent = match.index - last <= 1;
    for (const { name, read } of CODES) {
      const code = read(digits);
      if (!adjacent || code === undefined) flush(name, last);
      if (code === undefined) continue;
      const held = run.get(name) ?? { out: new Collector(), start: match.index };
      held.out.add(String.fromCharCode(code), match.index);
      run.set(name, held);
    }
    last = match.index + match[0].length;
  }
  for (const { name } of CODES) flush(name, last);
  return pieces;
}

const printable = (code: number): number | undefined => ((code >= 32 && code < 127) || code === 10 ? code : undefined);

const CODES: readonly { readonly name: string; readonly read: (digits: string) => number | undefined }[] = [
  {
    name: "binary",
    read: (digits) => (/^[01]{7,8}$/.test(digits) ? printable(Number.parseInt(digits, 2)) : undefined),
  },
  {
    name: "decimal",
    read: (digits) => (/^\d{2,3}$/.test(digits) ? printable(Number.parseInt(digits, 10)) : undefined),
  },
  { name: "hex", read: (digits) => (digits.length === 2 ? printable(Number.parseInt(digits, 16)) : undefined) },
  { name: "octal", read: (digits) => (/^[0-7]{3}$/.test(digits) ? printable(Number.parseInt(digits, 8)) : undefined) },
];
