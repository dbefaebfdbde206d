import type { Decimal } from "../../money/decimal.ts";
import { NONE } from "./none.ts";

/** Ceilings of clauses that differ in nothing else: the first clause whose ceiling holds an amount, by bisection. */
export interface AmountTiers {
  /** Digits after the point to which all ceilings were brought. */
  readonly scale: number;
  /** Ascending. */
  readonly ceilings: readonly bigint[];
  /** Of the clauses from this ceiling up, the first in the mandate. */
  readonly firstFrom: readonly number[];
}

export interface TieredClause {
  readonly index: number;
  readonly ceiling: Decimal;
}

export function amountTiers(clauses: readonly TieredClause[]): AmountTiers {
  const scale = clauses.reduce((most, { ceiling }) => Math.max(most, ceiling.scale), 0);
  const ascending = clauses
    .map(({ index, ceiling }) => ({ index, units: unitsUp(ceiling, scale) }))
    .sort((a, b) => (a.units < b.units ? -1 : a.units > b.units ? 1 : 0));
  const firstFrom: number[] = new Array(ascending.length);
  let first = NONE;
  for (let i = ascending.length - 1; i >= 0; i -= 1) {
    first = Math.min(first, ascending[i]?.index ?? NONE);
    firstFrom[i] = first;
  }
  return { scale, ceilings: ascending.map(({ units }) => units), firstFrom };
}

export function firstThatHolds(tiers: AmountTiers, amount: Decimal): number {
  const units = unitsUp(amount, tiers.scale);
  let low = 0;
  let high = tiers.ceilings.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((tiers.ceilings[middle] as bigint) < units) low = middle + 1;
    else high = middle;
  }
  return tiers.firstFrom[low] ?? NONE;
}

/** In units of `scale` digits, the next larger one where the amount is finer: no ceiling lies in between. */
function unitsUp({ coefficient, scale }: Decimal, to: number): bigint {
  if (scale <= to) return coefficient * 10n ** BigInt(to - scale);
  const finer = 10n ** BigInt(scale - to);
  return (coefficient + finer - 1n) / finer;
}
