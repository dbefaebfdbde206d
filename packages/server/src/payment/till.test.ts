import { problemOf } from "@countersign/api";
import { err } from "@countersign/core";
import { beforeEach, describe, expect, test } from "vitest";
import { codeOf, PAY_TO, PaymentWorld, START, testConfig } from "../testing/paymentWorld.ts";
import { openTill, type Till } from "./till.ts";

let world: PaymentWorld;
let till: Till;
beforeEach(async () => {
  world = new PaymentWorld();
  till = await world.till();
});

describe("a call that is not paid for", () => {
  test("is told the terms, and nothing is reserved, asked or run", async () => {
    const sale = await till.sell(world.purchase(null));
    expect(sale).toMatchObject({
      kind: "refused",
      problem: { code: "payment.required", status: 402 },
      settlement: null,
      challenge: {
        x402Version: 2,
        resource: { url: "https://gate.example/api/judge", mimeType: "application/json" },
        accepts: [
          {
            scheme: "exact",
            network: "eip155:4663",
            amount: "10000",
            payTo: PAY_TO,
            maxTimeoutSeconds: 60,
            extra: { name: "Pay Dollar", version: "1" },
          },
        ],
      },
    });
    expect(world.calls).toEqual([]);
  });

  test("is told first what is wrong with it, and is asked for nothing", async () => {
    const wrong = problemOf("request.invalid");
    for (const payment of [null, world.payment()]) {
      const sale = await till.sell({ ...world.purchase(payment), refusal: () => wrong });
      expect(sale).toEqual({ kind: "refused", problem: wrong, challenge: null, settlement: null });
    }
    expect(world.calls).toEqual([]);
  });

  test.each([
    { it: "is for another route", change: { resource: "https://gate.example/api/cheap" } },
    { it: "names the route in another spelling", change: { resource: "https://GATE.example/api/judge" } },
    { it: "is for the same tool over MCP", change: { resource: "mcp://tool/judge" } },
    { it: "is to somebody else", change: { to: "0x00000000000000000000000000000000000000ee" as const } },
    { it: "is of less", change: { value: "9999" } },
    { it: "is of more", change: { value: "10001" } },
  ])("a payment that $it buys nothing and reserves nothing", async ({ change }) => {
    const sale = await till.sell(world.purchase(world.payment(change)));
    expect(sale).toMatchObject({ problem: { code: "payment.refused", status: 402 }, challenge: { x402Version: 2 } });
    expect(world.calls).toEqual([]);
  });

  test.each([
    { it: "network", change: { network: "eip155:1" as const } },
    { it: "amount", change: { amount: "1" } },
    { it: "asset", change: { asset: PAY_TO } },
    { it: "recipient", change: { payTo: "0x00000000000000000000000000000000000000ee" } },
    { it: "scheme", change: { scheme: "upto" } },
    { it: "time", change: { maxTimeoutSeconds: 61 } },
    { it: "token name", change: { extra: { name: "Other", version: "1" } } },
  ])("a payment that accepts another $it buys nothing", async ({ change }) => {
    const payment = world.payment();
    const accepted = { ...payment.accepted, ...change };
    expect(codeOf(await till.sell(world.purchase({ ...payment, accepted })))).toBe("payment.refused");
    expect(world.calls).toEqual([]);
  });

  test("a payment that cannot be read is told so, with the terms", async () => {
    const sale = await till.sell(world.purchase(err(problemOf("payment.malformed"))));
    expect(sale).toMatchObject({ problem: { code: "payment.malformed", status: 402 }, challenge: { x402Version: 2 } });
    expect(world.calls).toEqual([]);
  });
});

