import {
  type Action,
  type ExactJson,
  type ExactObject,
  evaluateByLoop,
  findCredentialHints,
  type HexSha256,
  hasEnded,
  type Instant,
  type JsonObject,
  type Kind,
  type Mandate,
  type MandateReceipt,
  type MandateResult,
  type MandateStatement,
  mandateActionDigest,
  mandateDigest,
  nearMissText,
  parseDecimal,
  percentDecoded,
  quoted,
  type Signer,
  type Subject,
  sha256Hex,
  signMandateReceipt,
  subjectOf,
  toDoubles,
  zero,
} from "@countersign/core";
import { inputFaults } from "../../schema/inputFaults.ts";
import { isDeeperThan, isObject, MOST_LEVELS } from "./bounds.ts";
import { isBlank, readMandate } from "./readMandate.ts";
import { conformance, credentialPaths, joined } from "./reasons.ts";
import { CHECK_ACTION, requestSchema } from "./schema.ts";

export interface MandateDeps {
  readonly now: Instant;
  /** The key for receipts of this dialect, which signs nothing else. Without it answers carry no receipt. */
  readonly signer?: Signer;
  readonly sha256?: HexSha256;
  /** Keeps what is about to be signed. Nothing is signed, and nothing permitted, when it rejects. */
  readonly record?: (advice: MandateStatement) => Promise<void>;
}

type Outcome = MandateStatement["outcome"] | "error";

/** Judged, before digests and receipt. */
interface Judged {
  readonly outcome: Outcome;
  readonly reason: string;
  readonly ref?: string;
  readonly result?: MandateResult;
}

/**
 * Judges a request by the mandate beside it. An unsound mandate, and whatever else cannot be judged, is an `error`; a
 * sound mandate with a request that is not sound is a `deny`. Never rejects.
 * @param input what our own reader made of the bytes, in the mode "exact"
 */
export async function checkAction(input: ExactJson, deps: MandateDeps): Promise<JsonObject> {
  try {
    const judged = judge(input, deps.now);
    return judged.outcome === "error" ? answer(judged) : await bound(judged, input as ExactObject, deps);
  } catch {
    // The text of what was thrown may carry content of the request.
    return answer(error("the request could not be evaluated"));
  }
}

const error = (reason: string): Judged => ({ outcome: "error", reason });

function judge(input: ExactJson, now: Instant): Judged {
  if (!isObject(input)) return error("the input is not an object");
  if (isDeeperThan(input, MOST_LEVELS)) return error(`the input nests deeper than ${MOST_LEVELS} levels`);
  const { mandate: written, action } = input;
  if (!isObject(written)) return error("the mandate is not an object");
  const { problems, mandate } = readMandate(written);
  if (problems.length > 0) return error(joined(problems));
  const [unknown] = inputFaults({ ...CHECK_ACTION.inputSchema, properties: { mandate: {}, action: {} } }, input);
  if (unknown !== undefined) return error(`the input ${conformance(unknown)}`);
  if (!isObject(action)) return error("the request is not an object");
  return { ref: mandate.id, ...judgeRequest(mandate, action, written["not_valid_after"], now) };
}

function judgeRequest(mandate: Mandate, request: ExactObject, expiry: ExactJson | undefined, now: Instant): Judged {
  const deny = (reason: string): Judged => ({ outcome: "deny", reason });
  const faults = inputFaults(requestSchema, request);
  if (faults.length > 0) return deny(joined(faults.map((fault) => `the request ${conformance(fault)}`)));
  if (mandate.expires !== undefined && hasEnded(mandate.expires, now)) {
    return deny(`the mandate expired at ${String(expiry)}`);
  }
  const plain = toDoubles(request) as unknown as Request;
  if (isBlank(plain.requested_by.agent)) return deny("the request does not name a requesting agent");
  if (isBlank(plain.justification)) return deny("the request carries no justification");
  if (hasParentSegment(plain.operation.target)) {
    return deny("the target contains a parent-directory segment, as written or once it is percent-decoded");
  }
  const credentials = findCredentialHints(toDoubles(request), "action");
  if (credentials.length > 0) {
    return deny(`the request appears to carry a credential at ${credentialPaths(credentials, "action")}`);
  }
  return judgeOperation(mandate, plain.operation);
}

