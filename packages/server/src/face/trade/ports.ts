import type {
  Agents,
  Decimal,
  HexSha256,
  Ledger,
  Log,
  PolicySource,
  Rates,
  RegistryChain,
  Result,
  Sha256,
  TokenFacts,
  TradeFacts,
  TradeSettings,
} from "@countersign/core";

/** A chain could not be read, or not be believed. */
export interface ChainFault {
  readonly code: string;
  /** One sentence of ours, without text of a contract or a node. */
  readonly message: string;
}

/** What of a trade's facts a chain can tell, all of it at one block. */
export type ChainTradeFacts = Pick<TradeFacts, "asset" | "token" | "price" | "market" | "poolDepth"> & {
  readonly block: { readonly number: string; readonly hash: string };
};

/** One chain and its registry, as far as trades are judged by them. An adapter is handed in. */
export interface TradeChain {
  readonly registry: RegistryChain;
  facts(trade: {
    readonly symbol: string;
    readonly address: string;
    readonly side: "buy" | "sell";
    readonly amount: Decimal;
    /** Seconds since 1970. */
    readonly now: number;
  }): Promise<Result<ChainTradeFacts, ChainFault>>;
  token(address: string, now: number): Promise<Result<TokenFacts, ChainFault>>;
  balance(query: {
    readonly token: string;
    readonly holder: string;
    readonly delta: string;
    readonly decimals: number;
  }): Promise<Result<{ readonly before: Decimal; readonly after: Decimal; readonly delta: Decimal }, ChainFault>>;
}

export type Tier = 1 | 2 | 3;

/** What the operator says about trades. */
export interface TradeRules {
  readonly settings: TradeSettings;
  /** By agent, as its credential names it. Whoever is not named has the first. */
  readonly tiers: ReadonlyMap<string, Tier>;
  /** Wallets and tokens, in lower case. */
  readonly blocked: ReadonlySet<string>;
  /** Which wallets belong together, by address in lower case. One that is in none stands alone. */
  readonly clusters: ReadonlyMap<string, string>;
}

export interface TradeFace {
  readonly chain: TradeChain;
  readonly rules: TradeRules;
  /** Whose section `trade` narrows the settings; null where no policies are kept. */
  readonly policies: PolicySource | null;
  readonly store: Ledger & Log & Rates & Agents;
  readonly clock: () => number;
  readonly random: (length: number) => Uint8Array;
  readonly sha256: Sha256;
  readonly hexSha256: HexSha256;
}

/** Verdicts about one wallet are one chain. */
export const trailOf = (wallet: string): string => `trade/${wallet}`;

/**
 * Whose trades count together: those of the wallet's cluster, and those of the agent. A fresh wallet starts nothing
 * anew for its agent, and another agent nothing for its wallet.
 */
export const subjectsOf = ({ clusters }: TradeRules, wallet: string, agent: string): readonly string[] => {
  const cluster = clusters.get(wallet);
  return [cluster === undefined ? `wallet:${wallet}` : `cluster:${cluster}`, `agent:${agent}`];
};
