import fc from "fast-check";
import { expect, test } from "vitest";
import { formatDecimal, parseDecimal, parseSignedDecimal } from "../../money/decimal.ts";
import { evaluateTrade, lossOf } from "./evaluateTrade.ts";
import { matchAsset, type RegistryChain, type RegistryToken } from "./registry.ts";
import { TRADE_SETTINGS, type TradeFacts, type TradeRequest, type TradeSettings } from "./trade.ts";
import { tradeFindings } from "./tradeFindings.ts";

const usd = (text: string) => {
  const read = parseSignedDecimal(text);
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
};
const NVDA: RegistryToken = {
  symbol: "NVDA",
  address: "0xd0601ce157db5bdc3162bbac2a2c8af5320d9eec",
  decimals: 18,
  kind: "stock",
  calendar: "nyse",
  pools: [],
  oracleSwitch: "asked",
  pegged: false,
  source: "test",
};
const CHAIN: RegistryChain = { chainId: 4663, name: "Test", tokens: [NVDA], source: "test" };
const SAFE = { severity: "safe", factors: [], advisories: [], unknown: [], taxBps: 0 } as const;

const REQUEST: TradeRequest = {
  side: "buy",
  symbol: "NVDA",
  amount: usd("10"),
  maxSlippageBps: 100,
  tier: 1,
  unregistered: "refused",
};
const FACTS: TradeFacts = {
  stopped: { known: true, value: false },
  blocklisted: { known: true, value: false },
  asset: { state: "official", token: NVDA },
  token: { known: true, value: SAFE },
  price: { state: "price", usd: usd("200.125"), source: "oracle", apart: false, oracle: "used" },
  market: { open: true, reason: "session" },
  funding: { state: "known", funders: [] },
  recentTrades: { known: true, value: 1 },
  realisedLoss: { known: true, value: usd("0") },
  poolDepth: null,
};

function evaluated(
  facts: Partial<TradeFacts> = {},
  request: Partial<TradeRequest> = {},
  settings: Partial<TradeSettings> = {},
) {
  const result = evaluateTrade({ ...REQUEST, ...request }, { ...FACTS, ...facts }, { ...TRADE_SETTINGS, ...settings });
  if (!result.ok) throw new Error(result.error.code);
  return result.value;
}

test("a plain trade is allowed and its figures are exact", () => {
  const value = evaluated();
  expect(value).toMatchObject({ decision: "allow", priceSource: "oracle", tier: 1 });
  expect([value.notional, value.ceiling, value.price].map(formatDecimal)).toEqual(["2001.25", "5000", "200.125"]);
  // 40 % of the ceiling, rounded up to 41 hundredths, times 40; a fifth of the slippage bound, times 20.
  expect(value.riskScore).toBe(21);
});

const unknown = { known: false, reason: "it timed out" } as const;
test.each([
  { it: "a stop", facts: { stopped: { known: true, value: true } }, code: "trade.stopped", score: 100 },
  { it: "a stop that could not be read", facts: { stopped: unknown }, code: "trade.stop_unknown", score: 100 },
  {
    it: "a blocklist entry",
    facts: { blocklisted: { known: true, value: true } },
    code: "trade.blocklisted",
    score: 100,
  },
  {
    it: "a blocklist that could not be read",
    facts: { blocklisted: unknown },
    code: "trade.blocklist_unknown",
    score: 100,
  },
  {
    it: "a look-alike",
    facts: { asset: { state: "mismatch", expected: NVDA } },
    code: "trade.registry_mismatch",
    score: 100,
  },
  { it: "an unregistered token", facts: { asset: { state: "unregistered" } }, code: "trade.unregistered", score: 80 },
  {
    it: "a dangerous token",
    facts: { token: { known: true, value: { ...SAFE, severity: "danger", factors: ["sell_blocked"] } } },
    code: "trade.token_danger",
    score: 100,
  },
  { it: "a token nobody could check", facts: { token: unknown }, code: "trade.token_unknown", score: 80 },
  {
    it: "no price",
    facts: { price: { state: "unavailable", oracle: "stale", pool: "shallow" } },
    code: "trade.no_price",
    score: 100,
  },
  { it: "too many trades", facts: { recentTrades: { known: true, value: 26 } }, code: "trade.rate", score: 80 },
  { it: "trades that could not be counted", facts: { recentTrades: unknown }, code: "trade.rate_unknown", score: 80 },
  {
    it: "losses at their limit",
    facts: { realisedLoss: { known: true, value: usd("1000") } },
    code: "trade.loss_limit",
    score: 80,
  },
  { it: "losses that are not known", facts: { realisedLoss: unknown }, code: "trade.loss_unknown", score: 80 },
] satisfies readonly { it: string; facts: Partial<TradeFacts>; code: string; score: number }[])(
  "denies $it",
  ({ facts, code, score }) => {
    const value = evaluated(facts);
    expect(value.decision).toBe("deny");
    expect(value.reasons.map((reason) => reason.code)).toContain(code);
    expect(value.riskScore).toBe(score);
  },
);

