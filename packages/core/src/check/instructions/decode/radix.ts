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

const SHORTEST_RUN = 16;
const RADICES: readonly Radix[] = [
  { name: "base64", values: SIXTY_FOUR, bits: 6, shortest: 16 },
  { name: "base32", values: THIRTY_TWO, bits: 5, shortest: 24 },
  { name: "hex", values: HEX, bits: 4, shortest: 16 },
];

/** Runs of base64, base32 and hexadecimal digits that decode to readable text. Line breaks inside a long run are passed over. */
export function radixPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  let runs = 0;
  for (let i = 0; i < text.length && runs < MAX_RUNS; i += 1) {
    const start = i;
    i = runEnd(text, start, text.length, SIXTY_FOUR);
    if (i - start < SHORTEST_RUN) continue;
    runs += 1;
    // Hexadecimal and base32 digits are base64 digits too: their runs lie inside.
    for (const radix of RADICES) pieces.push(...runsIn(text, start, i, radix));
  }
  return pieces;
}

/** Where the digits that begin at `start` end: wrapped lines of 60 and more go on. */
function runEnd(text: string, start: number, limit: number, values: Uint8Array): number {
  let digits = 0;
  let i = start;
  for (; i < limit; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 128 && values[unit] !== 255) digits += 1;
    else if (!(unit === 0x0a && digits >= 60 && digits % 4 === 0) && !(unit === 0x0d && digits >= 60)) break;
  }
  return i;
}

function runsIn(text: string, from: number, to: number, radix: Radix): Piece[] {
  const pieces: Piece[] = [];
  for (let i = from; i < to; i += 1) {
    const start = i;
    i = runEnd(text, start, to, radix.values);
    if (i - start < radix.shortest) continue;
    const piece = decodeRun(text, start, i, radix);
    if (piece !== undefined) pieces.push(piece);
  }
  return pieces;
}

function decodeRun(text: string, start: number, end: number, radix: Radix): Piece | undefined {
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
  const runs = BASES.map(() => new Collector());
  const flush = (base: number, end: number): void => {
    const run = runs[base] as Collector;
    if (run.length === 0) return;
    runs[base] = new Collector();
    if (run.length < SHORTEST_CODES || pieces.length >= MAX_RUNS) return;
    const piece = run.piece((BASES[base] as Base).name, end);
    if (readable(piece.text)) pieces.push(piece);
  };
  let last = 0;
  for (let i = 0; i < text.length; ) {
    if (!isDigitLike(text.charCodeAt(i))) {
      i += 1;
      continue;
    }
    const start = i;
    while (i < text.length && isDigitLike(text.charCodeAt(i))) i += 1;
    // `0x49` and `x49`: the sign is no digit.
    const sign = text.charCodeAt(start + 1) === 0x78 ? start + 2 : text.charCodeAt(start) === 0x78 ? start + 1 : start;
    const near = start - last <= WIDEST_GAP;
    BASES.forEach((base, index) => {
      const code = codeOf(text, sign, i, base);
      if (!near || code === -1) flush(index, last);
      if (code !== -1) runs[index]?.add(String.fromCharCode(code), start);
    });
    last = i;
  }
  for (let index = 0; index < BASES.length; index += 1) flush(index, last);
  return pieces;
}

const SHORTEST_CODES = 8;
const WIDEST_GAP = 4;

interface Base {
  readonly name: string;
  readonly radix: number;
  readonly shortest: number;
  readonly longest: number;
}

const BASES: readonly Base[] = [
  { name: "binary", radix: 2, shortest: 7, longest: 8 },
  { name: "decimal", radix: 10, shortest: 2, longest: 3 },
  { name: "hex", radix: 16, shortest: 2, longest: 2 },
  { name: "octal", radix: 8, shortest: 3, longest: 3 },
];

/** Hexadecimal digits and the `x` that announces them. */
const isDigitLike = (unit: number): boolean => unit === 0x78 || hexValue(unit) !== 255;

/** The printable character that the digits [from, to) name, or -1. */
function codeOf(text: string, from: number, to: number, { radix, shortest, longest }: Base): number {
  if (to - from < shortest || to - from > longest) return -1;
  let code = 0;
  for (let i = from; i < to; i += 1) {
    const digit = hexValue(text.charCodeAt(i));
    if (digit >= radix) return -1;
    code = code * radix + digit;
  }
  return (code >= 32 && code < 127) || code === 10 ? code : -1;
}
