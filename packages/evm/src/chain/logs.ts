import { ok, type Result } from "@countersign/core";
import type { Address, Hex } from "viem";
import type { ChainError } from "./error.ts";
import { least } from "./hex.ts";
import type { ChainView, Log } from "./view.ts";

export interface FoundLogs {
  /** Newest last. */
  readonly logs: readonly Log[];
  /** They reach back to the first block: there are no others. */
  readonly whole: boolean;
}

/** What is worth trying after a refusal; nodes limit ranges, and floods of logs are refused by us. */
const RANGES = [500_000n, 50_000n, 5_000n, 500n] as const;
const RECENT = 50_000n;
const FINAL: ReadonlySet<ChainError["code"]> = new Set(["chain.timeout", "chain.budget", "chain.moved"]);

/** Logs of the widest range that the node answers for. `recent` does not ask for more than the newest blocks. */
export async function widestLogs(
  view: ChainView,
  address: Address,
  topics: readonly (Hex | null)[],
  reach: "all" | "recent",
): Promise<Result<FoundLogs, ChainError>> {
  const all = view.block.number + 1n;
  let last: Result<readonly Log[], ChainError> = ok([]);
  const wanted = reach === "all" ? all : least(all, RECENT);
  for (const range of [wanted, ...RANGES.filter((one) => one < wanted)]) {
    last = await view.logs(address, topics, range);
    if (last.ok) return ok({ logs: last.value, whole: range >= all });
    if (FINAL.has(last.error.code)) return last;
  }
  return last.ok ? ok({ logs: [], whole: false }) : last;
}