describe("one payment buys one answer", () => {
  test("in this order: reserved, looked at, marked, settled, marked, answered, kept", async () => {
    const payment = world.payment();
    const sale = await till.sell(world.purchase(payment));
    expect(sale).toMatchObject({
      kind: "sold",
      answer: { answered: { q: 1 } },
      settlement: { success: true, network: "eip155:4663", payer: payment.authorization.from },
    });
    expect(world.calls).toEqual([
      "claim.open",
      "chain",
      "verify",
      "claim.keep",
      "settle",
      "claim.keep",
      "run",
      "claim.answer",
    ]);
  });

  test("the same payment for the same call is answered from what was kept", async () => {
    const payment = world.payment();
    const first = await till.sell(world.purchase(payment));
    const calls = world.calls.length;
    expect(await till.sell(world.purchase(payment))).toEqual(first);
    expect(await (await world.till()).sell(world.purchase(payment))).toEqual(first);
    expect(world.calls.slice(calls)).toEqual(["claim.open", "claim.open"]);
    expect(world.runs).toHaveLength(1);
  });

  test("for a week; after that the payment is used, and its answer is gone", async () => {
    const payment = world.payment();
    await till.sell(world.purchase(payment));
    world.now += 7 * 86_400_000;
    expect(codeOf(await till.sell(world.purchase(payment)))).toBe("payment_already_used");
    expect(world.runs).toHaveLength(1);
  });

  test.each([
    { it: "another body", input: { q: 2 } },
    { it: "a body with its members in another order", input: { b: 1, a: 1 } },
  ])("the same payment for $it is refused, and settles nothing", async ({ input }) => {
    const payment = world.payment();
    await till.sell(world.purchase(payment, { a: 1, b: 1 }));
    const sale = await till.sell(world.purchase(payment, input));
    expect(sale).toMatchObject({ problem: { code: "payment_already_used", status: 409 }, challenge: null });
    expect(world.runs).toHaveLength(1);
    expect(world.transfers).toHaveLength(1);
  });

  test("a payment that was read off the chain, and signed again, does not fetch the answer", async () => {
    const payment = world.payment();
    await till.sell(world.purchase(payment));
    const copied = { ...payment, signature: `0x${"22".repeat(65)}` };
    expect(codeOf(await till.sell(world.purchase(copied)))).toBe("payment_already_used");
  });

  test("five at once with one payment: one runs, one settles, and the others are told to wait", async () => {
    const payment = world.payment();
    const sales = await Promise.all(Array.from({ length: 5 }, () => till.sell(world.purchase(payment))));
    expect(sales.map(codeOf).sort()).toEqual([...Array(4).fill("payment.in_progress"), "sold"]);
    expect(world.runs).toHaveLength(1);
    expect(world.calls.filter((call) => call === "settle")).toHaveLength(1);
    expect(sales.filter((sale) => sale.kind === "refused" && sale.problem.status === 409)).toHaveLength(4);
  });

  test("what was used before it was reserved pays for nothing", async () => {
    for (const before of ["paid", "spent"] as const) {
      const payment = world.payment();
      world.used.set(payment.authorization.nonce, before);
      expect(codeOf(await till.sell(world.purchase(payment)))).toBe("payment.refused");
    }
    // Not even where a facilitator does not notice.
    const payment = world.payment();
    world.used.set(payment.authorization.nonce, "paid");
    world.facilitator.verify = async () => ({ isValid: true });
    expect(codeOf(await till.sell(world.purchase(payment)))).toBe("payment.refused");
    expect(world.runs).toEqual([]);
    expect(world.calls).not.toContain("settle");
  });

  test("a refused verification reserves nothing", async () => {
    const payment = world.payment({ validBefore: "1" });
    for (const input of [{ q: 1 }, { q: 2 }]) {
      const sale = await till.sell(world.purchase(payment, input));
      expect(sale).toMatchObject({
        problem: { code: "payment.refused", detail: expect.stringContaining("expired") },
        challenge: { error: expect.stringContaining("expired") },
      });
    }
  });

  test("a facilitator that cannot be asked charges nothing, and the payment can be sent again", async () => {
    const payment = world.payment();
    world.isVerifying = false;
    expect(await till.sell(world.purchase(payment))).toMatchObject({
      problem: { code: "payment.unavailable", status: 503 },
      challenge: null,
    });
    world.isVerifying = true;
    expect(codeOf(await till.sell(world.purchase(payment)))).toBe("sold");
  });
});

