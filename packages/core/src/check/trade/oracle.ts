import { fromAtomic } from "../../money/atomic.ts";
import type { Decimal } from "../../money/decimal.ts";

/** What a price feed with the five-value interface said, or that it said nothing. */
export type OracleReading =
  | {
      readonly state: "read";
      readonly roundId: bigint;
      readonly answer: bigint;
      /** Seconds since 1970. */
      readonly startedAt: bigint;
      readonly updatedAt: bigint;
      readonly answeredInRound: bigint;
      readonly decimals: number;
      /** What the token says of its own feed; null where it was not asked because it has no such switch. */
      readonly paused: boolean | null;
      /** The uptime feed of a rollup's sequencer: 0 up, 1 down; null where the chain has none. */
      readonly sequencer: { readonly answer: bigint; readonly startedAt: bigint } | null;
    }
  | { readonly state: "failed"; readonly reason: string };

export interface OracleRules {
  readonly decimals: number;
  /** Seconds a round may be old while its market is open, and while it is closed. */
  readonly maxAge: { readonly open: number; readonly closed: number };
  /** Seconds that must have passed since the sequencer came back. */
  readonly sequencerGrace: number;
}

export const ORACLE_AGES = { open: 120, closed: 5 * 86_400 } as const;
export const SEQUENCER_GRACE = 3_600;

export type OracleDefect =
  | "unreadable"
  | "decimals"
  | "zero"
  | "negative"
  | "incomplete"
  | "future"
  | "stale"
  | "carried_over"
  | "paused"
  | "sequencer_down"
  | "sequencer_recovering";

export type OraclePrice =
  /** Age in seconds. */
  | { readonly state: "price"; readonly usd: Decimal; readonly age: number }
  | { readonly state: "unusable"; readonly defect: OracleDefect };

/** The price of one token in dollars, or the first defect that forbids to use it. A price is never made up. */
export function judgeOracle(
  reading: OracleReading,
  rules: OracleRules,
  market: "open" | "closed",
  epochSeconds: number,
): OraclePrice {
  if (reading.state === "failed") return unusable("unreadable");
  const now = BigInt(Math.floor(epochSeconds));
  const { answer, updatedAt, startedAt, roundId, answeredInRound, decimals, paused, sequencer } = reading;
  if (sequencer !== null) {
    if (sequencer.answer !== 0n) return unusable("sequencer_down");
    if (sequencer.startedAt <= 0n || now - sequencer.startedAt < BigInt(rules.sequencerGrace)) {
      return unusable("sequencer_recovering");
    }
  }
  if (decimals !== rules.decimals) return unusable("decimals");
  if (paused === true) return unusable("paused");
  if (answer === 0n) return unusable("zero");
  if (answer < 0n) return unusable("negative");
  if (updatedAt === 0n || startedAt === 0n || roundId === 0n) return unusable("incomplete");
  if (answeredInRound < roundId) return unusable("carried_over");
  if (updatedAt > now || startedAt > updatedAt) return unusable("future");
  if (now - updatedAt > BigInt(rules.maxAge[market])) return unusable("stale");
  return { state: "price", usd: fromAtomic(answer, decimals), age: Number(now - updatedAt) };
}

const unusable = (defect: OracleDefect): OraclePrice => ({ state: "unusable", defect });
