import { PAID_TRADE, type Problem, problemOf, TRADE_TOOLS } from "@countersign/api";
import {
  type ChainFault,
  type ChainTradeFacts,
  createMemoryStore,
  type Decimal,
  err,
  type Funding,
  type JsonObject,
  type JsonValue,
  ok,
  parseDecimal,
  type RegistryChain,
  type Result,
  readPolicy,
  type Store,
  samePolicy,
  TRADE_SETTINGS,
  type TradeChain,
} from "@countersign/core";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeEach, describe, expect, test } from "vitest";
import { type Caller, LOCAL } from "../../caller.ts";
import { createLogger } from "../../logger.ts";
import { openTill, type Till } from "../../payment/till.ts";
import { createServer } from "../../server.ts";
import { hexSha256, PaymentWorld, random, START, sha256, testConfig } from "../../testing/paymentWorld.ts";
import { sellable } from "../purchase.ts";
import { toolSet } from "../toolSet.ts";
import { tradeOutcomes } from "./losses.ts";
import type { TradeFace } from "./ports.ts";
import { tradeDialect } from "./tradeDialect.ts";

const ajv = new Ajv2020({ strict: false });
const outputs = new Map(TRADE_TOOLS.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema)]));

const NVDA = "0xd0601ce157db5bdc3162bbac2a2c8af5320d9eec";
const WALLET = "0x00000000000000000000000000000000000000f7";
const OTHER = "0x00000000000000000000000000000000000000f8";
const TRADE = { wallet: WALLET, asset: "NVDA", contract_address: NVDA, side: "buy", amount: 1.5 };

const dollars = (text: string): Decimal => {
  const read = parseDecimal(text);
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
};

const registry: RegistryChain = {
  chainId: 4663,
  name: "Test",
  source: "this test",
  tokens: [
    {
      symbol: "NVDA",
      address: NVDA,
      decimals: 18,
      kind: "stock",
      calendar: "always",
      oracleSwitch: "absent",
      pegged: false,
      pools: [],
      source: "this test",
    },
  ],
};
const [official] = registry.tokens;
if (official === undefined) throw new Error("test data");

const FACTS: ChainTradeFacts = {
  block: { number: "7", hash: `0x${"ab".repeat(32)}` },
  asset: { state: "official", token: official },
  token: { known: true, value: { severity: "safe", factors: [], advisories: [], unknown: [], taxBps: 0 } },
  price: { state: "price", usd: dollars("200"), source: "oracle", apart: false, oracle: "used" },
  market: { open: true, reason: "session" },
  poolDepth: null,
};

let now = START;
let facts: Result<ChainTradeFacts, ChainFault>;
let asked: number;
let store: Store;
let face: TradeFace;

const chain: TradeChain = {
  registry,
  async facts() {
    asked += 1;
    return facts;
  },
  token: async () => err({ code: "chain.timeout", message: "the node did not answer in time" }),
  balance: async ({ delta }) =>
    delta === "-2"
      ? err({ code: "balance.insufficient", message: "the balance would be below zero" })
      : ok({ before: dollars("1"), after: dollars("1.5"), delta: dollars("0.5") }),
};

beforeEach(() => {
  now = START;
  asked = 0;
  facts = ok(FACTS);
  store = createMemoryStore({ clock: () => now, random, sha256 });
  face = {
    chain,
    funderOf: null,
    policies: null,
    rules: {
      settings: TRADE_SETTINGS,
      tiers: new Map([["trader", 3]]),
      blocked: new Set(["0x00000000000000000000000000000000000000bb"]),
      clusters: new Map(),
      sharedFunders: new Set(),
    },
    store,
    clock: () => now,
    random,
    sha256,
    hexSha256,
  };
});

const agent = (name: string): Caller => ({
  ...LOCAL,
  credential: `key_${name}`,
  scopes: new Set(["decide", "outcome"]),
  holder: { kind: "agent", agent: name },
});
const ENFORCER: Caller = { ...agent("e"), holder: { kind: "enforcer", id: "e", agents: "any" } };

async function call(tool: string, input: JsonValue, caller: Caller = LOCAL): Promise<JsonObject> {
  const given = await tradeDialect(face).answer(tool, input, caller, () => new AbortController().signal);
  if (!given.ok) throw new Error(given.error.code);
  const valid = outputs.get(tool);
  expect(valid?.(given.value), JSON.stringify(valid?.errors)).toBe(true);
  return given.value;
}
const evaluate = (change: object = {}, caller: Caller = LOCAL) =>
  call("evaluate_trade", { ...TRADE, ...change } as JsonValue, caller);
