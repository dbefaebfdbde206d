import {
  digest,
  err,
  type HexSha256,
  type Instant,
  isObject,
  type JsonObject,
  type JsonValue,
  ok,
  type Result,
  type SchemaCache,
  type Verdict,
} from "@countersign/core";
import { invalid, type Problem, problemOf } from "../../problem.ts";
import { type InputSchema, inputFaults } from "../../schema/inputFaults.ts";
import { judgePayload, MISSING_PAYLOAD, type PayloadCheck, SKIPPED_PAYLOAD } from "./payload.ts";
import { judgePrompt, type PromptCheck, type Signals, SKIPPED_PROMPT } from "./prompt.ts";
import { actionGateInput } from "./schema.ts";
import { judgeSpend, SKIPPED_SPEND } from "./spend.ts";
import { judgeActionUrl, SKIPPED_URL } from "./url.ts";

/** What is recorded and signed of an answer: digests, and nothing of what was asked. */
export interface AdviceGiven {
  readonly dialect: "action-gate";
  readonly verdict: Verdict;
  readonly codes: readonly string[];
  /** `sha256:<hex>` */
  readonly actionDigest: string;
  /** `sha256:<hex>` of the mandate, schema and settings that it was judged by. */
  readonly policyDigest: string;
}

export interface ActionGateDeps {
  readonly now: Instant;
  /** `published-and-own` unless the operator wants the answers of other implementations, hash for hash. */
  readonly signals: Signals;
  readonly sha256: HexSha256;
  /** Of this caller alone: see `createSchemaCache`. */
  readonly schemas: SchemaCache;
  /** Records the advice, then signs it; null where the gate has no key for advice. When it fails there is no answer. */
  readonly advise: ((advice: AdviceGiven) => Promise<Result<string, Problem>>) | null;
}

/**
 * Judges what comes with a proposed action: texts, URL, payload and payment, each only where it is given.
 * Fails with `request.invalid`, with the code of the recorder, or with `internal`; every error means BLOCK.
 */
export async function actionGate(input: JsonValue, deps: ActionGateDeps): Promise<Result<JsonObject, Problem>> {
  const request = readRequest(input);
  if (!request.ok) return request;
  try {
    const judged = await judge(request.value, deps);
    return judged.ok ? await write(request.value, judged.value, deps) : judged;
  } catch {
    // The text of the error may carry content of the call.
    return err(refusal(problemOf("internal")));
  }
}

/** What is wrong with a request, without answering it; null when nothing is. What `actionGate` refuses as invalid. */
export function actionGateRefusal(input: JsonValue, now: Instant): Problem | null {
  const request = readRequest(input);
  if (!request.ok) return request.error;
  const spend = spendOf(request.value, now);
  return spend.ok ? null : spend.error;
}

/** The six members that are looked at and hashed, in the order of the hash. Null where there is nothing. */
interface ActionGateRequest {
  readonly action: JsonObject | null;
  readonly untrusted_text: string | null;
  readonly url: string | null;
  readonly payload: JsonObject | null;
  readonly schema: JsonObject | null;
  readonly spend: JsonObject | null;
}

/** Other members are passed over, as the published interface does, and are in no hash. */
function readRequest(input: JsonValue): Result<ActionGateRequest, Problem> {
  const given = isObject(input) ? Object.entries(input).filter(([, value]) => value !== null) : [];
  const [first, ...rest] = inputFaults(REQUEST, isObject(input) ? Object.fromEntries(given) : input);
  if (first !== undefined) return err(refusal(invalid([first, ...rest])));
  const { action, untrusted_text, url, payload, schema, spend } = Object.fromEntries(
    given,
  ) as Partial<ActionGateRequest>;
  return ok({
    action: action ?? null,
    untrusted_text: untrusted_text ?? null,
    url: url ?? null,
    payload: payload ?? null,
    schema: schema ?? null,
    spend: spend ?? null,
  });
}

const REQUEST: InputSchema = {
  ...actionGateInput,
  properties: {
    ...actionGateInput.properties,
    action: { type: "object", properties: { description: { type: ["string", "null"] } } },
  },
};

