import type {
  Agents,
  HexSha256,
  Ledger,
  Log,
  PolicySource,
  Rates,
  Sha256,
  TradeChain,
  TradeSettings,
} from "@countersign/core";

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
