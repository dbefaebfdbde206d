import type { FunderOf, Funding } from "@countersign/core";
import { readAddress } from "../chain/hex.ts";
import type { RpcTransport } from "../rpc/transport.ts";
import { FUNDER_LIMITS, type FunderLimits, firstFunder } from "./firstFunder.ts";

export interface FunderMemoryRules {
  /** Milliseconds after which what is not known, or not settled, is asked again. */
  readonly again: number;
  /** Seconds that a block has to lie back before what it says stays. */
  readonly settled: number;
  /** Wallets remembered; the one longest unused goes first. */
  readonly wallets: number;
}

export const FUNDER_MEMORY: FunderMemoryRules = { again: 60_000, settled: 900, wallets: 10_000 };

export interface FunderOptions {
  readonly transport: RpcTransport;
  readonly chainId: number;
  /** Milliseconds. */
  readonly clock: () => number;
  readonly limits?: FunderLimits;
  readonly rules?: FunderMemoryRules;
}

interface Entry {
  readonly funding: Promise<Funding>;
  /** Milliseconds; grows when what was found turns out to stay. */
  until: number;
}

/** Who funded wallets of one chain, remembered: a first funder that lies back far enough never changes. */
export function funderMemory({
  transport,
  chainId,
  clock,
  limits = FUNDER_LIMITS,
  rules = FUNDER_MEMORY,
}: FunderOptions): FunderOf {
  const entries = new Map<string, Entry>();
  return (text) => {
    const wallet = readAddress(text);
    if (wallet === undefined) return Promise.resolve({ state: "unknown", reason: "the wallet is no address" });
    const kept = entries.get(wallet);
    entries.delete(wallet);
    if (kept !== undefined && clock() < kept.until) {
      entries.set(wallet, kept);
      return kept.funding;
    }
    const found = firstFunder(transport, chainId, wallet, limits);
    // Those who ask meanwhile wait for the same search.
    const entry: Entry = { funding: found.then(({ funding }) => funding), until: Number.POSITIVE_INFINITY };
    entries.set(wallet, entry);
    const oldest = entries.size > rules.wallets ? entries.keys().next().value : undefined;
    if (oldest !== undefined) entries.delete(oldest);
    void found.then(({ age }) => {
      if (age === null || age < rules.settled) entry.until = clock() + rules.again;
    });
    return entry.funding;
  };
}
