import { type JsonErrorCode, type LedgerError, redact } from "@countersign/core";
import type { ReceiptErrorCode } from "./receipt/receiptError.ts";

/** What a face itself refuses, before anything is decided. */
export type FaceErrorCode =
  | "request.malformed"
  | "request.invalid"
  | "request.empty"
  | "request.incomplete"
  | "request.timeout"
  | "request.too_large"
  | "request.head_too_large"
  | "request.media_type"
  | "request.expectation"
  | "route.unknown"
  | "method.refused"
  | "tool.unknown"
  | "host.refused"
  | "origin.refused"
  | "credential.missing"
  | "credential.unknown"
  | "credential.scope"
  | "identity.mismatch"
  | "rate.limited"
  | "agent.unknown"
  | "policy.unknown"
  | "policy.malformed"
  | "policy.twin"
  | "yaml.malformed"
  | "yaml.refused"
  | "yaml.too_deep"
  | "exemption.unknown"
  | "precondition.missing"
  | "precondition.malformed"
  | "payment.required"
  | "payment.malformed"
  | "payment.refused"
  | "payment_already_used"
  | "payment.in_progress"
  | "payment.unknown"
  | "payment.unavailable"
  | "facts.timeout"
  | "policy.unavailable"
  | "hold.token_refused"
  | "hold.not_shown"
  | "webhook.in_use"
  | "log.unknown"
  | "events.beyond"
  | "signer.failed"
  | "gate.stopping"
  | "internal";

/** Every code that an answer of any face can carry as an error. Public: added, never changed. */
export type ErrorCode = FaceErrorCode | JsonErrorCode | LedgerError["code"] | ReceiptErrorCode;

