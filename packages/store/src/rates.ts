import { type Millis, ok, type Rates } from "@countersign/core";

/** Longer ago than this nobody asks. */
const forgotten = 60 * 60_000;
const sweepEvery = 10_000;

/** Counts hits in this process. A store for one machine has one gate that counts. */
export function localRates(clock: () => Millis): Rates["hit"] {
  const hits = new Map<string, Millis[]>();
  let until = sweepEvery;
  return async (tenant, key, window) => {
    const now = clock();
    const id = `${tenant}\n${key}`;
    const times = (hits.get(id) ?? []).filter((at) => at > now - window);
    times.push(now);
    hits.set(id, times);
    until -= 1;
    if (until === 0) {
      until = sweepEvery;
      for (const [old, at] of hits) if ((at.at(-1) ?? 0) < now - forgotten) hits.delete(old);
    }
    return ok(times.length);
  };
}
