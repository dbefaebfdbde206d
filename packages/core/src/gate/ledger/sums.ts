import { addDecimals, type Decimal, formatDecimal, parseDecimal, subtractDecimals, zero } from "../../money/decimal.ts";
import type { SumRow } from "../ports.ts";
import type { Millis } from "./change.ts";
import { getOrMake } from "./getOrMake.ts";

/**
 * How a window of any length is summed exactly and fast, however many payments were made: amounts are added up in
 * stretches of 2^shift milliseconds, of five sizes. A sum from any instant to now reads, at each size, only the
 * stretches between that instant and the next border of the size above: at most 127 each, and only those with money.
 */
export const SHIFTS = [0, 7, 14, 21, 28] as const;

const RADIX = 2 ** 7;
const WIDEST = SHIFTS[SHIFTS.length - 1];

/** Stretches of one size, `from` and `to` included. */
export interface SumRange {
  readonly series: string;
  readonly shift: number;
  readonly from: number;
  readonly to: number;
}

// Not by bit operators: milliseconds since 1970 have more than 32 bits.
export const bucketOf = (at: Millis, shift: number): number => Math.floor(at / 2 ** shift);

/** The stretches that together are everything from `from` on. Nothing lies in the future: no log's time runs backwards. */
export function rangesSince(series: string, from: Millis): SumRange[] {
  const ranges: SumRange[] = [];
  let next = from;
  for (const shift of SHIFTS) {
    const first = bucketOf(next, shift);
    const last = shift === WIDEST ? Number.MAX_SAFE_INTEGER : lastBelowBorder(first);
    if (first <= last) ranges.push({ series, shift, from: first, to: last });
    next = (last + 1) * 2 ** shift;
  }
  return ranges;
}

/** The last stretch before the border of the next size; the one before `first` when `first` is at the border. */
const lastBelowBorder = (first: number): number => Math.ceil(first / RADIX) * RADIX - 1;

/** The stretches that an amount at one instant belongs to. */
export const rangesAt = (series: string, at: Millis): SumRange[] =>
  SHIFTS.map((shift) => ({ series, shift, from: bucketOf(at, shift), to: bucketOf(at, shift) }));

/** What is known of the sums while a group is judged: what was loaded, and what was added since. */
export class Sums {
  readonly #series = new Map<string, Map<number, Map<number, Decimal>>>();
  readonly #changed = new Map<string, Omit<SumRow, "amount">>();

  load({ series, shift, bucket, amount }: SumRow): void {
    this.#of(series, shift).set(bucket, exact(amount));
  }

  /** Whether the sums stay within the digits that are kept. */
  fits(series: string, at: Millis, amount: Decimal): boolean {
    return SHIFTS.every((shift) => {
      const before = this.#of(series, shift).get(bucketOf(at, shift)) ?? zero;
      return parseDecimal(formatDecimal(addDecimals(before, amount))).ok;
    });
  }

  since(series: string, from: Millis): Decimal {
    let sum = zero;
    for (const range of rangesSince(series, from)) {
      for (const [bucket, amount] of this.#of(series, range.shift)) {
        if (bucket >= range.from && bucket <= range.to) sum = addDecimals(sum, amount);
      }
    }
    return sum;
  }

  add(series: string, at: Millis, amount: Decimal): void {
    this.#change(series, at, (before) => addDecimals(before, amount));
  }

  subtract(series: string, at: Millis, amount: Decimal): void {
    this.#change(series, at, (before) => subtractDecimals(before, amount));
  }

  /** Looks again at what is summed at one instant: a sum of nothing goes. */
  touch(series: string, at: Millis): void {
    this.#change(series, at, (before) => before);
  }

  changed(): SumRow[] {
    return this.#left()
      .filter(({ amount }) => !isNothing(amount))
      .map(({ amount, ...place }) => ({ ...place, amount: formatDecimal(amount) }));
  }

  gone(): Omit<SumRow, "amount">[] {
    return this.#left()
      .filter(({ amount }) => isNothing(amount))
      .map(({ series, shift, bucket }) => ({ series, shift, bucket }));
  }

  #left() {
    return [...this.#changed.values()].map((place) => ({
      ...place,
      amount: this.#of(place.series, place.shift).get(place.bucket) ?? zero,
    }));
  }

  #change(series: string, at: Millis, to: (before: Decimal) => Decimal): void {
    for (const shift of SHIFTS) {
      const buckets = this.#of(series, shift);
      const bucket = bucketOf(at, shift);
      buckets.set(bucket, to(buckets.get(bucket) ?? zero));
      this.#changed.set(`${series}/${shift}/${bucket}`, { series, shift, bucket });
    }
  }

  #of(series: string, shift: number): Map<number, Decimal> {
    const sizes = getOrMake(this.#series, series, () => new Map<number, Map<number, Decimal>>());
    return getOrMake(sizes, shift, () => new Map<number, Decimal>());
  }
}

const isNothing = (amount: Decimal): boolean => amount.coefficient === 0n;

/** An amount as the ledger keeps it. Anything else in its place is a broken invariant, and nothing is decided from it. */
export function exact(amount: string): Decimal {
  const parsed = parseDecimal(amount);
  if (!parsed.ok) throw new Error("an amount in the ledger is not a decimal");
  return parsed.value;
}
