import { quoted } from "../../text/quoted.ts";
import type { EffectivePolicy, SpendRules } from "../effective.ts";
import type { Clause, Mandate } from "../mandate.ts";
import type { ClauseReach } from "../regions/clauseReach.ts";
import { targetIn } from "../regions/targetIn.ts";
import type { LintFinding } from "./lintFinding.ts";
import { sameConditions, type Terms, termsOf } from "./overlap.ts";
import { namesNoPlace, unboundedBy } from "./unbounded.ts";

/** A finding whose document goes without saying. */
export type Found = Omit<LintFinding, "scope">;

/** What is to be said of one clause alone, and by whether anything gets to it. */
export function lintClause(
  terms: Terms,
  path: string,
  reach: ClauseReach,
  mandate: Mandate,
  policy: EffectivePolicy,
): readonly Found[] {
  const { clause } = terms;
  if (reach.outcome === "unreached") {
    const opposite = reach.deciders.find(
      (one) => one.effect !== clause.effect && sameConditions(termsOf(one, mandate), terms),
    );
    return [opposite === undefined ? unreachable(reach.deciders, path) : contradictory(opposite, clause, path)];
  }
  if (reach.outcome === "impossible") return [cannotMatch(path, "no action meets these conditions")];
  return clause.effect === "allow" ? lintPermit(clause, path, policy) : [];
}

function lintPermit({ match }: Clause, path: string, policy: EffectivePolicy): readonly Found[] {
  const found: Found[] = [];
  for (const [at, prefix] of (match.targetPrefix ?? []).entries()) {
    const where = `${path}/match/target_prefix/${at}`;
    if (targetIn({ under: prefix, except: [] }) === "none") {
      found.push(cannotMatch(where, "no target in normal form begins so, and a permission counts for no other form"));
      continue;
    }
    if (namesNoPlace(prefix) && match.counterparty === undefined) {
      const message = "everything behind this scheme is permitted: no host or path is named";
      found.push({ code: "lint.unbounded", severity: "warning", path: where, message });
    }
    const beyond = unboundedBy(prefix);
    if (beyond === undefined) continue;
    const what = beyond.host
      ? "the host is not ended, so that hosts of others"
      : "the name is not ended, so that others";
    const message = `${what} are permitted too, such as ${quoted(beyond.target)}`;
    found.push({ code: "lint.unbounded", severity: beyond.host ? "error" : "warning", path: where, message });
  }
  const { verb, targetPrefix, counterparty, maxAmount } = match;
  if (verb === undefined && targetPrefix === undefined && counterparty === undefined && maxAmount === undefined) {
    const message = "everything of these kinds is permitted: no verb, target, counterparty or amount is named";
    found.push({ code: "lint.unbounded", severity: "warning", path: `${path}/match`, message });
  } else if (match.kind.includes("transaction") && maxAmount === undefined && !hasLimits(policy)) {
    const message = someLimits(policy)
      ? "any amount in a currency without a limit is permitted: the section spend allows other currencies"
      : "any amount is permitted: neither this clause nor the section spend sets a limit";
    found.push({ code: "lint.unbounded", severity: "warning", path: `${path}/match`, message });
  }
  return found;
}

const limitsIn = ({ ceilings, budgets }: SpendRules): number => ceilings.length + budgets.length;

const someLimits = ({ spend }: EffectivePolicy): boolean => spend.some((rules) => limitsIn(rules) > 0);

/** Limits of some currencies bound the others too, where one section that has any stops what it does not speak of. */
const hasLimits = ({ spend }: EffectivePolicy): boolean =>
  spend.some((rules) => limitsIn(rules) > 0 && rules.otherCurrencies === "block");

const cannotMatch = (path: string, message: string): Found => ({
  code: "lint.cannot_match",
  severity: "error",
  path,
  message,
});

function unreachable(deciders: readonly Clause[], path: string): Found {
  const [first, second, ...more] = deciders.map(({ id }) => quoted(id));
  const named = second === undefined ? first : `${first} and ${more.length === 0 ? second : `${more.length + 1} more`}`;
  const message = `no action gets here: ${named} ${second === undefined ? "decides" : "decide"} all that this covers`;
  return { code: "lint.unreachable", severity: "error", path, message };
}

const contradictory = (opposite: Clause, clause: Clause, path: string): Found => ({
  code: "lint.contradictory",
  severity: "error",
  path,
  message: `clause ${quoted(opposite.id)} has the same conditions, says ${opposite.effect}, and comes first, so that this ${clause.effect} never stands`,
});
