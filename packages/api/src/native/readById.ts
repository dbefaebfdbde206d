import { err, type JsonValue, ok, type Result } from "@countersign/core";
import { invalid, type Problem } from "../problem.ts";
import { decisionIdSchema, type OutcomeWire, outcomeSchema } from "./schema.ts";
import { zodFaults } from "./zodFaults.ts";

/** The id of a decision that is asked for. Fails with `request.invalid`. */
export function readDecisionId(body: JsonValue): Result<string, Problem> {
  const parsed = decisionIdSchema.safeParse(body);
  return parsed.success ? ok(parsed.data.id) : err(invalid(zodFaults(decisionIdSchema, body, parsed.error)));
}

/** What happened to a decision. Fails with `request.invalid`. */
export function readOutcome(body: JsonValue): Result<OutcomeWire, Problem> {
  const parsed = outcomeSchema.safeParse(body);
  return parsed.success ? ok(parsed.data) : err(invalid(zodFaults(outcomeSchema, body, parsed.error)));
}
