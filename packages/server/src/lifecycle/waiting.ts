import { setTimeout } from "node:timers/promises";
import type { Events, TenantId } from "@countersign/core";
import { createPlaces } from "./places.ts";

/** Looks are so far apart at least: where thousands commit in a second, who waits must not read as often. */
const PAUSE_MS = 100;
/** More than these wait for nothing: they are answered at once, and ask again. */
const WAITERS = { all: 1024, tenant: 256, one: 16 } as const;

export interface Waiting {
  /**
   * Looks until `look` gives something, the time is over or nobody waits any more; looks again whenever something has
   * changed. Undefined when there was nothing to the end.
   */
  until<T>(wait: Wait<T>): Promise<T | undefined>;
}

export interface Wait<T> {
  readonly tenant: TenantId;
  /** Who waits: one credential does not take the places of all. */
  readonly credential: string;
  readonly millis: number;
  readonly gone: AbortSignal;
  look(): Promise<T | undefined>;
}

/** Waits for changes in the store without asking it all the time. */
export function createWaiting(events: Pick<Events, "watch">): Waiting {
  const places = createPlaces(WAITERS);
  return {
    async until({ tenant, credential, millis, gone, look }) {
      const first = await look();
      if (first !== undefined || millis <= 0 || gone.aborted) return first;
      const giveBack = places.take(tenant, credential);
      if (giveBack === null) return first;
      try {
        return await lookUntil(events, tenant, millis, gone, look);
      } finally {
        giveBack();
      }
    },
  };
}

async function lookUntil<T>(
  events: Pick<Events, "watch">,
  tenant: TenantId,
  millis: number,
  gone: AbortSignal,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const end = AbortSignal.any([gone, AbortSignal.timeout(millis)]);
  let changed = true;
  let wake = (): void => {};
  const unwatch = events.watch(tenant, () => {
    changed = true;
    wake();
  });
  const ended = () => wake();
  end.addEventListener("abort", ended, { once: true });
  try {
    for (;;) {
      // What changes while we look makes us look again: nothing falls between.
      if (changed) {
        changed = false;
        const found = await look();
        if (found !== undefined || end.aborted) return found;
        // A wait that ends in between ends the pause as well.
        await setTimeout(PAUSE_MS, undefined, { signal: end }).catch(() => {});
      } else if (end.aborted) return undefined;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (changed || end.aborted) resolve();
        });
      }
    }
  } finally {
    unwatch();
    end.removeEventListener("abort", ended);
  }
}
