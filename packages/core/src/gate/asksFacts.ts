import type { Ask } from "../action/action.ts";
import { parseJson } from "../json/parseJson.ts";
import { formatInstant } from "../time/instant.ts";
import type { FactSource } from "./gather.ts";
import type { Rates } from "./ports.ts";

const LIMITS = { bytes: 1_024, depth: 4 };

/**
 * How often an agent asked, for the check `limits`. Asking counts once in each window, however often the figures that a
 * decision rests on are read again.
 */
export function asksFacts(rates: Rates): FactSource {
  const counted = new WeakMap<Ask, Map<string, Promise<number | undefined>>>();
  return {
    fact: "asks",
    gather: (ask, keys, now) =>
      Promise.all(
        keys.map(async (key) => {
          const known = counted.get(ask) ?? new Map<string, Promise<number | undefined>>();
          counted.set(ask, known);
          const counting = known.get(key.of) ?? count(rates, ask.asker.tenant, key.of);
          known.set(key.of, counting);
          const value = await counting;
          return value === undefined
            ? ({ key, fact: { state: "unknown", reason: "the asks of this agent cannot be counted" } } as const)
            : ({ key, fact: { state: "known", value, source: "rates", at: formatInstant(now) } } as const);
        }),
      ),
  };
}

async function count(rates: Rates, tenant: string, of: string): Promise<number | undefined> {
  const read = parseJson(of, LIMITS, "plain");
  if (!read.ok || !Array.isArray(read.value)) return undefined;
  const [agent, seconds] = read.value;
  if (typeof agent !== "string" || typeof seconds !== "number") return undefined;
  const hits = await rates.hit(tenant, `asks\n${agent}\n${seconds}`, seconds * 1000);
  return hits.ok ? hits.value : undefined;
}
