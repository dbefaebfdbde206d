/** Longer values are judged by their first part: enough to tell, and a bound on the work. */
const JUDGED = 128;

const kindOf = (code: number): 0 | 1 | 2 | 3 => {
  if (code >= 48 && code <= 57) return 1;
  if (code >= 97 && code <= 122) return 2;
  if (code >= 65 && code <= 90) return 3;
  return 0;
};

export interface Texture {
  readonly length: number;
  readonly distinct: number;
  readonly digits: number;
  readonly lower: number;
  readonly upper: number;
  readonly symbols: number;
  /** Letters and digits a chunk, where a chunk is a word with or without its capital, a run of capitals, or a number. */
  readonly chunk: number;
  /** Share of neighbours that only count up or repeat. */
  readonly steps: number;
}

export function textureOf(value: string): Texture {
  const length = Math.min(value.length, JUDGED);
  const counts = [0, 0, 0, 0];
  const seen = new Set<number>();
  let chunks = 0;
  let kindBefore: ReturnType<typeof kindOf> = 0;
  let steps = 0;
  for (let at = 0; at < length; at += 1) {
    const code = value.charCodeAt(at);
    const kind = kindOf(code);
    counts[kind] = (counts[kind] ?? 0) + 1;
    seen.add(code);
    const capital = kindBefore === 3 && kind === 2;
    if (kind !== 0 && kind !== kindBefore && !capital) chunks += 1;
    kindBefore = kind;
    if (at === 0) continue;
    const before = value.charCodeAt(at - 1);
    if (code - before === 1 || code === before) steps += 1;
  }
  const [symbols = 0, digits = 0, lower = 0, upper = 0] = counts;
  return {
    length,
    distinct: seen.size,
    digits,
    lower,
    upper,
    symbols,
    chunk: chunks === 0 ? 0 : (length - symbols) / chunks,
    steps: length < 2 ? 0 : steps / (length - 1),
  };
}

/** Names and words have long chunks; what a machine drew at random has them of two or three. */
const MAX_RANDOM_CHUNK = 3.2;

/** What a machine made: letters and digits mixed as words and names do not mix them. */
export function looksRandom(value: string): boolean {
  const { length, distinct, digits, lower, upper, chunk, steps } = textureOf(value);
  if (distinct < Math.min(10, length * 0.4) || steps > 0.5 || chunk > MAX_RANDOM_CHUNK) return false;
  return (digits > 0 && lower + upper >= 4) || (lower > 0 && upper > 0);
}

/** Repeated, counted up, or words that say that here a value belongs. */
export function looksLikePlaceholder(value: string): boolean {
  const { length, distinct, steps } = textureOf(value);
  if (distinct < Math.min(6, length / 3) || steps > 0.6) return true;
  return /example|placeholder|redacted|change[_-]?me|x{5}|\*{3}|\.{3}|your[_-]|insert[_-]/i.test(
    value.slice(0, JUDGED),
  );
}