describe("a settlement that did not succeed", () => {
  test("refused, and unused on the chain: the payer is told, and the payment is free again", async () => {
    const payment = world.payment();
    world.settling = "refuses";
    expect(await till.sell(world.purchase(payment))).toMatchObject({
      problem: { code: "payment.refused", status: 402, detail: "the payment was refused: insufficient_funds" },
      settlement: { success: false, errorReason: "insufficient_funds" },
      challenge: { x402Version: 2 },
    });
    world.settling = "settles";
    expect(codeOf(await till.sell(world.purchase(payment, { q: 2 })))).toBe("sold");
  });

  test("refused, and the chain cannot be read: the reservation stays", async () => {
    const payment = world.payment();
    world.settling = "refuses";
    world.on = async (point) => {
      if (point === "before settle") world.isChainKnown = false;
    };
    expect(codeOf(await till.sell(world.purchase(payment)))).toBe("payment.refused");
    world.settling = "settles";
    expect(codeOf(await till.sell(world.purchase(payment, { q: 2 })))).toBe("payment_already_used");
    expect(codeOf(await till.sell(world.purchase(payment)))).toBe("payment.refused");
    world.on = async () => {};
    world.isChainKnown = true;
    expect(codeOf(await till.sell(world.purchase(payment)))).toBe("payment.refused");
    expect(codeOf(await till.sell(world.purchase(payment, { q: 2 })))).toBe("sold");
    expect(world.transfers).toHaveLength(1);
  });

  test.each(["throws", "vague"] as const)(
    "%s, and unused on the chain: unknown, and kept, and never settled again",
    async (settling) => {
      const payment = world.payment();
      world.settling = settling;
      const sale = await till.sell(world.purchase(payment));
      expect(sale).toMatchObject({ problem: { code: "payment.unknown", status: 503 }, challenge: null });
      world.settling = "settles";
      expect(codeOf(await till.sell(world.purchase(payment)))).toBe("payment.unknown");
      expect(codeOf(await till.sell(world.purchase(payment, { q: 2 })))).toBe("payment_already_used");
      expect(world.calls.filter((call) => call === "settle")).toHaveLength(1);
      expect(world.runs).toEqual([]);
    },
  );

  test("an unknown settlement is over when the authorization is: nothing was paid, and nothing will be", async () => {
    const payment = world.payment();
    world.settling = "throws";
    await till.sell(world.purchase(payment));
    world.now = START + 59_000;
    expect(codeOf(await till.sell(world.purchase(payment)))).toBe("payment.unknown");
    world.now = START + 60_000;
    expect(await till.sell(world.purchase(payment))).toMatchObject({
      problem: { code: "payment.refused", detail: expect.stringContaining("not used in time") },
    });
    expect(world.runs).toEqual([]);
  });

  test.each(["lost", "pending"] as const)(
    "%s, and paid on the chain: it is answered, and charged once",
    async (how) => {
      const payment = world.payment();
      world.settling = how;
      const sale = await till.sell(world.purchase(payment));
      expect(sale).toMatchObject({
        kind: "sold",
        settlement: { success: true, transaction: expect.stringMatching(/^0x/) },
      });
      expect(world.transfers).toHaveLength(1);
      expect(world.runs).toHaveLength(1);
    },
  );

  test("and lands late: unknown until then, and answered from then on", async () => {
    const payment = world.payment();
    world.settling = "late";
    for (let time = 0; time < 2; time += 1)
      expect(codeOf(await till.sell(world.purchase(payment)))).toBe("payment.unknown");
    world.land();
    expect(codeOf(await till.sell(world.purchase(payment, { q: 2 })))).toBe("payment_already_used");
    expect(codeOf(await till.sell(world.purchase(payment)))).toBe("sold");
    expect(world.calls.filter((call) => call === "settle")).toHaveLength(1);
    expect(world.transfers).toHaveLength(1);
  });

  test("that the library asks for twice is harmless", async () => {
    const payment = world.payment();
    world.settling = "pending";
    expect(codeOf(await till.sell(world.purchase(payment)))).toBe("sold");
    expect(world.calls.filter((call) => call === "settle")).toHaveLength(2);
    expect(world.transfers).toHaveLength(1);
  });

  test("and whose authorization became something else is refused for good", async () => {
    const payment = world.payment();
    world.settling = "throws";
    world.on = async (point) => {
      if (point === "before settle") world.used.set(payment.authorization.nonce, "spent");
    };
    for (let time = 0; time < 2; time += 1)
      expect(await till.sell(world.purchase(payment))).toMatchObject({
        problem: { code: "payment.refused", detail: expect.stringContaining("used for something else") },
        settlement: { success: false },
      });
    expect(codeOf(await till.sell(world.purchase(payment, { q: 2 })))).toBe("payment_already_used");
    expect(world.calls.filter((call) => call === "settle")).toHaveLength(1);
  });

  test("that nobody can attribute stays unknown: the chain was not seen before it", async () => {
    const payment = world.payment();
    world.isChainKnown = false;
    world.settling = "lost";
    expect(codeOf(await till.sell(world.purchase(payment)))).toBe("payment.unknown");
    world.isChainKnown = true;
    expect(codeOf(await till.sell(world.purchase(payment)))).toBe("payment.unknown");
    expect(world.runs).toEqual([]);
  });
});

