import type { TokenFacts } from "../check/token/report.ts";
import type { ChainTradeFacts } from "../check/trade/readings.ts";
import type { RegistryChain } from "../check/trade/registry.ts";
import type { Decimal } from "../money/decimal.ts";
import type { Result } from "../result.ts";

/** A chain could not be read, or not be believed. */
export interface ChainFault {
  /** Those of the chain itself begin with `chain.`: asking again later may help. */
  readonly code: string;
  /** One sentence of ours, without text of a contract or a node. */
  readonly message: string;
}

/** One chain and its registry, as far as trades are judged by them. Nothing here throws. */
export interface TradeChain {
  readonly registry: RegistryChain;
  /** What only a contract refuses is an unknown or an unavailable price; a fault when the chain cannot be read. */
  facts(trade: {
    readonly symbol: string;
    readonly address: string;
    readonly side: "buy" | "sell";
    /** Whole tokens. */
    readonly amount: Decimal;
    /** Who is to trade: a token may be closed to this wallet alone. */
    readonly wallet: string;
    /** Seconds since 1970. */
    readonly now: number;
  }): Promise<Result<ChainTradeFacts, ChainFault>>;
  /** @param now seconds since 1970 */
  token(address: string, now: number): Promise<Result<TokenFacts, ChainFault>>;
  balance(query: {
    readonly token: string;
    readonly holder: string;
    /** Signed decimal in whole tokens. */
    readonly delta: string;
    readonly decimals: number;
  }): Promise<Result<{ readonly before: Decimal; readonly after: Decimal; readonly delta: Decimal }, ChainFault>>;
}
