import {
  type BasisEntry,
  decide,
  type EffectivePolicy,
  explainMandates,
  remedyFor,
  type Verdict,
  withDerivedAction,
} from "@countersign/core";
import { offlineFacts } from "../offlineFacts.ts";
import type { TestCase } from "./readSuite.ts";

export interface CaseResult {
  readonly test: TestCase;
  readonly got: Verdict | "fault";
  /** What was expected and is not so; empty where the case passed. */
  readonly failures: readonly string[];
}

/** A clause, and the cases it decided. */
export interface Covered {
  readonly scope: string;
  readonly clause: string;
  readonly place: number;
  readonly cases: number;
}

export interface SuiteResult {
  readonly results: readonly CaseResult[];
  readonly coverage: readonly Covered[];
}

/** Decides every case, and counts which clauses decided. */
export function runSuite(cases: readonly TestCase[], policy: EffectivePolicy): SuiteResult {
  const decided = new Map<string, number>();
  const results = cases.map((test) => {
    const { action } = withDerivedAction(test.ask);
    if (action !== undefined) {
      for (const { scope, steps } of explainMandates(action, policy, test.now)) {
        for (const { clause, outcome } of steps) {
          const key = keyOf(scope, clause.id);
          if (outcome === "decides") decided.set(key, (decided.get(key) ?? 0) + 1);
        }
      }
    }
    return runCase(test, policy);
  });
  const coverage = policy.mandates.flatMap(({ scope, mandate }) =>
    mandate.clauses.map(({ id }, place) => ({ scope, clause: id, place, cases: decided.get(keyOf(scope, id)) ?? 0 })),
  );
  return { results, coverage };
}

const keyOf = (scope: string, clause: string): string => JSON.stringify([scope, clause]);

function runCase(test: TestCase, policy: EffectivePolicy): CaseResult {
  const ask = withDerivedAction(test.ask);
  const facts = offlineFacts(ask, policy, test.now, test.before);
  const outcome = decide(ask, policy, facts, test.now);
  if (outcome.kind === "fault") return { test, got: "fault", failures: [`could not be decided: ${outcome.message}`] };
  const { verdict, basis, findings } = outcome;
  const failures: string[] = unknownBudgets(test, policy).map(
    (id) => `there is no budget ${id}, of which spent speaks`,
  );
  const codes = findings.map(({ code }) => code);
  const found = codes.length === 0 ? "nothing was found" : `found ${[...new Set(codes)].join(", ")}`;
  if (verdict !== test.want) failures.push(`wanted ${test.want}, got ${verdict}; ${found}`);
  const missing = test.codes.filter((code) => !codes.includes(code));
  if (missing.length > 0) failures.push(`wanted ${missing.join(", ")}; ${found}`);
  const by = (basis ?? []).flatMap((entry: BasisEntry) => (entry.by === "clause" ? [entry.id] : []));
  const absent = (test.by ?? []).filter((id) => !by.includes(id));
  if (absent.length > 0)
    failures.push(`wanted it permitted by ${absent.join(", ")}; it is by ${by.join(", ") || "no clause"}`);
  if (test.remedy !== undefined) {
    const remedy =
      test.ask.action === undefined ? null : (remedyFor(ask, policy, facts, test.now, outcome)?.text ?? null);
    if (remedy !== test.remedy)
      failures.push(`wanted the remedy ${test.remedy ?? "to be none"}, got ${remedy ?? "none"}`);
  }
  return { test, got: verdict, failures };
}

function unknownBudgets({ before: { spent } }: TestCase, policy: EffectivePolicy): readonly string[] {
  const known = new Set(policy.spend.flatMap(({ budgets }) => budgets.map(({ id }) => id)));
  return spent === undefined || typeof spent === "string" ? [] : [...spent.keys()].filter((id) => !known.has(id));
}
