import { isObject, type JsonObject, type JsonValue } from "@countersign/core";
import type { ScreenAnswerWire, ScreenRequestWire } from "../native/screen.ts";
import type { RemoteError, Transport } from "./transport.ts";

export type ScreenRequest = ScreenRequestWire;

/**
 * What to do with a text. A fault stops it: there is no way to get anything else out of a gate that did not answer.
 * `deliver_with_advice` puts `answer.advice` before it, `hold_back` and `stop` put it in its place.
 */
export type Screening =
  | { readonly kind: "answer"; readonly do: ScreenAnswerWire["do"]; readonly answer: ScreenAnswerWire }
  | { readonly kind: "fault"; readonly do: "stop"; readonly error: RemoteError };

const MUST: Readonly<Record<ScreenAnswerWire["verdict"], ScreenAnswerWire["do"]>> = {
  pass: "deliver",
  warn: "deliver_with_advice",
  quarantine: "hold_back",
  block: "stop",
};

/** Never rejects. A key is made where there is none, so that trying again never screens twice. */
export async function screen(send: Transport, request: ScreenRequest): Promise<Screening> {
  try {
    const key = request.idempotency_key ?? globalThis.crypto.randomUUID();
    const answer = await send("POST", "/v1/screen", { ...request, idempotency_key: key } as unknown as JsonValue);
    return answer.ok ? screeningOf(answer.value) : fault(answer.error);
  } catch {
    return fault({ code: "client.request_malformed", message: "the question cannot be written as JSON" });
  }
}

function screeningOf(answer: JsonObject): Screening {
  const { id, verdict, findings } = answer;
  const whole =
    typeof id === "string" &&
    typeof verdict === "string" &&
    Object.hasOwn(MUST, verdict) &&
    answer["do"] === MUST[verdict as keyof typeof MUST] &&
    Array.isArray(findings) &&
    findings.every(isObject);
  if (!whole) return fault({ code: "client.answer_malformed", message: "the gate's answer is not one of a gate" });
  const read = answer as unknown as ScreenAnswerWire;
  return { kind: "answer", do: read.do, answer: read };
}

const fault = (error: RemoteError): Screening => ({ kind: "fault", do: "stop", error });
