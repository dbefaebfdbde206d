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
  let steps = 0;
  let kindBefore: ReturnType<typeof kindOf> = 0;
  /** Letters or digits of one kind up to here. */
  let run = 0;
  for (let at = 0; at < length; at += 1) {
    const code = value.charCodeAt(at);
    const kind = kindOf(code);
    counts[kind] = (counts[kind] ?? 0) + 1;
    seen.add(code);
    // A single capital begins the word that follows; of several, the last one does.
    const continues = kind === kindBefore || (kindBefore === 3 && kind === 2 && run === 1);
    if (kind !== 0 && !continues) chunks += 1;
    run = kind === kindBefore ? run + 1 : 1;
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

/**
 * Names and words have long chunks; what a machine drew at random has them of two or three. Measured: of 32 letters of
 * both cases and digits one in a thousand has longer ones; of 10,000 names without digits in programs two in a hundred
 * have shorter ones.
 */
const MAX_RANDOM_CHUNK = 3.2;
/** With small letters and digits only, and nothing between them. */
const MAX_PLAIN_CHUNK = 5;

/** What a machine made: letters and digits mixed as words and names do not mix them. */
export function looksRandom(value: string): boolean {
  const { length, distinct, digits, lower, upper, symbols, chunk, steps } = textureOf(value);
  if (distinct < Math.min(10, length * 0.4) || steps > 0.5) return false;
  if (digits === 0) return lower > 0 && upper > 0 && chunk <= MAX_RANDOM_CHUNK;
  if (lower + upper < 4) return false;
  if (length >= 32 && /^[0-9a-f]+$/i.test(value)) return true;
  const onePart = symbols === 0 && length >= 20 && digits >= 3 && (lower === 0 || upper === 0);
  return chunk <= (onePart ? MAX_PLAIN_CHUNK : MAX_RANDOM_CHUNK);
}

/** Repeated, counted up, or words that say that here a value belongs. */
export function looksLikePlaceholder(value: string): boolean {
  const { length, distinct, steps } = textureOf(value);
  if (distinct < Math.min(6, length / 3) || steps > 0.6) return true;
  return /example|placeholder|redacted|change[_-]?me|x{5}|\*{3}|\.{3}|your[_-]|insert[_-]/i.test(
    value.slice(0, JUDGED),
  );
}
