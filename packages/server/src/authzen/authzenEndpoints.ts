import {
  actionOf,
  authzenMetadata,
  type Evaluation,
  endsAt,
  evaluationInput,
  evaluationOutput,
  evaluationsInput,
  evaluationsOutput,
  type Problem,
  problemOf,
  problemOfFault,
  readEvaluation,
  readEvaluations,
  writeEvaluation,
  writeFailed,
  writeRefused,
} from "@countersign/api";
import {
  type Agents,
  err,
  type Gate,
  type JsonObject,
  type JsonValue,
  ok,
  type PolicySource,
  type Result,
} from "@countersign/core";
import { type Caller, principalOf } from "../caller.ts";
import type { Endpoint, EndpointAnswer, EndpointRequest } from "../route/endpoint.ts";
import type { Operation } from "../route/operation.ts";

export interface AuthzenFace {
  readonly gate: Gate;
  readonly store: Agents;
  /** Its section `tools` says what resources of other types are. */
  readonly policies: PolicySource;
  /** The gate's name. Where it is an address, `https://gate.example`, the metadata names it; else the host asked for. */
  readonly issuer: string;
}

type Answered = Promise<Result<EndpointAnswer, Problem>>;

const operation = (
  method: Operation["method"],
  path: string,
  title: string,
  description: string,
  [input, output]: readonly [JsonObject | null, JsonObject],
): Operation => ({ method, path, group: "authzen", title, description, input, output, sold: false });

/** A request's own id comes back, and a body of another type is a bad request. */
const AS_SPECIFIED = { echoesRequestId: true, otherBodies: 400 } as const;

/** The OpenID AuthZEN Authorization API 1.0. The subject is the agent; every evaluation is a decision, and recorded. */
export const authzenEndpoints = (face: AuthzenFace): readonly Endpoint[] => [
  {
    operation: operation(
      "POST",
      "/access/v1/evaluation",
      "Evaluate an access",
      "Permitted or not; verdict, reasons, findings, hold, receipt and remedy are in `context`.",
      [evaluationInput, evaluationOutput],
    ),
    needs: ["decide"],
    ...AS_SPECIFIED,
    answer: (request) => one(face, request, request.body ?? null),
  },
  {
    operation: operation(
      "POST",
      "/access/v1/evaluations",
      "Evaluate several accesses",
      "Each by itself and in order, up to where `options.evaluations_semantic` says that it is enough.",
      [evaluationsInput, evaluationsOutput],
    ),
    needs: ["decide"],
    ...AS_SPECIFIED,
    answer: (request) => several(face, request),
  },
  {
    operation: operation("GET", metadataPath(face.issuer), "AuthZEN metadata", "Where the evaluation endpoints are.", [
      null,
      { type: "object" },
    ]),
    needs: null,
    answer: async ({ header }) => ok({ body: authzenMetadata(baseOf(face.issuer, header("host"))) }),
  },
];

/** Behind the path of the gate's name, where it has one. */
const metadataPath = (issuer: string): string => {
  const [, path = ""] = /^https?:[/]{2}[^/]+(.*?)[/]*$/.exec(issuer) ?? [];
  return `/.well-known/authzen-configuration${path}`;
};

/** The host of a request is one that the server knows itself by. */
const baseOf = (issuer: string, host: string | undefined): string =>
  /^https?:[/]{2}/.test(issuer) ? issuer.replace(/[/]+$/, "") : `http://${host ?? "localhost"}`;

async function one(face: AuthzenFace, request: EndpointRequest, body: JsonValue): Answered {
  const evaluation = readEvaluation(body);
  if (!evaluation.ok) return evaluation;
  const answer = await evaluate(face, request.caller, evaluation.value);
  return answer.ok ? ok({ body: answer.value }) : answer;
}

async function several(face: AuthzenFace, request: EndpointRequest): Answered {
  const read = readEvaluations(request.body ?? null);
  if (!read.ok) return read;
  const { evaluations, semantic } = read.value;
  if (evaluations === null) return one(face, request, request.body ?? null);
  const answers: JsonObject[] = [];
  for (const asked of evaluations) {
    const evaluation = readEvaluation(asked);
    const answer = evaluation.ok ? await evaluate(face, request.caller, evaluation.value) : evaluation;
    const written = answer.ok ? answer.value : writeFailed(answer.error);
    answers.push(written);
    if (endsAt(semantic, written["decision"] === true)) break;
  }
  return ok({ body: { evaluations: answers } });
}

async function evaluate(
  { gate, store, policies }: AuthzenFace,
  caller: Caller,
  evaluation: Evaluation,
): Promise<Result<JsonObject, Problem>> {
  const principal = await principalOf(caller, evaluation.subject.id, store);
  if (!principal.ok) return principal;
  const policy = await policies.effective(principal.value);
  if (!policy.ok) return err(problemOfFault(policy.error));
  const action = actionOf(evaluation, policy.value?.tools ?? []);
  if (!action.ok) return action;
  if ("refused" in action.value) return ok(writeRefused(action.value.refused));
  const answer = await gate.decide({ principal: principal.value, action: action.value });
  return answer.ok ? ok(writeEvaluation(answer.value, evaluation)) : err(asFault(problemOfFault(answer.error)));
}

/** No decision was reached: whatever the code's own status, this interface says so with 5xx. */
const asFault = (problem: Problem): Problem =>
  problem.status >= 500 ? problem : { ...problemOf("internal"), detail: problem.detail };
