import {
  decideTool,
  getDecisionTool,
  type Problem,
  problemOf,
  problemOfFault,
  readDecision,
  readDecisionId,
  writeAnswer,
  writeSummary,
} from "@countersign/api";
import { type Decisions, err, type Gate, type JsonObject, type JsonValue, ok, type Result } from "@countersign/core";
import type { Caller } from "../caller.ts";
import type { Dialect } from "./dialect.ts";

/** The gate's own interface: decisions by the operator's policy, recorded and signed. */
export const nativeDialect = (gate: Gate, decisions: Decisions): Dialect => ({
  name: "native",
  tools: [decideTool, getDecisionTool],
  numbers: "plain",
  answer: (tool, input, caller) =>
    tool === getDecisionTool.name
      ? getDecision(decisions, input as JsonValue, caller)
      : decide(gate, input as JsonValue, caller),
});

async function decide(gate: Gate, input: JsonValue, caller: Caller): Promise<Result<JsonObject, Problem>> {
  const question = readDecision(input);
  if (!question.ok) return question;
  const { agent, ...request } = question.value;
  // Who asks is the credential's to say: a name in the body can only repeat it.
  if (agent !== undefined && agent !== caller.agent) return err(problemOf("identity.mismatch"));
  const answer = await gate.decide({ ...request, principal: caller });
  return answer.ok ? ok(writeAnswer(answer.value)) : err(problemOfFault(answer.error));
}

async function getDecision(
  decisions: Decisions,
  input: JsonValue,
  caller: Caller,
): Promise<Result<JsonObject, Problem>> {
  const id = readDecisionId(input);
  if (!id.ok) return id;
  const found = await decisions.decision(caller.tenant, id.value);
  if (!found.ok) return err(problemOfFault(found.error));
  // A decision of another agent answers as one that does not exist.
  if (found.value === null || found.value.agent !== caller.agent) return err(problemOf("decision.unknown"));
  return ok(writeSummary(found.value));
}
