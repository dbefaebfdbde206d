import { partyKey } from "../../action/partyKey.ts";
import { compareDecimals, formatDecimal } from "../../money/decimal.ts";
import type { Money } from "../../money/money.ts";
import { quoted } from "../../text/quoted.ts";
import type { SpendRules } from "../effective.ts";
import type { PolicyPart } from "../readPart.ts";
import type { LintFinding } from "./lintFinding.ts";

/** Limits on money that never bite, since another one always bites first, and lists that contradict each other. */
export function lintSpend(parts: readonly PolicyPart[]): readonly LintFinding[] {
  const limits = parts.flatMap(({ sections: { spend } }) => (spend === undefined ? [] : limitsOf(spend)));
  return [
    ...limits.flatMap((limit) => neverBites(limit, limits)),
    ...parts.flatMap(({ scope, sections: { spend } }) => (spend === undefined ? [] : contradictory(spend, scope))),
    ...parts.flatMap((part) => tooGenerous(part, limits)),
  ];
}

interface Limit {
  readonly scope: string;
  readonly path: string;
  readonly max: Money;
  readonly budget: boolean;
}

const limitsOf = ({ scope, ceilings, budgets }: SpendRules): readonly Limit[] => [
  ...ceilings.map(({ max }, at) => ({ scope, path: `/spend/ceilings/${at}`, max, budget: false })),
  ...budgets.map(({ max }, at) => ({ scope, path: `/spend/budgets/${at}`, max, budget: true })),
];

/** A ceiling above another one, or above what a budget holds in all: the amount itself counts against a budget. */
function neverBites(limit: Limit, all: readonly Limit[]): readonly LintFinding[] {
  if (limit.budget) return [];
  const tighter = all.find((other) => {
    if (other === limit || other.max.currency !== limit.max.currency) return false;
    const order = compareDecimals(other.max.amount, limit.max.amount);
    return order < 0 || (order === 0 && (other.budget || all.indexOf(other) < all.indexOf(limit)));
  });
  if (tighter === undefined) return [];
  const what = tighter.budget ? "a budget" : "a ceiling";
  const message = `this ceiling never bites: ${what} of ${text(tighter.max)} stops every amount that it would stop`;
  const { scope, path } = limit;
  return [{ code: "lint.never_bites", severity: "note", scope, path, message }];
}

function contradictory({ counterparties, deniedCounterparties }: SpendRules, scope: string): readonly LintFinding[] {
  if (!("only" in counterparties)) return [];
  const denied = new Set(deniedCounterparties.map(partyKey));
  return counterparties.only.flatMap((name, at) => {
    if (!denied.has(partyKey(name))) return [];
    const message = `${quoted(name)} is allowed here and denied by the same section, which stands`;
    const path = `/spend/counterparties/allow/${at}`;
    return [{ code: "lint.contradictory", severity: "error", scope, path, message } as const];
  });
}

/** A clause that permits amounts which a limit stops: what a reader takes from it is not so. */
function tooGenerous({ scope, sections: { mandate } }: PolicyPart, limits: readonly Limit[]): readonly LintFinding[] {
  return (mandate?.clauses ?? []).flatMap(({ effect, match: { maxAmount } }, at) => {
    if (effect !== "allow" || maxAmount === undefined) return [];
    const tighter = limits.find(
      ({ max }) => max.currency === maxAmount.currency && compareDecimals(max.amount, maxAmount.amount) < 0,
    );
    if (tighter === undefined) return [];
    const message = `the section spend of ${quoted(tighter.scope)} already stops amounts above ${text(tighter.max)}`;
    const path = `/mandate/clauses/${at}/match/max_amount`;
    return [{ code: "lint.overruled", severity: "note", scope, path, message } as const];
  });
}

const text = ({ amount, currency }: Money): string => `${formatDecimal(amount)} ${currency}`;
