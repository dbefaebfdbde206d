import type { Clause, Mandate } from "../../policy/mandate.ts";
import { type FailedCondition, firstFailed, isAmbiguous } from "./firstFailed.ts";
import type { Subject } from "./subject.ts";

/** A clause for this kind of action that did not match, and the first condition that did not hold. */
export interface NearMiss {
  readonly clause: Clause;
  readonly failed: Exclude<FailedCondition, "kind">;
}

/** So many near misses are explained, in the order of the clauses; the others are counted. */
export const NEAR_MISSES_EXPLAINED = 10;

/** What a mandate says of one action. */
export interface MandateResult {
  readonly effect: "allow" | "review" | "block";
  /** The clause that decided; absent where the mandate's default did. */
  readonly clause?: Clause;
  /** The clause allows, and the kind always needs a person. */
  readonly lifted: boolean;
  /** The clause allows one spelling of the target and not the other, so a person has to look. */
  readonly ambiguous: boolean;
  /** Where no clause decided: clauses for this kind, at most `NEAR_MISSES_EXPLAINED`. */
  readonly nearMisses: readonly NearMiss[];
  /** How many there are in all. */
  readonly nearMissCount: number;
}

export function decidedBy(clause: Clause, subject: Subject, mandate: Mandate): MandateResult {
  const ambiguous = subject.written !== subject.other && isAmbiguous(clause, subject, mandate);
  const lifted = clause.effect === "allow" && mandate.requiresHuman.includes(subject.kind);
  const effect = ambiguous || lifted ? "review" : clause.effect;
  return { effect, clause, lifted, ambiguous, nearMisses: [], nearMissCount: 0 };
}

/** @param forKind the first clauses for the subject's kind, none of which matches; `count` is of all of them. */
export function decidedByDefault(
  mandate: Mandate,
  subject: Subject,
  forKind: readonly Clause[],
  count: number,
): MandateResult {
  const nearMisses: NearMiss[] = [];
  for (const clause of forKind.slice(0, NEAR_MISSES_EXPLAINED)) {
    const failed = firstFailed(clause, subject, mandate);
    if (failed === null || failed === "kind") throw new Error("a near miss neither matches nor is of another kind");
    nearMisses.push({ clause, failed });
  }
  return { effect: mandate.otherwise, lifted: false, ambiguous: false, nearMisses, nearMissCount: count };
}