const head = async () => {
  const read = await store.head(LOCAL.tenant);
  return read.ok ? read.value.size : 0;
};

describe("a verdict on a trade", () => {
  test("is recorded before it is told, in the chain of its wallet, as commitments to digests", async () => {
    const first = await evaluate();
    const second = await evaluate({ amount: 2 });
    expect(first).toMatchObject({ decision: "allow", tier: 1, max_trade_usd: 5000, calculated_notional_usd: 300 });
    expect(first).toMatchObject({ price_usd: 200, price_source: "oracle", audit_seq: 1, error: null });
    expect(second).toMatchObject({ audit_seq: 2 });
    expect(first["audit_hash"]).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(await evaluate({ wallet: OTHER })).toMatchObject({ audit_seq: 1 });
    const entries = await store.entries(LOCAL.tenant, 0, 10);
    expect(entries.ok && entries.value).toHaveLength(3);
    expect(JSON.stringify(entries)).not.toContain(WALLET.slice(2));
  });

  test.each<[string, object, Partial<ChainTradeFacts>, RegExp]>([
    ["the wallet is blocked", { wallet: "0x00000000000000000000000000000000000000BB" }, {}, /blocklist/],
    ["the token is blocked", { contract_address: "0x00000000000000000000000000000000000000bb" }, {}, /blocklist/],
    ["the token is not the registered one", {}, { asset: { state: "mismatch", expected: official } }, /fake/],
    ["nobody knows the token's safety", {}, { token: { known: false, reason: "no node" } }, /not known/],
    ["there is no price", {}, { price: { state: "unavailable", oracle: "stale", pool: "absent" } }, /no price/],
    ["it is above the ceiling", { amount: 26 }, {}, /ceiling/],
    ["the token is not registered", { allow_unregistered: true }, { asset: { state: "unregistered" } }, /registry/],
  ])("denies when %s", async (_, change, more, why) => {
    facts = ok({ ...FACTS, ...more });
    const answer = await evaluate(change);
    expect(answer).toMatchObject({ decision: "deny", error: null, audit_seq: 1 });
    expect(JSON.stringify(answer["reasons"])).toMatch(why);
    expect(answer["risk_score"]).toBeGreaterThanOrEqual(80);
  });

  test("stays within what the policies of the caller allow, and is none where they cannot be read", async () => {
    const policy = readPolicy(
      { trade: { ceilings_usd: ["299.99", "1", "1"], max_slippage_bps: 50 } },
      "platform:default",
    );
    if (!policy.ok) throw new Error("test data");
    face = { ...face, policies: samePolicy(policy.value) };
    expect(await evaluate({ max_slippage_bps: 50 })).toMatchObject({
      decision: "deny",
      max_trade_usd: 299.99,
      error: null,
    });
    expect(await evaluate({ max_slippage_bps: 51 })).toMatchObject({ decision: "deny", error: expect.any(String) });
    const broken = { code: "policy.unavailable", message: "no policy can be read" } as const;
    face = { ...face, policies: { effective: async () => err(broken) } };
    expect(await evaluate()).toMatchObject({ decision: "deny", error: expect.any(String) });
  });

  test.each(["tenant", "agent:local"])("denies while a stop is in force on %s", async (scope) => {
    const by = { kind: "person", id: "operator" } as const;
    const stop = { kind: "stop.put", id: "stop_1", scope, reason: "test", until: null, by } as const;
    expect((await store.commit(LOCAL.tenant, stop)).ok).toBe(true);
    expect(await evaluate()).toMatchObject({ decision: "deny", risk_score: 100 });
    expect(await evaluate({ wallet: OTHER }, agent("else"))).toMatchObject({
      decision: scope === "tenant" ? "deny" : "allow",
    });
  });

  test("has the ceiling of the credential, and the lowest where nobody said more", async () => {
    expect(await evaluate({ amount: 400 }, agent("trader"))).toMatchObject({ decision: "allow", tier: 3 });
    expect(await evaluate({ amount: 400 }, agent("nobody"))).toMatchObject({ decision: "deny", tier: 1 });
  });
});

