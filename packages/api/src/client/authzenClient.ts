import { isObject, type JsonObject, type JsonValue, type Result } from "@countersign/core";
import type { Evaluation } from "../dialect/authzen/authzen.ts";
import type { Semantic } from "../dialect/authzen/schema.ts";
import type { RemoteError, Transport } from "./transport.ts";

/** Several evaluations; what stands outside of them is what each says where it says nothing. */
export interface EvaluationsRequest extends Partial<Evaluation> {
  readonly evaluations: readonly Partial<Evaluation>[];
  readonly options?: { readonly evaluations_semantic?: Semantic };
}

/** Permitted or not. A fault denies: only `decision` that is true permits anything. */
export type Evaluated =
  | { readonly kind: "answer"; readonly decision: boolean; readonly context: JsonObject }
  | { readonly kind: "fault"; readonly decision: false; readonly error: RemoteError };

/** One for each that was asked. What the semantics left out was not judged, and is denied. */
export type SeveralEvaluated =
  | { readonly kind: "answer"; readonly evaluations: readonly Evaluated[] }
  | { readonly kind: "fault"; readonly error: RemoteError; readonly evaluations: readonly Evaluated[] };

/** Never rejects. Sent once: each evaluation is a decision, and asking again is another one. */
export async function evaluate(send: Transport, request: Evaluation): Promise<Evaluated> {
  const answer = await asked(send, "/access/v1/evaluation", request as unknown as JsonValue);
  return answer.ok ? evaluatedOf(answer.value) : fault(answer.error);
}

/** Never rejects. Sent once, as `evaluate` is. */
export async function evaluateAll(send: Transport, request: EvaluationsRequest): Promise<SeveralEvaluated> {
  const { evaluations } = request;
  const all = (error: RemoteError): SeveralEvaluated => ({
    kind: "fault",
    error,
    evaluations: evaluations.map(() => fault(error)),
  });
  // The gate answers an empty list as the single evaluation that stands outside of it.
  if (evaluations.length === 0) return { kind: "answer", evaluations: [] };
  const answer = await asked(send, "/access/v1/evaluations", request as unknown as JsonValue);
  if (!answer.ok) return all(answer.error);
  const given = answer.value["evaluations"];
  if (!Array.isArray(given) || given.length > evaluations.length) return all(MALFORMED);
  return {
    kind: "answer",
    evaluations: evaluations.map((_, place) =>
      place < given.length ? evaluatedOf((given as readonly JsonValue[])[place] ?? null) : fault(LEFT_OUT),
    ),
  };
}

async function asked(send: Transport, path: string, body: JsonValue): Promise<Result<JsonObject, RemoteError>> {
  try {
    return await send("POST", path, body, "unsafe");
  } catch {
    const message = "the question cannot be written as JSON";
    return { ok: false, error: { code: "client.request_malformed", message } };
  }
}

function evaluatedOf(answer: JsonValue): Evaluated {
  if (!isObject(answer) || typeof answer["decision"] !== "boolean") return fault(MALFORMED);
  const context = answer["context"] ?? {};
  return isObject(context) ? { kind: "answer", decision: answer["decision"], context } : fault(MALFORMED);
}

const MALFORMED: RemoteError = { code: "client.answer_malformed", message: "the gate's answer is not one of a gate" };
const LEFT_OUT: RemoteError = {
  code: "client.not_evaluated",
  message: "an evaluation before this one was enough, and this one was not made",
};

const fault = (error: RemoteError): Evaluated => ({ kind: "fault", decision: false, error });
