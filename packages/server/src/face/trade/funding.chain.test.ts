import {
  createMemoryStore,
  fromAtomic,
  type JsonObject,
  type JsonValue,
  ok,
  type RegistryChain,
  TRADE_SETTINGS,
  type TradeChain,
} from "@countersign/core";
import { funderMemory } from "@countersign/evm";
import { chainSuite } from "@countersign/evm/testing";
import type { Address } from "viem";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { type Caller, LOCAL } from "../../caller.ts";
import { hexSha256, random, sha256 } from "../../testing/paymentWorld.ts";
import { tradeOutcomes } from "./losses.ts";
import type { TradeFace } from "./ports.ts";
import { tradeDialect } from "./tradeDialect.ts";

const TOKEN = "0xd0601ce157db5bdc3162bbac2a2c8af5320d9eec";
const source = "this test";
const official = {
  symbol: "NVDA",
  address: TOKEN,
  decimals: 18,
  kind: "stock",
  calendar: "always",
  oracleSwitch: "absent",
  pegged: false,
  pools: [],
  source,
} as const;
const registry: RegistryChain = { chainId: 4663, name: "Test", source, tokens: [official] };

/** Every trade is worth a dollar: here only wallets are looked at. */
const market: TradeChain = {
  registry,
  facts: async () =>
    ok({
      block: { number: "7", hash: `0x${"ab".repeat(32)}` },
      asset: { state: "official", token: official },
      token: { known: true, value: { severity: "safe", factors: [], advisories: [], unknown: [], taxBps: 0 } },
      price: { state: "price", usd: fromAtomic(1n, 0), source: "oracle", apart: false, oracle: "used" },
      market: { open: true, reason: "session" },
      poolDepth: null,
    }),
  token: () => Promise.reject(new Error("not asked")),
  balance: () => Promise.reject(new Error("not asked")),
};

chainSuite("wallets that one hand funded on a local chain", (chain) => {
  const wallet = (index: number): Address => `0x${(0xa000 + index).toString(16).padStart(40, "0")}`;
  const trader = wallet(1);
  const sibling = wallet(2);
  const stranger = wallet(3);
  const passedOn = wallet(4);
  const untraced = wallet(5);
  let face: TradeFace;

  beforeAll(async () => {
    const [, hand, other] = chain().accounts;
    await chain().rpc("anvil_mine", "0x40");
    const pay = (to: Address, from: Address | undefined) =>
      chain().send({ to, value: 10n ** 18n, ...(from === undefined ? {} : { from }) });
    await pay(trader, hand);
    await pay(stranger, other);
    await chain().rpc("anvil_mine", "0x40");
    await pay(sibling, hand);
    await pay(sibling, other);
    // From one of the two to a third, which nobody else ever paid.
    await chain().rpc("anvil_impersonateAccount", trader);
    await chain().rpc("eth_sendTransactionSync", { from: trader, to: passedOn, value: "0x64" });
    await chain().rpc("anvil_setBalance", untraced, "0x64");
    await chain().rpc("anvil_mine", "0x40");
  });
  beforeEach(() => {
    const { transport, chainId } = chain();
    face = {
      chain: market,
      funderOf: funderMemory({ transport, chainId, clock: Date.now }),
      rules: {
        settings: TRADE_SETTINGS,
        tiers: new Map(),
        blocked: new Set(),
        clusters: new Map(),
        sharedFunders: new Set(),
      },
      policies: null,
      store: createMemoryStore({ clock: Date.now, random, sha256 }),
      clock: Date.now,
      random,
      sha256,
      hexSha256,
    };
  });

  const soon = () => new AbortController().signal;
  let agents = 0;
  /** Every time as another agent, so that only wallets can be what counts. */
  const someone = (): Caller => {
    agents += 1;
    const agent = `one-${agents}`;
    return { ...LOCAL, credential: agent, scopes: new Set(["decide", "outcome"]), holder: { kind: "agent", agent } };
  };
  const evaluate = async (from: Address, caller = someone()): Promise<JsonObject> => {
    const trade: JsonValue = { wallet: from, asset: "NVDA", contract_address: TOKEN, side: "buy", amount: 1 };
    const given = await tradeDialect(face).answer("evaluate_trade", trade, caller, soon);
    if (!given.ok) throw new Error(given.error.code);
    return given.value;
  };

  test("are denied together for the rate, and a stranger is not", async () => {
    for (let i = 0; i < 25; i += 1) await evaluate(trader);
    expect(await evaluate(sibling)).toMatchObject({ decision: "deny", error: null });
    expect(await evaluate(passedOn)).toMatchObject({ decision: "deny" });
    expect(await evaluate(stranger)).toMatchObject({ decision: "allow", error: null });
  });

  test("are denied together for what one lost, and a stranger is not", async () => {
    const loser = someone();
    const judged = await evaluate(sibling, loser);
    const report = { wallet: sibling, audit_seq: judged["audit_seq"] ?? null, realised_usd: "-1000" };
    expect(await tradeOutcomes(face).answer("report_trade_outcome", report, loser, soon)).toMatchObject({ ok: true });
    expect(await evaluate(trader)).toMatchObject({ decision: "deny" });
    expect(await evaluate(passedOn)).toMatchObject({ decision: "deny" });
    expect(await evaluate(stranger)).toMatchObject({ decision: "allow" });
  });

  test("whose funder cannot be told stand alone, and the answer says so", async () => {
    const judged = await evaluate(untraced);
    expect(judged).toMatchObject({ decision: "allow" });
    expect(judged["reasons"]).toContainEqual(expect.stringMatching(/^ADVISORY: who funded the wallet is not known/));
    expect((await evaluate(passedOn))["reasons"]).toContainEqual(
      expect.stringMatching(new RegExp(`counts with who funded it: ${trader} .*, funded by ${chain().accounts[1]} `)),
    );
  });

  test("are not related where the operator says that their funder funds strangers", async () => {
    face = { ...face, rules: { ...face.rules, sharedFunders: new Set([chain().accounts[1] ?? ""]) } };
    for (let i = 0; i < 25; i += 1) await evaluate(trader);
    expect(await evaluate(sibling)).toMatchObject({ decision: "allow" });
    // This one was paid by the trader itself.
    expect(await evaluate(passedOn)).toMatchObject({ decision: "deny" });
  });
});
