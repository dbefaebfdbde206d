import { fromAtomic } from "../../money/atomic.ts";
import type { Decimal } from "../../money/decimal.ts";
import type { TokenJudgement } from "../token/judge.ts";
import type { MarketState } from "./marketCalendar.ts";
import type { ChosenPrice } from "./price.ts";
import type { AssetMatch } from "./registry.ts";

export interface TradeRequest {
  readonly side: "buy" | "sell";
  readonly symbol: string;
  readonly amount: Decimal;
  /** Basis points; negative ones and more than the bound are errors. */
  readonly maxSlippageBps: number;
  readonly tier: 1 | 2 | 3;
  /** The caller asks to trade what is not in the registry. */
  readonly unregistered: "refused" | "requested";
}

/** Something looked up, or not known. Not known denies. */
export type Looked<T> =
  | { readonly known: true; readonly value: T }
  | { readonly known: false; readonly reason: string };

/**
 * How it is known with whom a wallet counts. configured: the operator said so. known: its funders are known, as far back
 * as is looked. none: nobody funded it. unknown: it counts alone and with whoever asks, which must not go unsaid.
 * not_asked: there was no need, or nobody to ask.
 */
export type FundingState = "configured" | "known" | "none" | "unknown" | "not_asked";

/** Who first sent a wallet the coin that it pays gas with, and in which transaction. */
export interface FundedBy {
  /** Lower case. */
  readonly funder: string;
  readonly block: string;
  readonly transaction: string;
}

export interface TradeFunding {
  readonly state: FundingState;
  /** With whom the wallet counts, the nearest first; those before an unknown one too. */
  readonly funders: readonly FundedBy[];
}

/** All that had to be looked up. */
export interface TradeFacts {
  readonly stopped: Looked<boolean>;
  readonly blocklisted: Looked<boolean>;
  readonly asset: AssetMatch;
  readonly token: Looked<TokenJudgement & { readonly taxBps: number | null }>;
  readonly price: ChosenPrice;
  readonly market: MarketState;
  readonly funding: TradeFunding;
  /** Trades of the wallet's cluster within a minute, this one included. */
  readonly recentTrades: Looked<number>;
  /** Dollars that the cluster lost within 24 hours, from reported outcomes; a gain is zero. */
  readonly realisedLoss: Looked<Decimal>;
  /** Dollars in the pool that the trade would use; null where no pool was looked at. */
  readonly poolDepth: Decimal | null;
}

export interface TradeSettings {
  /** Dollars a trade may be worth, by tier. */
  readonly ceilings: readonly [Decimal, Decimal, Decimal];
  readonly maxSlippageBps: number;
  readonly unregistered: "denied" | "allowed_when_safe";
  readonly unregisteredMaxTaxBps: number;
  readonly warnTradesPerMinute: number;
  readonly denyTradesPerMinute: number;
  readonly maxLoss: Decimal;
}

export const TRADE_SETTINGS: TradeSettings = {
  ceilings: [fromAtomic(5_000n, 0), fromAtomic(25_000n, 0), fromAtomic(100_000n, 0)],
  maxSlippageBps: 500,
  unregistered: "denied",
  unregisteredMaxTaxBps: 1_000,
  warnTradesPerMinute: 10,
  denyTradesPerMinute: 25,
  maxLoss: fromAtomic(1_000n, 0),
};

export interface TradeReason {
  readonly code: string;
  /** `deny` and `review` deny, `caution` warns, `advisory` and `note` decide nothing. */
  readonly weight: "deny" | "review" | "caution" | "advisory" | "note";
  readonly text: string;
}

export interface TradeEvaluation {
  readonly decision: "allow" | "warn" | "deny";
  readonly reasons: readonly TradeReason[];
  readonly tier: 1 | 2 | 3;
  readonly ceiling: Decimal;
  /** Rounded up to a cent, as a ceiling sees it. Zero when there is no price. */
  readonly notional: Decimal;
  readonly price: Decimal;
  readonly priceSource: "oracle" | "uniswap_v2" | "uniswap_v3" | "uniswap_v4" | "unavailable";
  readonly riskScore: number;
}

/** A request that cannot be evaluated at all. */
export interface TradeError {
  readonly code: "trade.slippage" | "trade.amount";
  readonly message: string;
}
