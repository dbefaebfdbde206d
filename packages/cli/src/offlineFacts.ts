import {
  type Ask,
  type EffectivePolicy,
  type Fact,
  type FactKey,
  type Facts,
  factsNeeded,
  factsOf,
  formatInstant,
  type Instant,
  type JsonValue,
} from "@countersign/core";

/** What is taken to have happened before an ask that no gate sees. */
export interface Before {
  /** Spent and reserved of every budget, a decimal in the budget's currency; or of those that are named, and nothing of others. */
  readonly spent?: string | ReadonlyMap<string, string>;
  /** Marks that earlier actions and texts left, just now. */
  readonly marks?: readonly string[];
}

/**
 * Outside a running gate nothing was spent, stopped or asked before, unless it is said to have been, and that is known;
 * all else would have to be looked up, and is not.
 */
export function offlineFacts(ask: Ask, policy: EffectivePolicy | null, now: Instant, before: Before = {}): Facts {
  // Of the asks, this is the first.
  const known: Readonly<Record<string, JsonValue>> = {
    stops: [],
    marks: (before.marks ?? []).map((mark) => ({ mark, at: formatInstant(now) })),
    asks: 1,
  };
  const at = formatInstant(now);
  const keys = policy === null ? [] : factsNeeded(ask, policy, now);
  return factsOf(
    keys.map((key: FactKey): { readonly key: FactKey; readonly fact: Fact } => {
      const value = key.fact === "spent" ? { spent: spentOf(key, before), reserved: "0" } : known[key.fact];
      return {
        key,
        fact:
          value === undefined
            ? { state: "unknown", reason: "the command line looks nothing up" }
            : { state: "known", value, source: "command line", at },
      };
    }),
  );
}

/** The key of what was spent begins with the scope and the id of its budget. */
function spentOf({ of }: FactKey, { spent = "0" }: Before): string {
  if (typeof spent === "string") return spent;
  const [, id] = JSON.parse(of) as readonly [scope: string, id: string];
  return spent.get(id) ?? "0";
}