test.each([
  {
    it: "a token with cause for caution",
    facts: { token: { known: true, value: { ...SAFE, severity: "warn", factors: ["buy_tax"] } } },
    code: "trade.token_warn",
  },
  { it: "a closed market", facts: { market: { open: false, reason: "weekend" } }, code: "trade.market_closed" },
  {
    it: "a pool's price",
    facts: { price: { state: "price", usd: usd("200"), source: "uniswap_v4", apart: false, oracle: "stale" } },
    code: "trade.pool_price",
  },
  { it: "more than ten trades a minute", facts: { recentTrades: { known: true, value: 11 } }, code: "trade.rate" },
] satisfies readonly { it: string; facts: Partial<TradeFacts>; code: string }[])("warns of $it", ({ facts, code }) => {
  const value = evaluated(facts);
  expect(value.decision).toBe("warn");
  expect(value.reasons.find((reason) => reason.code === code)?.weight).toBe("caution");
  expect(value.riskScore).toBeLessThan(80);
});

test.each([
  { it: "exactly at the ceiling passes", amount: "25", price: "200", decision: "allow" },
  { it: "a cent above it does not", amount: "25", price: "200.0004", decision: "deny" },
  {
    it: "a part of a cent above it does not either, since it is rounded up",
    amount: "25.00000001",
    price: "200",
    decision: "deny",
  },
])("$it", ({ amount, price, decision }) => {
  const facts = { price: { ...FACTS.price, usd: usd(price) } as TradeFacts["price"] };
  expect(evaluated(facts, { amount: usd(amount) }).decision).toBe(decision);
});

test.each([
  { tier: 2 as const, ceiling: "25000" },
  { tier: 3 as const, ceiling: "100000" },
])("tier $tier may trade $ceiling dollars", ({ tier, ceiling }) => {
  expect(formatDecimal(evaluated({}, { tier }).ceiling)).toBe(ceiling);
});