test("answers are sold while the chain cannot be read, as long as the facilitator settles", async () => {
  world.isChainKnown = false;
  expect(codeOf(await till.sell(world.purchase(world.payment())))).toBe("sold");
});

test("a facilitator that never answers is not waited for", async () => {
  const never = new Promise<never>(() => {});
  const opened = await openTill({
    config: testConfig(),
    tools: [{ name: "judge", description: "Judges.", path: "/api/judge" }],
    store: world.durableMemory(),
    tenant: "local",
    facilitator: { ...world.facilitator, settle: () => never },
    chain: world.chain,
    random: () => new Uint8Array(16),
    sha256: () => "00",
    deadlines: { facilitator: 20, chain: 20 },
  });
  if (!opened.ok) throw new Error(opened.error.code);
  expect(codeOf(await opened.value.sell(world.purchase(world.payment())))).toBe("payment.unknown");
});

describe("what is paid is owed", () => {
  test("a fault after settlement is told, and the same payment asks again without paying", async () => {
    const payment = world.payment();
    world.runFails = true;
    expect(await till.sell(world.purchase(payment))).toMatchObject({
      problem: { code: "store.unavailable", status: 503 },
      challenge: null,
      settlement: { success: true },
    });
    world.runFails = false;
    expect(codeOf(await till.sell(world.purchase(payment, { q: 2 })))).toBe("payment_already_used");
    expect(codeOf(await till.sell(world.purchase(payment)))).toBe("sold");
    expect(world.transfers).toHaveLength(1);
    expect(world.runs).toHaveLength(1);
  });

  test.each([
    { at: "claim.open", nth: 1, settles: 0, runs: 1 },
    { at: "claim.keep", nth: 1, settles: 0, runs: 1 },
    { at: "claim.keep", nth: 2, settles: 1, runs: 1 },
    // The answer was made, and could not be kept: it is made again.
    { at: "claim.answer", nth: 1, settles: 1, runs: 2 },
  ])("a store that fails at $at, time $nth: told so, and later the same payment buys", async (row) => {
    const { commit, facts } = world.memory;
    let times = 0;
    const opened = await world.open({
      durable: true,
      facts,
      commit: async (tenant, change) => {
        if (change.kind === row.at) times += 1;
        return change.kind === row.at && times === row.nth
          ? err({ code: "store.unavailable", message: "the database cannot be reached" })
          : commit(tenant, change);
      },
    });
    if (!opened.ok) throw new Error(opened.error.code);
    const payment = world.payment({ validBefore: "2000000000" });
    const buy = () => opened.value.sell(world.purchase(payment)).then(codeOf);
    expect(await buy()).toBe("store.unavailable");
    expect(world.calls.filter((call) => call === "settle")).toHaveLength(row.settles);
    world.now += 30_000;
    expect(await buy()).toBe("sold");
    expect(world.transfers).toHaveLength(1);
    expect(world.runs).toHaveLength(row.runs);
  });
});

describe("a till does not open", () => {
  test("on a store that forgets", async () => {
    const opened = await world.open(world.memory);
    expect(opened).toMatchObject({ ok: false, error: { code: "payment.store_volatile" } });
  });

  test.each([
    { it: "does not answer", supported: async () => Promise.reject(new Error("away")) },
    {
      it: "serves another network",
      supported: async () => ({
        kinds: [{ x402Version: 2, scheme: "exact", network: "eip155:1" as const }],
        extensions: [],
        signers: {},
      }),
    },
    {
      it: "speaks the first version only",
      supported: async () => ({
        kinds: [{ x402Version: 1, scheme: "exact", network: "eip155:4663" as const }],
        extensions: [],
        signers: {},
      }),
    },
  ])("with a facilitator that $it", async ({ supported }) => {
    world.facilitator.getSupported = supported;
    expect(await world.open()).toMatchObject({ ok: false, error: { code: "payment.facilitator_unusable" } });
  });

  test("for a tool that there is not, or that cannot be refused before it is paid", async () => {
    const opened = await openTill({
      config: testConfig({ price: { other: "1" } }),
      tools: [{ name: "judge", description: "Judges.", path: "/api/judge" }],
      store: world.durableMemory(),
      tenant: "local",
      facilitator: world.facilitator,
      chain: world.chain,
      random: () => new Uint8Array(16),
      sha256: () => "00",
    });
    expect(opened).toMatchObject({
      ok: false,
      error: { code: "payment.tool_unknown", message: expect.stringContaining("judge") },
    });
  });
});
