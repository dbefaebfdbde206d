import { err, isObject, type JsonObject, type JsonValue, ok, type Result } from "@countersign/core";
import type { Evaluation } from "../dialect/authzen/authzen.ts";
import { redeemDecision } from "../native/decisions.ts";
import type { InputOf, NativeOperation } from "../native/operation.ts";
import type { AnswerWire, DecisionRequestWire, DecisionSummaryWire, OutcomeWire } from "../native/schema.ts";
import { reportOutcomeTool } from "../native/tools.ts";
import { type KeySet, readJwks } from "../receipt/keySet.ts";
import type { ReceiptError } from "../receipt/receiptError.ts";
import {
  type Evaluated,
  type EvaluationsRequest,
  evaluate,
  evaluateAll,
  type SeveralEvaluated,
} from "./authzenClient.ts";
import { callOperation } from "./callOperation.ts";
import { type CardsClient, cardsClient } from "./cardsClient.ts";
import { type PoliciesClient, policiesClient } from "./policiesClient.ts";
import { type Screening, type ScreenRequest, screen } from "./screenClient.ts";
import { createTransport, type Fetch, type RemoteError } from "./transport.ts";

export interface ClientOptions {
  /** `http://127.0.0.1:8402`; a path below it is kept. */
  readonly baseUrl: string;
  /** The API key; without one the gate knows the caller as `local`, and only on its own machine. */
  readonly key?: string;
  /** The runtime's own unless told otherwise. */
  readonly fetch?: Fetch;
  /** Of one try, in milliseconds; 10,000 unless told otherwise. */
  readonly timeout?: number;
}

/** A question; a key is made for it where there is none, so that trying again never asks twice. */
export type DecideRequest = Omit<DecisionRequestWire, "idempotency_key"> & { readonly idempotency_key?: string };

/**
 * What to do. `proceed` is true for an allow, and for any verdict while the operator only observes. A fault is a block:
 * there is no way to get anything else out of a gate that did not answer.
 */
export type Decision =
  | {
      readonly kind: "answer";
      readonly proceed: boolean;
      readonly verdict: AnswerWire["verdict"];
      readonly answer: AnswerWire;
    }
  | { readonly kind: "fault"; readonly proceed: false; readonly verdict: "block"; readonly error: RemoteError };

export interface Client {
  /** Asks before acting. Never rejects and never throws: whatever goes wrong is a block. */
  decide(request: DecideRequest): Promise<Decision>;
  /** What was decided under an id. */
  decision(id: string): Promise<Result<DecisionSummaryWire, RemoteError>>;
  /** Claims an allow just before it is executed. Only an `ok` says that it may be. */
  redeem(id: string, actionDigest: string): Promise<Result<JsonObject, RemoteError>>;
  /** Says how it ended. */
  outcome(told: Omit<OutcomeWire, "idempotency_key">): Promise<Result<JsonObject, RemoteError>>;
  /** What to do with a text that reaches or leaves the agent. Never rejects and never throws: whatever goes wrong stops it. */
  screen(request: ScreenRequest): Promise<Screening>;
  /** As AuthZEN asks. Never rejects and never throws: whatever goes wrong denies. */
  evaluate(request: Evaluation): Promise<Evaluated>;
  /** Several at once, as AuthZEN asks; one answer for each. */
  evaluations(request: EvaluationsRequest): Promise<SeveralEvaluated>;
  readonly policies: PoliciesClient;
  readonly cards: CardsClient;
  /** Any operation of the gate, with the input that it takes. Tried again only where that does no harm. */
  call<O extends NativeOperation>(operation: O, input: InputOf<O>): Promise<Result<JsonObject, RemoteError>>;
  /** The keys of the gate's receipts, for `verifyReceipt`. */
  keys(): Promise<Result<KeySet, RemoteError | ReceiptError>>;
}

/** Throws a `TypeError` when the base URL is none, or is one to which a key must not be sent. */
export function createClient(options: ClientOptions): Client {
  const send = createTransport(options);
  return {
    async decide(request) {
      try {
        const key = request.idempotency_key ?? globalThis.crypto.randomUUID();
        const answer = await send("POST", "/v1/decisions", {
          ...request,
          idempotency_key: key,
        } as unknown as JsonValue);
        return answer.ok ? decisionOf(answer.value) : fault(answer.error);
      } catch {
        // A question that is no JSON, such as one that contains itself or a BigInt.
        return fault({ code: "client.request_malformed", message: "the question cannot be written as JSON" });
      }
    },
    async decision(id) {
      const answer = await send("GET", `/v1/decisions/${encodeURIComponent(id)}`);
      if (!answer.ok) return answer;
      return answer.value["id"] === id ? ok(answer.value as unknown as DecisionSummaryWire) : err(MALFORMED);
    },
    redeem: (id, actionDigest) =>
      callOperation(send, redeemDecision, {
        id,
        action_digest: actionDigest,
        idempotency_key: globalThis.crypto.randomUUID(),
      }),
    outcome: (told) =>
      callOperation(send, reportOutcomeTool, { ...told, idempotency_key: globalThis.crypto.randomUUID() }),
    screen: (request) => screen(send, request),
    evaluate: (request) => evaluate(send, request),
    evaluations: (request) => evaluateAll(send, request),
    policies: policiesClient(send),
    cards: cardsClient(send),
    call: (operation, input) => callOperation(send, operation, input as { readonly [name: string]: unknown }),
    async keys() {
      const answer = await send("GET", "/.well-known/jwks.json");
      return answer.ok ? readJwks(answer.value) : answer;
    },
  };
}

/**
 * Members that a later gate adds are passed over. What decides is looked at strictly: anything but a whole answer of
 * this form is a fault.
 */
function decisionOf(answer: JsonObject): Decision {
  const { id, verdict, enforcement, findings } = answer;
  const whole =
    typeof id === "string" &&
    (verdict === "allow" || verdict === "review" || verdict === "block") &&
    (enforcement === "enforce" || enforcement === "observe") &&
    Array.isArray(findings) &&
    findings.every((finding) => isObject(finding) && typeof finding["code"] === "string");
  if (!whole) return fault(MALFORMED);
  const proceed = verdict === "allow" || enforcement === "observe";
  return { kind: "answer", proceed, verdict, answer: answer as unknown as AnswerWire };
}

const MALFORMED: RemoteError = { code: "client.answer_malformed", message: "the gate's answer is not one of a gate" };

const fault = (error: RemoteError): Decision => ({ kind: "fault", proceed: false, verdict: "block", error });
