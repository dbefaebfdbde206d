import type { Kind } from "../../action/action.ts";
import type { Clause, Mandate } from "../../policy/mandate.ts";
import type { Entry } from "./clauseList.ts";
import { coversKind } from "./firstFailed.ts";
import { NEAR_MISSES_EXPLAINED } from "./mandateResult.ts";
import { addUnder, emptyPrefixIndex, type PrefixIndex, settle } from "./prefixIndex.ts";
import { prefixSpellings } from "./prefixSpellings.ts";
import { counterpartyKey, verbKey } from "./subject.ts";

/** A mandate made ready for many actions. */
export interface CompiledMandate {
  readonly mandate: Mandate;
  readonly byKind: ReadonlyMap<Kind, KindIndex>;
  /** What the target's other spelling is looked up in: all clauses, or in the dialect those that forbid. */
  readonly byKindForOther: ReadonlyMap<Kind, KindIndex>;
}

export interface KindIndex {
  /** Clauses that say nothing of the verb, or name so much that their verbs are not unfolded. */
  readonly anyVerb: PrefixIndex;
  readonly byVerb: Map<string, PrefixIndex>;
  /** The first clauses for this kind: what is explained when none matches. */
  readonly firstClauses: Clause[];
  clauseCount: number;
}

/** Under kind and prefix a clause is always filed; under its verbs too while that makes no more places than this. */
const MOST_PLACES = 64;

/** And under its counterparties, where lists get long. Beyond, its lists are searched instead. */
const MOST_SPLIT_PLACES = 256;

/** Linear in the clauses and their lists. */
export function compileMandate(mandate: Mandate): CompiledMandate {
  const byKind = indexOf(mandate, () => true);
  const byKindForOther =
    mandate.matching === "native" ? byKind : indexOf(mandate, (clause) => clause.effect !== "allow");
  return { mandate, byKind, byKindForOther };
}

function indexOf(mandate: Mandate, wanted: (clause: Clause) => boolean): ReadonlyMap<Kind, KindIndex> {
  const byKind = new Map<Kind, KindIndex>();
  for (const [index, clause] of mandate.clauses.entries()) if (wanted(clause)) file(byKind, clause, index, mandate);
  for (const { anyVerb, byVerb } of byKind.values()) {
    settle(anyVerb);
    for (const prefixes of byVerb.values()) settle(prefixes);
  }
  return byKind;
}

function file(byKind: Map<Kind, KindIndex>, clause: Clause, index: number, mandate: Mandate): void {
  const { match, effect } = clause;
  const verbs = match.verb && distinct(match.verb, (verb) => verbKey(verb, mandate));
  const prefixes = match.targetPrefix && [
    ...new Set(match.targetPrefix.flatMap((prefix) => prefixSpellings(prefix, effect, mandate))),
  ];
  const counterparties = match.counterparty && distinct(match.counterparty, (name) => counterpartyKey(name, mandate));
  const targets = match.kind.length * (prefixes?.length ?? 1);
  const unfoldsVerbs = (verbs?.length ?? 1) === 1 || targets * (verbs?.length ?? 1) <= MOST_PLACES;
  const places = targets * (counterparties?.length ?? 1) * (unfoldsVerbs ? (verbs?.length ?? 1) : 1);
  const wide = !unfoldsVerbs || places > MOST_SPLIT_PLACES;
  const entry: Entry = {
    index,
    verbs: unfoldsVerbs ? undefined : verbs,
    counterparties,
    ceiling: match.maxAmount,
    wide,
  };
  for (const kind of new Set(match.kind)) {
    if (!coversKind(clause, kind)) continue;
    const place = kindIndex(byKind, kind);
    place.clauseCount += 1;
    if (place.firstClauses.length < NEAR_MISSES_EXPLAINED) place.firstClauses.push(clause);
    if (verbs === undefined || !unfoldsVerbs) addUnder(place.anyVerb, prefixes, entry);
    else for (const verb of verbs) addUnder(verbIndex(place, verb), prefixes, entry);
  }
}

const distinct = (list: readonly string[], key: (text: string) => string): readonly string[] =>
  list.length === 1 ? list.map(key) : [...new Set(list.map(key))];

function kindIndex(byKind: Map<Kind, KindIndex>, kind: Kind): KindIndex {
  const known = byKind.get(kind);
  if (known !== undefined) return known;
  const place = { anyVerb: emptyPrefixIndex(), byVerb: new Map(), firstClauses: [], clauseCount: 0 };
  byKind.set(kind, place);
  return place;
}

function verbIndex({ byVerb }: KindIndex, verb: string): PrefixIndex {
  const known = byVerb.get(verb);
  if (known !== undefined) return known;
  const place = emptyPrefixIndex();
  byVerb.set(verb, place);
  return place;
}
