import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Change, Millis } from "../gate/ledger/change.ts";
import { createMemoryStore } from "../gate/memory/memoryStore.ts";
import type { Store } from "../gate/ports.ts";
import { verifyLog } from "../gate/verify/verifyLog.ts";
import {
  agentSelf,
  day,
  decideChange,
  enforcer,
  holdOf,
  hour,
  minute,
  outcomeOf,
  payment,
  person,
  redeemOf,
} from "./ledgerChanges.ts";
import { nodeSha256 } from "./nodeSha256.ts";
import type { TestedStore } from "./storeSuite.ts";

/** Something that happens: time passes, or a change is asked for. Ids are drawn from few, so that they meet. */
type Happening = { readonly pass: Millis } | { readonly change: Change };

const id = (prefix: string) => fc.nat(5).map((n) => `${prefix}_${n}`);
const actor = fc.constantFrom(person("p"), person("q"), enforcer, agentSelf);
const agent = fc.constantFrom("a", "b");
const content = fc.option(
  fc.record({
    fields: fc.constant('{"x":1}'),
    salts: fc.constant('{"x":"s"}'),
    subjects: fc.subarray(["person:x", "person:y"]),
    keepFor: fc.constantFrom(null, minute, hour),
  }),
  { nil: undefined },
);
const hold = fc
  .record({
    id: id("hold"),
    risk: fc.nat(100),
    approvers: fc.constantFrom(1, 2),
    expiresIn: fc.constantFrom(minute, hour),
    notify: fc.constantFrom(
      { recipients: [], remindBefore: null },
      { recipients: ["people", "webhook:w"], remindBefore: null },
      { recipients: ["person:p", "webhooks"], remindBefore: minute / 2 },
    ),
  })
  .map((parts) => holdOf(parts));
const reservations = fc.array(
  fc.record({
    amount: fc.constantFrom("1", "0.5", "33.3", "60"),
    limit: fc.constantFrom("60", "100"),
    window: fc.constantFrom(minute, day),
  }),
  { maxLength: 2 },
);

const anyChange: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .record({
        id: id("dec"),
        agent,
        reservations,
        content,
        grant: fc.option(id("grant"), { nil: undefined, freq: 3 }),
      })
      .map(({ reservations: money, ...parts }) =>
        decideChange({
          ...defined(parts),
          scopes: ["tenant", `agent:${parts.agent}`],
          reservations: money.map(({ amount, limit, window }) =>
            payment(amount, limit, {
              budgets: [{ budget: "b", series: "agent:a", window: { rolling: window }, limit }],
            }),
          ),
        }),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ id: id("dec"), hold, content })
      .map((parts) => decideChange({ verdict: "review", ...defined(parts) })),
  },
  fc.record({ id: id("dec") }).map((parts) => decideChange({ verdict: "block", ...parts })),
  { weight: 3, arbitrary: id("dec").map((decision) => redeemOf(decision)) },
  {
    weight: 3,
    arbitrary: fc
      .record({
        decision: id("dec"),
        by: actor,
        result: fc.constantFrom("executed", "failed", "unknown" as const),
        asApproved: fc.boolean(),
        breaker: id("stop"),
      })
      .map(({ decision, ...parts }) => outcomeOf(decision, parts)),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({
        hold: id("hold"),
        by: actor,
        answer: fc.constantFrom("approve", "reject" as const),
        version: fc.constantFrom(1, 2),
        grant: id("grant"),
      })
      .map((parts) => ({ kind: "hold.decide", reason: "r", ...parts }) as const),
  },
  fc.record({ decision: id("dec"), by: actor }).map(
    (parts) =>
      ({
        kind: "appeal",
        reason: "r",
        hold: holdOf({ id: `hold_${parts.decision}`, about: "appeal", grantFor: null }),
        ...parts,
      }) as const,
  ),
  fc
    .record({
      id: id("stop"),
      scope: fc.constantFrom("tenant", "agent:a", "agent:b"),
      until: fc.constantFrom(null),
      by: actor,
    })
    .map((parts) => ({ kind: "stop.put", reason: "r", ...parts }) as const),
  {
    weight: 2,
    arbitrary: fc
      .record({ id: id("stop"), by: actor })
      .map((parts) => ({ kind: "stop.lift", reason: "r", ...parts }) as const),
  },
  fc
    .record({ grant: id("grant"), by: actor })
    .map((parts) => ({ kind: "grant.revoke", reason: "r", ...parts }) as const),
  fc
    .record({ subject: fc.constantFrom("person:x", "person:y") })
    .map((what) => ({ kind: "erase", what, reason: "r", by: person("p") }) as const),
  fc.constant({ kind: "sweep" } as const),
);

const anyHappening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(1, minute - 1, 5 * minute, hour, day, -hour).map((pass) => ({ pass })) },
  { weight: 4, arbitrary: anyChange.map((change) => ({ change })) },
);

function defined<T extends object>(parts: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as never;
}

/** Whatever happens, an adapter answers as memory does, and the log of it holds. */
export function modelSuite(name: string, open: () => Promise<TestedStore>, runs: number): void {
  describe(`${name} beside the model in memory`, () => {
    let tested: TestedStore;
    let tenants = 0;
    beforeAll(async () => {
      tested = await open();
    });
    afterAll(() => tested.close());

    test("answers the same, whatever happens in whatever order", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyHappening, { minLength: 5, maxLength: 60 }), async (happenings) => {
          tenants += 1;
          const tenant = `m${process.pid}-${tenants}`;
          let now = Date.UTC(2026, 0, 1);
          const model = createMemoryStore({
            sha256: nodeSha256,
            random: (n) => new Uint8Array(randomBytes(n)),
            clock: () => now,
          });
          tested.setClock(now);
          for (const happening of happenings) {
            if ("pass" in happening) {
              now += happening.pass;
              tested.setClock(now);
              continue;
            }
            const [ours, wanted] = await Promise.all(
              [tested.store, model].map((store) => store.commit(tenant, happening.change)),
            );
            expect(told(ours)).toEqual(told(wanted));
          }
          expect(await state(tested.store, tenant)).toEqual(await state(model, tenant));
        }),
        { numRuns: runs },
      );
    });
  });
}

/** Without what is drawn at random in each: salts are in the hashes of records. */
const told = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, member) => (key === "recordHash" ? "" : member)));

async function state(store: Store, tenant: string): Promise<unknown> {
  const [decisions, holds, stops, facts, verdict] = await Promise.all([
    store.decisions(tenant, { agents: null, limit: 100 }),
    store.holds(tenant, { state: "any", agents: null, order: "risk", limit: 100 }),
    store.stops(tenant),
    store.facts(tenant, {
      agent: "a",
      credential: "key_a",
      scopes: ["tenant", "agent:a"],
      spent: [minute, day].map((rolling) => ({ series: "agent:a", currency: "USD", window: { rolling } })),
      actionDigest: "sha256:aa",
    }),
    verifyLog(tenant, store, { trust: "figures-only", since: [], sha256: nodeSha256 }),
  ]);
  expect(verdict).toMatchObject({ ok: true, value: { problems: [] } });
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  return told({
    decisions,
    holds,
    stops: stops.ok ? [...stops.value].sort(byId) : stops,
    facts: facts.ok
      ? { ...facts.value, stops: [...facts.value.stops].sort(byId), grants: [...facts.value.grants].sort(byId) }
      : facts,
    size: verdict.ok && verdict.value.size,
  });
}
