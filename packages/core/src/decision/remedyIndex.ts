import { prefixSpellings } from "../check/mandate/prefixSpellings.ts";
import type { Subject } from "../check/mandate/subject.ts";
import { folded } from "../policy/fold.ts";
import type { Clause, Mandate } from "../policy/mandate.ts";

/** What a remedy is looked up in, made once for a mandate: a block must not cost a walk over ten thousand clauses. */
export interface RemedyIndex {
  /** Names in clauses that do not block, by their folded spelling. */
  readonly verbs: ReadonlyMap<string, readonly string[]>;
  readonly parties: ReadonlyMap<string, readonly string[]>;
  /** Clauses with a ceiling that do not block, by the prefixes of their targets. */
  readonly bare: readonly Clause[];
  readonly byPrefix: ReadonlyMap<string, readonly Clause[]>;
  /** Of the prefixes. */
  readonly lengths: readonly number[];
}

const known = new WeakMap<Mandate, RemedyIndex>();

export function remedyIndexOf(mandate: Mandate): RemedyIndex {
  const index = known.get(mandate) ?? indexed(mandate);
  known.set(mandate, index);
  return index;
}

function indexed(mandate: Mandate): RemedyIndex {
  const [verbs, parties] = [new Map<string, string[]>(), new Map<string, string[]>()];
  const byPrefix = new Map<string, Clause[]>();
  const bare: Clause[] = [];
  for (const clause of mandate.clauses) {
    const { effect, match } = clause;
    if (effect === "block") continue;
    for (const verb of match.verb ?? []) addName(verbs, verb);
    for (const party of match.counterparty ?? []) addName(parties, party);
    if (match.maxAmount === undefined) continue;
    if (match.targetPrefix === undefined) bare.push(clause);
    for (const prefix of match.targetPrefix ?? [])
      for (const spelling of prefixSpellings(prefix, effect, mandate)) add(byPrefix, spelling, clause);
  }
  const lengths = [...new Set([...byPrefix.keys()].map((prefix) => prefix.length))].sort((a, b) => a - b);
  return { verbs, parties, bare, byPrefix, lengths };
}

function addName(names: Map<string, string[]>, name: string): void {
  const key = folded(name);
  if (names.get(key)?.includes(name) !== true) add(names, key, name);
}

function add<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** A name that differs from the written one in letter case or Unicode form only. */
export const otherSpelling = (names: ReadonlyMap<string, readonly string[]>, written: string): string | undefined =>
  names.get(folded(written))?.find((name) => name !== written);

/** Clauses with a ceiling whose target fits; their other conditions may not. */
export function boundedClauses(
  { bare, byPrefix, lengths }: RemedyIndex,
  { written, other }: Subject,
): readonly Clause[] {
  const found = new Set(bare);
  for (const target of written === other ? [written] : [written, other]) {
    for (const length of lengths) {
      if (length > target.length) break;
      for (const clause of byPrefix.get(target.slice(0, length)) ?? []) found.add(clause);
    }
  }
  return [...found];
}
