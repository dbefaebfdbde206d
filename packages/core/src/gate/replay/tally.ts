import type { Verdict } from "../../decision/finding.ts";
import { VERDICT_CHANGES } from "../../decision/verdictChange.ts";
import { addDecimals, type Decimal, formatDecimal } from "../../money/decimal.ts";
import type { Money, MoneyText } from "../../money/money.ts";
import { actionDigest } from "../../record/actionDigest.ts";
import type { NotReplayed, NotReplayedReason, Replayed, Settled } from "./replayEntry.ts";

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
  /**
   * What would have moved and did not; what moved and would not have. By currency. Money that was freed, since nobody
   * claimed it or what it was for failed, did not move; money of a review did, once an approval of it was used.
   */
  readonly wouldHaveMoved: readonly MoneyText[];
  readonly wouldNotHaveMoved: readonly MoneyText[];
  readonly notReplayed: Readonly<Record<NotReplayedReason, number>>;
}

/** A fault weighs as block. */
export const verdictAfter = ({ after }: Replayed): Verdict => (after.kind === "fault" ? "block" : after.verdict);

/** Adds up what replaying a log comes to, one decision after the other. */
export class ReplayTally {
  #decisions = 0;
  #unchanged = 0;
  #faults = 0;
  readonly #changes = new Map<string, number>();
  readonly #more = new Map<string, Money>();
  readonly #less = new Map<string, Money>();
  /** Decisions whose money was freed afterwards. */
  readonly #freed = new Set<string>();
  /** By action: reviews that would have been allowed, and then the decisions that used an approval of one. */
  readonly #waiting = new Map<string, string[]>();
  readonly #approved = new Map<string, string>();
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
    if (from === "allow") this.#approval(one);
    if (from === to) {
      this.#unchanged += 1;
      return;
    }
    const change = `${from} ${to}`;
    this.#changes.set(change, (this.#changes.get(change) ?? 0) + 1);
    const amount = one.ask.action?.amount;
    if (amount === undefined || (from !== "allow" && to !== "allow")) return;
    (to === "allow" ? this.#more : this.#less).set(one.id, amount);
    if (from !== "review") return;
    const action = actionDigest(one.ask) ?? "";
    const waiting = this.#waiting.get(action);
    if (waiting === undefined) this.#waiting.set(action, [one.id]);
    else waiting.push(one.id);
  }

  /** What the log says later of the money of a decision. */
  settle(settled: Settled): void {
    if (settled.money === "released") this.#freed.add(settled.decision);
    else this.#freed.delete(settled.decision);
  }

  #approval({ id, codes, ask }: Replayed): void {
    if (this.#waiting.size === 0 || !codes.includes("grant.used")) return;
    const review = this.#waiting.get(actionDigest(ask) ?? "")?.shift();
    if (review !== undefined) this.#approved.set(review, id);
  }

  #moved(decision: string): boolean {
    const used = this.#approved.get(decision);
    return used !== undefined && !this.#freed.has(used);
  }

  summary(): ReplaySummary {
    const count = (test: (from: string, to: string) => boolean) =>
      [...this.#changes].reduce((sum, [change, decisions]) => {
        const [from = "", to = ""] = change.split(" ");
        return test(from, to) ? sum + decisions : sum;
      }, 0);
    const changes = VERDICT_CHANGES.flatMap((change) => {
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
      wouldHaveMoved: sumsOf(this.#more, (id) => !this.#moved(id)),
      wouldNotHaveMoved: sumsOf(this.#less, (id) => !this.#freed.has(id)),
      notReplayed: { ...this.#not },
    };
  }
}

function sumsOf(amounts: ReadonlyMap<string, Money>, counts: (decision: string) => boolean): readonly MoneyText[] {
  const sums = new Map<string, Decimal>();
  for (const [id, { amount, currency }] of amounts) {
    if (!counts(id)) continue;
    const sum = sums.get(currency);
    sums.set(currency, sum === undefined ? amount : addDecimals(sum, amount));
  }
  return [...sums]
    .filter(([, amount]) => amount.coefficient > 0n)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, amount]) => ({ value: formatDecimal(amount), currency }));
}