/** HTTP status and title of each error. A code that is not here does not compile. */
const PROBLEMS = {
  "request.malformed": [400, "the request is malformed"],
  "request.invalid": [400, "the request is not as its schema says"],
  "request.empty": [400, "the request has no body"],
  "request.incomplete": [400, "the request ended too early"],
  "request.timeout": [408, "the request took too long to arrive"],
  "request.too_large": [413, "the request is too large"],
  "request.head_too_large": [431, "the head of the request is too large"],
  "request.media_type": [415, "the body is not of a type that is read here"],
  "request.expectation": [417, "the request expects what is not promised here"],
  "route.unknown": [404, "there is nothing at this address"],
  "method.refused": [405, "this address does not take that method"],
  "tool.unknown": [404, "there is no tool of this name"],
  "host.refused": [421, "the request names a host that this server is not"],
  "origin.refused": [403, "requests from this web origin are not taken"],
  "credential.missing": [401, "a credential is needed"],
  "credential.unknown": [401, "the credential is not known"],
  "credential.scope": [403, "the credential does not reach that far"],
  "identity.mismatch": [403, "the credential does not speak for this agent"],
  "rate.limited": [429, "too many requests"],
  "agent.unknown": [404, "there is no agent of this name"],
  "policy.unknown": [404, "there is no policy of this name"],
  "policy.malformed": [400, "the policy cannot be read"],
  "policy.twin": [409, "another scope has nearly this id"],
  "yaml.malformed": [400, "the body is not YAML"],
  "yaml.refused": [400, "the YAML holds what is not read here"],
  "yaml.too_deep": [400, "the YAML is nested too deeply"],
  "exemption.unknown": [404, "there is no exemption of this id"],
  "precondition.missing": [428, "the request must say which state it changes"],
  "precondition.malformed": [400, "the condition of the request is malformed"],
  "payment.required": [402, "this answer is paid for"],
  "payment.malformed": [402, "the payment cannot be read"],
  "payment.refused": [402, "the payment was refused"],
  payment_already_used: [409, "the payment was used for another request"],
  "payment.in_progress": [409, "the payment is being used by another request"],
  "payment.unknown": [503, "whether the payment was settled is not known yet"],
  "payment.unavailable": [503, "payments cannot be verified now, and nothing was charged"],
  "facts.timeout": [503, "what had to be looked up did not come in time"],
  "policy.unavailable": [503, "the policy in force cannot be read"],
  "hold.token_refused": [403, "show the hold again: the token is not one for it as it stands"],
  "hold.not_shown": [409, "what would run cannot be shown, and nothing is approved unseen; reject it"],
  "log.unknown": [404, "the log has no such record"],
  "events.beyond": [409, "the log has no event of this number yet: it is another log"],
  "signer.failed": [503, "the decision could not be signed"],
  "gate.stopping": [503, "the gate is stopping"],
  internal: [500, "the gate failed"],

  "json.too_large": [413, "the JSON is too large"],
  "json.bom": [400, "the JSON begins with a byte order mark"],
  "json.not_utf8": [400, "the JSON is not UTF-8"],
  "json.syntax": [400, "the body is not JSON"],
  "json.too_deep": [400, "the JSON is nested too deeply"],
  "json.duplicate_member": [400, "a member is there twice"],
  "json.lone_surrogate": [400, "half of a surrogate pair stands alone"],
  "json.number_lossy": [400, "a number says more than a double holds"],
  "json.number_out_of_range": [400, "a number is beyond every double"],
  "json.not_a_value": [400, "the value is not JSON"],

  "store.unavailable": [503, "the log cannot be reached"],
  "store.busy": [503, "the log is busy"],
  "store.full": [507, "the log has no room"],
  "store.read_only": [503, "the log cannot be written"],
  "store.corrupt": [500, "the log is damaged"],
  "store.in_doubt": [503, "whether the log was written is not known yet"],
  "store.newer": [500, "the log is of a later version"],
  "store.other_secret": [500, "the log belongs to a gate with another secret"],
  "store.closed": [503, "the log is closed"],
  "store.refused_input": [400, "the log does not take this value"],

  "budget.exceeded": [409, "a budget does not hold the amount"],
  stopped: [409, "a stop is in force"],
  "window.moved": [409, "the time window has moved on"],
  "marks.moved": [409, "something was done meanwhile"],
  "idempotency.conflict": [409, "the idempotency key was used for another request"],
  "actor.not_allowed": [403, "an agent may not do this"],
  "decision.unknown": [404, "there is no decision of this id"],
  "decision.conflict": [409, "another decision has this id"],
  "grant.unknown": [404, "there is no grant of this id"],
  "grant.used": [409, "the grant was used"],
  "grant.expired": [409, "the grant has expired"],
  "grant.revoked": [409, "the grant was revoked"],
  "grant.other_agent": [403, "the grant is for another agent"],
  "grant.other_action": [409, "the grant is for another action"],
  "hold.unknown": [404, "there is no hold of this id"],
  "hold.closed": [409, "the hold is closed"],
  "hold.expired": [409, "the hold has expired"],
  "hold.frozen": [409, "a stop freezes the hold"],
  "hold.changed": [409, "the hold is not what was shown"],
  "hold.same_person": [403, "a second person has to decide"],
  "hold.exists": [409, "there is a hold of this id"],
  "appeal.not_blocked": [409, "only a block can be appealed"],
  "redeem.not_allowed": [409, "the decision allows nothing"],
  "redeem.used": [409, "the decision was redeemed"],
  "redeem.expired": [409, "the decision can no longer be redeemed"],
  "redeem.closed": [409, "the decision is closed"],
  "redeem.other_action": [409, "the decision is about another action"],
  "policy.changed": [409, "the policy has changed since"],
  "policy.stale": [412, "the policy is not the version that was named"],
  "policy.exists": [412, "there is a policy already"],
  "outcome.not_allowed": [403, "this credential cannot report that outcome"],
  "outcome.closed": [409, "the decision has its outcome"],
  "stop.unknown": [404, "there is no stop of this id"],
  "stop.exists": [409, "there is a stop of this id"],
  "key.unknown": [404, "there is no key of this id"],
  "key.exists": [409, "there is a key of this id"],
  "claim.pending": [409, "the same request is being answered"],
  "claim.conflict": [409, "the claim is for another request"],
  "claim.unknown": [404, "there is no claim of this id"],
  "secret.missing": [503, "the gate lacks the secret of its log"],
  "webhook.unknown": [404, "there is no webhook of this id"],
  "webhook.in_use": [409, "a policy tells this webhook of holds"],
  "input.malformed": [400, "the input is malformed"],

  "receipt.keys_malformed": [400, "the key list cannot be used"],
  "receipt.expectation_malformed": [400, "what to expect of the receipt is not usable"],
  "receipt.too_large": [413, "the receipt is too large"],
  "receipt.malformed": [400, "this is not a receipt"],
  "receipt.algorithm_refused": [400, "the receipt is signed by another algorithm"],
  "receipt.type_refused": [400, "this is another kind of statement"],
  "receipt.critical_unknown": [400, "the receipt demands an extension"],
  "receipt.key_unknown": [403, "no known key signed the receipt"],
  "receipt.signature_invalid": [403, "the signature does not fit the receipt"],
  "receipt.verification_unavailable": [503, "signatures cannot be verified here"],
  "receipt.claims_malformed": [400, "a claim of the receipt is missing or malformed"],
  "receipt.issuer_other": [403, "the receipt is of another gate"],
  "receipt.audience_other": [403, "the receipt is for another audience"],
  "receipt.tenant_other": [403, "the receipt is of another tenant"],
  "receipt.subject_other": [403, "the receipt is for another agent"],
  "receipt.origin_other": [403, "the receipt is under a policy of another origin"],
  "receipt.lifetime_refused": [403, "the receipt has another lifetime than receipts have"],
  "receipt.not_yet_valid": [403, "the receipt is not valid yet"],
  "receipt.expired": [403, "the receipt has expired"],
  "receipt.action_other": [403, "the receipt is for another action"],
  "receipt.verdict_refused": [403, "the receipt is of another verdict"],
  "receipt.replayed": [409, "the receipt was used before"],
  "receipt.replay_unknown": [503, "whether the receipt was used before is not known"],
} as const satisfies Record<ErrorCode, readonly [status: number, title: string]>;

