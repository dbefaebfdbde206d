import {
  type Decimal,
  formatDecimal,
  type JsonObject,
  type RegistryChain,
  TOKEN_FACTORS,
  type TokenFacts,
  type TokenJudgement,
  type TradeEvaluation,
  type TradeReason,
} from "@countersign/core";
import { type Problem, problemText } from "../../problem.ts";

/** Where a verdict stands in the chain of its wallet. */
export interface AuditPlace {
  readonly seq: number;
  /** Hex. */
  readonly hash: string;
}

/** Why there is no verdict. Codes are stable. */
export interface TradeFault {
  readonly error:
    | "invalid_request"
    | "request_id_conflict"
    | "rate_limited"
    | "chain_unavailable"
    | "log_unavailable"
    | "payment_unavailable"
    | "balance_unavailable"
    | "no_records"
    | "internal";
  readonly detail: string;
  readonly guidance: string;
}

const NO_FAULT = { error: null, detail: null, guidance: null } as const;

const STOP = "no verdict was reached: do not trade";
const GUIDANCE: Readonly<Record<TradeFault["error"], string>> = {
  invalid_request: `${STOP}; repair the request`,
  request_id_conflict: `${STOP}; take a request_id that was not used for another request`,
  rate_limited: `${STOP}; ask again in a minute`,
  chain_unavailable: `${STOP}; ask again later`,
  log_unavailable: `${STOP}; ask again later`,
  payment_unavailable: `${STOP}; ask evaluate_trade`,
  balance_unavailable: "the balance is not known: do not count on it",
  no_records: "nothing was verified",
  internal: `${STOP}; ask again later`,
};

export const tradeFault = (error: TradeFault["error"], detail: string): TradeFault => ({
  error,
  detail,
  guidance: GUIDANCE[error],
});

/** A refusal that came from elsewhere, in this interface's words. */
export const faultOfProblem = (problem: Problem): TradeFault =>
  tradeFault(problem.code === "request.invalid" ? "invalid_request" : "internal", problemText(problem));

const wire = (amount: Decimal): number => Number(formatDecimal(amount));

function reasonText({ weight, text }: TradeReason): string {
  if (weight === "advisory") return `ADVISORY: ${text}`;
  return weight === "review" ? `needs review: ${text}` : text;
}

/** The contract knows one kind of pool; which one it was is told in words. */
const POOLS = { uniswap_v2: "version 2", uniswap_v3: "version 3" } as const;

export function writeTrade(
  evaluation: TradeEvaluation,
  requestId: string | null,
  audit: AuditPlace | null,
): JsonObject {
  const { decision, reasons, tier, ceiling, notional, price, priceSource, riskScore } = evaluation;
  const isOther = priceSource === "uniswap_v2" || priceSource === "uniswap_v3";
  return {
    decision,
    reasons: [
      ...reasons.map(reasonText),
      ...(isOther ? [`ADVISORY: the pool that was quoted is of Uniswap ${POOLS[priceSource]}`] : []),
    ],
    tier,
    max_trade_usd: wire(ceiling),
    calculated_notional_usd: wire(notional),
    price_usd: wire(price),
    price_source: isOther ? "uniswap_v4" : priceSource,
    risk_score: riskScore,
    ...writePlace(audit),
    request_id: requestId,
    ...NO_FAULT,
  };
}

/** The members that only the log can give. */
export const writePlace = (audit: AuditPlace | null): JsonObject => ({
  audit_seq: audit?.seq ?? null,
  audit_hash: audit === null ? null : `sha256:${audit.hash}`,
});

export const writeNoTrade = (fault: TradeFault, requestId: string | null = null): JsonObject => ({
  decision: "deny",
  reasons: [],
  tier: 1,
  max_trade_usd: 0,
  calculated_notional_usd: 0,
  price_usd: 0,
  price_source: "unavailable",
  risk_score: 100,
  ...writePlace(null),
  request_id: requestId,
  ...fault,
});

export function writeTokenSafety(
  { severity, factors, advisories, unknown }: TokenJudgement,
  { sellSimulationOk }: Pick<TokenFacts, "sellSimulationOk">,
): JsonObject {
  const powers = advisories.map((factor) => `${factor} (${TOKEN_FACTORS[factor].meaning})`);
  return {
    severity,
    risk_factors: [...factors, ...unknown.map((factor) => `unknown:${factor}`)],
    sell_simulation_ok: sellSimulationOk,
    error: null,
    detail: powers.length === 0 ? null : `powers of the issuer, as registered: ${powers.join("; ")}`,
    guidance: severity === "safe" ? null : severity === "warn" ? "look at the factors before trading" : "do not trade",
  };
}

export const writeNoTokenSafety = (fault: TradeFault): JsonObject => ({
  severity: "danger",
  risk_factors: [],
  sell_simulation_ok: null,
  ...fault,
});

export const writeAssets = ({ tokens }: RegistryChain): JsonObject => ({
  assets: tokens.map(({ symbol, address }) => ({ symbol, contract_address: address, is_native: false })),
  ...NO_FAULT,
});

export const writeNoAssets = (fault: TradeFault): JsonObject => ({ assets: [], ...fault });

export const writeBalance = (simulated: {
  readonly before: Decimal;
  readonly after: Decimal;
  readonly delta: Decimal;
}): JsonObject => ({
  before: wire(simulated.before),
  after: wire(simulated.after),
  delta: wire(simulated.delta),
  ...NO_FAULT,
});

export const writeNoBalance = (fault: TradeFault): JsonObject => ({ before: null, after: null, delta: null, ...fault });

export const writeAudit = (checked: number, firstBroken: number | null, healthy: boolean): JsonObject => ({
  healthy,
  records_checked: checked,
  first_broken_seq: firstBroken,
  ...NO_FAULT,
});

export const writeNoAudit = (fault: TradeFault, checked: number | null = null): JsonObject => ({
  healthy: false,
  records_checked: checked,
  first_broken_seq: null,
  ...fault,
});

/** What a payer is asked for: the first of the terms of x402, in a flat form. */
export interface PaymentTerms {
  readonly network: string;
  readonly asset: string;
  readonly amount: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
}

export const PAID_TIER = 2;

export const writePaymentRequired = (
  terms: PaymentTerms,
  resource: { readonly url: string; readonly description: string },
): JsonObject => ({
  result: {
    status: "payment_required",
    network: terms.network,
    asset: terms.asset,
    amount: terms.amount,
    pay_to: terms.payTo,
    resource: resource.url,
    description: resource.description,
    max_timeout_seconds: terms.maxTimeoutSeconds,
    tier_granted: PAID_TIER,
    error: null,
  },
});
