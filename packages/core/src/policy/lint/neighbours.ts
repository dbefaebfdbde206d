import { relatedPrefixes } from "../../check/mandate/relatedPrefixes.ts";
import { overlap, type Terms } from "./overlap.ts";

/** Pairs of clauses that are looked at, and those that overlap and are weighed. Beyond, nothing more is said of pairs. */
const MOST_PAIRS = 5_000_000;
const MOST_OVERLAPS = 150_000;

/** The clauses of several mandates that overlap with one, found by prefix, so that not every pair has to be looked at. */
export class Neighbours {
  readonly #all: readonly (readonly Terms[])[];
  /** By mandate: the places of the clauses without prefixes, and of the others by each of theirs. */
  readonly #bare: readonly (readonly number[])[];
  readonly #byPrefix: readonly ReadonlyMap<string, readonly number[]>[];
  readonly #related: (prefix: string) => Iterable<string>;
  #pairs = MOST_PAIRS;
  #overlaps = MOST_OVERLAPS;

  constructor(all: readonly (readonly Terms[])[]) {
    this.#all = all;
    this.#bare = all.map((terms) => terms.flatMap(({ prefixes }, at) => (prefixes === undefined ? [at] : [])));
    this.#byPrefix = all.map(byPrefix);
    this.#related = relatedPrefixes(this.#byPrefix.flatMap((places) => [...places.keys()]));
  }

  get isTired(): boolean {
    return this.#pairs <= 0 || this.#overlaps <= 0;
  }

  /** By mandate, in their order; the clause itself is among them. */
  of(terms: Terms): readonly (readonly Terms[])[] {
    return this.#all.map((list, mandate) => {
      const places = this.#places(terms, mandate);
      this.#pairs -= places.length;
      const near = places.map((at) => list[at] as Terms).filter((one) => one === terms || overlap(one, terms));
      this.#overlaps -= near.length;
      return near;
    });
  }

  #places({ prefixes }: Terms, mandate: number): readonly number[] {
    if (prefixes === undefined) return (this.#all[mandate] ?? []).map((_, at) => at);
    const places = new Set(this.#bare[mandate]);
    for (const prefix of prefixes)
      for (const related of this.#related(prefix))
        for (const at of this.#byPrefix[mandate]?.get(related) ?? []) places.add(at);
    return [...places].sort((a, b) => a - b);
  }
}

function byPrefix(terms: readonly Terms[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [at, { prefixes }] of terms.entries()) {
    for (const prefix of prefixes ?? []) {
      const known = places.get(prefix);
      if (known === undefined) places.set(prefix, [at]);
      else known.push(at);
    }
  }
  return places;
}
