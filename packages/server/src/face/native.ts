import {
  decideTool,
  getDecisionTool,
  type OutcomeWire,
  type Problem,
  problemOf,
  problemOfFault,
  readDecision,
  readDecisionId,
  readOutcome,
  reportOutcomeTool,
  writeAnswer,
  writeSummary,
} from "@countersign/api";
import {
  type Agents,
  type Decisions,
  err,
  findSecrets,
  type Gate,
  type JsonObject,
  type JsonValue,
  type Lifecycle,
  ok,
  type Result,
} from "@countersign/core";
import { type Caller, demand, maySee, observedBy, principalOf } from "../caller.ts";
import { acting, given, mayActOn } from "../lifecycle/decisions.ts";
import type { Dialect } from "./dialect.ts";
import { secretAt } from "./service.ts";

/** The gate's own interface: decisions by the operator's policy, recorded and signed, and how they ended. */
export function nativeDialect(gate: Gate, store: Decisions & Agents, lifecycle?: Lifecycle): Dialect {
  return {
    name: "native",
    tools: lifecycle === undefined ? [decideTool, getDecisionTool] : [decideTool, getDecisionTool, reportOutcomeTool],
    numbers: "plain",
    async answer(tool, input, caller) {
      const value = input as JsonValue;
      if (tool === getDecisionTool.name) return getDecision(store, value, caller);
      if (tool === reportOutcomeTool.name && lifecycle !== undefined) {
        const outcome = readOutcome(value);
        return outcome.ok ? reportOutcome(lifecycle, store, outcome.value, caller) : outcome;
      }
      return decide(gate, store, value, caller);
    },
  };
}

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
  const material = request.material && observedBy(caller, request.material);
  const answer = await gate.decide({ ...request, ...given("material", material), principal: principal.value });
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

async function reportOutcome(
  lifecycle: Lifecycle,
  decisions: Decisions,
  {
    id,
    result,
    sent,
    received,
    as_approved: asApproved,
    action_digest: actionDigest,
    idempotency_key: key,
  }: OutcomeWire,
  caller: Caller,
): Promise<Result<JsonObject, Problem>> {
  // Whoever executes says how it ended; a person may close what nobody has closed.
  const reviewer = caller.holder.kind === "person" && caller.scopes.has("review");
  const lacking = reviewer ? null : demand(caller, "outcome");
  if (lacking !== null) return err(lacking);
  if (key !== undefined && findSecrets(key).length > 0) return err(secretAt("/idempotency_key"));
  const own = reviewer ? ok(null) : await mayActOn(decisions, id, caller);
  if (!own.ok) return own;
  const told = await lifecycle.reportOutcome({
    ...acting(caller),
    decision: id,
    result,
    asApproved,
    ...given("sent", sent),
    ...given("received", received),
    ...given("actionDigest", actionDigest),
    ...given("idempotencyKey", key),
  });
  if (!told.ok) return err(problemOfFault(told.error));
  return ok({ id, result, money: told.value.money, breaker: told.value.breaker });
}
