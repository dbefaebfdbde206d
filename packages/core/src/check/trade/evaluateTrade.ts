import { fromAtomic } from "../../money/atomic.ts";
import {
  addDecimals,
  compareDecimals,
  type Decimal,
  formatDecimal,
  multiplyDecimals,
  roundDecimal,
} from "../../money/decimal.ts";
import { TOKEN_FACTORS, type TokenFactor } from "../token/factors.ts";
import type { OracleDefect } from "./oracle.ts";
import { riskScore } from "./riskScore.ts";

import type { TradeError, TradeEvaluation, TradeFacts, TradeReason, TradeRequest, TradeSettings } from "./trade.ts";

const ZERO = fromAtomic(0n, 0);

/** Judges one trade in the published order. Pure; everything that denies is told, not only the first. */
export function evaluateTrade(
  request: TradeRequest,
  facts: TradeFacts,
  settings: TradeSettings,
): { readonly ok: true; readonly value: TradeEvaluation } | { readonly ok: false; readonly error: TradeError } {
  const error = tradeError(request, settings);
  if (error !== undefined) return { ok: false, error };
  const { amount, tier } = request;
  const ceiling = settings.ceilings[tier - 1] ?? ZERO;
  const price = facts.price.state === "price" ? facts.price.usd : ZERO;
  const notional = roundDecimal(multiplyDecimals(amount, price), 2, "up");
  const reasons = [
    ...judgeStops(facts),
    ...judgeAsset(request, facts, settings),
    ...judgeSafety(facts),
    ...judgePrice(facts),
    ...judgeMarket(facts),
    ...judgeNotional(notional, ceiling, facts),
    ...judgeRate(facts, settings),
    ...judgeLoss(facts, settings),
    ...judgeFunding(facts),
  ];
  const denied = reasons.some(({ weight }) => weight === "deny" || weight === "review");
  const warned = reasons.some(({ weight }) => weight === "caution");
  return {
    ok: true,
    value: {
      decision: denied ? "deny" : warned ? "warn" : "allow",
      reasons,
      tier,
      ceiling,
      notional,
      price,
      priceSource: facts.price.state === "price" ? facts.price.source : "unavailable",
      riskScore: riskScore({ request, facts, settings, reasons, notional, ceiling, denied }),
    },
  };
}

/** Why a request cannot be evaluated, whatever is looked up; undefined when it can. */
export function tradeError(
  { maxSlippageBps, amount }: Pick<TradeRequest, "maxSlippageBps" | "amount">,
  settings: Pick<TradeSettings, "maxSlippageBps">,
): TradeError | undefined {
  if (!Number.isInteger(maxSlippageBps) || maxSlippageBps < 0 || maxSlippageBps > settings.maxSlippageBps) {
    const message = `the slippage must be between 0 and ${settings.maxSlippageBps} basis points`;
    return { code: "trade.slippage", message };
  }
  return compareDecimals(amount, ZERO) <= 0
    ? { code: "trade.amount", message: "the amount must be above zero" }
    : undefined;
}

const because = (weight: TradeReason["weight"], code: string, text: string): TradeReason => ({
  weight,
  code: `trade.${code}`,
  text,
});

function judgeStops({ stopped, blocklisted }: TradeFacts): readonly TradeReason[] {
  const reasons: TradeReason[] = [];
  if (!stopped.known)
    reasons.push(because("deny", "stop_unknown", `whether trading is stopped is not known: ${stopped.reason}`));
  else if (stopped.value) reasons.push(because("deny", "stopped", "trading is stopped"));
  if (!blocklisted.known)
    reasons.push(because("deny", "blocklist_unknown", `the blocklist could not be read: ${blocklisted.reason}`));
  else if (blocklisted.value)
    reasons.push(because("deny", "blocklisted", "the wallet or the token is on the blocklist"));
  return reasons;
}

function judgeAsset(
  { unregistered }: TradeRequest,
  { asset, token }: TradeFacts,
  settings: TradeSettings,
): readonly TradeReason[] {
  switch (asset.state) {
    case "official":
      return [because("note", "registered", `${asset.token.symbol} is the registered token at this address`)];
    case "mismatch":
      return [
        because(
          "deny",
          "registry_mismatch",
          `suspected fake token: the registered ${asset.expected.symbol} is ${asset.expected.address}`,
        ),
      ];
    case "unregistered": {
      if (unregistered !== "requested" || settings.unregistered !== "allowed_when_safe") {
        return [because("deny", "unregistered", "the token is not in the registry")];
      }
      if (!token.known || token.value.severity !== "safe" || token.value.taxBps === null) {
        return [
          because("deny", "unregistered_unproven", "the token is not in the registry and was not shown to be safe"),
        ];
      }
      if (token.value.taxBps > settings.unregisteredMaxTaxBps) {
        return [because("deny", "unregistered_tax", "the token is not in the registry and takes too high a tax")];
      }
      return [because("advisory", "unregistered_allowed", "the token is not in the registry")];
    }
  }
}

const told = (factors: readonly TokenFactor[]): string =>
  factors
    .slice(0, 6)
    .map((factor) => `${factor} (${TOKEN_FACTORS[factor].meaning})`)
    .join("; ");

