import type { Ledger, Store } from "@countersign/core";
import type { Logger } from "../logger.ts";
import { type Repeated, repeat } from "./repeat.ts";

const EVERY_MS = 5_000;
/** What one round does at most for a tenant; the rest waits for the next. */
const MOST_SWEEPS = 40;

/**
 * Does what time alone brings, also when nobody asks: holds close, money whose receipt has run out goes free, content past
 * its time is destroyed. Any number of gates may do it at once.
 */
export function startSweeper(
  store: Ledger & Pick<Store, "tenants">,
  logger: Logger,
  everyMillis: number = EVERY_MS,
): Repeated {
  const failed = (code: string): void => logger.error({ code }, "the log could not be swept");
  return repeat(
    everyMillis,
    async () => {
      const tenants = await store.tenants();
      if (!tenants.ok) return failed(tenants.error.code);
      for (const tenant of tenants.value) {
        for (let sweeps = 0; sweeps < MOST_SWEEPS; sweeps += 1) {
          const swept = await store.commit(tenant, { kind: "sweep" });
          if (!swept.ok) return failed(swept.error.code);
          const { released, expired, reminded, purged } = swept.value;
          if (released + expired + reminded + purged === 0) break;
        }
      }
    },
    () => failed("internal"),
  );
}
