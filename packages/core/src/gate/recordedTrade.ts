import { judgeReadings } from "../check/trade/readings.ts";
import type { RecordedReadings } from "../check/trade/readReadings.ts";
import type { RegistryChain } from "../check/trade/registry.ts";
import { err, ok } from "../result.ts";
import type { ChainFault, TradeChain } from "./tradeChain.ts";

const UNRECORDED: ChainFault = { code: "chain.unrecorded", message: "nothing was recorded about this token" };
const NO_BALANCES: ChainFault = { code: "chain.unrecorded", message: "no balances were recorded" };

/** A chain that says what was written down, about one token and about nothing else: for tests, and to judge a trade again. */
export const recordedTradeChain = (registry: RegistryChain, { address, readings }: RecordedReadings): TradeChain => ({
  registry,
  facts: async (trade) =>
    trade.address === address ? ok(judgeReadings(readings, { ...trade, registry })) : err(UNRECORDED),
  token: async (asked) => {
    if (asked !== address) return err(UNRECORDED);
    const { token } = readings;
    return token.known ? ok(token.value) : err({ code: "chain.unrecorded", message: token.reason });
  },
  balance: async () => err(NO_BALANCES),
});
