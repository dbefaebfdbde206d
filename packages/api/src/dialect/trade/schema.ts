import type { JsonObject } from "@countersign/core";
import type { InputSchema } from "../../schema/inputFaults.ts";
import { type DialectTool, judgesOnly } from "../tool.ts";

const tradeMembers = {
  side: { type: "string", enum: ["buy", "sell"] },
  asset: { type: "string", description: "The symbol of the token. It counts only together with the address." },
  amount: { type: "number", description: "Whole tokens, not dollars." },
  wallet: { type: "string", description: "The address that trades." },
  request_id: {
    type: "string",
    description: "Makes asking twice safe: for five minutes the same request is answered as it was the first time.",
  },
  contract_address: { type: "string", description: "The address of the token." },
  max_slippage_bps: {
    type: "integer",
    default: 100,
    description: "What the trade accepts, in basis points: 0 to 500. Outside of it there is no verdict.",
  },
} as const satisfies Record<string, InputSchema>;

const tradeRequired = ["side", "asset", "amount", "wallet", "contract_address"] as const;

export const evaluateTradeInput = {
  type: "object",
  properties: tradeMembers,
  required: tradeRequired,
} as const satisfies InputSchema;

export const evaluateTradePaidInput = {
  type: "object",
  properties: {
    ...tradeMembers,
    payment_proof: {
      type: "string",
      description:
        "An x402 payment of version 2: base64 of its JSON. Without one, and without `_meta`, the price is told.",
    },
  },
  required: tradeRequired,
} as const satisfies InputSchema;

export const tokenSafetyInput = {
  type: "object",
  properties: { contract_address: { type: "string", description: "The address of the token." } },
  required: ["contract_address"],
} as const satisfies InputSchema;

export const simulateBalanceInput = {
  type: "object",
  properties: {
    delta: { type: "number", description: "Whole tokens more, or fewer when below zero." },
    holder: { type: "string", description: "Whose balance it is." },
    decimals: { type: "integer", default: 18, description: "Fraction digits of the token. Wrong ones are an error." },
    token_address: { type: "string" },
  },
  required: ["delta", "holder", "token_address"],
} as const satisfies InputSchema;

export const supportedAssetsInput = { type: "object", properties: {} } as const satisfies InputSchema;

export const auditTrailInput = {
  type: "object",
  properties: {
    wallet: { type: "string", description: "The address whose verdicts are looked at." },
    limit: { type: "integer", minimum: 1, maximum: 1000, default: 100, description: "How many, the newest ones." },
  },
  required: ["wallet"],
} as const satisfies InputSchema;

const nullable = (type: "string" | "number" | "integer" | "boolean") =>
  ({ anyOf: [{ type }, { type: "null" }], default: null }) as const;

/** `error` means that there is no verdict: nothing beside it may be acted on. */
const fault = { error: nullable("string"), detail: nullable("string"), guidance: nullable("string") } as const;

const verdict = {
  type: "object",
  properties: {
    decision: { enum: ["allow", "warn", "deny"], type: "string", default: "deny" },
    reasons: {
      type: "array",
      items: { type: "string" },
      description: "Those that begin with `ADVISORY:` did not decide.",
    },
    tier: { type: "integer", default: 1 },
    max_trade_usd: { type: "number", default: 0 },
    calculated_notional_usd: { type: "number", default: 0 },
    price_usd: { type: "number", default: 0 },
    price_source: {
      enum: ["oracle", "uniswap_v4", "fallback_default", "unavailable"],
      type: "string",
      default: "unavailable",
      description: "`uniswap_v4` stands for every pool that was quoted; a price is never made up.",
    },
    risk_score: { type: "integer", default: 100 },
    audit_seq: nullable("integer"),
    audit_hash: nullable("string"),
    request_id: nullable("string"),
    ...fault,
  },
} as const;

const text = { type: "string" } as const;

const paidOutput = {
  type: "object",
  properties: {
    result: {
      anyOf: [
        verdict,
        {
          type: "object",
          properties: {
            status: { const: "payment_required", default: "payment_required", type: "string" },
            network: text,
            asset: text,
            amount: text,
            pay_to: text,
            resource: text,
            description: text,
            max_timeout_seconds: { type: "integer" },
            tier_granted: { type: "integer" },
            error: { default: null, type: "null" },
          },
          required: [
            "network",
            "asset",
            "amount",
            "pay_to",
            "resource",
            "description",
            "max_timeout_seconds",
            "tier_granted",
          ],
        },
      ],
    },
  },
  required: ["result"],
} as const;

