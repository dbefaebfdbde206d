import type { Ask, Evidence } from "../action/action.ts";
import type { Finding } from "../decision/finding.ts";
import type { EffectivePolicy, EvidenceRules } from "../policy/effective.ts";
import type { Seconds } from "../time/duration.ts";
import { addSeconds, compareInstants, type Instant, parseInstant } from "../time/instant.ts";
import type { Check } from "./check.ts";

/**
 * Judges the labels that say where data came from: that there is one, that its source is trusted, and its age.
 * A label without a source is trusted by no list. Exactly as old as allowed passes, observed right now passes, and one
 * second after now does not: such a label says nothing of age.
 */
export const evidence: Check = {
  name: "evidence",
  needs: () => [],
  judge({ material }: Ask, { evidence: rules }: EffectivePolicy, _facts, now) {
    if (rules === null) return [];
    const labels = material?.evidence ?? [];
    const findings: Finding[] = [];
    if (rules.required && labels.length === 0) {
      const message = "no evidence says where this comes from";
      findings.push(found("evidence.required", "/material/evidence", message, { expected: "at least one label" }));
    }
    const trusted = "only" in rules.trusted ? new Set(rules.trusted.only) : null;
    for (const [i, label] of labels.entries())
      findings.push(...judgeLabel(label, rules.maxAge, trusted, now, `/material/evidence/${i}`));
    return findings;
  },
};

function judgeLabel(
  label: Evidence,
  ages: EvidenceRules["maxAge"],
  trusted: ReadonlySet<string> | null,
  now: Instant,
  path: string,
): readonly Finding[] {
  const findings: Finding[] = [];
  if (trusted !== null && (label.source.trim() === "" || !trusted.has(label.source))) {
    findings.push(found("evidence.untrusted_source", `${path}/source`, "a source of the evidence is not trusted"));
  }
  const maxAge = Object.hasOwn(ages, label.source) ? ages[label.source] : undefined;
  const old = maxAge === undefined ? undefined : judgeAge(label.observed_at, maxAge, now, `${path}/observed_at`);
  if (old !== undefined) findings.push(old);
  return findings;
}

function judgeAge(observedAt: string | undefined, maxAge: Seconds, now: Instant, path: string): Finding | undefined {
  if (observedAt === undefined) {
    return found("evidence.time_missing", path, "the age of the evidence has a bound, and nothing says how old it is");
  }
  const observed = parseInstant(observedAt);
  if (!observed.ok) {
    const { message, expected } = observed.error;
    return found("evidence.time_malformed", path, message, { expected });
  }
  if (compareInstants(observed.value, now) > 0) {
    return found("evidence.from_future", path, "the evidence claims to be from the future");
  }
  if (compareInstants(addSeconds(observed.value, maxAge), now) < 0) {
    return found("evidence.too_old", path, "the evidence is older than its source may be", {
      expected: `at most ${maxAge} s old`,
      retry: "later",
    });
  }
  return undefined;
}

const found = (
  code: string,
  path: string,
  message: string,
  more: Partial<Pick<Finding, "expected" | "retry">> = {},
): Finding => ({ check: "evidence", code, severity: "block", path, message, retry: "changed", ...more });
