import {
  addSeconds,
  compareInstants,
  decodeBase64url,
  err,
  type Instant,
  isObject,
  type JsonValue,
  MANDATE_RECEIPT_LIFETIME,
  type MandateReceipt,
  mandateReceiptBytes,
  ok,
  parseInstant,
  type Result,
} from "@countersign/core";
import { type Ed25519Key, ed25519Key } from "../../receipt/ed25519.ts";
import type { ReceiptError, ReceiptErrorCode } from "../../receipt/receiptError.ts";
import { type InputSchema, inputFaults } from "../../schema/inputFaults.ts";
import { receiptSchema } from "./schema.ts";

/** A key of the published list, and when its signatures may have been made: from `notBefore` and before `notAfter`. */
export interface MandateKey {
  readonly key: Ed25519Key;
  readonly notBefore: Instant;
  readonly notAfter: Instant | null;
}

export type MandateKeys = ReadonlyMap<string, MandateKey>;

const MOST_KEYS = 100;

/** Reads the list at `/.well-known/hanria-receipt-keys.json`. One key at fault refuses all: `receipt.keys_malformed`. */
export function readMandateKeys(document: JsonValue): Result<MandateKeys, ReceiptError> {
  const list = isObject(document) ? document["keys"] : undefined;
  if (!Array.isArray(list) || list.length > MOST_KEYS) {
    return fail("receipt.keys_malformed", "the key list has no list of keys", "/keys", `at most ${MOST_KEYS} keys`);
  }
  const keys = new Map<string, MandateKey>();
  for (const [at, entry] of (list as readonly JsonValue[]).entries()) {
    const read = isObject(entry) ? readKey(entry) : undefined;
    const kid = isObject(entry) ? entry["kid"] : undefined;
    if (read === undefined || typeof kid !== "string" || kid === "" || keys.has(kid)) {
      const expected = "an Ed25519 key with a name of its own and the times of its use";
      return fail("receipt.keys_malformed", "a key of the list cannot be used", `/keys/${at}`, expected);
    }
    keys.set(kid, read);
  }
  return ok(keys);
}

function readKey(entry: { readonly [name: string]: JsonValue }): MandateKey | undefined {
  const bytes = typeof entry["public_key"] === "string" ? decodeBase64url(entry["public_key"]) : undefined;
  const key = bytes === undefined ? undefined : ed25519Key(bytes);
  const notBefore = parseInstant(entry["not_before"]);
  const notAfter = entry["not_after"] === null ? ok(null) : parseInstant(entry["not_after"]);
  if (entry["algorithm"] !== "Ed25519" || key === undefined || !notBefore.ok || !notAfter.ok) return undefined;
  return { key, notBefore: notBefore.value, notAfter: notAfter.value };
}

/** What a receipt of the mandate dialect must say. Nothing here has a default. */
export interface ExpectedMandateReceipt {
  readonly keys: MandateKeys;
  /** Hex SHA-256 of the request in hand: `mandateActionDigest`. */
  readonly actionDigest: string;
  /** Hex SHA-256 of the mandate that has to have been asked: `mandateDigest`. */
  readonly mandateDigest: string;
  /** `permit` for whoever acts on it; `any` for whoever only reads. */
  readonly outcome: "permit" | "any";
  readonly now: Instant;
  /** Seconds by which the clocks of signer and verifier may differ, 0 to 60. */
  readonly clockSkew: number;
}

/**
 * A receipt of the mandate dialect that says what is expected of it. It is advice: it proves what a mandate says of a
 * request, and the same receipt may pass many times. Fails with a `receipt.*` code.
 */
export async function verifyMandateReceipt(
  receipt: JsonValue,
  expected: ExpectedMandateReceipt,
): Promise<Result<MandateReceipt, ReceiptError>> {
  // Written so that NaN fails too.
  if (!(expected.clockSkew >= 0 && expected.clockSkew <= 60 && Number.isSafeInteger(expected.clockSkew))) {
    return fail("receipt.expectation_malformed", "the clock skew is not usable", "/clockSkew", "0 to 60 whole seconds");
  }
  const [fault] = inputFaults(receiptSchema as InputSchema, receipt);
  if (fault !== undefined) return fail("receipt.malformed", fault.message, fault.path, fault.expected);
  const read = receipt as unknown as MandateReceipt;
  const [issuedAt, notAfter] = [parseInstant(read.issued_at), parseInstant(read.not_after)];
  if (!issuedAt.ok) return fail("receipt.malformed", issuedAt.error.message, "/issued_at", issuedAt.error.expected);
  if (!notAfter.ok) return fail("receipt.malformed", notAfter.error.message, "/not_after", notAfter.error.expected);
  const known = expected.keys.get(read.kid);
  if (known === undefined || !wasInUse(known, issuedAt.value)) {
    return fail("receipt.key_unknown", "no key that was in use then signed this", "/kid");
  }
  const signed = await isSigned(read, known.key);
  return signed.ok ? judge(read, issuedAt.value, notAfter.value, expected) : signed;
}

const wasInUse = ({ notBefore, notAfter }: MandateKey, at: Instant): boolean =>
  compareInstants(at, notBefore) >= 0 && (notAfter === null || compareInstants(at, notAfter) < 0);

async function isSigned(receipt: MandateReceipt, key: Ed25519Key): Promise<Result<null, ReceiptError>> {
  const signature = decodeBase64url(receipt.signature);
  try {
    if (signature !== undefined && (await key.verify(mandateReceiptBytes(receipt), signature))) return ok(null);
  } catch {
    return fail("receipt.verification_unavailable", "this runtime cannot verify Ed25519 signatures");
  }
  return fail("receipt.signature_invalid", "the signature is not of this receipt by this key", "/signature");
}

function judge(
  receipt: MandateReceipt,
  issuedAt: Instant,
  notAfter: Instant,
  { actionDigest, mandateDigest, outcome, now, clockSkew }: ExpectedMandateReceipt,
): Result<MandateReceipt, ReceiptError> {
  if (compareInstants(notAfter, addSeconds(issuedAt, MANDATE_RECEIPT_LIFETIME)) !== 0) {
    const expected = `${MANDATE_RECEIPT_LIFETIME} seconds after issued_at`;
    return fail("receipt.lifetime_refused", "the receipt is valid for another time", "/not_after", expected);
  }
  if (compareInstants(addSeconds(now, clockSkew), issuedAt) < 0) {
    return fail("receipt.not_yet_valid", "the receipt is not valid yet", "/issued_at");
  }
  if (compareInstants(addSeconds(now, -clockSkew), notAfter) >= 0) {
    return fail("receipt.expired", "the receipt has expired", "/not_after");
  }
  if (receipt.action_digest !== actionDigest) {
    return fail("receipt.action_other", "the receipt is for another request", "/action_digest", actionDigest);
  }
  if (receipt.mandate_digest !== mandateDigest) {
    return fail("receipt.origin_other", "the receipt is under another mandate", "/mandate_digest", mandateDigest);
  }
  if (outcome !== "any" && receipt.outcome !== outcome) {
    return fail("receipt.verdict_refused", "the receipt is of another outcome", "/outcome", outcome);
  }
  return ok(receipt);
}

const fail = (
  code: ReceiptErrorCode,
  message: string,
  path?: string,
  expected?: string,
): { readonly ok: false; readonly error: ReceiptError } =>
  err({
    code,
    message,
    ...(path === undefined ? {} : { path }),
    ...(expected === undefined ? {} : { expected }),
  });
