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
import {
  type Agents,
  type Decisions,
  err,
  type Gate,
  type JsonObject,
  type JsonValue,
  ok,
  type Result,
} from "@countersign/core";
import { type Caller, demand, maySee, principalOf } from "../caller.ts";
import type { Dialect } from "./dialect.ts";

/** The gate's own interface: decisions by the operator's policy, recorded and signed. */
export const nativeDialect = (gate: Gate, store: Decisions & Agents): Dialect => ({
  name: "native",
  tools: [decideTool, getDecisionTool],
  numbers: "plain",
  answer: (tool, input, caller) =>
    tool === getDecisionTool.name
      ? getDecision(store, input as JsonValue, caller)
      : decide(gate, store, input as JsonValue, caller),
});

async function decide(
  gate: Gate,
  agents: Agents,
  input: JsonValue,
  caller: Caller,
): Promise<Result<JsonObject, Problem>> {
  const question = readDecision(input);
  if (!question.ok) return question;
  const { agent, ...request } = question.value;
  const lacking = demand(caller, "decide");
  if (lacking !== null) return err(lacking);
  const principal = await principalOf(caller, agent, agents);
  if (!principal.ok) return principal;
  const answer = await gate.decide({ ...request, principal: principal.value });
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
  // What this credential may not see answers as what does not exist.
  if (found.value === null || !maySee(caller, found.value.agent)) return err(problemOf("decision.unknown"));
  return ok(writeSummary(found.value));
}
