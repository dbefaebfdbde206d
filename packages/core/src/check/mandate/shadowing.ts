import { compareDecimals } from "../../money/decimal.ts";
import type { Clause, Mandate } from "../../policy/mandate.ts";
import { normalText } from "../../text/normalText.ts";
import { addAll, type Bits, BitsByValue, firstBit, keepOnly, noBits, setBit } from "./bits.ts";
import { relatedPrefixes } from "./relatedPrefixes.ts";
import { verbKey } from "./subject.ts";

/** A clause that an earlier one with another effect decides, in part or as a whole. */
export interface Shadowing {
  readonly earlier: Clause;
  readonly later: Clause;
}

/**
 * For each clause that does not allow, the first earlier clause of another effect which some action matches as well: the
 * rule that the mandate dialect publishes. It looks at pairs only, and a later clause that allows is never named.
 * Tiers are legal: an earlier ceiling under the same other conditions leaves what is above it to the later clause.
 */
export function shadowings(mandate: Mandate): readonly Shadowing[] {
  const { clauses } = mandate;
  const sets = new OverlapSets(mandate);
  const scopes = numbered(clauses.map(scopeOf));
  return clauses.flatMap((later, i) => {
    if (later.effect === "allow") return [];
    const first = firstBit(sets.thatOverlap(later), i, (at) => {
      const earlier = clauses[at] as Clause;
      return !(scopes[at] === scopes[i] && isTierBelow(earlier, later));
    });
    return first === undefined ? [] : [{ earlier: clauses[first] as Clause, later }];
  });
}

/** Equal texts by the same number, which compares faster. */
function numbered(texts: readonly string[]): readonly number[] {
  const numbers = new Map<string, number>();
  return texts.map((text) => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  });
}

/** The obvious way: every pair, condition by condition. */
export function shadowingsByPairs({ clauses }: Mandate): readonly Shadowing[] {
  return clauses.flatMap((later, i) => {
    const earlier = clauses.slice(0, i).find((one) => one.effect !== later.effect && overlap(one, later));
    return later.effect === "allow" || earlier === undefined ? [] : [{ earlier, later }];
  });
}

function overlap(earlier: Clause, later: Clause): boolean {
  const [e, l] = [earlier.match, later.match];
  const meet = (a: readonly string[] | undefined, b: readonly string[] | undefined) =>
    a === undefined || b === undefined || a.some((one) => b.includes(one));
  const folded = (verbs: readonly string[] | undefined) => verbs?.map((verb) => verb.toLowerCase());
  const composed = (prefixes: readonly string[] | undefined) => prefixes?.map((prefix) => normalText(prefix, "NFC"));
  const [ep, lp] = [composed(e.targetPrefix), composed(l.targetPrefix)];
  const prefixesMeet =
    ep === undefined || lp === undefined || ep.some((a) => lp.some((b) => a.startsWith(b) || b.startsWith(a)));
  if (!meet(e.kind, l.kind) || !meet(folded(e.verb), folded(l.verb)) || !prefixesMeet) return false;
  if (!meet(e.counterparty, l.counterparty)) return false;
  if (e.maxAmount !== undefined && l.maxAmount !== undefined && e.maxAmount.currency !== l.maxAmount.currency)
    return false;
  return !(scopeOf(earlier) === scopeOf(later) && isTierBelow(earlier, later));
}

/** Everything but the ceiling, as it was written: lists in any order, but neither folded nor composed. */
function scopeOf({ match }: Clause): string {
  const sorted = (list: readonly string[] | undefined) => (list === undefined ? null : [...list].sort());
  return JSON.stringify([match.kind, match.verb, match.targetPrefix, match.counterparty].map(sorted));
}

/** Whether the earlier ceiling leaves amounts to the later clause, given that all other conditions are the same. */
function isTierBelow({ match: earlier }: Clause, { match: later }: Clause): boolean {
  if (earlier.maxAmount === undefined) return false;
  if (later.maxAmount === undefined) return true;
  return compareDecimals(later.maxAmount.amount, earlier.maxAmount.amount) > 0;
}

const EFFECTS = ["allow", "review", "block"] as const satisfies readonly Clause["effect"][];

/**
 * For each condition, the clauses that hold with a value of it; joined, the clauses of another effect that overlap with
 * a given one.
 */