describe("without a verdict", () => {
  test.each<[string, object]>([
    ["invalid_request", { wallet: "me" }],
    ["invalid_request", { max_slippage_bps: 501 }],
    ["invalid_request", { max_slippage_bps: -1 }],
    ["invalid_request", { amount: 0 }],
  ])("%s is the error, everything denies, and neither chain nor log is touched", async (error, change) => {
    expect(await evaluate(change)).toMatchObject({ decision: "deny", error, risk_score: 100, audit_seq: null });
    expect(asked).toBe(0);
    expect(await head()).toBe(0);
  });

  test("a chain that cannot be read is an error, and nothing is recorded", async () => {
    facts = err({ code: "chain.timeout", message: "the node did not answer in time" });
    expect(await evaluate()).toMatchObject({ decision: "deny", error: "chain_unavailable" });
    expect(await head()).toBe(0);
  });

  test("an adapter that throws is an error, and its text does not get out", async () => {
    face = { ...face, chain: { ...chain, facts: () => Promise.reject(new Error("secret")) } };
    const answer = await evaluate();
    expect(answer).toMatchObject({ decision: "deny", error: "internal" });
    expect(JSON.stringify(answer)).not.toContain("secret");
  });

  test("no record means no verdict", async () => {
    const commit = async () => err({ code: "store.full", message: "" } as const);
    face = { ...face, store: { ...store, commit: commit as Store["commit"] } };
    expect(await evaluate()).toMatchObject({ decision: "deny", error: "log_unavailable", price_usd: 0 });
  });
});

describe("a request_id", () => {
  test("is answered as it was, for five minutes, whatever has changed since", async () => {
    const first = await evaluate({ request_id: "r1" });
    facts = ok({ ...FACTS, asset: { state: "unregistered" } });
    now += 299_000;
    expect(await evaluate({ request_id: "r1" })).toEqual(first);
    expect(asked).toBe(1);
    expect(await head()).toBe(1);
    now += 2_000;
    expect(await evaluate({ request_id: "r1" })).toMatchObject({ decision: "deny", audit_seq: 2 });
  });

  test("says no more that a trade may be made once there is a stop", async () => {
    const first = await evaluate({ request_id: "r1" });
    expect(first).toMatchObject({ decision: "allow" });
    const by = { kind: "person", id: "operator" } as const;
    const stop = { kind: "stop.put", id: "stop_1", scope: "tenant", reason: "test", until: null, by } as const;
    expect((await store.commit(LOCAL.tenant, stop)).ok).toBe(true);
    const stopped = await evaluate({ request_id: "r1" });
    expect(stopped).toMatchObject({ decision: "deny", risk_score: 100, request_id: "r1", audit_seq: 2 });
  });

  test("asked for twice at once is one verdict", async () => {
    const [one, two] = await Promise.all([evaluate({ request_id: "r1" }), evaluate({ request_id: "r1" })]);
    expect(one).toEqual(two);
    expect(await head()).toBe(1);
  });

  test("of another request is an error, and another credential's is another one", async () => {
    await evaluate({ request_id: "r1" });
    expect(await evaluate({ request_id: "r1", amount: 2 })).toMatchObject({ error: "request_id_conflict" });
    expect(await evaluate({ request_id: "r1", amount: 2 }, agent("b"))).toMatchObject({ error: null });
  });
});

describe("how often a wallet trades", () => {
  test("warns over ten a minute and denies over twenty-five, and a fresh wallet of the same agent counts on", async () => {
    const decisions: unknown[] = [];
    for (let i = 0; i < 26; i += 1) decisions.push((await evaluate())["decision"]);
    expect(decisions).toEqual([
      ...Array.from({ length: 10 }, () => "allow"),
      ...Array.from({ length: 15 }, () => "warn"),
      "deny",
    ]);
    expect(await evaluate({ wallet: OTHER })).toMatchObject({ decision: "deny" });
    expect(await evaluate({ wallet: OTHER }, agent("b"))).toMatchObject({ decision: "allow" });
    now += 60_000;
    expect(await evaluate()).toMatchObject({ decision: "allow" });
  });

  test("has an end, after which the chain is not even read, and nothing is recorded", async () => {
    for (let i = 0; i < 100; i += 1) await evaluate();
    expect(await evaluate()).toMatchObject({ decision: "deny", error: "rate_limited", audit_seq: null });
    expect(asked).toBe(100);
    expect(await head()).toBe(100);
  });

  test("counts wallets of one cluster together", async () => {
    face = { ...face, rules: { ...face.rules, clusters: new Map([WALLET, OTHER].map((wallet) => [wallet, "desk"])) } };
    for (let i = 0; i < 25; i += 1) await evaluate({}, agent(`a${i}`));
    expect(await evaluate({ wallet: OTHER }, agent("z"))).toMatchObject({ decision: "deny" });
  });
});

