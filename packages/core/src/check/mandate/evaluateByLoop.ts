import type { Mandate } from "../../policy/mandate.ts";
import { coversKind, firstFailed } from "./firstFailed.ts";
import { decidedBy, decidedByDefault, type MandateResult } from "./mandateResult.ts";
import type { Subject } from "./subject.ts";

/**
 * The clauses in order, and the first that matches decides. The meaning of a mandate: `evaluateMandate` gives the same
 * from an index. Right for a mandate that is evaluated once.
 */
export function evaluateByLoop(mandate: Mandate, subject: Subject): MandateResult {
  for (const clause of mandate.clauses) {
    if (firstFailed(clause, subject, mandate) === null) return decidedBy(clause, subject, mandate);
  }
  const forKind = mandate.clauses.filter((clause) => coversKind(clause, subject.kind));
  return decidedByDefault(mandate, subject, forKind, forKind.length);
}