const tokenSafetyOutput = {
  type: "object",
  properties: {
    severity: { enum: ["safe", "warn", "danger"], type: "string", default: "danger" },
    risk_factors: {
      type: "array",
      items: { type: "string" },
      description: "What was found, the worst first; `unknown:` stands before what nobody could look at.",
    },
    sell_simulation_ok: nullable("boolean"),
    ...fault,
  },
} as const;

const supportedAssetsOutput = {
  type: "object",
  properties: { assets: { type: "array", items: { type: "object" } }, ...fault },
} as const;

const simulateBalanceOutput = {
  type: "object",
  properties: { before: nullable("number"), after: nullable("number"), delta: nullable("number"), ...fault },
} as const;

const auditTrailOutput = {
  type: "object",
  properties: {
    healthy: { type: "boolean", default: false },
    records_checked: nullable("integer"),
    first_broken_seq: nullable("integer"),
    ...fault,
  },
} as const;

function tool(
  name: string,
  title: string,
  description: string,
  [inputSchema, outputSchema]: readonly [InputSchema, object],
  [method, path]: readonly ["GET" | "POST", string],
  effect: "judges" | "records",
): DialectTool {
  const annotations = judgesOnly(title);
  return {
    name,
    title,
    description,
    // What is recorded is a new verdict each time, and what a chain says today it may not say tomorrow.
    annotations: { ...annotations, ...(effect === "records" ? { readOnlyHint: false, idempotentHint: false } : {}) },
    inputSchema: inputSchema as unknown as JsonObject,
    outputSchema: outputSchema as unknown as JsonObject,
    aliases: [],
    http: { method, path },
  };
}

const ADVICE = "Advice: it enforces nothing. Treat `error` as deny.";

export const PAID_TRADE = "evaluate_trade_paid";

export const TRADE_TOOLS: readonly DialectTool[] = [
  tool(
    "evaluate_trade",
    "Evaluate a trade",
    `Judges one trade before it is made: stops and blocklist, the registry, the token's safety, an oracle's or a pool's price, market hours, the ceiling of the tier, slippage, how often and with what losses the wallet trades. Every verdict is a link of the wallet's audit chain. ${ADVICE}`,
    [evaluateTradeInput, verdict],
    ["POST", "/v1/trade/evaluate"],
    "records",
  ),
  tool(
    PAID_TRADE,
    "Evaluate a trade, paid",
    `The same at the second tier, for whoever pays by x402: without a payment the price is told, with one it is settled first and buys one verdict. ${ADVICE}`,
    [evaluateTradePaidInput, paidOutput],
    ["POST", "/api/x402/analyze"],
    "records",
  ),
  tool(
    "check_token_safety",
    "Check a token",
    `Tries a token out in simulation: buying, selling, moving it, later, as others do, and what its owners can do to it. What could not be tried never counts as passed. ${ADVICE}`,
    [tokenSafetyInput, tokenSafetyOutput],
    ["POST", "/v1/trade/check-token-safety"],
    "judges",
  ),
  tool(
    "get_supported_assets",
    "List the assets",
    "The tokens of the registry. Only the address identifies one.",
    [supportedAssetsInput, supportedAssetsOutput],
    ["GET", "/v1/trade/supported-assets"],
    "judges",
  ),
  tool(
    "simulate_balance",
    "Simulate a balance",
    "What a holder's balance would be after a change, as the token itself shows it in simulation. Nothing is sent.",
    [simulateBalanceInput, simulateBalanceOutput],
    ["POST", "/v1/trade/simulate-balance"],
    "judges",
  ),
  tool(
    "verify_audit_trail",
    "Verify the verdicts about a wallet",
    "Recomputes the hashes and links of the newest verdicts about a wallet. Healthy only when all of them hold.",
    [auditTrailInput, auditTrailOutput],
    ["POST", "/v1/trade/verify-audit-trail"],
    "judges",
  ),
];
