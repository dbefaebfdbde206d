import type { Ask } from "../action/action.ts";
import { calldata } from "../check/calldata/calldata.ts";
import type { Check } from "../check/check.ts";
import { credentials } from "../check/credentials/credentials.ts";
import { redact } from "../check/credentials/redact.ts";
import { evidence } from "../check/evidence.ts";
import { expiry } from "../check/expiry.ts";
import { fields } from "../check/fields/contracts.ts";
import { instructions } from "../check/instructions/instructions.ts";
import { limits } from "../check/limits.ts";
import { judgeMandates } from "../check/mandate/mandate.ts";
import { protectedOperations } from "../check/protected/protected.ts";
import { schemas } from "../check/schema/contracts.ts";
import { sequence } from "../check/sequence/sequence.ts";
import { spend } from "../check/spend.ts";
import { stop } from "../check/stop.ts";
import { typedData } from "../check/typedData/typedData.ts";
import { urls } from "../check/url/urls.ts";
import type { FactKey, Facts } from "../fact/fact.ts";
import type { EffectivePolicy } from "../policy/effective.ts";
import type { Instant } from "../time/instant.ts";
import { compose, type GrantInHand } from "./compose.ts";
import type { Basis, Outcome } from "./decision.ts";
import type { Finding } from "./finding.ts";

/** Every check, in the order in which they judge. Each is useful alone. */
export const CHECKS: readonly Check[] = [
  stop,
  expiry,
  limits,
  spend,
  protectedOperations,
  sequence,
  evidence,
  fields,
  schemas,
  urls,
  instructions,
  credentials,
  calldata,
  typedData,
];

/** The facts that deciding this ask will look for. */
export const factsNeeded = (ask: Ask, policy: EffectivePolicy, now: Instant): readonly FactKey[] =>
  CHECKS.flatMap((check) => check.needs(ask, policy, now));

/**
 * Judges one ask. Pure: the same ask, policy, facts and time give the same outcome under the same engine. Total: what
 * goes wrong inside a check becomes a fault, and a fault weighs as block.
 * @param policy what is in force for the asker; null when nothing is, which blocks.
 * @param grant a usable grant for exactly this action, if a person gave one.
 */
export function decide(
  ask: Ask,
  policy: EffectivePolicy | null,
  facts: Facts,
  now: Instant,
  grant: GrantInHand | null = null,
): Outcome {
  if (policy === null) return compose(null, [NO_POLICY], null);
  let judging = "mandate";
  try {
    const mandates = judgeMandates(ask, policy, now);
    const withoutSecrets = secretsRemover();
    const findings: Finding[] = [...policy.given, ...mandates.findings].map(withoutSecrets);
    for (const check of CHECKS) {
      judging = check.name;
      for (const finding of check.judge(ask, policy, facts, now)) findings.push(withoutSecrets(finding));
    }
    return compose(mandates.basis ?? basisWithoutMandate(ask, policy), findings, grant);
  } catch {
    // The text of the error may carry content of the ask; its name says where to look, and the ask can be replayed.
    return { kind: "fault", code: `${judging}.failed`, message: `the check ${judging} could not judge this` };
  }
}

/**
 * What permits where no mandate speaks: the rule of a dialect, or, for material alone, that the policy has the section
 * that judges each kind of material in it. An empty list is no material.
 */
function basisWithoutMandate(ask: Ask, policy: EffectivePolicy): Basis {
  if (policy.rule !== null) return [{ by: "rule", id: policy.rule }];
  const { action, material } = ask;
  if (action !== undefined || material === undefined) return null;
  if (material.calldata !== undefined || material.typed_data !== undefined) return null;
  const judged = [
    [someOf(material.texts), policy.screening],
    [someOf(material.urls), policy.network],
    [material.data, policy.contracts.length + policy.schemas.length > 0 ? policy.contracts : null],
    [someOf(material.evidence), policy.evidence],
  ].filter(([part]) => part !== undefined);
  return judged.length > 0 && judged.every(([, section]) => section !== null) ? [{ by: "rule", id: "material" }] : null;
}

const someOf = <T>(list: readonly T[] | undefined) => (list === undefined || list.length === 0 ? undefined : list);

/**
 * Findings quote names that the asker chose, such as those of members, and a name can be a secret. A rule that fails in
 * thousands of places says the same sentence each time: every sentence is searched once.
 */
function secretsRemover(): (finding: Finding) => Finding {
  const known = new Map<string, string>();
  const once = (text: string): string => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const clean = redact(text);
    known.set(text, clean);
    return clean;
  };
  return (finding) => {
    const { path, message, expected, actual } = finding;
    return {
      ...finding,
      ...(path === undefined ? {} : { path: redact(path) }),
      message: once(message),
      ...(expected === undefined ? {} : { expected: once(expected) }),
      ...(actual === undefined ? {} : { actual: once(actual) }),
    };
  };
}

const NO_POLICY: Finding = {
  check: "policy",
  code: "policy.none",
  severity: "block",
  message: "no policy is in force for this agent",
  retry: "later",
};
