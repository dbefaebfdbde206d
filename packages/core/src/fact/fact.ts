import type { JsonValue } from "../json/value.ts";

/**
 * Something that had to be looked up. Known with its source and time, or unknown with the reason; a rule that needs an
 * unknown blocks. Values are plain JSON, so that a decision can be kept and replayed.
 */
export type Fact<T extends JsonValue = JsonValue> =
  | { readonly state: "known"; readonly value: T; readonly source: string /** RFC 3339. */; readonly at: string }
  | { readonly state: "unknown"; readonly reason: string };

/** What a check needs to know, by name. The name is the whole question: two equal names ask for the same thing. */
export interface FactKey {
  /** `spent`, `stop`, `grant`, `address`, `token`, … */
  readonly fact: string;
  /** Answers are kept under `fact` and this, so it holds all that the answer depends on. */
  readonly of: string;
}

/** Everything looked up for one ask. Asking for what was never gathered gives an unknown, not an absence. */
export interface Facts {
  get(key: FactKey): Fact;
  /** In the order of their names: what is digested and kept. */
  entries(): readonly { readonly key: FactKey; readonly fact: Fact }[];
}

const name = (key: FactKey): string => `${key.fact}\n${key.of}`;

export function factsOf(list: Iterable<{ readonly key: FactKey; readonly fact: Fact }>): Facts {
  const byName = new Map<string, { readonly key: FactKey; readonly fact: Fact }>();
  for (const entry of list) byName.set(name(entry.key), entry);
  return {
    get: (key) => byName.get(name(key))?.fact ?? { state: "unknown", reason: "it was not looked up" },
    entries: () => [...byName].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, entry]) => entry),
  };
}

export const NO_FACTS: Facts = factsOf([]);
