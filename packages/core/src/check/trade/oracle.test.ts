import fc from "fast-check";
import { expect, test } from "vitest";
import { formatDecimal } from "../../money/decimal.ts";
import { judgeOracle, ORACLE_AGES, type OracleReading, SEQUENCER_GRACE } from "./oracle.ts";

const NOW = 1_800_000_000;
const RULES = { decimals: 8, maxAge: ORACLE_AGES, sequencerGrace: SEQUENCER_GRACE };
const GOOD = {
  state: "read",
  roundId: 7n,
  answer: 20_012_345_678n,
  startedAt: BigInt(NOW - 60),
  updatedAt: BigInt(NOW - 60),
  answeredInRound: 7n,
  decimals: 8,
  paused: false,
  sequencer: { answer: 0n, startedAt: BigInt(NOW - 86_400) },
} as const satisfies OracleReading;

test("a fresh round is a price, exactly", () => {
  const price = judgeOracle(GOOD, RULES, "open", NOW);
  expect(price.state === "price" && formatDecimal(price.usd)).toBe("200.12345678");
});

test.each([
  { it: "a feed that reverts", change: null, want: "unreadable" },
  { it: "other decimals than the registry's", change: { decimals: 18 }, want: "decimals" },
  { it: "a price of zero", change: { answer: 0n }, want: "zero" },
  { it: "a negative price", change: { answer: -1n }, want: "negative" },
  { it: "a round that was not finished", change: { updatedAt: 0n }, want: "incomplete" },
  { it: "a round that was not begun", change: { startedAt: 0n }, want: "incomplete" },
  { it: "no round at all", change: { roundId: 0n }, want: "incomplete" },
  { it: "an answer from an earlier round", change: { answeredInRound: 6n }, want: "carried_over" },
  { it: "a round from the future", change: { updatedAt: BigInt(NOW + 1) }, want: "future" },
  { it: "a round that was updated before it began", change: { startedAt: BigInt(NOW - 59) }, want: "future" },
  {
    it: "a round one second too old",
    change: { startedAt: BigInt(NOW - 121), updatedAt: BigInt(NOW - 121) },
    want: "stale",
  },
  { it: "a paused feed", change: { paused: true }, want: "paused" },
  { it: "a sequencer that is down", change: { sequencer: { answer: 1n, startedAt: 1n } }, want: "sequencer_down" },
  {
    it: "a sequencer that came back a moment ago",
    change: { sequencer: { answer: 0n, startedAt: BigInt(NOW - 3_599) } },
    want: "sequencer_recovering",
  },
  {
    it: "a sequencer whose state has no time",
    change: { sequencer: { answer: 0n, startedAt: 0n } },
    want: "sequencer_recovering",
  },
])("refuses $it", ({ change, want }) => {
  const reading: OracleReading = change === null ? { state: "failed", reason: "reverted" } : { ...GOOD, ...change };
  expect(judgeOracle(reading, RULES, "open", NOW)).toEqual({ state: "unusable", defect: want });
});

test("a round of exactly the greatest age passes, and a closed market allows days", () => {
  const aged = (seconds: number): OracleReading => ({
    ...GOOD,
    startedAt: BigInt(NOW - seconds),
    updatedAt: BigInt(NOW - seconds),
  });
  expect(judgeOracle(aged(120), RULES, "open", NOW).state).toBe("price");
  expect(judgeOracle(aged(121), RULES, "closed", NOW).state).toBe("price");
  expect(judgeOracle(aged(5 * 86_400 + 1), RULES, "closed", NOW).state).toBe("unusable");
});

test("whatever a feed says, a price is above zero, from the past and not too old", () => {
  const any = fc.bigInt({ min: -(1n << 255n), max: (1n << 255n) - 1n });
  const near = fc.bigInt({ min: BigInt(NOW - 300), max: BigInt(NOW + 300) });
  fc.assert(
    fc.property(any, fc.oneof(any, near), fc.oneof(any, near), any, (answer, startedAt, updatedAt, answeredInRound) => {
      const price = judgeOracle({ ...GOOD, answer, startedAt, updatedAt, answeredInRound }, RULES, "open", NOW);
      if (price.state === "unusable") return;
      expect(price.usd.coefficient > 0n && price.age >= 0 && price.age <= 120).toBe(true);
    }),
  );
});