function judgeSafety({ token }: TradeFacts): readonly TradeReason[] {
  if (!token.known) return [because("deny", "token_unknown", `the token's safety is not known: ${token.reason}`)];
  const { severity, factors, advisories, unknown } = token.value;
  const powers =
    advisories.length === 0
      ? []
      : [because("advisory", "issuer_powers", `the issuer holds powers: ${told(advisories)}`)];
  if (severity === "danger")
    return [because("deny", "token_danger", `the token is dangerous: ${told(factors)}`), ...powers];
  if (severity === "warn") {
    const why =
      factors.length > 0 ? told(factors) : `not everything could be looked at: ${unknown.slice(0, 6).join(", ")}`;
    return [because("caution", "token_warn", `the token gives cause for caution: ${why}`), ...powers];
  }
  return powers;
}

const DEFECTS: Readonly<Record<OracleDefect | "absent", string>> = {
  absent: "there is no oracle for it",
  unreadable: "the oracle could not be read",
  decimals: "the oracle has other decimals than the registry says",
  zero: "the oracle's price is zero",
  negative: "the oracle's price is negative",
  incomplete: "the oracle's round is incomplete",
  future: "the oracle's round is from the future",
  stale: "the oracle's price is too old",
  carried_over: "the oracle's answer is from an earlier round",
  paused: "the oracle is paused",
  sequencer_down: "the chain's sequencer is down",
  sequencer_recovering: "the chain's sequencer came back only now",
};

function judgePrice({ price }: TradeFacts): readonly TradeReason[] {
  if (price.state === "unavailable") {
    const pool = price.pool === "absent" ? "no pool was quoted" : `the pool's quote was refused (${price.pool})`;
    return [because("deny", "no_price", `there is no price: ${DEFECTS[price.oracle]}, and ${pool}`)];
  }
  const reasons = [
    because(
      "note",
      "price_source",
      `the price is from ${price.source === "oracle" ? "the oracle" : "an executable pool quote"}`,
    ),
  ];
  if (price.oracle !== "used")
    reasons.push(because("caution", "pool_price", `${DEFECTS[price.oracle]}, so a pool's quote is used`));
  if (price.apart) reasons.push(because("caution", "prices_apart", "oracle and pool are more than five percent apart"));
  return reasons;
}

function judgeMarket({ market, asset }: TradeFacts): readonly TradeReason[] {
  if (market.open)
    return market.reason === "early_close" ? [because("advisory", "early_close", "the market closes early today")] : [];
  const why = market.holiday ?? market.reason.replace("_", " ");
  return [
    because(asset.state === "official" ? "caution" : "advisory", "market_closed", `the market is closed: ${why}`),
  ];
}

function judgeNotional(notional: Decimal, ceiling: Decimal, { price }: TradeFacts): readonly TradeReason[] {
  // Without a price there is no notional, and `no_price` has denied already.
  if (price.state === "unavailable") return [];
  const figures = `${formatDecimal(notional)} of at most ${formatDecimal(ceiling)} USD`;
  if (compareDecimals(notional, ceiling) > 0)
    return [because("deny", "above_ceiling", `the trade is above the tier's ceiling: ${figures}`)];
  return [because("note", "within_ceiling", `the trade is within the tier's ceiling: ${figures}`)];
}

function judgeRate(
  { recentTrades }: TradeFacts,
  { warnTradesPerMinute, denyTradesPerMinute }: TradeSettings,
): readonly TradeReason[] {
  if (!recentTrades.known)
    return [because("deny", "rate_unknown", `how often the wallet trades is not known: ${recentTrades.reason}`)];
  if (recentTrades.value > denyTradesPerMinute)
    return [because("deny", "rate", `more than ${denyTradesPerMinute} trades a minute`)];
  return recentTrades.value > warnTradesPerMinute
    ? [because("caution", "rate", `more than ${warnTradesPerMinute} trades a minute`)]
    : [];
}

function judgeLoss({ realisedLoss }: TradeFacts, { maxLoss }: TradeSettings): readonly TradeReason[] {
  if (!realisedLoss.known)
    return [because("deny", "loss_unknown", `the losses of the last 24 hours are not known: ${realisedLoss.reason}`)];
  return compareDecimals(realisedLoss.value, maxLoss) >= 0
    ? [because("deny", "loss_limit", "the losses of the last 24 hours reached their limit")]
    : [];
}

function judgeFunding({ funding: { state, funders } }: TradeFacts): readonly TradeReason[] {
  const reasons: TradeReason[] = [];
  if (funders.length > 0) {
    const told = funders.map(({ funder, block, transaction }) => `${funder} (block ${block}, ${transaction})`);
    reasons.push(because("note", "funded_by", `the wallet counts with who funded it: ${told.join(", funded by ")}`));
  }
  if (state === "unknown") {
    const whose = funders.length === 0 ? "who funded the wallet" : "who funded the last of them";
    const alone = funders.length === 0 ? ", so its trades and losses count for the wallet and for whoever asks" : "";
    reasons.push(because("advisory", "funding_unknown", `${whose} is not known${alone}`));
  }
  return reasons;
}

/** Dollars lost in all, net of what was gained; a gain is zero. */
export function lossOf(outcomes: readonly Decimal[]): Decimal {
  const sum = outcomes.reduce(addDecimals, ZERO);
  return compareDecimals(sum, ZERO) < 0 ? multiplyDecimals(sum, fromAtomic(-1n, 0)) : ZERO;
}
