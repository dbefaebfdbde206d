import {
  type Decimal,
  formatDecimal,
  type JsonObject,
  type JsonValue,
  parseSignedDecimal,
  type TradeEvaluation,
} from "@countersign/core";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readAuditQuestion, readBalanceQuestion, readTokenQuestion, readTradeQuestion, splitProof } from "./read.ts";
import { TRADE_TOOLS } from "./schema.ts";
import {
  tradeFault,
  writeAssets,
  writeAudit,
  writeBalance,
  writeNoAssets,
  writeNoAudit,
  writeNoBalance,
  writeNoTokenSafety,
  writeNoTrade,
  writePaymentRequired,
  writeTokenSafety,
  writeTrade,
} from "./write.ts";

const ajv = new Ajv2020({ strict: false });
const outputs = new Map(TRADE_TOOLS.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema)]));

const WALLET = "0x00000000000000000000000000000000000000F1";
const TOKEN = "0xd0601CE157Db5bdC3162BbaC2a2C8aF5320D9EEC";
const TRADE = { wallet: WALLET, asset: "NVDA", contract_address: TOKEN, side: "buy", amount: 1.5 };

const decimal = (text: string): Decimal => {
  const read = parseSignedDecimal(text);
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
};

const EVALUATION: TradeEvaluation = {
  decision: "warn",
  reasons: [
    { weight: "note", code: "trade.price_source", text: "the price is from the oracle" },
    { weight: "caution", code: "trade.rate", text: "more than 10 trades a minute" },
    { weight: "advisory", code: "trade.early_close", text: "the market closes early today" },
  ],
  tier: 1,
  ceiling: decimal("5000"),
  notional: decimal("300.01"),
  price: decimal("200.0012345"),
  priceSource: "oracle",
  riskScore: 12,
};

describe("what is asked", () => {
  test("is read exactly, with addresses as bytes and the published defaults", () => {
    const read = readTradeQuestion({ ...TRADE, amount: 0.1 });
    if (!read.ok) throw new Error(read.error.code);
    expect(formatDecimal(read.value.amount)).toBe("0.1");
    expect(read.value).toMatchObject({
      wallet: WALLET.toLowerCase(),
      address: TOKEN.toLowerCase(),
      maxSlippageBps: 100,
      requestId: null,
      unregistered: "refused",
    });
  });

  test.each<[string, object, string]>([
    ["a wallet that is no address", { wallet: "0x12" }, "/wallet"],
    ["a wallet in other digits", { wallet: `0x${"٣".repeat(40)}` }, "/wallet"],
    ["a token that is no address", { contract_address: "NVDA" }, "/contract_address"],
    ["a third side", { side: "short" }, "/side"],
    ["an amount as text", { amount: "1" }, "/amount"],
    ["an amount below zero", { amount: -1 }, "/amount"],
    ["no symbol", { asset: "" }, "/asset"],
    ["a symbol without end", { asset: "A".repeat(65) }, "/asset"],
    ["slippage in parts", { max_slippage_bps: 0.5 }, "/max_slippage_bps"],
    ["an empty request id", { request_id: "" }, "/request_id"],
    ["consent that is no yes or no", { allow_unregistered: 1 }, "/allow_unregistered"],
  ])("is refused with %s", (_, change, path) => {
    expect(readTradeQuestion({ ...TRADE, ...change } as JsonValue)).toMatchObject({
      ok: false,
      error: { code: "request.invalid", path },
    });
  });

  test("is never half read, whatever comes", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const read of [readTradeQuestion, readTokenQuestion, readBalanceQuestion, readAuditQuestion])
          expect(read(value as JsonValue).ok).toBe(false);
      }),
    );
  });

  test("a change below zero is exact, and a limit beyond the published one is refused", () => {
    const balance = { delta: -0.3, holder: WALLET, token_address: TOKEN };
    expect(readBalanceQuestion(balance)).toMatchObject({ ok: true, value: { delta: "-0.3", decimals: 18 } });
    expect(readAuditQuestion({ wallet: WALLET, limit: 1001 }).ok).toBe(false);
    expect(readAuditQuestion({ wallet: WALLET })).toMatchObject({ ok: true, value: { limit: 100 } });
  });

  test("is the same with a payment among the arguments and without", () => {
    expect(splitProof({ ...TRADE, payment_proof: "abc" })).toEqual({ input: TRADE, proof: "abc" });
    expect(splitProof(TRADE)).toEqual({ input: TRADE, proof: null });
  });
});

describe("what is answered", () => {
  const fault = tradeFault("chain_unavailable", "the chain cannot be read");
  const chain = { chainId: 1, name: "t", source: "t", tokens: [] };
  const judged = { severity: "warn", factors: ["fee_on_transfer"], advisories: [], unknown: ["no_code"] } as never;
  test.each<[string, string, JsonObject]>([
    ["evaluate_trade", "a verdict", writeTrade(EVALUATION, "r1", { seq: 1, hash: "00" })],
    ["evaluate_trade", "no verdict", writeNoTrade(fault)],
    ["evaluate_trade_paid", "a verdict", { result: writeTrade(EVALUATION, null, null) }],
    [
      "evaluate_trade_paid",
      "the price",
      writePaymentRequired(
        { network: "eip155:4663", asset: TOKEN, amount: "100000", payTo: WALLET, maxTimeoutSeconds: 60 },
        { url: "https://gate.example/api/x402/analyze", description: "Evaluate" },
      ),
    ],
    ["check_token_safety", "a judgement", writeTokenSafety(judged, { sellSimulationOk: null })],
    ["check_token_safety", "no judgement", writeNoTokenSafety(fault)],
    ["get_supported_assets", "the assets", writeAssets(chain)],
    ["get_supported_assets", "none", writeNoAssets(fault)],
    [
      "simulate_balance",
      "a balance",
      writeBalance({ before: decimal("1"), after: decimal("0"), delta: decimal("-1") }),
    ],
    ["simulate_balance", "no balance", writeNoBalance(fault)],
    ["verify_audit_trail", "a check", writeAudit(3, null, true)],
    ["verify_audit_trail", "no check", writeNoAudit(fault)],
  ])("%s gives %s as its contract has it, with every member there", (name, _, answer) => {
    const valid = outputs.get(name);
    expect(valid?.(answer), JSON.stringify(valid?.errors)).toBe(true);
    const { properties = {} } = TRADE_TOOLS.find((tool) => tool.name === name)?.outputSchema ?? {};
    expect(Object.keys(answer)).toEqual(Object.keys(properties as object));
  });

  test("without a verdict is the published default of every member", () => {
    expect(writeNoTrade(fault)).toMatchObject({
      decision: "deny",
      risk_score: 100,
      price_source: "unavailable",
      tier: 1,
      max_trade_usd: 0,
      audit_seq: null,
      error: "chain_unavailable",
    });
    expect(writeNoTokenSafety(fault)).toMatchObject({ severity: "danger", sell_simulation_ok: null });
    expect(writeNoAudit(fault)).toMatchObject({ healthy: false, records_checked: null });
  });

  test("marks the reasons that did not decide, and only those", () => {
    const { reasons } = writeTrade(
      {
        ...EVALUATION,
        priceSource: "uniswap_v3",
        reasons: [...EVALUATION.reasons, { weight: "review", code: "trade.other", text: "a person has to look" }],
      },
      null,
      null,
    );
    expect(reasons).toEqual([
      "the price is from the oracle",
      "more than 10 trades a minute",
      "ADVISORY: the market closes early today",
      "needs review: a person has to look",
      "ADVISORY: the pool that was quoted is of Uniswap version 3",
    ]);
  });
});
