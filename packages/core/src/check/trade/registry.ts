import { LOOKS_LIKE } from "../url/confusables.ts";
import type { CalendarName } from "./marketCalendar.ts";

/** Where a fact of the registry was read. */
export type Source = string;

export interface RegistryFeed {
  readonly address: string;
  readonly decimals: number;
  readonly description: string;
  /** Seconds a round may be old, where the feed differs from the rule. */
  readonly maxAge?: { readonly open: number; readonly closed: number };
  readonly source: Source;
}

export interface RegistryPool {
  readonly currency0: string;
  readonly currency1: string;
  readonly fee: number;
  readonly tickSpacing: number;
  /** Only pools without hooks, or with these, are used. */
  readonly hooks: string;
  readonly source: Source;
}

export interface RegistryToken {
  readonly symbol: string;
  /** Lower case. Only the address identifies a token. */
  readonly address: string;
  readonly decimals: number;
  readonly kind: "stock" | "etf" | "stable" | "wrapped";
  readonly calendar: CalendarName;
  readonly feed?: RegistryFeed;
  readonly pools: readonly RegistryPool[];
  /** Whether the token has a switch `oraclePaused()` that must be asked. */
  readonly oracleSwitch: "asked" | "absent";
  /** Prices of pools against it count as dollars. */
  readonly pegged: boolean;
  readonly source: Source;
}

export interface RegistryChain {
  readonly chainId: number;
  readonly name: string;
  readonly tokens: readonly RegistryToken[];
  readonly v4Manager?: { readonly address: string; readonly source: Source };
  readonly sequencerFeed?: { readonly address: string; readonly source: Source };
  readonly source: Source;
}

export type AssetMatch =
  | { readonly state: "official"; readonly token: RegistryToken }
  /** The symbol of an official asset at another address, or its address under another symbol. */
  | { readonly state: "mismatch"; readonly expected: RegistryToken }
  | { readonly state: "unregistered" };

/**
 * By symbol and address together. Look-alikes are the main attack, so symbols are compared without letter case and
 * without what only decorates them, and addresses as bytes.
 */
export function matchAsset(chain: RegistryChain, symbol: string, address: string): AssetMatch {
  const bytes = address.toLowerCase();
  const byAddress = chain.tokens.find((token) => token.address === bytes);
  const name = plainSymbol(symbol);
  const bySymbol = chain.tokens.find((token) => plainSymbol(token.symbol) === name);
  if (byAddress !== undefined && byAddress === bySymbol) return { state: "official", token: byAddress };
  const expected = bySymbol ?? byAddress;
  return expected === undefined ? { state: "unregistered" } : { state: "mismatch", expected };
}

/** As a person would read it: letters of other scripts are those that they look like. */
const plainSymbol = (symbol: string): string =>
  Array.from(symbol.normalize("NFKC"), (char) => LOOKS_LIKE.get(char) ?? LOOKS_LIKE.get(char.toLowerCase()) ?? char)
    .join("")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
