import { fromAtomic } from "../../money/atomic.ts";
import { addDecimals, compareDecimals, type Decimal, multiplyDecimals, subtractDecimals } from "../../money/decimal.ts";
import type { OracleDefect, OraclePrice } from "./oracle.ts";

/** What a pool would really pay and take for the trade's own size, in dollars for one token. */
export type PoolReading =
  | {
      readonly state: "quoted";
      readonly venue: "uniswap_v2" | "uniswap_v3" | "uniswap_v4";
      /** What a seller of the size would get. */
      readonly bid: Decimal;
      /** What a buyer of the size would pay. */
      readonly ask: Decimal;
      /** The price at no size at all. */
      readonly spot: Decimal;
      /** Dollars that the pool holds, or seems to at the current price. */
      readonly depth: Decimal;
    }
  | { readonly state: "failed"; readonly reason: string };

export interface PoolRules {
  readonly maxSpreadBps: number;
  /** How far bid or ask may be from the spot price. */
  readonly maxImpactBps: number;
  /** Dollars that a pool must hold before its price is believed. */
  readonly minDepth: Decimal;
}

export const POOL_RULES: PoolRules = { maxSpreadBps: 300, maxImpactBps: 300, minDepth: fromAtomic(10_000n, 0) };

export type PoolDefect = "unreadable" | "shallow" | "crossed" | "spread" | "impact";

export type PoolPrice =
  | { readonly state: "price"; readonly usd: Decimal; readonly venue: "uniswap_v2" | "uniswap_v3" | "uniswap_v4" }
  | { readonly state: "unusable"; readonly defect: PoolDefect };

const bps = (value: number): Decimal => fromAtomic(BigInt(value), 4);
const ZERO = fromAtomic(0n, 0);

/** The executable price on the trader's side, or why the pool's word is not taken. */
export function judgePool(reading: PoolReading, rules: PoolRules, side: "buy" | "sell"): PoolPrice {
  if (reading.state === "failed") return { state: "unusable", defect: "unreadable" };
  const { bid, ask, spot, depth, venue } = reading;
  if ([bid, ask, spot].some((price) => compareDecimals(price, ZERO) <= 0))
    return { state: "unusable", defect: "unreadable" };
  if (compareDecimals(depth, rules.minDepth) < 0) return { state: "unusable", defect: "shallow" };
  const spread = subtractDecimals(ask, bid);
  if (compareDecimals(spread, ZERO) < 0) return { state: "unusable", defect: "crossed" };
  if (compareDecimals(spread, multiplyDecimals(spot, bps(rules.maxSpreadBps))) > 0)
    return { state: "unusable", defect: "spread" };
  const room = multiplyDecimals(spot, bps(rules.maxImpactBps));
  if (compareDecimals(ask, addDecimals(spot, room)) > 0 || compareDecimals(addDecimals(bid, room), spot) < 0) {
    return { state: "unusable", defect: "impact" };
  }
  return { state: "price", usd: side === "buy" ? ask : bid, venue };
}

export type ChosenPrice =
  | {
      readonly state: "price";
      readonly usd: Decimal;
      readonly source: "oracle" | "uniswap_v2" | "uniswap_v3" | "uniswap_v4";
      /** Oracle and pool are further apart than they should be. */
      readonly apart: boolean;
      /** Why the oracle was passed over, where there is one. */
      readonly oracle: OracleDefect | "absent" | "used";
    }
  | { readonly state: "unavailable"; readonly oracle: OracleDefect | "absent"; readonly pool: PoolDefect | "absent" };

/** How far a pool may be from a fresh oracle before it is said. */
export const APART_BPS = 500;

/** Oracle if it can be used, else the pool, else nothing: a price is never made up. */
export function choosePrice(oracle: OraclePrice | undefined, pool: PoolPrice | undefined): ChosenPrice {
  if (oracle?.state === "price") {
    const difference = pool?.state === "price" ? subtractDecimals(pool.usd, oracle.usd) : ZERO;
    const room = multiplyDecimals(oracle.usd, bps(APART_BPS));
    const apart = compareDecimals(difference, room) > 0 || compareDecimals(addDecimals(difference, room), ZERO) < 0;
    return { state: "price", usd: oracle.usd, source: "oracle", apart, oracle: "used" };
  }
  const defect = oracle?.defect ?? "absent";
  // A paused feed is the issuer saying that nobody knows the price.
  if (pool?.state === "price" && defect !== "paused") {
    return { state: "price", usd: pool.usd, source: pool.venue, apart: false, oracle: defect };
  }
  return { state: "unavailable", oracle: defect, pool: pool?.state === "unusable" ? pool.defect : "absent" };
}