class OverlapSets {
  readonly #count: number;
  readonly #mandate: Mandate;
  readonly #bits: Bits;
  readonly #holding: Bits;
  readonly #effects: BitsByValue<string>;
  readonly #kinds: BitsByValue<string>;
  readonly #verbs: Condition;
  readonly #prefixes: Condition;
  readonly #counterparties: Condition;
  readonly #currencies: Condition;
  readonly #related: (prefix: string) => Iterable<string>;
  /** By prefix: the clauses with a prefix that it extends or that extends it. */
  readonly #nearby = new Map<string, Bits>();

  constructor(mandate: Mandate) {
    this.#mandate = mandate;
    this.#count = mandate.clauses.length;
    this.#bits = noBits(this.#count);
    this.#holding = noBits(this.#count);
    this.#effects = new BitsByValue(this.#count);
    this.#kinds = new BitsByValue(this.#count);
    this.#verbs = new Condition(this.#count);
    this.#prefixes = new Condition(this.#count);
    this.#counterparties = new Condition(this.#count);
    this.#currencies = new Condition(this.#count);
    for (const [at, clause] of mandate.clauses.entries()) {
      this.#effects.add(clause.effect, at);
      for (const kind of clause.match.kind) this.#kinds.add(kind, at);
      this.#verbs.add(this.#verbsOf(clause), at);
      this.#prefixes.add(prefixesOf(clause), at);
      this.#counterparties.add(clause.match.counterparty, at);
      this.#currencies.add(currencyOf(clause), at);
    }
    this.#related = relatedPrefixes(this.#prefixes.byValue.values);
  }

  /** The set is good until the next call: one a clause would be gigabytes of garbage for a large mandate. */
  thatOverlap(clause: Clause): Bits {
    const [bits, holding] = [this.#bits.fill(0), this.#holding];
    for (const kind of clause.match.kind) this.#kinds.addTo(bits, kind);
    holding.fill(0);
    for (const effect of EFFECTS) if (effect !== clause.effect) this.#effects.addTo(holding, effect);
    keepOnly(bits, holding);
    this.#verbs.narrow(bits, this.#verbsOf(clause), holding);
    this.#counterparties.narrow(bits, clause.match.counterparty, holding);
    this.#currencies.narrow(bits, currencyOf(clause), holding);
    const prefixes = prefixesOf(clause);
    if (prefixes === undefined) return bits;
    holding.set(this.#prefixes.any);
    for (const prefix of prefixes) this.#addNear(holding, prefix);
    keepOnly(bits, holding);
    return bits;
  }

  #addNear(bits: Bits, prefix: string): void {
    const known = this.#nearby.get(prefix);
    if (known !== undefined) {
      addAll(bits, known);
      return;
    }
    const related = [...this.#related(prefix)];
    for (const one of related) this.#prefixes.byValue.addTo(bits, one);
    if (related.length < WORTH_KEEPING || this.#nearby.size >= MOST_KEPT) return;
    const near = noBits(this.#count);
    for (const one of related) this.#prefixes.byValue.addTo(near, one);
    this.#nearby.set(prefix, near);
  }

  #verbsOf({ match }: Clause): readonly string[] | undefined {
    return match.verb?.map((verb) => verbKey(verb, this.#mandate));
  }
}

/** Related prefixes from which on their clauses are kept as a set, and how many sets are kept. */
const WORTH_KEEPING = 16;
const MOST_KEPT = 1024;

const prefixesOf = ({ match }: Clause): readonly string[] | undefined =>
  match.targetPrefix?.map((prefix) => normalText(prefix, "NFC"));

const currencyOf = ({ match }: Clause): readonly string[] | undefined =>
  match.maxAmount === undefined ? undefined : [match.maxAmount.currency];

/** One condition that a clause may leave out, which then holds with every value. */
class Condition {
  readonly any: Bits;
  readonly byValue: BitsByValue<string>;

  constructor(count: number) {
    this.any = noBits(count);
    this.byValue = new BitsByValue(count);
  }

  add(values: readonly string[] | undefined, at: number): void {
    if (values === undefined) setBit(this.any, at);
    else for (const value of values) this.byValue.add(value, at);
  }

  /** Keeps the clauses that one of the values satisfies. `holding` is overwritten. */
  narrow(bits: Bits, values: readonly string[] | undefined, holding: Bits): void {
    if (values === undefined) return;
    holding.set(this.any);
    for (const value of values) this.byValue.addTo(holding, value);
    keepOnly(bits, holding);
  }
}
