import type { Store } from "@countersign/core";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FaultPoint } from "../faults.ts";
import { type GateRun, startGate, wrongAfter } from "./gates.ts";

/** A database for real processes; each test has one of its own. */
export interface CrashSite {
  readonly engine: GateRun["engine"];
  readonly where: string;
  readonly open: () => Promise<Store>;
  readonly close: () => Promise<void>;
}

/** Short in CI; set COUNTERSIGN_CRASH_RUNS for as long as you have. */
const runs = Number(process.env["COUNTERSIGN_CRASH_RUNS"] ?? 4);
const tenant = "crash";

/** Kills gates at every step of a commit, and at any moment, and looks at what is left. */
export function crashSuite(name: string, points: readonly FaultPoint[], prepare: () => Promise<CrashSite>): void {
  describe(`after gates on ${name} were killed`, () => {
    let site: CrashSite;
    beforeEach(async () => {
      site = await prepare();
    });
    afterEach(() => site.close());

    const gate = (gateName: string, parts: Partial<GateRun> = {}) =>
      startGate({
        engine: site.engine,
        where: site.where,
        tenant,
        limit: "60",
        callers: 6,
        rounds: 12,
        name: gateName,
        ...parts,
      });

    test.each(points)("at the step '%s', nothing is lost, doubled or spent beyond its limit", async (point) => {
      const doomed = gate("doomed", { fault: { point, nth: 3, how: "kill" } });
      const other = gate("other");
      const told = await Promise.all([doomed.told, other.told]);
      expect(told[0]?.signal).toBe("SIGKILL");
      expect(told[1]?.done).toBe(true);
      // The gate comes back under the same name and goes through the same ids: what was done is not done again.
      const again = await gate("doomed").told;
      expect(again.done).toBe(true);
      const store = await site.open();
      expect(
        await wrongAfter(
          store,
          tenant,
          60,
          [...told, again].map((one) => ({ ...one, redeemed: [] })),
        ),
      ).toEqual([]);
      expect(await wrongAfter(store, tenant, 60, told)).toEqual([]);
      await store.close();
    });

    test(
      "at any moment, in any number, nothing is lost, doubled or spent beyond its limit",
      async () => {
        const anyGate = fc.record({
          callers: fc.integer({ min: 1, max: 12 }),
          killAfter: fc.option(fc.nat(120), { freq: 2 }),
        });
        let round = 0;
        await fc.assert(
          fc.asyncProperty(fc.array(anyGate, { minLength: 2, maxLength: 4 }), async (gates) => {
            round += 1;
            const told = await Promise.all(
              gates.map(async ({ callers, killAfter }, i) => {
                const started = gate(`g${round}-${i}`, { callers, rounds: 20, limit: String(60 * round) });
                if (killAfter !== null) {
                  await started.spoke;
                  setTimeout(() => started.process.kill("SIGKILL"), killAfter);
                }
                return started.told;
              }),
            );
            const store = await site.open();
            const wrong = await wrongAfter(store, tenant, 60 * round, told);
            await store.close();
            expect(wrong).toEqual([]);
          }),
          { numRuns: runs, endOnFailure: true },
        );
      },
      runs * 20_000,
    );
  });
}