describe("what trades lost", () => {
  const report = (caller: Caller, realised: string, seq = 1, wallet = WALLET): Promise<Result<JsonObject, Problem>> =>
    tradeOutcomes(face).answer(
      "report_trade_outcome",
      { wallet, audit_seq: seq, realised_usd: realised },
      caller,
      () => new AbortController().signal,
    );

  test("within 24 hours denies at the limit, for the wallet and for its agent", async () => {
    const trader = agent("trader");
    await evaluate({}, trader);
    expect(await report(trader, "-999.99")).toMatchObject({ ok: true, value: { counted_usd: "-999.99" } });
    expect(await evaluate({}, trader)).toMatchObject({ decision: "allow" });
    expect(await report(trader, "-0.01", 2)).toMatchObject({ ok: true });
    expect(await evaluate({}, trader)).toMatchObject({ decision: "deny" });
    expect(await evaluate({ wallet: OTHER }, trader)).toMatchObject({ decision: "deny" });
    expect(await evaluate({}, agent("b"))).toMatchObject({ decision: "deny" });
    expect(await evaluate({ wallet: OTHER }, agent("b"))).toMatchObject({ decision: "allow" });
    now += 86_400_000;
    expect(await evaluate({}, trader)).toMatchObject({ decision: "allow" });
  });

  test("is not made good by the agent's own word, but by an enforcer's", async () => {
    const trader = agent("trader");
    for (let i = 0; i < 3; i += 1) await evaluate({}, trader);
    await report(trader, "-1000");
    expect(await report(trader, "5000", 2)).toMatchObject({ ok: true, value: { counted_usd: "0" } });
    expect(await evaluate({}, trader)).toMatchObject({ decision: "deny" });
    expect(await report(ENFORCER, "1", 3)).toMatchObject({ ok: true, value: { counted_usd: "1" } });
    expect(await evaluate({}, trader)).toMatchObject({ decision: "allow" });
  });

  test("is reported about a verdict however many came after it", async () => {
    const trader = agent("trader");
    await evaluate({}, trader);
    const later = { kind: "note", type: "advice", agent: "trader", record: "{}", chain: `trade/${WALLET}` } as const;
    for (let i = 0; i < 1_100; i += 1) await store.commit(LOCAL.tenant, { ...later, ref: `adv_${i}` });
    expect(await report(trader, "-1000")).toMatchObject({ ok: true, value: { audit_seq: 1 } });
    expect(await report(trader, "-1", 1_102)).toMatchObject({ error: { code: "decision.unknown" } });
    expect(await evaluate({}, trader)).toMatchObject({ decision: "deny" });
  });

  test("is reported once about a verdict, by whom it concerns, with the right", async () => {
    const trader = agent("trader");
    await evaluate({}, trader);
    expect(await report(agent("b"), "-1")).toMatchObject({ error: { code: "decision.unknown" } });
    expect(await report(trader, "-1", 9)).toMatchObject({ error: { code: "decision.unknown" } });
    expect(await report({ ...trader, scopes: new Set(["decide"]) }, "-1")).toMatchObject({
      error: { code: "credential.scope" },
    });
    expect(await report(LOCAL, "-1")).toMatchObject({ ok: false });
    expect(await report(trader, "-1")).toMatchObject({ ok: true });
    expect(await report(trader, "-1")).toMatchObject({ ok: true });
    expect(await report(trader, "-2")).toMatchObject({ error: { code: "idempotency.conflict" } });
    expect(await head()).toBe(4);
  });
});

