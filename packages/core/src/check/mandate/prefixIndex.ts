import { addEntry, type ClauseList, type Entry, emptyList, firstInList, splitIfLong } from "./clauseList.ts";
import { extendedBy } from "./relatedPrefixes.ts";
import type { Subject } from "./subject.ts";

/** Clauses of one kind and verb by the prefix of their target. */
export interface PrefixIndex {
  /** Clauses that say nothing of the target. */
  readonly bare: ClauseList;
  readonly byPrefix: Map<string, ClauseList>;
  /** Ascending; empty where `nested` is used instead. */
  lengths: number[];
  nested: Nested | undefined;
}

/** All prefixes in order, each with the longest other one that it extends. */
interface Nested {
  readonly prefixes: readonly string[];
  readonly lists: readonly ClauseList[];
  /** -1: extends none. */
  readonly extended: readonly number[];
}

/** With up to so many different lengths of prefixes, the target is cut at each and looked up. */
const FEW_LENGTHS = 16;

export const emptyPrefixIndex = (): PrefixIndex => ({
  bare: emptyList(),
  byPrefix: new Map(),
  lengths: [],
  nested: undefined,
});

export function addUnder(index: PrefixIndex, prefixes: readonly string[] | undefined, entry: Entry): void {
  if (prefixes === undefined) addEntry(index.bare, entry);
  for (const prefix of prefixes ?? []) {
    let list = index.byPrefix.get(prefix);
    if (list === undefined) {
      list = emptyList();
      index.byPrefix.set(prefix, list);
    }
    addEntry(list, entry);
  }
}

/** To be called once, after the last `addUnder`. */
export function settle(index: PrefixIndex): void {
  splitIfLong(index.bare);
  const lengths = new Set<number>();
  for (const [prefix, list] of index.byPrefix) {
    splitIfLong(list);
    lengths.add(prefix.length);
  }
  if (lengths.size <= FEW_LENGTHS) index.lengths = [...lengths].sort((a, b) => a - b);
  else index.nested = nestedOf(index.byPrefix);
}

function nestedOf(byPrefix: ReadonlyMap<string, ClauseList>): Nested {
  const sorted = [...byPrefix].sort(([a], [b]) => (a < b ? -1 : 1));
  const prefixes = sorted.map(([prefix]) => prefix);
  return { prefixes, lists: sorted.map(([, list]) => list), extended: extendedBy(prefixes) };
}

/** The first matching clause before `best`, for this spelling of the target, else `best`. */
export function firstUnder(index: PrefixIndex, subject: Subject, target: string, best: number): number {
  let found = firstInList(index.bare, subject, best);
  if (index.nested !== undefined) return firstInNested(index.nested, subject, target, found);
  for (const length of index.lengths) {
    if (length > target.length) break;
    const list = index.byPrefix.get(target.slice(0, length));
    if (list !== undefined) found = firstInList(list, subject, found);
  }
  return found;
}

/**
 * Whatever lies between the longest matching prefix and the target, in order, begins with that prefix. So the last
 * prefix that is not behind the target extends it, and all that match are found by going up from there.
 */
function firstInNested({ prefixes, lists, extended }: Nested, subject: Subject, target: string, best: number): number {
  let low = 0;
  let high = prefixes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((prefixes[middle] as string) <= target) low = middle + 1;
    else high = middle;
  }
  let at = low - 1;
  while (at >= 0 && !target.startsWith(prefixes[at] as string)) at = extended[at] as number;
  let found = best;
  for (; at >= 0; at = extended[at] as number) found = firstInList(lists[at] as ClauseList, subject, found);
  return found;
}
