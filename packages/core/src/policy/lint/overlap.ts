import { prefixSpellings } from "../../check/mandate/prefixSpellings.ts";
import { counterpartyKey, verbKey } from "../../check/mandate/subject.ts";
import { compareDecimals } from "../../money/decimal.ts";
import type { Money } from "../../money/money.ts";
import type { Clause, Mandate } from "../mandate.ts";

/** A clause in the spellings that it is compared with. Undefined: says nothing of it. */
export interface Terms {
  readonly clause: Clause;
  readonly kinds: readonly string[];
  readonly verbs: readonly string[] | undefined;
  readonly prefixes: readonly string[] | undefined;
  readonly parties: readonly string[] | undefined;
  readonly ceiling: Money | undefined;
}

export function termsOf(clause: Clause, mandate: Mandate): Terms {
  const { match, effect } = clause;
  return {
    clause,
    kinds: match.kind,
    verbs: match.verb?.map((verb) => verbKey(verb, mandate)),
    prefixes: match.targetPrefix?.flatMap((prefix) => prefixSpellings(prefix, effect, mandate)),
    parties: match.counterparty?.map((name) => counterpartyKey(name, mandate)),
    ceiling: match.maxAmount,
  };
}

/** Whether some action meets the conditions of both. */
export function overlap(a: Terms, b: Terms): boolean {
  return (
    meet(a.kinds, b.kinds) &&
    meet(a.verbs, b.verbs) &&
    prefixesMeet(a.prefixes, b.prefixes) &&
    meet(a.parties, b.parties) &&
    (a.ceiling === undefined || b.ceiling === undefined || a.ceiling.currency === b.ceiling.currency)
  );
}

type Names = readonly string[] | undefined;

const meet = (a: Names, b: Names): boolean => a === undefined || b === undefined || a.some((name) => b.includes(name));

const prefixesMeet = (a: Names, b: Names): boolean =>
  a === undefined || b === undefined || a.some((p) => b.some((q) => p.startsWith(q) || q.startsWith(p)));

/** Whether one condition of `a` holds for some, but not all, of what the same condition of `b` holds for. */
export function isNarrowerSomewhere(a: Terms, b: Terms): boolean {
  return (
    isSubset(a.kinds, b.kinds) ||
    isSubset(a.verbs, b.verbs) ||
    isSubset(a.parties, b.parties) ||
    (a.prefixes !== undefined &&
      (b.prefixes === undefined || (isUnder(a.prefixes, b.prefixes) && !isUnder(b.prefixes, a.prefixes)))) ||
    isLower(a.ceiling, b.ceiling)
  );
}

/** Of which not all is in it. */
function isSubset(a: Names, b: Names): boolean {
  if (a === undefined) return false;
  if (b === undefined) return true;
  return a.every((name) => b.includes(name)) && b.some((name) => !a.includes(name));
}

const isUnder = (a: readonly string[], b: readonly string[]): boolean =>
  a.every((prefix) => b.some((shorter) => prefix.startsWith(shorter)));

const isLower = (a: Money | undefined, b: Money | undefined): boolean =>
  a !== undefined && (b === undefined || (a.currency === b.currency && compareDecimals(a.amount, b.amount) < 0));

/** Whether both have the same conditions, in any order. */
export const sameConditions = (a: Terms, b: Terms): boolean => conditions(a) === conditions(b);

function conditions({ kinds, verbs, prefixes, parties, ceiling }: Terms): string {
  const sorted = (names: Names) => (names === undefined ? null : [...new Set(names)].sort());
  const money =
    ceiling === undefined ? null : [`${ceiling.amount.coefficient}`, ceiling.amount.scale, ceiling.currency];
  return JSON.stringify([sorted(kinds), sorted(verbs), sorted(prefixes), sorted(parties), money]);
}
