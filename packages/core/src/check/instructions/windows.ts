import { MARK } from "./shape.ts";
import type { Tokens } from "./tokens.ts";

/** Sizes of windows in places (two a word): a short order, a paragraph, a page's worth of setting. */
export const SCALES = [36, 90, 180] as const;
/** Windows start where sentences do, and inside a sentence at the latest after so many places. */
const FARTHEST = 60;

/** A stretch of tokens that is judged on its own. */
export interface Windows {
  readonly count: number;
  readonly from: Int32Array;
  /** Exclusive. */
  readonly to: Int32Array;
}

/** Marks that a sentence, a line or a block begins after. */
const opens = new Uint8Array(256);
for (const mark of [
  MARK.stop,
  MARK.question,
  MARK.exclamation,
  MARK.line,
  MARK.paragraph,
  MARK.ruler,
  MARK.comment,
  MARK.special,
  MARK.heading,
  MARK.fence,
  MARK.quote,
  MARK.bullet,
])
  opens[mark] = 1;
/** A mark that opens inside so few places starts nothing new: lists of single words are not sentences. */
const CLOSEST = 6;

/**
 * Windows that depend on what the text says and not on where it stands in it: text put before or after an order leaves the order's own
 * windows as they were.
 */
export function windowsOf(tokens: Tokens): Windows {
  const { count, classes, places } = tokens;
  const from: number[] = [];
  const to: number[] = [];
  const ends = new Int32Array(SCALES.length);
  let lastStart = Number.NEGATIVE_INFINITY;
  for (let token = 0; token < count; token += 1) {
    const place = places[token] as number;
    const since = place - lastStart;
    const opening = token === 0 || opens[classes[token - 1] as number] === 1;
    if (since < FARTHEST && !(since >= CLOSEST && opening && opens[classes[token] as number] === 0)) continue;
    lastStart = place;
    let previous = -1;
    for (let scale = 0; scale < SCALES.length; scale += 1) {
      let end = Math.max(ends[scale] as number, token);
      while (end < count && (places[end] as number) - place < (SCALES[scale] as number)) end += 1;
      ends[scale] = end;
      if (end === previous) continue;
      previous = end;
      from.push(token);
      to.push(end);
    }
  }
  return { count: from.length, from: Int32Array.from(from), to: Int32Array.from(to) };
}
