import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@countersign/core";
import { openSqliteStore } from "@countersign/store";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { codeOf, PaymentWorld, type Settling } from "../testing/paymentWorld.ts";
import type { Till } from "./till.ts";

/** Everything that one sale does to the world, in order. A process can die before and after each. */
const STEPS = ["claim.open", "chain", "verify", "claim.keep", "settle", "claim.keep", "run", "claim.answer"];

let world: PaymentWorld;
let folder: string;
let store: Store;
beforeEach(() => {
  world = new PaymentWorld();
  folder = mkdtempSync(join(tmpdir(), "countersign-till-"));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

/** A process: a till over the database file as it is now. */
async function start(): Promise<Till> {
  const opened = await openSqliteStore({ path: join(folder, "gate.db"), clock: () => world.now });
  if (!opened.ok) throw new Error(opened.error.message);
  store = opened.value;
  const till = await world.open(store);
  if (!till.ok) throw new Error(till.error.code);
  return till.value;
}

/** Sells until the n-th time that a point is reached. There the process dies: nothing that it still does happens. */
async function sellAndDie(point: string, nth: number, sell: (till: Till) => Promise<unknown>): Promise<void> {
  const till = await start();
  let times = 0;
  const dead = new Promise<never>(() => {});
  await new Promise<void>((resolve) => {
    let isDead = false;
    world.on = async (reached) => {
      if (reached === point) times += 1;
      if (reached === point && times === nth) {
        isDead = true;
        resolve();
      }
      if (isDead) await dead;
    };
    void sell(till).then(() => resolve());
  });
  expect(times).toBe(nth);
  await store.close();
  world.on = async () => {};
}

const POINTS = STEPS.flatMap((step, index) =>
  ["before", "after"].map((side) => ({
    point: `${side} ${step}`,
    nth: STEPS.slice(0, index + 1).filter((one) => one === step).length,
    index,
    side,
  })),
);

describe("a gate that dies between any two steps of a sale, and starts again", () => {
  test.each(POINTS)("$point, time $nth: charges once, and owes the answer", async ({ point, nth, index, side }) => {
    const payment = world.payment({ validBefore: "1900000000" });
    await sellAndDie(point, nth, (till) => till.sell(world.purchase(payment)));
    const till = await start();
    const buy = (input = { q: 1 }) => till.sell(world.purchase(payment, input)).then(codeOf);
    // Nobody knows that the other process is dead: the payment is its own until its time is up.
    const isOpen = !(index === 0 && side === "before");
    const isDone = index === STEPS.length - 1 && side === "after";
    if (isDone) expect(await buy()).toBe("sold");
    if (isOpen && !isDone) expect(await buy()).toBe("payment.in_progress");
    if (isOpen) expect(await buy({ q: 2 })).toBe("payment_already_used");
    world.now += 30_000;
    // Marked, and perhaps sent: only the chain can say, and it says nothing before the authorization is over.
    const isMarked = index > STEPS.indexOf("claim.keep") || (index === STEPS.indexOf("claim.keep") && side === "after");
    const isSent = index > STEPS.indexOf("settle") || (index === STEPS.indexOf("settle") && side === "after");
    if (isMarked && !isSent) {
      expect(await buy()).toBe("payment.unknown");
      world.now = 1_900_000_000_000;
      expect(await buy()).toBe("payment.refused");
      expect(world.transfers).toEqual([]);
      expect(world.runs).toEqual([]);
      return;
    }
    expect(await buy()).toBe("sold");
    expect(await buy()).toBe("sold");
    expect(world.transfers).toHaveLength(1);
    // It ran, and died before the answer was kept: that alone is made twice.
    const ranAndForgot = (index === STEPS.indexOf("run") && side === "after") || point === "before claim.answer";
    expect(world.runs).toHaveLength(ranAndForgot ? 2 : 1);
  });

  test.each(["lost", "late", "pending"] as const)("right after a settlement that is %s", async (settling: Settling) => {
    world.settling = settling;
    const payment = world.payment({ validBefore: "1900000000" });
    await sellAndDie("before settle", 1, (till) => till.sell(world.purchase(payment)));
    // What the dying process had sent already.
    await world.facilitator.settle({ payload: payment } as never, {} as never).catch(() => {});
    world.land();
    world.now += 30_000;
    const till = await start();
    expect(codeOf(await till.sell(world.purchase(payment)))).toBe("sold");
    expect(world.transfers).toHaveLength(1);
    expect(world.runs).toHaveLength(1);
  });

  test("a payment that was not marked yet and is over by then charges nothing", async () => {
    const payment = world.payment();
    await sellAndDie("after verify", 1, (till) => till.sell(world.purchase(payment)));
    world.now += 60_000;
    const till = await start();
    expect(codeOf(await till.sell(world.purchase(payment)))).toBe("payment.refused");
    expect(world.transfers).toEqual([]);
  });
});