/** One thing that is wrong with an input. */
export interface Fault {
  /** JSON Pointer below the input. */
  readonly path: string;
  readonly message: string;
  readonly expected?: string;
  /** What it is, for programs, where a document can be wrong in many ways. */
  readonly code?: string;
}

/** An error as RFC 9457 has it, with the code that programs act on. */
export interface Problem {
  /** `urn:countersign:error:` and the code. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ErrorCode;
  /** One lower-case sentence. Holds no secret and quotes nothing of the request. */
  readonly detail: string;
  readonly path?: string;
  readonly expected?: string;
  /** All that is wrong, when it is more than one thing; the first stands in `detail` too. */
  readonly errors?: readonly Fault[];
  /** `detail` once more, for clients of the action gate. */
  readonly error?: string;
}

/** What an error value of any part says of itself. */
export interface CodedError {
  readonly code: ErrorCode;
  readonly message?: string;
  readonly path?: string;
  readonly expected?: string;
  readonly errors?: readonly Fault[];
}

/** The problem of a code, or of an error value with its code; the title is the detail where nothing more is said. */
export function problemOf(error: ErrorCode | CodedError): Problem {
  const { code, message, path, expected, errors } = typeof error === "string" ? { code: error } : (error as CodedError);
  const [status, title] = PROBLEMS[code];
  return {
    type: `urn:countersign:error:${code}`,
    title,
    status,
    code,
    detail: message ?? title,
    ...(path === undefined ? {} : { path: shownPath(path) }),
    ...(expected === undefined ? {} : { expected }),
    ...(errors === undefined || errors.length < 2
      ? {}
      : { errors: errors.map((fault) => ({ ...fault, path: shownPath(fault.path) })) }),
  };
}

const MAX_PATH = 1_000;

/** A path as it may be told: names in it are the caller's, and a name can be a secret, or a megabyte. */
export function shownPath(path: string): string {
  const clean = redact(path);
  return clean.length > MAX_PATH ? `${clean.slice(0, MAX_PATH)}…` : clean;
}

/**
 * The problem of a fault whose code came from a check or another part: one that has no status of its own is the gate's
 * failure, and keeps its code in the words for whoever looks for the reason.
 */
export function problemOfFault({ code, message }: { readonly code: string; readonly message: string }): Problem {
  return Object.hasOwn(PROBLEMS, code)
    ? problemOf({ code: code as ErrorCode, message })
    : problemOf({ code: "internal", message: `${message} (${code})` });
}

/** An input that its schema refuses, with everything that was found. */
export function invalid(faults: readonly [Fault, ...Fault[]]): Problem {
  return problemOf({ ...faults[0], code: "request.invalid", errors: faults });
}

/** The body of an `application/problem+json` answer. */
export const problemBody = (problem: Problem): string => JSON.stringify(problem);

/** The same as one line of text, for a tool's `isError` answer and for terminals. */
export function problemText({ code, detail, path, expected, errors }: Problem): string {
  const faults: readonly Partial<Fault>[] = errors ?? [{ message: detail, ...where(path, expected) }];
  return `${code}: ${faults.map(faultText).join("; ")}`;
}

const where = (path: string | undefined, expected: string | undefined) => ({
  ...(path === undefined ? {} : { path }),
  ...(expected === undefined ? {} : { expected }),
});

const faultText = ({ path, message, expected }: Partial<Fault>): string =>
  `${path ? `${path}: ` : ""}${message}${expected === undefined ? "" : ` (expected ${expected})`}`;
