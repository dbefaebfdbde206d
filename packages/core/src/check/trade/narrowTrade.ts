import { compareDecimals, type Decimal } from "../../money/decimal.ts";
import type { TradeSettings } from "./trade.ts";

/** What one document says of trades. What it does not say it leaves to the others, and to the settings of the gate. */
export interface TradeLimits {
  /** Dollars a trade may be worth, by tier. */
  readonly ceilings?: TradeSettings["ceilings"];
  readonly maxLoss?: Decimal;
  readonly maxSlippageBps?: number;
  readonly warnTradesPerMinute?: number;
  readonly denyTradesPerMinute?: number;
  readonly unregistered?: TradeSettings["unregistered"];
}

/** The settings with every limit applied: the lowest of each stands, and what one document denies is denied. */
export function narrowTrade(settings: TradeSettings, limits: readonly TradeLimits[]): TradeSettings {
  let stands = settings;
  for (const one of limits) {
    const [first, second, third] = one.ceilings ?? stands.ceilings;
    stands = {
      ceilings: [lower(stands.ceilings[0], first), lower(stands.ceilings[1], second), lower(stands.ceilings[2], third)],
      maxLoss: lower(stands.maxLoss, one.maxLoss),
      maxSlippageBps: Math.min(stands.maxSlippageBps, one.maxSlippageBps ?? stands.maxSlippageBps),
      warnTradesPerMinute: Math.min(stands.warnTradesPerMinute, one.warnTradesPerMinute ?? stands.warnTradesPerMinute),
      denyTradesPerMinute: Math.min(stands.denyTradesPerMinute, one.denyTradesPerMinute ?? stands.denyTradesPerMinute),
      unregistered: one.unregistered === "denied" ? "denied" : stands.unregistered,
      unregisteredMaxTaxBps: stands.unregisteredMaxTaxBps,
    };
  }
  return stands;
}

const lower = (a: Decimal, b: Decimal | undefined): Decimal => (b === undefined || compareDecimals(a, b) <= 0 ? a : b);