describe("wallets that one hand funded", () => {
  const wallet = (index: number) => `0x${index.toString(16).padStart(40, "0")}`;
  let funders: Map<string, Funding>;
  let searched: string[];
  const funds = (funder: number, ...wallets: number[]) => {
    const evidence = { block: "1", transaction: `0x${"11".repeat(32)}`, by: "transfer" } as const;
    for (const one of wallets) funders.set(wallet(one), { state: "funded", funder: wallet(funder), evidence });
  };
  beforeEach(() => {
    funders = new Map();
    searched = [];
    face = {
      ...face,
      async funderOf(one) {
        searched.push(one);
        return funders.get(one) ?? { state: "none" };
      },
    };
  });
  const rules = (change: Partial<TradeFace["rules"]>) => {
    face = { ...face, rules: { ...face.rules, ...change } };
  };
  /** Every trade by another agent, so that only the wallets can be what counts. */
  let agents = 0;
  const decided = async (from: number) => {
    agents += 1;
    return (await evaluate({ wallet: wallet(from) }, agent(`one-${agents}`)))["decision"];
  };
  const trades = async (from: number, times: number) => {
    for (let i = 0; i < times; i += 1) await decided(from);
  };
  const loses = async (from: number, realised: string, by: Caller = ENFORCER) => {
    const judged = await evaluate({ wallet: wallet(from) }, by);
    const report = { wallet: wallet(from), audit_seq: judged["audit_seq"] ?? null, realised_usd: realised };
    const given = await tradeOutcomes(face).answer(
      "report_trade_outcome",
      report,
      by,
      () => new AbortController().signal,
    );
    expect(given).toMatchObject({ ok: true });
  };

  test.each<[string, number, number]>([
    ["one another's, funded by the same", 11, 12],
    ["its funder's", 1, 11],
    ["those of what it funded", 11, 1],
    ["its funder's funder's", 1, 21],
    ["those of what was funded by what it funded", 21, 1],
    ["its aunt's", 12, 21],
  ])("trade and lose together: %s", async (_, busy, fresh) => {
    funds(1, 11, 12);
    funds(11, 21);
    await trades(busy, 25);
    expect(await decided(fresh)).toBe("deny");
    expect(await decided(99)).toBe("allow");
    now += 60_000;
    expect(await decided(fresh)).toBe("allow");
    await loses(busy, "-1000");
    expect(await decided(fresh)).toBe("deny");
    expect(await decided(99)).toBe("allow");
  });

  test("do not count together when they are strangers, or their funder funds strangers", async () => {
    funds(1, 11, 12);
    funds(2, 13);
    rules({ sharedFunders: new Set([wallet(1)]) });
    await trades(11, 25);
    await loses(11, "-1000");
    expect(await decided(12)).toBe("allow");
    expect(await decided(13)).toBe("allow");
  });

  test("gain nothing for one another: what one lost stays lost for it, whatever the other made", async () => {
    funds(1, 11, 12);
    await loses(12, "5000");
    await loses(11, "-1000");
    expect(await decided(11)).toBe("deny");
    expect(await decided(12)).toBe("allow");
  });

  test("are where the operator says, whoever funded them", async () => {
    funds(1, 11, 12, 13);
    rules({
      clusters: new Map([
        [wallet(11), "desk"],
        [wallet(12), "other"],
        [wallet(1), "desk"],
      ]),
    });
    await trades(11, 25);
    expect(await decided(12)).toBe("allow");
    expect(await decided(1)).toBe("deny");
    // Its funder is in the cluster, and so it is.
    expect(await decided(13)).toBe("deny");
    expect(searched).toEqual([wallet(13)]);
  });

  const unknown: Funding = { state: "unknown", reason: "the node did not answer in time" };

  test("count for themselves and for whoever asks while nobody knows who funded them, and that is said", async () => {
    funders.set(wallet(11), unknown);
    funders.set(wallet(12), unknown);
    const judged = await evaluate({ wallet: wallet(11) }, agent("a"));
    expect(judged).toMatchObject({ decision: "allow" });
    expect(judged["reasons"]).toContainEqual(expect.stringMatching(/^ADVISORY: who funded the wallet is not known/));
    for (let i = 0; i < 24; i += 1) await evaluate({ wallet: wallet(11) }, agent("a"));
    // Neither merged with another of whom nothing is known, nor let go for either of the two.
    expect(await decided(12)).toBe("allow");
    expect(await decided(11)).toBe("deny");
    expect(await evaluate({ wallet: wallet(12) }, agent("a"))).toMatchObject({ decision: "deny" });
  });

  test("count with as many funders as are known, when those before them are not", async () => {
    funds(1, 11, 12);
    funders.set(wallet(1), unknown);
    await trades(11, 25);
    const judged = await evaluate({ wallet: wallet(12) }, agent("a"));
    expect(judged).toMatchObject({ decision: "deny" });
    expect(JSON.stringify(judged["reasons"])).toContain("ADVISORY: who funded");
  });

  test("are found by an outcome too, when the funder became known only after the verdict", async () => {
    funders.set(wallet(11), unknown);
    const trader = agent("trader");
    const judged = await evaluate({ wallet: wallet(11) }, trader);
    funds(1, 11, 12);
    const report = { wallet: wallet(11), audit_seq: judged["audit_seq"] ?? null, realised_usd: "-1000" };
    await tradeOutcomes(face).answer("report_trade_outcome", report, trader, () => new AbortController().signal);
    expect(await decided(12)).toBe("deny");
  });

  test("are searched for three generations back, and not at all for who is denied for the rate already", async () => {
    for (let i = 1; i < 9; i += 1) funds(i, i + 1);
    expect(await decided(9)).toBe("allow");
    expect(searched).toEqual([9, 8, 7].map(wallet));
    await trades(9, 24);
    searched.length = 0;
    expect(await decided(9)).toBe("deny");
    expect(searched).toEqual([]);
  });

  test("a search that throws is one that knows nothing, and a circle of funders has an end", async () => {
    face = { ...face, funderOf: () => Promise.reject(new Error("secret")) };
    const judged = await evaluate();
    expect(judged).toMatchObject({ decision: "allow" });
    expect(JSON.stringify(judged)).not.toContain("secret");
    funds(1, 2);
    funds(2, 1);
    face = { ...face, funderOf: async (one) => funders.get(one) ?? { state: "none" } };
    await trades(1, 25);
    expect(await decided(2)).toBe("deny");
  });
});