/** A request that conforms to the schema. */
interface Request {
  readonly requested_by: { readonly agent: string };
  readonly justification: string;
  readonly operation: Operation;
}

interface Operation {
  readonly kind: Kind;
  readonly verb: string;
  readonly target: string;
  readonly counterparty?: string;
  readonly amount?: { readonly value: string; readonly currency: string };
}

const hasParentSegment = (target: string): boolean => percentDecoded(target).text.split(/[/\\]/).includes("..");

function judgeOperation(mandate: Mandate, { kind, verb, target, counterparty, amount }: Operation): Judged {
  const value = amount === undefined ? undefined : parseDecimal(amount.value);
  // What is not a plain decimal stands for the smallest amount: whatever would compare it matches that one.
  const read = value?.ok === false ? zero : value?.value;
  const action: Action = {
    kind,
    verb,
    target,
    ...(counterparty === undefined ? {} : { counterparty }),
    ...(amount === undefined || read === undefined ? {} : { amount: { amount: read, currency: amount.currency } }),
  };
  const subject = subjectOf(action, mandate);
  if (!subject.ok) throw new Error("a target of the dialect has no normal form to fail");
  const result = evaluateByLoop(mandate, subject.value);
  if (value?.ok === false && result.clause?.match.maxAmount !== undefined) {
    const id = quoted(result.clause.id);
    return error(`the request amount is not a plain non-negative decimal, and clause ${id} has to compare it`);
  }
  return { outcome: OUTCOMES[result.effect], reason: reasonOf(result, subject.value), result };
}

const OUTCOMES = { allow: "permit", review: "escalate", block: "deny" } as const;

function reasonOf(result: MandateResult, subject: Subject): string {
  const { clause, lifted, nearMissCount } = result;
  if (clause === undefined) {
    return nearMissCount === 0
      ? `no clause covers a '${subject.kind}' operation, so the mandate default applies`
      : `no clause matched, so the mandate default applies; the closest were ${nearMissText(result, subject)}`;
  }
  const id = quoted(clause.id);
  return lifted
    ? `clause ${id} permits this, but kind '${subject.kind}' always requires a person`
    : `clause ${id} applies`;
}

/** Bound to the request and the mandate by their digests, recorded, and signed. */
async function bound(judged: Judged, input: ExactObject, deps: MandateDeps): Promise<JsonObject> {
  const { now, signer, sha256 = sha256Hex, record } = deps;
  const actionDigest = mandateActionDigest(input["action"] ?? null, sha256);
  if (judged.outcome === "error" || (signer === undefined && record === undefined)) return answer(judged, actionDigest);
  const { outcome, ref, result } = judged;
  const statement: MandateStatement = {
    outcome,
    actionDigest,
    mandateDigest: mandateDigest(input["mandate"] ?? null, sha256),
    issuedAt: now,
    ...(result?.clause === undefined ? {} : { clause: result.clause.id }),
    ...(ref === undefined ? {} : { mandateRef: ref }),
  };
  try {
    await record?.(statement);
  } catch {
    return answer(error("the answer could not be recorded, and what is not recorded is not given"));
  }
  if (signer === undefined) return answer(judged, actionDigest);
  try {
    return answer(judged, actionDigest, await signMandateReceipt(statement, signer));
  } catch {
    return answer(error("the answer could not be signed"));
  }
}

function answer({ outcome, reason, ref, result }: Judged, actionDigest?: string, receipt?: MandateReceipt): JsonObject {
  const clause = result?.clause;
  return {
    schema_version: "0.1-draft",
    outcome,
    reason,
    ...(clause === undefined ? {} : { clause: clause.id }),
    ...(clause?.note === undefined || clause.note === "" ? {} : { clause_note: clause.note }),
    ...(ref === undefined || outcome === "error" ? {} : { mandate_ref: ref }),
    ...(actionDigest === undefined ? {} : { action_digest: actionDigest }),
    ...(receipt === undefined ? {} : { receipt: { ...receipt } }),
  };
}
