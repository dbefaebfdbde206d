import type { Action } from "../../action/action.ts";
import type { TargetError } from "../../action/target.ts";
import type { EffectivePolicy, Scope } from "../../policy/effective.ts";
import type { Clause } from "../../policy/mandate.ts";
import { hasEnded } from "../../policy/until.ts";
import type { Instant } from "../../time/instant.ts";
import { evaluateByLoop } from "./evaluateByLoop.ts";
import { type FailedCondition, firstFailed } from "./firstFailed.ts";
import type { MandateResult } from "./mandateResult.ts";
import { type Subject, subjectOf } from "./subject.ts";

/** What one clause made of an action: it decided, a condition failed, or an earlier clause had decided. */
export interface ClauseStep {
  readonly clause: Clause;
  readonly outcome: "decides" | "too_late" | FailedCondition;
}

/** How one mandate came to its answer, clause by clause. */
export interface MandateExplained {
  readonly scope: Scope;
  readonly outcome:
    | { readonly kind: "evaluated"; readonly result: MandateResult; readonly subject: Subject }
    | { readonly kind: "expired" }
    | { readonly kind: "unreadable"; readonly error: TargetError };
  readonly steps: readonly ClauseStep[];
}

/** What every mandate makes of an action, as `judgeMandates` judges it, every clause with its reason. */
export function explainMandates(action: Action, policy: EffectivePolicy, now: Instant): readonly MandateExplained[] {
  return policy.mandates.map(({ scope, mandate }) => {
    const subject = subjectOf(action, mandate);
    if (!subject.ok) return { scope, outcome: { kind: "unreadable", error: subject.error }, steps: [] };
    if (mandate.expires !== undefined && hasEnded(mandate.expires, now))
      return { scope, outcome: { kind: "expired" }, steps: [] };
    const result = evaluateByLoop(mandate, subject.value);
    let decided = false;
    const steps = mandate.clauses.map((clause): ClauseStep => {
      const failed = firstFailed(clause, subject.value, mandate);
      if (failed !== null) return { clause, outcome: failed };
      const outcome = decided ? "too_late" : "decides";
      decided = true;
      return { clause, outcome };
    });
    return { scope, outcome: { kind: "evaluated", result, subject: subject.value }, steps };
  });
}
