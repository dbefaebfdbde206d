import { judgeToken } from "../token/judge.ts";
import type { TokenFacts } from "../token/report.ts";
import { marketState } from "./marketCalendar.ts";
import { judgeOracle, ORACLE_AGES, type OracleReading, SEQUENCER_GRACE } from "./oracle.ts";
import { choosePrice, judgePool, POOL_RULES, type PoolReading, type PoolRules } from "./price.ts";
import { type AssetMatch, matchAsset, type RegistryChain } from "./registry.ts";
import type { Looked, TradeFacts } from "./trade.ts";

/** What a chain said of one trade, at one block, before anything is made of it. Plain data: it can be kept and judged again. */
export interface TradeReadings {
  readonly block: { readonly number: string; readonly hash: string };
  readonly token: Looked<TokenFacts>;
  /** Null where the registry names no feed. */
  readonly oracle: OracleReading | null;
  /** At the size of the trade; null where no pool was looked at. */
  readonly pool: PoolReading | null;
}

/** What of a trade's facts a chain can tell, all of it at one block. Stops, rates and losses are the gate's to add. */
export type ChainTradeFacts = Pick<TradeFacts, "asset" | "token" | "price" | "market" | "poolDepth"> & {
  readonly block: TradeReadings["block"];
};

export interface ReadingsQuery {
  readonly registry: RegistryChain;
  readonly symbol: string;
  readonly address: string;
  readonly side: "buy" | "sell";
  /** Seconds since 1970. */
  readonly now: number;
  readonly pools?: PoolRules;
}

/** The facts that follow from readings: which asset it is, how safe, what it is worth, whether its market is open. */
export function judgeReadings(
  { block, token, oracle, pool }: TradeReadings,
  { registry, symbol, address, side, now, pools = POOL_RULES }: ReadingsQuery,
): ChainTradeFacts {
  const asset = matchAsset(registry, symbol, address);
  const official = asset.state === "official" ? asset.token : undefined;
  const market = marketState(official?.calendar ?? "always", now);
  const { decimals, maxAge } = { decimals: 8, ...official?.feed };
  const rules = { decimals, maxAge: maxAge ?? ORACLE_AGES, sequencerGrace: SEQUENCER_GRACE };
  const price = choosePrice(
    oracle === null ? undefined : judgeOracle(oracle, rules, market.open ? "open" : "closed", now),
    pool === null ? undefined : judgePool(pool, pools, side),
  );
  const poolDepth = pool?.state === "quoted" ? pool.depth : null;
  return { asset, market, token: tokenOf(token, asset), price, poolDepth, block };
}

function tokenOf(token: Looked<TokenFacts>, asset: AssetMatch): TradeFacts["token"] {
  if (!token.known) return token;
  const judged = judgeToken(token.value, asset.state === "official" ? "official" : "unregistered");
  const { buy, sell } = token.value.taxBps;
  return { known: true, value: { ...judged, taxBps: buy === null || sell === null ? null : Math.max(buy, sell) } };
}