describe("the audit trail", () => {
  test("of a wallet is healthy when every hash and link holds", async () => {
    for (let i = 0; i < 5; i += 1) await evaluate();
    await evaluate({ wallet: OTHER });
    const whole = { healthy: true, records_checked: 5, first_broken_seq: null, error: null };
    expect(await call("verify_audit_trail", { wallet: WALLET })).toMatchObject(whole);
    expect(await call("verify_audit_trail", { wallet: WALLET, limit: 2 })).toMatchObject({
      healthy: true,
      records_checked: 2,
    });
  });

  test.each<[string, (records: string[]) => void, number]>([
    ["edited", (all) => all.splice(2, 1, String(all[2]).replace('"allow"', '"deny"')), 3],
    ["dropped", (all) => all.splice(2, 1), 3],
    ["moved", (all) => all.splice(1, 2, String(all[2]), String(all[1])), 2],
    ["unreadable", (all) => all.splice(3, 1, "{}"), 4],
  ])("says where a record was %s", async (_, change, broken) => {
    for (let i = 0; i < 5; i += 1) await evaluate();
    const kept = await store.chain(LOCAL.tenant, `trade/${WALLET}`, 10);
    if (!kept.ok) throw new Error(kept.error.code);
    const records = kept.value.map(({ record }) => record).reverse();
    change(records);
    const [entry] = kept.value;
    if (entry === undefined) throw new Error("no record");
    const forged = records.map((record) => ({ ...entry, record })).reverse();
    face = { ...face, store: { ...store, chain: async () => ok(forged) } };
    expect(await call("verify_audit_trail", { wallet: WALLET })).toMatchObject({
      healthy: false,
      first_broken_seq: broken,
    });
  });

  test("of a wallet without verdicts, and of another tenant's, is not healthy", async () => {
    await evaluate();
    expect(await call("verify_audit_trail", { wallet: OTHER })).toMatchObject({ healthy: false, error: "no_records" });
    expect(await call("verify_audit_trail", { wallet: WALLET }, { ...LOCAL, tenant: "b" })).toMatchObject({
      healthy: false,
      records_checked: 0,
    });
  });
});

describe("the readings of the chain", () => {
  test("a token that could not be looked at is danger", async () => {
    expect(await call("check_token_safety", { contract_address: NVDA })).toMatchObject({
      severity: "danger",
      error: "chain_unavailable",
    });
  });

  test("balances are exact, and what cannot be simulated is an error", async () => {
    const query = { token_address: NVDA, holder: WALLET, delta: 0.5 };
    expect(await call("simulate_balance", query)).toMatchObject({ before: 1, after: 1.5, delta: 0.5, error: null });
    expect(await call("simulate_balance", { ...query, delta: -2 })).toMatchObject({
      after: null,
      error: "balance_unavailable",
    });
  });

  test("are limited by credential", async () => {
    for (let i = 0; i < 30; i += 1) await call("check_token_safety", { contract_address: NVDA });
    expect(await call("check_token_safety", { contract_address: NVDA })).toMatchObject({
      severity: "danger",
      error: "rate_limited",
    });
  });

  test("the assets are those of the registry", async () => {
    expect(await call("get_supported_assets", {})).toMatchObject({
      assets: [{ symbol: "NVDA", contract_address: NVDA, is_native: false }],
    });
  });
});

