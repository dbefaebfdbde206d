import type { Kind } from "../../action/action.ts";
import { compareDecimals } from "../../money/decimal.ts";
import type { Clause } from "../../policy/mandate.ts";
import { prefixSpellings } from "./prefixSpellings.ts";
import { type Comparison, counterpartyKey, type Subject, verbKey } from "./subject.ts";

/** The condition of a clause that did not hold. Later ones were not looked at. */
export type FailedCondition = "kind" | "verb" | "target" | "counterparty" | "amount" | "currency" | "ceiling";

/** The obvious reading of one clause: its conditions in their order, up to the first that does not hold. */
export function firstFailed(clause: Clause, subject: Subject, comparison: Comparison): FailedCondition | null {
  const { verb, counterparty, maxAmount } = clause.match;
  if (!coversKind(clause, subject.kind)) return "kind";
  if (verb !== undefined && !verb.some((one) => verbKey(one, comparison) === subject.verb)) return "verb";
  if (!spellingsThatMatch(clause, subject, comparison).some((matches) => matches)) return "target";
  if (
    counterparty !== undefined &&
    !counterparty.some((one) => counterpartyKey(one, comparison) === subject.counterparty)
  )
    return "counterparty";
  if (maxAmount === undefined) return null;
  if (subject.amount === undefined) return "amount";
  if (subject.amount.currency !== maxAmount.currency) return "currency";
  return compareDecimals(subject.amount.amount, maxAmount.amount) <= 0 ? null : "ceiling";
}

/** Nothing permits what nobody mapped to a kind. */
export const coversKind = (clause: Clause, kind: Kind): boolean =>
  clause.match.kind.includes(kind) && !(kind === "unspecified" && clause.effect === "allow");

/** Whether a native clause permits in one spelling of the target what it does not permit in the other. */
export function isAmbiguous(clause: Clause, subject: Subject, comparison: Comparison): boolean {
  if (comparison.matching !== "native" || clause.effect !== "allow") return false;
  return spellingsThatMatch(clause, subject, comparison).includes(false);
}

/** For each spelling of the target that the clause looks at, whether it begins with one of the prefixes. */
function spellingsThatMatch(clause: Clause, subject: Subject, comparison: Comparison): readonly boolean[] {
  const { targetPrefix } = clause.match;
  if (targetPrefix === undefined) return [true];
  const prefixes = targetPrefix.flatMap((prefix) => prefixSpellings(prefix, clause.effect, comparison));
  // In the dialect decoding never widens a permission.
  const both = comparison.matching === "native" || clause.effect !== "allow";
  const spellings = both ? [subject.written, subject.other] : [subject.written];
  return spellings.map((target) => prefixes.some((prefix) => target.startsWith(prefix)));
}
