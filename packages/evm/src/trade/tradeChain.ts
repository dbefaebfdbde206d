import { err, ok, type RegistryChain, type TradeChain } from "@countersign/core";
import { simulateBalance } from "../balance/simulateBalance.ts";
import { chainError } from "../chain/error.ts";
import { readAddress } from "../chain/hex.ts";
import type { ChainReader } from "../chain/reader.ts";
import { type SafetyMemory, safetyMemory } from "../token/memory.ts";
import type { QuoteMemory } from "../token/safety.ts";
import { otherTime, readTrade, type TradeQuery, venuesOf } from "./readTrade.ts";

export interface TradeChainOptions {
  /** Verified against the chain before this is made. */
  readonly registry: RegistryChain;
  /** Beyond what the registry names. */
  readonly venues: TradeQuery["venues"];
  /** Names the throw-away addresses of simulations; nobody outside may be able to guess it. */
  readonly seed: string;
  readonly memory?: SafetyMemory;
}

/** The port over a chain, with what is remembered of tokens between questions. */
export function tradeChain(
  reader: ChainReader,
  { registry, venues, seed, memory = safetyMemory() }: TradeChainOptions,
): TradeChain {
  const quotes: QuoteMemory = new Map();
  return {
    registry,
    facts: (trade) => readTrade(reader, { ...trade, registry, venues, seed, memory, quotes }),
    async token(text, now) {
      const address = readAddress(text);
      if (address === undefined) return err(chainError("chain.refused", "the token is no address"));
      const view = await reader.pin();
      if (!view.ok) return view;
      const untimely = otherTime(view.value, now);
      if (untimely !== undefined) return err(untimely);
      const official = registry.tokens.find((token) => token.address === address);
      const options = { venues: venuesOf({ registry, venues }, official), seed, memory: quotes };
      const report = await memory.check(view.value, address, options, now);
      return report.ok ? ok(report.value.facts) : report;
    },
    balance: (query) => simulateBalance(reader, query, seed),
  };
}
