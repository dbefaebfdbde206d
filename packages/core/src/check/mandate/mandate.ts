import type { Action, Ask } from "../../action/action.ts";
import type { TargetError } from "../../action/target.ts";
import type { Basis, BasisEntry } from "../../decision/decision.ts";
import type { Finding } from "../../decision/finding.ts";
import type { EffectivePolicy, Scope } from "../../policy/effective.ts";
import type { Mandate } from "../../policy/mandate.ts";
import { hasEnded } from "../../policy/until.ts";
import type { Result } from "../../result.ts";
import { quoted } from "../../text/quoted.ts";
import type { Instant } from "../../time/instant.ts";
import { type CompiledMandate, compileMandate } from "./compileMandate.ts";
import { evaluateMandate } from "./evaluateMandate.ts";
import type { MandateResult } from "./mandateResult.ts";
import { nearMissText } from "./nearMissText.ts";
import { type Comparison, type Subject, subjectOf } from "./subject.ts";

export interface MandateJudgement {
  /** An entry of every scope that has a mandate, or null as soon as one of them does not permit. */
  readonly basis: Basis;
  readonly findings: readonly Finding[];
}

/**
 * Asks the mandate of every scope. Without an action, or without a mandate, nothing is found and nothing permits.
 * A target that has no normal form is blocked under the code of `normaliseTarget`.
 */
export function judgeMandates({ action }: Ask, policy: EffectivePolicy, now: Instant): MandateJudgement {
  if (action === undefined || policy.mandates.length === 0) return { basis: null, findings: [] };
  const subjectFor = rememberedSubjects(action);
  const findings: Finding[] = [];
  const entries: BasisEntry[] = [];
  for (const { scope, mandate } of policy.mandates) {
    const subject = subjectFor(mandate);
    if (!subject.ok) {
      findings.push(unreadable(subject.error));
    } else if (mandate.expires !== undefined && hasEnded(mandate.expires, now)) {
      findings.push(
        found("mandate.expired", "block", "/action", `the mandate of ${quoted(scope)} has expired`, "later"),
      );
    } else {
      const result = evaluateMandate(compiled(mandate), subject.value);
      findings.push(...findingsOf(result, scope, subject.value));
      if (result.effect !== "block") entries.push(entryOf(result, scope));
    }
  }
  return { basis: entries.length === policy.mandates.length ? entries : null, findings };
}

/** Kept as long as the policy that a mandate belongs to. */
const known = new WeakMap<Mandate, CompiledMandate>();

function compiled(mandate: Mandate): CompiledMandate {
  const kept = known.get(mandate) ?? compileMandate(mandate);
  known.set(mandate, kept);
  return kept;
}

function rememberedSubjects(action: Action): (comparison: Comparison) => Result<Subject, TargetError> {
  const made = new Map<string, Result<Subject, TargetError>>();
  return (comparison) => {
    const name = `${comparison.matching} ${comparison.verbs}`;
    const subject = made.get(name) ?? subjectOf(action, comparison);
    made.set(name, subject);
    return subject;
  };
}

const entryOf = ({ clause }: MandateResult, scope: Scope): BasisEntry =>
  clause === undefined ? { by: "default", scope } : { by: "clause", scope, id: clause.id };

function findingsOf(result: MandateResult, scope: Scope, subject: Subject): readonly Finding[] {
  const { clause, effect } = result;
  const of = `of ${quoted(scope)}`;
  if (clause === undefined) {
    if (effect === "allow") throw new Error("no default allows");
    const near = nearMissText(result, subject);
    const closest = near === "" ? "" : `; the closest were ${near}`;
    return [found("mandate.no_clause", effect, "/action", `no clause ${of} matches this${closest}`, "changed")];
  }
  const named = `clause ${quoted(clause.id)} ${of}`;
  if (clause.effect === "block") {
    return [found("mandate.clause_blocked", "block", "/action", `${named} forbids this`, "changed")];
  }
  if (clause.effect === "review") {
    return [found("mandate.clause_review", "review", "/action", `${named} sends this to a person`, "later")];
  }
  const findings: Finding[] = [];
  if (result.ambiguous) {
    const message = `${named} permits the target in one spelling and not in the other`;
    findings.push(found("target.ambiguous", "review", "/action/target", message, "changed"));
  }
  if (result.lifted) {
    const message = `${named} permits this, and its kind always needs a person`;
    findings.push(found("mandate.requires_human", "review", "/action/kind", message, "later"));
  }
  return findings;
}

const found = (
  code: string,
  severity: "review" | "block",
  path: string,
  message: string,
  retry: Finding["retry"],
): Finding => ({ check: "mandate", code, severity, path, message, retry });

const unreadable = ({ code, message }: TargetError): Finding =>
  found(code, "block", "/action/target", message, "changed");
