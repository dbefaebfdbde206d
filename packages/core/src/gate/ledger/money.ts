import { addDecimals, compareDecimals, type Decimal, formatDecimal, parseDecimal, zero } from "../../money/decimal.ts";
import { err, ok, type Result } from "../../result.ts";
import type { MoneyLine } from "../ports.ts";
import type { Millis, Reservation, SpendWindow } from "./change.ts";
import type { Refusal } from "./refusal.ts";
import { refuse } from "./refuse.ts";
import type { DecisionRow } from "./rows.ts";
import { canSeal, sealedSince, wantSealed } from "./sealed.ts";
import { exact, rangesAt, rangesSince } from "./sums.ts";
import { seriesName, type Work } from "./work.ts";

const mostSeries = 32;

/** The first millisecond that a window counts. */
export const windowStart = (window: SpendWindow, now: Millis): Millis =>
  "rolling" in window ? now - window.rolling + 1 : window.from;

export function wantReservations(reservations: readonly Reservation[], work: Work): void {
  for (const { series, budgets, currency } of reservations) {
    for (const name of series) work.wantSums(rangesAt(hashed(work, name, currency), work.now));
    for (const budget of budgets) {
      const from = windowStart(budget.window, work.now);
      const name = hashed(work, budget.series, currency);
      work.wantSums(rangesSince(name, from));
      wantSealed(name, work);
    }
  }
}

/** Judges every budget with every amount of the decision counted, and changes nothing. */
export function checkReservations(reservations: readonly Reservation[], work: Work): Result<MoneyLine[], Refusal> {
  const lines: MoneyLine[] = [];
  const asked = new Map<string, Decimal>();
  for (const { amount, currency, series, budgets } of reservations) {
    const parsed = parseDecimal(amount);
    if (!parsed.ok || compareDecimals(parsed.value, zero) !== 1 || series.length > mostSeries)
      return refuse("input.malformed", "a reservation has an amount above zero and at most 32 series");
    if (budgets.some((budget) => !series.includes(budget.series)))
      return refuse("input.malformed", "a budget looks at a series that the reservation does not count in");
    const names = [...new Set(series)].map((name) => hashed(work, name, currency));
    for (const name of names) asked.set(name, addDecimals(asked.get(name) ?? zero, parsed.value));
    lines.push({ amount: formatDecimal(parsed.value), currency, series: names });
  }
  for (const [name, amount] of asked) {
    if (!work.sums.fits(name, work.now, amount))
      return refuse("input.malformed", "the amounts of a series add up to more digits than are kept");
  }
  for (const { currency, budgets } of reservations) {
    for (const budget of budgets) {
      const { window } = budget;
      if ("from" in window && (work.now < window.from || work.now >= window.until))
        return err({ code: "window.moved", message: "the calendar window of a budget has ended", now: work.now });
      const limit = parseDecimal(budget.limit);
      if (!limit.ok) return refuse("input.malformed", "the limit of a budget is not a decimal");
      const name = hashed(work, budget.series, currency);
      if (work.sealed && !canSeal(work))
        return refuse(
          "secret.missing",
          "money of erased decisions counts here, under a secret that this gate does not have",
        );
      const from = windowStart(window, work.now);
      const spent = addDecimals(work.sums.since(name, from), sealedSince(name, from, work));
      const amount = asked.get(name) ?? zero;
      const after = addDecimals(spent, amount);
      if (compareDecimals(after, limit.value) === 1)
        return err({
          code: "budget.exceeded",
          message: "the amount does not fit into a budget with what was spent and reserved before",
          budget: budget.budget,
          series: budget.series,
          currency,
          limit: formatDecimal(limit.value),
          spent: formatDecimal(spent),
          amount: formatDecimal(amount),
        });
    }
  }
  return ok(lines);
}

/** Counts the lines in every series, at the time of their decision. */
export function countLines(lines: readonly MoneyLine[], at: Millis, work: Work): void {
  for (const { amount, series } of lines) for (const name of series) work.sums.add(name, at, exact(amount));
  if (lines.length > 0) work.writes += 1;
}

/** Counts them no longer. */
export function uncountLines(lines: readonly MoneyLine[], at: Millis, work: Work): void {
  for (const { amount, series } of lines) for (const name of series) work.sums.subtract(name, at, exact(amount));
  if (lines.length > 0) work.writes += 1;
}

/** What is needed to count or uncount the money of a decision that was made before. */
export function wantLines(decision: DecisionRow, work: Work): void {
  for (const { series } of decision.lines) for (const name of series) work.wantSums(rangesAt(name, decision.at));
}

const hashed = (work: Work, series: string, currency: string): string => work.nameHash(seriesName(series, currency));
