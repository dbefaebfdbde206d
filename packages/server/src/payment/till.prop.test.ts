import { isObject, parseJson } from "@countersign/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { codeOf, PaymentWorld, type Settling } from "../testing/paymentWorld.ts";

const SETTLING: readonly Settling[] = ["settles", "refuses", "throws", "lost", "late", "pending", "vague"];

interface Plan {
  /** Which payment each client shows, with which body, through which of two gates. */
  readonly clients: readonly { readonly payment: number; readonly body: number; readonly gate: number }[];
  readonly settling: readonly Settling[];
  readonly chain: readonly boolean[];
  /** How much time passes at the steps, in seconds: enough, now and then, that a claim is taken over. */
  readonly pauses: readonly number[];
}

const plan = (pauses: fc.Arbitrary<number>): fc.Arbitrary<Plan> =>
  fc.record({
    clients: fc.array(fc.record({ payment: fc.nat(2), body: fc.nat(1), gate: fc.nat(1) }), {
      minLength: 1,
      maxLength: 7,
    }),
    settling: fc.array(fc.constantFrom(...SETTLING), { minLength: 1, maxLength: 8 }),
    chain: fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
    pauses: fc.array(pauses, { minLength: 1, maxLength: 8 }),
  });

/** Runs the plan under a scheduler that lets any call of any client go next, over one store, and returns what was seen. */
async function play({ clients, settling, chain, pauses }: Plan, scheduler: fc.Scheduler) {
  const world = new PaymentWorld();
  const payments = Array.from({ length: 3 }, () => world.payment({ validBefore: "2000000000" }));
  /** Claims that durably say that a settlement may be asked for. */
  const marked = new Set<string>();
  const unmarked: string[] = [];
  /** How often a try was given, durably, that a payment is settled and the answer is its to make. */
  const owed: string[] = [];
  const { commit } = world.memory;
  world.memory.commit = async (tenant, change) => {
    const done = await commit(tenant, change);
    if (done.ok && change.kind === "claim.keep" && change.holdFor > 0) {
      if (stepIn(change.progress) === "settling") marked.add(change.key);
      if (stepIn(change.progress) === "settled") owed.push(change.key);
    }
    if (done.ok && change.kind === "claim.open" && stepIn((done.value as { progress?: string }).progress) === "settled")
      owed.push(change.key);
    if (done.ok && change.kind === "claim.free") marked.delete(change.key);
    return done;
  };
  const settle = world.facilitator.settle;
  world.facilitator.settle = (payload, requirements) => {
    const { nonce } = (payload.payload as { authorization: { nonce: string } }).authorization;
    if (![...marked].some((key) => key.endsWith(nonce))) unmarked.push(nonce);
    return settle(payload, requirements);
  };
  const gates = [await world.till(), await world.till()] as const;
  let step = 0;
  world.on = async (point) => {
    await scheduler.schedule(Promise.resolve(), point);
    step += 1;
    world.settling = settling[step % settling.length] ?? "settles";
    world.isChainKnown = chain[step % chain.length] ?? true;
    if (step % 5 === 0) world.land();
    world.now += 1000 * (pauses[step % pauses.length] ?? 0);
  };
  const asked = clients.map(({ payment, body, gate }) => {
    const shown = payments[payment];
    if (shown === undefined) throw new Error("a plan names a payment that there is not");
    const till = gates[gate === 0 ? 0 : 1];
    return till.sell(world.purchase(shown, { body })).then((sale) => ({ payment, body, sale }));
  });
  await scheduler.waitIdle();
  const sales = await Promise.all(asked);
  return { world, gates, payments, sales, unmarked, owed };
}

function stepIn(progress = "{}"): unknown {
  const read = parseJson(progress, { bytes: 1 << 16, depth: 9 }, "plain");
  return read.ok && isObject(read.value) ? read.value["step"] : undefined;
}

/** What holds whatever happened, also when claims were taken over. */
function alwaysHolds({ world, payments, sales, unmarked, owed }: Awaited<ReturnType<typeof play>>): void {
  expect(unmarked).toEqual([]);
  expect(new Set(world.transfers).size).toBe(world.transfers.length);
  payments.forEach(({ authorization: { nonce } }, index) => {
    const sold = sales.filter(({ payment, sale }) => payment === index && sale.kind === "sold");
    expect(new Set(sold.map(({ sale }) => JSON.stringify(sale))).size).toBeLessThanOrEqual(1);
    expect(new Set(sold.map(({ body }) => body)).size).toBeLessThanOrEqual(1);
    const runs = world.runs.filter((run) => run === nonce).length;
    expect(runs).toBeLessThanOrEqual(owed.filter((key) => key.endsWith(nonce)).length);
    if (sold.length > 0 || world.runs.includes(nonce)) expect(world.used.get(nonce)).toBe("paid");
  });
}

test("whatever the order, no payment runs twice, none is settled unreserved, and what was paid is answered", () =>
  fc.assert(
    fc.asyncProperty(plan(fc.constant(0)), fc.scheduler(), async (given, scheduler) => {
      const seen = await play(given, scheduler);
      alwaysHolds(seen);
      const { world, gates, payments, sales } = seen;
      for (const { authorization } of payments)
        expect(world.runs.filter((run) => run === authorization.nonce).length).toBeLessThanOrEqual(1);
      // When all is well again, whoever paid and asks once more is answered; at most one body was ever paid for.
      world.on = async () => {};
      world.settling = "refuses";
      world.isChainKnown = true;
      world.land();
      for (const [index, payment] of payments.entries()) {
        if (world.used.get(payment.authorization.nonce) !== "paid") continue;
        const bodies = new Set(sales.filter((one) => one.payment === index).map(({ body }) => body));
        const codes: string[] = [];
        for (const body of bodies) codes.push(codeOf(await gates[0].sell(world.purchase(payment, { body }))));
        expect(codes.filter((code) => code === "sold").length).toBeLessThanOrEqual(1);
        // Where the chain was not seen before it was asked to settle, nobody can say what a used authorization paid for.
        if (given.chain.every((known) => known)) expect(codes).toContain("sold");
      }
    }),
    { numRuns: 300 },
  ));

test("also when tries are so slow that others take their payments over", () =>
  fc.assert(
    fc.asyncProperty(plan(fc.constantFrom(0, 0, 0, 10, 40)), fc.scheduler(), async (given, scheduler) =>
      alwaysHolds(await play(given, scheduler)),
    ),
    { numRuns: 600 },
  ));