interface Judged {
  readonly decision: "ALLOW" | "REVIEW" | "BLOCK";
  readonly codes: readonly string[];
  readonly checks: JsonObject;
}

async function judge(request: ActionGateRequest, deps: ActionGateDeps): Promise<Result<Judged, Problem>> {
  const spend = spendOf(request, deps.now);
  if (!spend.ok) return spend;
  const prompt = promptOf(request, deps.signals);
  const url = request.url === null || request.url === "" ? SKIPPED_URL : judgeActionUrl(request.url);
  const payload = await payloadOf(request, deps);
  const hard = [
    ...(prompt.code === "prompt_injection_high_signal" ? [prompt.code] : []),
    ...(url.verdict === "block" ? url.codes : []),
    ...(payload.code === null ? [] : [payload.code]),
    ...spend.value.codes,
  ];
  const soft = [
    ...(prompt.code === "prompt_injection_medium_signal" ? [prompt.code] : []),
    ...(url.verdict === "review" ? url.codes : []),
  ];
  return ok({
    decision: hard.length > 0 ? "BLOCK" : soft.length > 0 ? "REVIEW" : "ALLOW",
    codes: hard.length > 0 ? hard : soft,
    checks: { prompt: prompt.check, url: url.check, payload: payload.check, spend: spend.value.check },
  });
}

function spendOf({ spend }: ActionGateRequest, now: Instant) {
  const judged = spend === null ? ok(SKIPPED_SPEND) : judgeSpend(spend, now);
  return judged.ok ? judged : err(refusal(invalid([judged.error])));
}

/** Name and effect of an action are never searched. */
function promptOf({ action, untrusted_text }: ActionGateRequest, signals: Signals): PromptCheck {
  const description = action !== null && Object.hasOwn(action, "description") ? action["description"] : null;
  const texts = [description, untrusted_text].filter((text) => typeof text === "string" && text !== "");
  return texts.length === 0 ? SKIPPED_PROMPT : judgePrompt(texts.join("\n"), signals);
}

async function payloadOf({ payload, schema }: ActionGateRequest, { schemas }: ActionGateDeps): Promise<PayloadCheck> {
  if (schema === null) return SKIPPED_PAYLOAD;
  return payload === null ? MISSING_PAYLOAD : judgePayload(payload, schema, schemas);
}

const VERDICT = { ALLOW: "allow", REVIEW: "review", BLOCK: "block" } as const satisfies Record<
  Judged["decision"],
  Verdict
>;

const LIMITATION =
  "static checks of what was sent, and nothing else: ALLOW does not say that the action is safe, permitted or will succeed";

async function write(
  request: ActionGateRequest,
  { decision, codes, checks }: Judged,
  { sha256, advise, signals }: ActionGateDeps,
): Promise<Result<JsonObject, Problem>> {
  const requestHash = sha256(JSON.stringify(request));
  const receiptHash = sha256(JSON.stringify({ request_sha256: requestHash, decision, reason_codes: codes, checks }));
  const answer = {
    decision,
    reason_codes: codes,
    checks,
    request_sha256: requestHash,
    receipt_sha256: receiptHash,
    limitation: LIMITATION,
  };
  if (advise === null) return ok(answer);
  const receipt = await advise({
    dialect: "action-gate",
    verdict: VERDICT[decision],
    codes,
    actionDigest: `sha256:${requestHash}`,
    policyDigest: digest("countersign-policy-v1", policyOf(request, signals), sha256),
  });
  return receipt.ok ? ok({ ...answer, receipt: receipt.value }) : err(refusal(receipt.error));
}

/** What came in the call to judge by, as against what was to be judged. */
const policyOf = ({ schema, spend }: ActionGateRequest, signals: Signals): JsonObject => ({
  schema,
  mandate: spend !== null && Object.hasOwn(spend, "mandate") ? (spend["mandate"] ?? null) : null,
  signals,
});

/** Clients of this interface read the member `error`. */
const refusal = (problem: Problem): Problem => ({ ...problem, error: problem.detail });
