import { addDecimals, type Decimal, subtractDecimals, zero } from "../../money/decimal.ts";
import type { Millis } from "./change.ts";

/**
 * How a window of any length is summed exactly and fast, however many payments were made: amounts are added up in
 * stretches of 2^shift milliseconds of five sizes. A sum from any instant to now reads, at each size, only the stretches
 * between that instant and the next border of the size above: at most 127 each, and fewer where nothing was paid.
 */
export const SHIFTS = [0, 7, 14, 21, 28] as const;

const RADIX_BITS = 7;

/** Stretches of one size, `from` and `to` included. Not shifted by bits: time has more than 32 of them. */
export interface SumRange {
  readonly series: string;
  readonly shift: number;
  readonly from: number;
  readonly to: number;
}

export const bucketOf = (at: Millis, shift: number): number => Math.floor(at / 2 ** shift);

/** The stretches that together are everything from `from` on. Nothing lies in the future, as no clock runs backwards. */
export function rangesSince(series: string, from: Millis): SumRange[] {
  const ranges: SumRange[] = [];
  let next = from;
  for (const shift of SHIFTS) {
    const first = bucketOf(next, shift);
    const last = shift === SHIFTS[SHIFTS.length - 1] ? Number.MAX_SAFE_INTEGER : lastBelowBorder(first);
    if (first <= last) ranges.push({ series, shift, from: first, to: last });
    next = (last + 1) * 2 ** shift;
  }
  return ranges;
}

/** The last stretch before the border of the next size; none, when this one begins at the border. */
function lastBelowBorder(first: number): number {
  const radix = 2 ** RADIX_BITS;
  return first % radix === 0 ? first - 1 : (Math.floor(first / radix) + 1) * radix - 1;
}

/** The stretches that an amount at one instant belongs to. */
export const rangesAt = (series: string, at: Millis): SumRange[] =>
  SHIFTS.map((shift) => {
    const bucket = bucketOf(at, shift);
    return { series, shift, from: bucket, to: bucket };
  });

/** What is known of the sums while a group is being judged: what was loaded, and what was added since. */
export class Sums {
  readonly #buckets = new Map<string, Map<string, Decimal>>();
  readonly #changed = new Set<string>();

  load(series: string, shift: number, bucket: number, amount: Decimal): void {
    this.#of(series).set(`${shift}/${bucket}`, amount);
  }

  since(series: string, from: Millis): Decimal {
    let sum = zero;
    const buckets = this.#of(series);
    const ranges = rangesSince(series, from);
    for (const [key, amount] of buckets) {
      const [shift = 0, bucket = 0] = key.split("/").map(Number);
      if (ranges.some((range) => range.shift === shift && bucket >= range.from && bucket <= range.to))
        sum = addDecimals(sum, amount);
    }
    return sum;
  }

  add(series: string, at: Millis, amount: Decimal): void {
    this.#change(series, at, (before) => addDecimals(before, amount));
  }

  subtract(series: string, at: Millis, amount: Decimal): void {
    this.#change(series, at, (before) => subtractDecimals(before, amount));
  }

  #change(series: string, at: Millis, to: (before: Decimal) => Decimal): void {
    const buckets = this.#of(series);
    for (const shift of SHIFTS) {
      const key = `${shift}/${bucketOf(at, shift)}`;
      buckets.set(key, to(buckets.get(key) ?? zero));
      this.#changed.add(`${series} ${key}`);
    }
  }

  *changed(): Generator<{ series: string; shift: number; bucket: number; amount: Decimal }> {
    for (const change of this.#changed) {
      const [series = "", key = ""] = change.split(" ");
      const [shift = 0, bucket = 0] = key.split("/").map(Number);
      yield { series, shift, bucket, amount: this.#of(series).get(key) ?? zero };
    }
  }

  #of(series: string): Map<string, Decimal> {
    let buckets = this.#buckets.get(series);
    if (buckets === undefined) this.#buckets.set(series, (buckets = new Map()));
    return buckets;
  }
}
