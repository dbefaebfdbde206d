import type { Action, Ask } from "../action/action.ts";
import { partyKey } from "../action/partyKey.ts";
import type { Finding } from "../decision/finding.ts";
import type { FactKey, Facts } from "../fact/fact.ts";
import type { JsonValue } from "../json/value.ts";
import { addDecimals, compareDecimals, type Decimal, parseDecimal, subtractDecimals } from "../money/decimal.ts";
import { formatMoney, type Money } from "../money/money.ts";
import type { Budget, EffectivePolicy, Scope, SpendRules } from "../policy/effective.ts";
import { hasEnded } from "../policy/until.ts";
import { quoted } from "../text/quoted.ts";
import { formatInstant, type Instant } from "../time/instant.ts";
import { calendarWindow, rollingWindow, type Window } from "../time/window.ts";
import type { Check } from "./check.ts";
import { seriesOfBudget } from "./spendSeries.ts";

/** One budget for one subject in one window: what the gate reserves against in its commit. */
export interface BudgetInstance {
  readonly scope: Scope;
  readonly budget: Budget;
  /** The name of the sum in the ledger: see `spendSeries`. */
  readonly series: string;
  readonly window: Window;
  /** What this action would add; of the budget's currency. */
  readonly amount: Money;
  /** Where `{spent, reserved}`, canonical decimals, is looked up. */
  readonly key: FactKey;
}

/**
 * The budgets that this action draws on, of every scope; none when it has no amount, or one of another currency.
 * A budget that cannot be counted, since the ask does not name its subject, is not here: `spend` blocks it.
 */
export function budgetsOf(ask: Ask, policy: EffectivePolicy, now: Instant): readonly BudgetInstance[] {
  return policy.spend.flatMap(({ scope, budgets }) =>
    budgets.flatMap((budget) => {
      const amount = ask.action?.amount;
      const window = windowOf(budget, now);
      if (amount === undefined || amount.currency !== budget.max.currency || window === undefined) return [];
      return seriesOfBudget(budget.per, scope, ask).map((series) => ({
        scope,
        budget,
        series,
        window,
        amount,
        key: spentKey(scope, budget, series, window),
      }));
    }),
  );
}

/** Undefined outside the years that have calendar windows. */
function windowOf({ window }: Budget, now: Instant): Window | undefined {
  if ("rolling" in window) return rollingWindow(now, window.rolling);
  const found = calendarWindow(now, window.calendar, window.zone);
  return found.ok ? found.value : undefined;
}

function spentKey(scope: Scope, { id, max }: Budget, series: string, window: Window): FactKey {
  const start = formatInstant(window.kind === "rolling" ? window.after : window.start);
  return { fact: "spent", of: JSON.stringify([scope, id, series, max.currency, start]) };
}

/**
 * Ceilings, budgets, counterparty lists and expiry of every scope; all that do not hold are found. Exactly at a limit
 * passes. The proposed amount counts too: a budget that looks only backwards lets the last payment through.
 */
export const spend: Check = {
  name: "spend",
  needs: (ask, policy, now) => budgetsOf(ask, policy, now).map(({ key }) => key),
  judge(ask, policy, facts, now) {
    const { action } = ask;
    if (action === undefined) return [];
    return [
      ...policy.spend.flatMap((rules) => [
        ...judgeRules(action, rules, now),
        ...rules.budgets.flatMap((budget) => uncountable(budget, rules.scope, ask, now)),
      ]),
      ...budgetsOf(ask, policy, now).flatMap((instance) => judgeBudget(instance, facts)),
    ];
  },
};

function judgeRules(action: Action, rules: SpendRules, now: Instant): readonly Finding[] {
  const findings: Finding[] = [];
  const of = `of ${quoted(rules.scope)}`;
  if (rules.expires !== undefined && hasEnded(rules.expires, now)) {
    findings.push(found("spend.expired", "/action", `the spend rules ${of} have expired`, { retry: "later" }));
  }
  if (action.amount === undefined) {
    if (rules.amountRequired.includes(action.kind)) {
      findings.push(found("spend.amount_required", "/action/amount", `the spend rules ${of} need an amount`));
    }
  } else {
    findings.push(...judgeAmount(action.amount, rules, of));
  }
  return [...findings, ...judgeCounterparty(action, rules, of)];
}

