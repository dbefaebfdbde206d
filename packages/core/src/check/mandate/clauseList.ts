import { compareDecimals } from "../../money/decimal.ts";
import type { Money } from "../../money/money.ts";
import { type AmountTiers, amountTiers, firstThatHolds, type TieredClause } from "./amountTiers.ts";
import { NONE } from "./none.ts";
import type { Subject } from "./subject.ts";

/** A clause as the index holds it: what its place in the index does not say yet. */
export interface Entry {
  readonly index: number;
  /** Undefined: any verb, or the verb is settled by the place. */
  readonly verbs: readonly string[] | undefined;
  readonly counterparties: readonly string[] | undefined;
  readonly ceiling: Money | undefined;
  /** Has lists so long that the index does not unfold all of them. */
  readonly wide: boolean;
}

/** Clauses that share kind and prefix (and verb), in their order. A long list is split by counterparty, currency and ceiling. */
export interface ClauseList {
  /** The number of the first clause in it, split or not. */
  first: number;
  entries: Entry[];
  split: Split | undefined;
}

interface Split {
  readonly anyone: ByCurrency;
  readonly byCounterparty: Map<string, ByCurrency>;
}

interface ByCurrency {
  /** The first clause without a ceiling. */
  unbounded: number;
  readonly pending: Map<string, TieredClause[]>;
  readonly tiers: Map<string, AmountTiers>;
}

/** Up to so many clauses are looked at one by one, which is faster than three look-ups. */
const SHORT = 8;

export const emptyList = (): ClauseList => ({ first: NONE, entries: [], split: undefined });

/** Entries come in ascending order. */
export function addEntry(list: ClauseList, entry: Entry): void {
  if (list.entries.length === 0) list.first = entry.index;
  if (list.entries.at(-1)?.index !== entry.index) list.entries.push(entry);
}

export function splitIfLong(list: ClauseList): void {
  if (list.entries.length <= SHORT) return;
  const split: Split = { anyone: byCurrency(), byCounterparty: new Map() };
  for (const entry of list.entries) {
    if (entry.wide) continue;
    if (entry.counterparties === undefined) addTo(split.anyone, entry);
    else for (const name of entry.counterparties) addTo(placeOf(split.byCounterparty, name), entry);
  }
  list.entries = list.entries.filter((entry) => entry.wide);
  for (const place of [split.anyone, ...split.byCounterparty.values()]) {
    for (const [currency, clauses] of place.pending) place.tiers.set(currency, amountTiers(clauses));
    place.pending.clear();
  }
  list.split = split;
}

const byCurrency = (): ByCurrency => ({ unbounded: NONE, pending: new Map(), tiers: new Map() });

function placeOf(places: Map<string, ByCurrency>, name: string): ByCurrency {
  const place = places.get(name) ?? byCurrency();
  places.set(name, place);
  return place;
}

function addTo(place: ByCurrency, { index, ceiling }: Entry): void {
  if (ceiling === undefined) {
    place.unbounded = Math.min(place.unbounded, index);
    return;
  }
  const clauses = place.pending.get(ceiling.currency);
  if (clauses === undefined) place.pending.set(ceiling.currency, [{ index, ceiling: ceiling.amount }]);
  else clauses.push({ index, ceiling: ceiling.amount });
}

/** The first clause of the list that matches and comes before `best`, else `best`. */
export function firstInList(list: ClauseList, subject: Subject, best: number): number {
  if (list.first >= best) return best;
  let found = best;
  for (const entry of list.entries) {
    if (entry.index >= found) break;
    if (holds(entry, subject)) {
      found = entry.index;
      break;
    }
  }
  const { split } = list;
  if (split === undefined) return found;
  found = firstByCurrency(split.anyone, subject, found);
  if (subject.counterparty === undefined) return found;
  const named = split.byCounterparty.get(subject.counterparty);
  return named === undefined ? found : firstByCurrency(named, subject, found);
}

function firstByCurrency(place: ByCurrency, { amount }: Subject, best: number): number {
  const found = Math.min(best, place.unbounded);
  if (amount === undefined) return found;
  const tiers = place.tiers.get(amount.currency);
  return tiers === undefined ? found : Math.min(found, firstThatHolds(tiers, amount.amount));
}

function holds({ verbs, counterparties, ceiling }: Entry, { verb, counterparty, amount }: Subject): boolean {
  if (verbs !== undefined && !verbs.includes(verb)) return false;
  if (counterparties !== undefined && (counterparty === undefined || !counterparties.includes(counterparty)))
    return false;
  if (ceiling === undefined) return true;
  if (amount === undefined || amount.currency !== ceiling.currency) return false;
  return compareDecimals(amount.amount, ceiling.amount) <= 0;
}
