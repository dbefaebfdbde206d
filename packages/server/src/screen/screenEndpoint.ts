import { type Problem, problemOfFault, readInput, screenText, writeScreening } from "@countersign/api";
import {
  type Agents,
  type Answer,
  err,
  type Gate,
  type JsonObject,
  type MaterialText,
  ok,
  type Result,
  scanOf,
} from "@countersign/core";
import { type Caller, observedBy, principalOf } from "../caller.ts";
import { given } from "../lifecycle/decisions.ts";
import type { Endpoint, EndpointAnswer, EndpointRequest } from "../route/endpoint.ts";
import { dialectOperation } from "../route/openapi.ts";

export interface ScreenFace {
  readonly gate: Gate;
  readonly store: Agents;
}

/** `POST /v1/screen`: one text, scored, decided by the policy in force, and recorded. */
export const screenEndpoint = (face: ScreenFace): Endpoint => ({
  operation: dialectOperation("screen", screenText),
  needs: screenText.needs,
  answer: (request) => screen(face, request),
});

const SIGNALS_SHOWN = 8;

async function screen(
  { gate, store }: ScreenFace,
  { caller, body }: EndpointRequest,
): Promise<Result<EndpointAnswer, Problem>> {
  const input = readInput(screenText, body ?? null);
  if (!input.ok) return input;
  const { agent, surface, text, source, from, session, idempotency_key } = input.value;
  const principal = await principalOf(caller, agent, store);
  if (!principal.ok) return principal;
  const written = { surface, text, ...given("source", source), ...given("from", from) } as MaterialText;
  const material = observedBy(caller, { texts: [written] });
  const words = material.texts?.[0] ?? written;
  const answer = await gate.decide({
    principal: principal.value,
    material,
    ...given("session", session),
    ...given("idempotencyKey", idempotency_key),
  });
  if (!answer.ok) return refused(answer.error);
  const signals = maySeeSignals(caller, answer.value) ? scanOf(words).signals.slice(0, SIGNALS_SHOWN) : [];
  return ok({
    body: writeScreening({ answer: answer.value, surface, source, signals, fromCounted: words.from !== undefined }),
  });
}

/** What gives a text away tells its author how to write the next one. */
const maySeeSignals = ({ holder }: Caller, { screening }: Answer): boolean =>
  holder.kind !== "agent" && screening?.some(({ band, trusted }) => band !== "pass" && trusted === undefined) === true;

/** A fault weighs as block: whoever reads the verdict alone is told so, and the status says the same. */
function refused(fault: { readonly code: string; readonly message: string }): Result<EndpointAnswer, Problem> {
  const problem = problemOfFault(fault);
  if (problem.status < 500) return err(problem);
  return ok({ status: problem.status, body: { ...problem, verdict: "block", do: "stop" } as unknown as JsonObject });
}