function judgeAmount(amount: Money, rules: SpendRules, of: string): readonly Finding[] {
  const limits = [...rules.ceilings, ...rules.budgets].map(({ max }) => max.currency);
  if (rules.otherCurrencies === "block" && limits.length > 0 && !limits.includes(amount.currency)) {
    const message = `the spend rules ${of} say nothing of this currency`;
    const expected = [...new Set(limits)].slice(0, 5).join(", ");
    return [found("spend.currency_not_covered", "/action/amount/currency", message, { expected })];
  }
  return rules.ceilings
    .filter(({ max }) => max.currency === amount.currency && compareDecimals(amount.amount, max.amount) > 0)
    .map(({ max, code }) =>
      found(code, "/action/amount/value", `the amount is above a limit ${of}`, {
        expected: `at most ${text(max)}`,
        actual: text(amount),
      }),
    );
}

function judgeCounterparty(action: Action, rules: SpendRules, of: string): readonly Finding[] {
  const path = "/action/counterparty";
  const { counterparties, deniedCounterparties } = rules;
  if (action.counterparty === undefined) {
    const pays = action.amount !== undefined || rules.amountRequired.includes(action.kind);
    if (!pays || "everyone" in counterparties) return [];
    return [found("spend.counterparty_required", path, `the spend rules ${of} need a counterparty`)];
  }
  const name = partyKey(action.counterparty);
  const findings: Finding[] = [];
  if (deniedCounterparties.some((denied) => partyKey(denied) === name)) {
    findings.push(found("spend.counterparty_denied", path, `the spend rules ${of} deny this counterparty`));
  }
  if ("only" in counterparties && !counterparties.only.some((allowed) => partyKey(allowed) === name)) {
    findings.push(found("spend.counterparty_not_allowed", path, `the spend rules ${of} do not name this counterparty`));
  }
  return findings;
}

/** A budget that applies and whose subject or window cannot be told counts as spent. */
function uncountable(budget: Budget, scope: Scope, ask: Ask, now: Instant): readonly Finding[] {
  if (ask.action?.amount?.currency !== budget.max.currency) return [];
  if (seriesOfBudget(budget.per, scope, ask).length > 0 && windowOf(budget, now) !== undefined) return [];
  const message = `${named(scope, budget)} cannot be counted, since the ask names no ${budget.per}`;
  return [found("spend.subject_missing", "/action", message, { expected: `a ${budget.per}` })];
}

function judgeBudget({ scope, budget, amount, key }: BudgetInstance, facts: Facts): readonly Finding[] {
  const fact = facts.get(key);
  const before = fact.state === "known" ? spentAndReserved(fact.value) : undefined;
  if (before === undefined) {
    const message = `what was spent of ${named(scope, budget)} is not known`;
    return [found("spend.unknown", "/action/amount", message, { retry: "later" })];
  }
  if (compareDecimals(addDecimals(before, amount.amount), budget.max.amount) <= 0) return [];
  const message = `${named(scope, budget)} does not hold this amount and what was spent and reserved before`;
  return [
    found("spend.budget_exceeded", "/action/amount/value", message, {
      expected: `at most ${text(budget.max)} in all`,
      retry: "later",
    }),
  ];
}

/** What a budget still holds before this action; undefined when what was spent is not known. May be below zero. */
export function headroomOf({ budget, key }: BudgetInstance, facts: Facts): Decimal | undefined {
  const fact = facts.get(key);
  const before = fact.state === "known" ? spentAndReserved(fact.value) : undefined;
  return before && subtractDecimals(budget.max.amount, before);
}

function spentAndReserved(value: JsonValue): Decimal | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { spent, reserved } = value as { readonly spent?: JsonValue; readonly reserved?: JsonValue };
  const [paid, held] = [parseDecimal(spent), parseDecimal(reserved)];
  return paid.ok && held.ok ? addDecimals(paid.value, held.value) : undefined;
}

const named = (scope: Scope, { id }: Budget): string => `the budget ${quoted(id)} of ${quoted(scope)}`;

function text(money: Money): string {
  const { value, currency } = formatMoney(money);
  return `${value} ${currency}`;
}

const found = (
  code: string,
  path: string,
  message: string,
  more: Partial<Pick<Finding, "expected" | "actual" | "retry">> = {},
): Finding => ({ check: "spend", code, severity: "block", path, message, retry: "changed", ...more });