test.each([501, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
  "a slippage of %d is an error and no verdict",
  (maxSlippageBps) => {
    expect(evaluateTrade({ ...REQUEST, maxSlippageBps }, FACTS, TRADE_SETTINGS)).toMatchObject({
      ok: false,
      error: { code: "trade.slippage" },
    });
  },
);

test("an amount of nothing is an error", () => {
  expect(evaluateTrade({ ...REQUEST, amount: usd("0") }, FACTS, TRADE_SETTINGS)).toMatchObject({ ok: false });
  expect(evaluateTrade({ ...REQUEST, amount: usd("-1") }, FACTS, TRADE_SETTINGS)).toMatchObject({ ok: false });
});

test.each([
  {
    it: "asked for, allowed and safe",
    request: "requested",
    settings: "allowed_when_safe",
    token: SAFE,
    decision: "allow",
  },
  { it: "not asked for", request: "refused", settings: "allowed_when_safe", token: SAFE, decision: "deny" },
  { it: "not allowed", request: "requested", settings: "denied", token: SAFE, decision: "deny" },
  {
    it: "with a warning",
    request: "requested",
    settings: "allowed_when_safe",
    token: { ...SAFE, severity: "warn" },
    decision: "deny",
  },
  {
    it: "with too high a tax",
    request: "requested",
    settings: "allowed_when_safe",
    token: { ...SAFE, taxBps: 1001 },
    decision: "deny",
  },
  {
    it: "with a tax that was not measured",
    request: "requested",
    settings: "allowed_when_safe",
    token: { ...SAFE, taxBps: null },
    decision: "deny",
  },
] as const)("an unregistered token $it: $decision", ({ request, settings, token, decision }) => {
  const facts: Partial<TradeFacts> = { asset: { state: "unregistered" }, token: { known: true, value: token } };
  expect(evaluated(facts, { unregistered: request }, { unregistered: settings }).decision).toBe(decision);
});

test.each([
  { symbol: "NVDA", address: NVDA.address.toUpperCase().replace("0X", "0x"), want: "official" },
  { symbol: "nvda", address: NVDA.address, want: "official" },
  { symbol: "NVDA", address: `0x${"1".repeat(40)}`, want: "mismatch" },
  { symbol: "ＮＶＤＡ", address: `0x${"1".repeat(40)}`, want: "mismatch" },
  { symbol: "NVD\u0410", address: `0x${"1".repeat(40)}`, want: "mismatch" },
  { symbol: "nvd\u0430", address: `0x${"1".repeat(40)}`, want: "mismatch" },
  { symbol: "$NVDA.", address: `0x${"1".repeat(40)}`, want: "mismatch" },
  { symbol: "TSLA", address: NVDA.address, want: "mismatch" },
  { symbol: "DOGE", address: `0x${"1".repeat(40)}`, want: "unregistered" },
])("$symbol at $address is $want", ({ symbol, address, want }) => {
  expect(matchAsset(CHAIN, symbol, address).state).toBe(want);
});

const hand = (byte: string) => ({ funder: `0x${byte.repeat(20)}`, block: "12", transaction: `0x${byte.repeat(32)}` });

test.each<[TradeFacts["funding"], readonly (readonly [string, RegExp])[]]>([
  [{ state: "unknown", funders: [] }, [["advisory", /^who funded the wallet is not known, so its trades/]]],
  [
    { state: "unknown", funders: [hand("aa")] },
    [
      ["note", /counts with who funded it: 0x(aa){20} \(block 12, 0x(aa){32}\)$/],
      ["advisory", /^who funded the last of them is not known$/],
    ],
  ],
  [{ state: "known", funders: [hand("aa"), hand("bb")] }, [["note", /0x(aa){20} .*, funded by 0x(bb){20} /]]],
  [{ state: "known", funders: [] }, []],
  [{ state: "none", funders: [] }, []],
  [{ state: "configured", funders: [] }, []],
  [{ state: "not_asked", funders: [] }, []],
])("who funded the wallet decides nothing by itself, and is said with its evidence: %j", (funding, said) => {
  const value = evaluated({ funding });
  expect(value.decision).toBe("allow");
  const told = value.reasons.filter(({ code }) => code.startsWith("trade.fund"));
  expect(told.map(({ weight }) => weight)).toEqual(said.map(([weight]) => weight));
  for (const [index, { text }] of told.entries()) expect(text).toMatch(said[index]?.[1] ?? /^$/);
});

test("losses are net of gains, and a gain is no loss", () => {
  expect(formatDecimal(lossOf([usd("-10.5"), usd("3")]))).toBe("7.5");
  expect(formatDecimal(lossOf([usd("-1"), usd("3")]))).toBe("0");
});

test("a larger trade is never judged more kindly, and the score keeps to its bounds", () => {
  const amounts = fc
    .tuple(fc.nat(1_000_000), fc.nat(1_000_000))
    .map(([a, b]) => [Math.min(a, b) + 1, Math.max(a, b) + 1]);
  fc.assert(
    fc.property(amounts, fc.constantFrom(1 as const, 2 as const, 3 as const), ([small = 1, large = 1], tier) => {
      const of = (amount: number) => {
        const read = parseDecimal(String(amount));
        return evaluated({}, { amount: read.ok ? read.value : usd("1"), tier });
      };
      const [a, b] = [of(small), of(large)];
      if (a.decision === "deny") expect(b.decision).toBe("deny");
      for (const { decision, riskScore } of [a, b]) {
        expect(riskScore).toBeGreaterThanOrEqual(decision === "deny" ? 80 : 0);
        expect(riskScore).toBeLessThanOrEqual(decision === "deny" ? 100 : 79);
      }
    }),
  );
});

test("reasons are findings: what denies blocks, what warns advises, notes are none", () => {
  const facts: Partial<TradeFacts> = {
    market: { open: false, reason: "weekend" },
    recentTrades: { known: true, value: 26 },
  };
  const findings = tradeFindings(evaluated(facts), "/action");
  expect(findings.map(({ severity, code, retry }) => `${severity} ${code} ${retry}`)).toEqual([
    "advisory trade.market_closed changed",
    "block trade.rate later",
  ]);
});
