import { fromAtomic } from "../../money/atomic.ts";
import { compareDecimals, type Decimal, multiplyDecimals } from "../../money/decimal.ts";
import type { TradeFacts, TradeReason, TradeRequest, TradeSettings } from "./trade.ts";

/** Codes that make any other figure meaningless. */
const CERTAIN: ReadonlySet<string> = new Set([
  "trade.stopped",
  "trade.stop_unknown",
  "trade.blocklisted",
  "trade.blocklist_unknown",
  "trade.registry_mismatch",
  "trade.token_danger",
  "trade.no_price",
]);

/** The published sum. */
export const RISK_WEIGHTS = {
  notional: 40,
  slippage: 20,
  token_warn: 25,
  weak_price: 10,
  market_closed: 10,
  /** The trade is more than a twentieth of the pool it would use. */
  concentration: 10,
  /** The trade is worth less than a dollar, or more than nine tenths of its ceiling. */
  odd_size: 5,
} as const;
const HIGHEST_ALLOWED = 79;
const LOWEST_DENIED = 80;

export interface RiskInput {
  readonly request: TradeRequest;
  readonly facts: TradeFacts;
  readonly settings: TradeSettings;
  readonly reasons: readonly TradeReason[];
  readonly notional: Decimal;
  readonly ceiling: Decimal;
  readonly denied: boolean;
}

/** 0 to 100: a figure to sort by. It is made from the decision and never makes one. */
export function riskScore({ request, facts, settings, reasons, notional, ceiling, denied }: RiskInput): number {
  const codes = new Set(reasons.map(({ code }) => code));
  if ([...codes].some((code) => CERTAIN.has(code))) return 100;
  const { price, poolDepth, token, market } = facts;
  const tenths = (part: Decimal, parts: number): boolean =>
    compareDecimals(
      multiplyDecimals(notional, fromAtomic(10n, 0)),
      multiplyDecimals(part, fromAtomic(BigInt(parts), 0)),
    ) > 0;
  const odd = compareDecimals(notional, fromAtomic(1n, 0)) < 0 || tenths(ceiling, 9);
  const crowded = poolDepth !== null && compareDecimals(multiplyDecimals(notional, fromAtomic(20n, 0)), poolDepth) > 0;
  const weak = price.state === "price" && price.source !== "oracle";
  const sum =
    share(notional, ceiling) * RISK_WEIGHTS.notional +
    Math.min(request.maxSlippageBps / settings.maxSlippageBps, 1) * RISK_WEIGHTS.slippage +
    (token.known && token.value.severity === "warn" ? RISK_WEIGHTS.token_warn : 0) +
    (weak ? RISK_WEIGHTS.weak_price : 0) +
    (market.open ? 0 : RISK_WEIGHTS.market_closed) +
    (crowded ? RISK_WEIGHTS.concentration : 0) +
    (odd ? RISK_WEIGHTS.odd_size : 0);
  const score = Math.min(Math.ceil(sum), 100);
  return denied ? Math.max(score, LOWEST_DENIED) : Math.min(score, HIGHEST_ALLOWED);
}

/** Between 0 and 1, in hundredths, rounded up. */
function share(part: Decimal, whole: Decimal): number {
  if (whole.coefficient === 0n) return 1;
  const scale = Math.max(part.scale, whole.scale);
  const numerator = part.coefficient * 10n ** BigInt(scale - part.scale);
  const denominator = whole.coefficient * 10n ** BigInt(scale - whole.scale);
  const hundredths = (numerator * 100n + denominator - 1n) / denominator;
  return hundredths > 100n ? 1 : Number(hundredths) / 100;
}