describe("a paid verdict", () => {
  let world: PaymentWorld;
  let till: Till;
  beforeEach(async () => {
    world = new PaymentWorld();
    store = world.memory;
    face = { ...face, store, clock: () => world.now };
    const opened = await openTill({
      config: testConfig({ price: { [PAID_TRADE]: "0.10" } }),
      tools: sellable([tradeDialect(face)]),
      store: world.durableMemory(),
      tenant: LOCAL.tenant,
      facilitator: world.facilitator,
      chain: world.chain,
      random,
      sha256: hexSha256,
    });
    if (!opened.ok) throw new Error(opened.error.message);
    till = opened.value;
  });

  const ask = async (input: JsonValue, payment?: JsonValue) => {
    const tool = toolSet(tradeDialect(face), till).tools.find(({ name }) => name === PAID_TRADE);
    if (tool === undefined) throw new Error("no tool");
    return tool.call({ input, payment }, LOCAL);
  };
  const payment = (named = `mcp://tool/${PAID_TRADE}`) => {
    const { resource, accepted, authorization, signature } = world.payment({
      resource: named,
      value: "100000",
    });
    return {
      x402Version: 2,
      resource: { url: resource, description: "", mimeType: "application/json" },
      accepted: { ...accepted, amount: "100000" },
      payload: { signature, authorization: { ...authorization } },
    } as unknown as JsonObject;
  };
  const proof = (of: JsonObject) => Buffer.from(JSON.stringify(of)).toString("base64");

  test("is asked for in the published flat form, with the protocol's own beside it", async () => {
    const answer = await ask(TRADE);
    if (!("structured" in answer)) throw new Error(JSON.stringify(answer));
    expect(outputs.get(PAID_TRADE)?.(answer.structured)).toBe(true);
    expect(answer.structured).toMatchObject({
      result: {
        status: "payment_required",
        network: "eip155:4663",
        amount: "100000",
        resource: `mcp://tool/${PAID_TRADE}`,
        max_timeout_seconds: 60,
        tier_granted: 2,
        error: null,
      },
    });
    expect(answer.meta).toMatchObject({ "x402/payment-required": { x402Version: 2, accepts: [{ amount: "100000" }] } });
    expect(asked).toBe(0);
  });

  test("over HTTP is asked for with status 402, the protocol's header and the flat form, and sold to anybody", async () => {
    const noKeys = () => ({ keys: [] as JsonValue[] });
    const app = createServer({
      version: "0.0.0",
      dialects: [tradeDialect(face)],
      till,
      keys: { jwks: noKeys, adviceJwks: noKeys, mandateKeys: noKeys },
      authenticator: async () => err(problemOf("credential.missing")),
      readiness: async () => null,
      logger: createLogger("silent"),
      hosts: ["gate.example"],
      origins: [],
    });
    const post = (path: string, body: object, headers: Record<string, string> = {}) =>
      app.inject({
        method: "POST",
        url: path,
        headers: { host: "gate.example", "content-type": "application/json", ...headers },
        payload: JSON.stringify(body),
      });
    const unpaid = await post("/api/x402/analyze", TRADE);
    expect(unpaid.statusCode).toBe(402);
    expect(unpaid.headers["payment-required"]).toMatch(/^[A-Za-z0-9+/]+=*$/);
    expect(unpaid.json()).toMatchObject({
      code: "payment.required",
      accepts: [{ amount: "100000" }],
      result: { status: "payment_required", amount: "100000", resource: "https://gate.example/api/x402/analyze" },
    });
    const paid = payment("https://gate.example/api/x402/analyze");
    const sold = await post("/api/x402/analyze", TRADE, { "payment-signature": proof(paid) });
    expect(sold.statusCode).toBe(200);
    expect(sold.headers["payment-response"]).toBeDefined();
    expect(sold.json()).toMatchObject({ result: { decision: "allow", tier: 2, audit_seq: 1 } });
    expect((await post("/api/x402/analyze", { ...TRADE, payment_proof: proof(paid) })).json()).toEqual(sold.json());
    // What has no price needs a credential all the same.
    expect((await post("/v1/trade/evaluate", TRADE)).statusCode).toBe(401);
    await app.close();
  });

  test("is of the second tier, and one proof buys one, among the arguments or beside them", async () => {
    const paid = payment();
    const first = await ask({ ...TRADE, amount: 100, payment_proof: proof(paid) });
    if (!("structured" in first)) throw new Error(JSON.stringify(first));
    expect(first.structured).toMatchObject({ result: { decision: "allow", tier: 2, max_trade_usd: 25_000 } });
    expect(outputs.get(PAID_TRADE)?.(first.structured)).toBe(true);
    const again = await ask({ ...TRADE, amount: 100 }, paid);
    expect("structured" in again && again.structured).toEqual(first.structured);
    expect(asked).toBe(1);
    expect(world.transfers).toHaveLength(1);
    expect(await ask({ ...TRADE, amount: 101 }, paid)).toMatchObject({
      refused: expect.stringContaining("payment_already_used"),
    });
  });

  test("is refused with a proof that is none, or two of them, and carries nothing of a verdict", async () => {
    const paid = payment();
    for (const given of [
      await ask({ ...TRADE, payment_proof: "x" }),
      await ask({ ...TRADE, payment_proof: proof(paid) }, paid),
    ]) {
      expect(given).toMatchObject({ refused: expect.stringContaining("payment.malformed") });
      expect(JSON.stringify(given)).not.toContain("decision");
    }
    expect(world.transfers).toEqual([]);
  });

  test("is not charged for when the request is wrong", async () => {
    expect(await ask({ ...TRADE, max_slippage_bps: 501 }, payment())).toMatchObject({
      refused: expect.stringContaining("request.invalid"),
    });
    expect(world.transfers).toEqual([]);
  });

  test("is not charged for when the buyer's own policies refuse the question, or cannot be read", async () => {
    const policy = readPolicy({ trade: { max_slippage_bps: 50 } }, "platform:default");
    if (!policy.ok) throw new Error("test data");
    face = { ...face, policies: samePolicy(policy.value) };
    const paid = payment();
    expect(await ask({ ...TRADE, max_slippage_bps: 51 }, paid)).toMatchObject({
      refused: expect.stringContaining("request.invalid"),
    });
    face = { ...face, policies: { effective: async () => err({ code: "policy.unavailable", message: "" }) } };
    expect(await ask({ ...TRADE, max_slippage_bps: 50 }, paid)).toMatchObject({
      refused: expect.stringContaining("store.unavailable"),
    });
    expect(world.transfers).toEqual([]);
    face = { ...face, policies: samePolicy(policy.value) };
    expect(await ask({ ...TRADE, max_slippage_bps: 50 }, paid)).toMatchObject({
      structured: { result: { decision: "allow", error: null } },
    });
  });

  test("is owed while its request_id stands for another trade, and given when that is over", async () => {
    await ask({ ...TRADE, request_id: "r1" }, payment());
    const second = payment();
    expect(await ask({ ...TRADE, amount: 2, request_id: "r1" }, second)).toMatchObject({
      refused: expect.stringContaining("idempotency.conflict"),
    });
    world.now += 300_001;
    expect(await ask({ ...TRADE, amount: 2, request_id: "r1" }, second)).toMatchObject({
      structured: { result: { decision: "allow", error: null, request_id: "r1" } },
    });
    expect(world.transfers).toHaveLength(2);
  });

  test("is owed while the chain cannot be read, and costs nothing more", async () => {
    const paid = payment();
    facts = err({ code: "chain.timeout", message: "the node did not answer in time" });
    expect(await ask(TRADE, paid)).toMatchObject({ refused: expect.stringContaining("facts.timeout") });
    facts = ok(FACTS);
    expect(await ask(TRADE, paid)).toMatchObject({ structured: { result: { decision: "allow", tier: 2 } } });
    expect(world.transfers).toHaveLength(1);
  });

  test("is not to be had where nothing is sold", async () => {
    const answer = await call(PAID_TRADE, { ...TRADE, payment_proof: proof(payment()) });
    expect(answer).toMatchObject({ result: { decision: "deny", error: "payment_unavailable", audit_seq: null } });
  });
});
