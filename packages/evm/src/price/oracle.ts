import { err, type OracleReading, ok, type Result } from "@countersign/core";
import { type Address, decodeFunctionResult, encodeFunctionData, parseAbi } from "viem";
import type { ChainError } from "../chain/error.ts";
import type { ChainView } from "../chain/view.ts";
import { decoded, outcomeWord, read, runScript, type StepOutcome } from "../probe/script.ts";

const FEED = parseAbi([
  "function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)",
  "function decimals() view returns (uint8)",
  "function oraclePaused() view returns (bool)",
]);

export interface OracleQuery {
  readonly feed: Address;
  /** The token that may pause its own price, where it has such a switch. */
  readonly pausable: Address | undefined;
  /** Uptime feed of the rollup's sequencer, where the chain has one. */
  readonly sequencer: Address | undefined;
}

/** Everything that decides about a price, in one request. What the contracts refuse is a failed reading; the node's failure is an error. */
export async function readOracle(
  view: ChainView,
  conductor: Address,
  { feed, pausable, sequencer }: OracleQuery,
): Promise<Result<OracleReading, ChainError>> {
  const round = encodeFunctionData({ abi: FEED, functionName: "latestRoundData" });
  const outcomes = await runScript(view, conductor, [
    read(feed, round),
    read(feed, encodeFunctionData({ abi: FEED, functionName: "decimals" })),
    ...(pausable === undefined
      ? []
      : [read(pausable, encodeFunctionData({ abi: FEED, functionName: "oraclePaused" }))]),
    ...(sequencer === undefined ? [] : [read(sequencer, round)]),
  ]);
  if (!outcomes.ok) return err(outcomes.error);
  const [answer, decimals, ...more] = outcomes.value;
  const price = roundOf(answer);
  const digits = outcomeWord(decimals);
  if (price === undefined || digits === undefined || digits > 77n)
    return ok({ state: "failed", reason: "the feed does not answer" });
  const [paused, uptime] = pausable === undefined ? [undefined, more[0]] : [more[0], more[1]];
  const switchWord = outcomeWord(paused);
  if (pausable !== undefined && switchWord !== 0n && switchWord !== 1n) {
    return ok({ state: "failed", reason: "the token does not say whether its price is paused" });
  }
  const up = sequencer === undefined ? undefined : roundOf(uptime);
  if (sequencer !== undefined && up === undefined)
    return ok({ state: "failed", reason: "the sequencer's feed does not answer" });
  const [roundId, value, startedAt, updatedAt, answeredInRound] = price;
  return ok({
    state: "read",
    roundId,
    answer: value,
    startedAt,
    updatedAt,
    answeredInRound,
    decimals: Number(digits),
    paused: pausable === undefined ? null : switchWord === 1n,
    sequencer: up === undefined ? null : { answer: up[1], startedAt: up[2] },
  });
}

function roundOf(outcome: StepOutcome | undefined): readonly [bigint, bigint, bigint, bigint, bigint] | undefined {
  if (outcome?.ok !== true) return undefined;
  return decoded(() => decodeFunctionResult({ abi: FEED, functionName: "latestRoundData", data: outcome.data }));
}
