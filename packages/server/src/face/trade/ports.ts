import type {
  Agents,
  FunderOf,
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
  /** Which wallets belong together, by address in lower case, whoever funded them. */
  readonly clusters: ReadonlyMap<string, string>;
  /** Addresses that fund strangers, in lower case: an exchange, a bridge. Who was funded by one is not related by that. */
  readonly sharedFunders: ReadonlySet<string>;
}

export interface TradeFace {
  readonly chain: TradeChain;
  /** Null where wallets are not traced: then only the operator's clusters count together. */
  readonly funderOf: FunderOf | null;
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
