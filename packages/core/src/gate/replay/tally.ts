import type { Verdict } from "../../decision/finding.ts";
import { addDecimals, type Decimal, formatDecimal } from "../../money/decimal.ts";
import type { MoneyText } from "../../money/money.ts";
import type { NotReplayed, NotReplayedReason, Replayed } from "./replayEntry.ts";

export interface VerdictChange {
  readonly from: Verdict;
  readonly to: Verdict;
  readonly decisions: number;
}

export interface ReplaySummary {
  /** Decisions in the log, those that cannot be replayed among them. */
  readonly decisions: number;
  readonly replayed: number;
  readonly unchanged: number;
  /** Loosened first. */
  readonly changes: readonly VerdictChange[];
  /** Decisions that came to no verdict under the new policy: each counts as a block. */
  readonly faults: number;
  readonly reviewsAdded: number;
  readonly reviewsSaved: number;
  /** What would have moved at once and did not; what moved and would not have. By currency. */
  readonly wouldHaveMoved: readonly MoneyText[];
  readonly wouldNotHaveMoved: readonly MoneyText[];
  readonly notReplayed: Readonly<Record<NotReplayedReason, number>>;
}

const ORDER: readonly `${Verdict} ${Verdict}`[] = [
  "block allow",
  "review allow",
  "block review",
  "allow block",
  "review block",
  "allow review",
];

/** A fault weighs as block. */
export const verdictAfter = ({ after }: Replayed): Verdict => (after.kind === "fault" ? "block" : after.verdict);

/** Adds up what replaying a log comes to, one decision after the other. */
export class ReplayTally {
  #decisions = 0;
  #unchanged = 0;
  #faults = 0;
  readonly #changes = new Map<string, number>();
  readonly #more = new Map<string, Decimal>();
  readonly #less = new Map<string, Decimal>();
  readonly #not: Record<NotReplayedReason, number> = {
    content_not_kept: 0,
    content_redacted: 0,
    content_altered: 0,
    facts_not_kept: 0,
    unreadable: 0,
  };

  add(one: Replayed | NotReplayed): void {
    this.#decisions += 1;
    if (one.kind === "not_replayed") {
      this.#not[one.reason] += 1;
      return;
    }
    if (one.after.kind === "fault") this.#faults += 1;
    const [from, to] = [one.before, verdictAfter(one)];
    if (from === to) {
      this.#unchanged += 1;
      return;
    }
    const change = `${from} ${to}`;
    this.#changes.set(change, (this.#changes.get(change) ?? 0) + 1);
    const amount = one.ask.action?.amount;
    if (amount === undefined || (from !== "allow" && to !== "allow")) return;
    const sums = to === "allow" ? this.#more : this.#less;
    const sum = sums.get(amount.currency);
    sums.set(amount.currency, sum === undefined ? amount.amount : addDecimals(sum, amount.amount));
  }

  summary(): ReplaySummary {
    const count = (test: (from: string, to: string) => boolean) =>
      [...this.#changes].reduce((sum, [change, decisions]) => {
        const [from = "", to = ""] = change.split(" ");
        return test(from, to) ? sum + decisions : sum;
      }, 0);
    const changes = ORDER.flatMap((change) => {
      const [from, to] = change.split(" ") as [Verdict, Verdict];
      const decisions = this.#changes.get(change) ?? 0;
      return decisions === 0 ? [] : [{ from, to, decisions }];
    });
    const changed = changes.reduce((sum, { decisions }) => sum + decisions, 0);
    return {
      decisions: this.#decisions,
      replayed: this.#unchanged + changed,
      unchanged: this.#unchanged,
      changes,
      faults: this.#faults,
      reviewsAdded: count((_, to) => to === "review"),
      reviewsSaved: count((from) => from === "review"),
      wouldHaveMoved: moneyOf(this.#more),
      wouldNotHaveMoved: moneyOf(this.#less),
      notReplayed: { ...this.#not },
    };
  }
}

const moneyOf = (sums: ReadonlyMap<string, Decimal>): readonly MoneyText[] =>
  [...sums]
    .filter(([, amount]) => amount.coefficient > 0n)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, amount]) => ({ value: formatDecimal(amount), currency }));
