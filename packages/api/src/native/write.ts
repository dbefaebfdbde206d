import {
  type Answer,
  type DecisionSummary,
  formatInstant,
  instantFromMillis,
  type JsonObject,
} from "@countersign/core";

/** An answer as it goes over the wire, its members in the published order. */
export function writeAnswer(answer: Answer): JsonObject {
  const { id, verdict, enforcement, basis, findings, action_digest, policy_digest, engine, receipt, hold, remedy } =
    answer;
  const wire = {
    id,
    verdict,
    enforcement,
    basis,
    findings,
    action_digest,
    policy_digest,
    engine,
    ...(receipt === undefined ? {} : { receipt }),
    ...(hold === undefined ? {} : { hold }),
    ...(remedy === undefined ? {} : { remedy }),
  };
  // Plain data throughout; the interfaces only lack the index signature.
  return wire as unknown as JsonObject;
}

export function writeSummary(decision: DecisionSummary): JsonObject {
  return {
    id: decision.id,
    at: timeOf(decision.at),
    agent: decision.agent,
    verdict: decision.verdict,
    codes: decision.codes,
    action_digest: decision.actionDigest,
    policy_digest: decision.policyDigest,
    redeemed_at: decision.redeemedAt === null ? null : timeOf(decision.redeemedAt),
    outcome: decision.outcome,
    hold: decision.hold,
    grant: decision.grant,
  };
}

const timeOf = (millis: number): string => formatInstant(instantFromMillis(millis));
