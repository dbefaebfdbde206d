import {
  asciiBytes,
  decodeBase64url,
  err,
  type JsonObject,
  ok,
  POLICY_ORIGIN,
  parseJson,
  type ReceiptClaims,
  type Result,
  STATEMENT_LIFETIME,
  STATEMENT_TYP,
  type StatementKind,
} from "@countersign/core";
import type { KeySet } from "./keySet.ts";
import type { ReceiptError, ReceiptErrorCode } from "./receiptError.ts";
import type { ReplayStore } from "./replayStore.ts";

/** What a receipt must say before anything is done because of it. Nothing here has a default. */
export interface Expected {
  /** Of the gate alone, for receipts or for advice: the two never share a key. See `readJwks`. */
  readonly keys: KeySet;
  readonly issuer: string;
  /** The name of whoever verifies. */
  readonly audience: string;
  readonly tenant: string;
  /** The agent whose action this is. */
  readonly subject: string;
  /** `sha256:<hex>` of the action in hand, computed from it and not copied from what came with it. */
  readonly actionDigest: string;
  /** `allow` for whoever executes; `any` for whoever only reads what was decided. */
  readonly verdict: "allow" | "any";
  /** Seconds since the epoch. */
  readonly now: number;
  /** Seconds by which the clocks of gate and verifier may differ, 0 to 60. */
  readonly clockSkew: number;
  /** Where use is remembered; `accepted` says that the same receipt may pass many times. */
  readonly replay: ReplayStore | "accepted";
}

/**
 * The claims of a receipt that says what is expected of it. Every header but `alg`, `typ`, `kid` and `crit` is passed
 * over, so that no `jku`, `jwk` or `x5u` brings a key of its own.
 * A use is claimed in the replay store only when everything else is right. Fails with a `receipt.*` code.
 */
export function verifyReceipt(jws: string, expected: Expected): Promise<Result<ReceiptClaims, ReceiptError>> {
  return verifyStatement("receipt", jws, expected);
}

/** The same for advice, which no receipt passes for and which never passes for a receipt. */
export function verifyAdvice(jws: string, expected: Expected): Promise<Result<ReceiptClaims, ReceiptError>> {
  return verifyStatement("advice", jws, expected);
}

/** Names in a statement are at most a few hundred bytes each. */
const longest = 16_384;
const flat = { bytes: longest, depth: 4 };
const mostSkew = 60;
const digest = /^sha256:[0-9a-f]{64}$/;

async function verifyStatement(
  kind: StatementKind,
  jws: string,
  expected: Expected,
): Promise<Result<ReceiptClaims, ReceiptError>> {
  const usable = checkExpected(expected);
  if (!usable.ok) return usable;
  const signed = await checkSignature(kind, jws, expected.keys);
  if (!signed.ok) return signed;
  const claims = readClaims(signed.value);
  if (!claims.ok) return claims;
  const fitting = checkClaims(kind, claims.value, expected);
  if (!fitting.ok || expected.replay === "accepted") return fitting;
  return claimUse(fitting.value, expected.replay, expected);
}

function checkExpected(expected: Expected): Result<null, ReceiptError> {
  const wrong = (path: string, wanted: string) =>
    fail("receipt.expectation_malformed", "what to expect of the receipt is not usable", path, wanted);
  if (!digest.test(expected.actionDigest)) return wrong("/actionDigest", "sha256: and 64 hex digits");
  if (!Number.isFinite(expected.now)) return wrong("/now", "seconds since the epoch");
  // Written so that NaN fails too.
  if (!(expected.clockSkew >= 0 && expected.clockSkew <= mostSkew)) return wrong("/clockSkew", `0 to ${mostSkew}`);
  if (expected.verdict !== "allow" && expected.verdict !== "any") return wrong("/verdict", "allow or any");
  for (const name of ["issuer", "audience", "tenant", "subject"] as const) {
    if (typeof expected[name] !== "string" || expected[name] === "") return wrong(`/${name}`, "a name");
  }
  if (expected.replay !== "accepted" && typeof expected.replay?.claim !== "function") {
    return wrong("/replay", "a replay store, or accepted");
  }
  return ok(null);
}

/** Header and signature; gives the payload, which nobody has looked at yet. */
async function checkSignature(
  kind: StatementKind,
  jws: string,
  keys: KeySet,
): Promise<Result<Uint8Array, ReceiptError>> {
  if (typeof jws !== "string") return malformed("a compact JWS");
  if (jws.length > longest) return fail("receipt.too_large", "the receipt is too large", "", `${longest} characters`);
  const parts = jws.split(".");
  const [header, payload, signature] = parts.map(decodeBase64url);
  if (parts.length !== 3 || header === undefined || payload === undefined || signature === undefined) {
    return malformed("three parts in base64url, joined by dots");
  }
  const read = readObject(header);
  if (read === undefined) return malformed("a header that is a JSON object", "/header");
  const { alg, typ, kid } = read;
  if (alg !== "EdDSA") return fail("receipt.algorithm_refused", "the algorithm is another", "/header/alg", "EdDSA");
  if (typ !== STATEMENT_TYP[kind]) {
    return fail("receipt.type_refused", "this is another kind of statement", "/header/typ", STATEMENT_TYP[kind]);
  }
  if (Object.hasOwn(read, "crit")) {
    return fail("receipt.critical_unknown", "the receipt demands an extension", "/header/crit", "no extension");
  }
  const key = typeof kid === "string" ? keys.get(kid) : undefined;
  if (key === undefined)
    return fail("receipt.key_unknown", "no known key signed this", "/header/kid", "a key of the gate");
  let valid: boolean;
  try {
    valid = await key.verify(asciiBytes(jws.slice(0, jws.lastIndexOf("."))), signature);
  } catch {
    return fail("receipt.verification_unavailable", "this runtime cannot verify Ed25519 signatures");
  }
  return valid ? ok(payload) : fail("receipt.signature_invalid", "the signature is not of these bytes by this key");
}

/** As the gate writes them: every claim there, of its type. Claims it does not write are passed over. */
function readClaims(payload: Uint8Array): Result<ReceiptClaims, ReceiptError> {
  const claims = readObject(payload);
  if (claims === undefined) return claimsMalformed("", "a JSON object");
  for (const name of TEXTS) if (typeof own(claims, name) !== "string") return claimsMalformed(name, "a string");
  for (const name of TIMES) if (!Number.isSafeInteger(own(claims, name))) return claimsMalformed(name, "whole seconds");
  for (const name of DIGESTS) {
    const value = own(claims, name);
    if (typeof value !== "string" || !digest.test(value)) return claimsMalformed(name, "sha256: and 64 hex digits");
  }
  if (!(VERDICTS as readonly unknown[]).includes(claims["verdict"])) {
    return claimsMalformed("verdict", VERDICTS.join(", "));
  }
  return ok(claims as unknown as ReceiptClaims);
}

const TEXTS = ["iss", "aud", "sub", "jti", "tenant", "policy_origin", "verdict"] as const;
const TIMES = ["iat", "exp"] as const;
const DIGESTS = ["action_digest", "policy_digest", "record_hash"] as const;
const VERDICTS = ["allow", "review", "block"] as const;

function checkClaims(
  kind: StatementKind,
  claims: ReceiptClaims,
  expected: Expected,
): Result<ReceiptClaims, ReceiptError> {
  const other = (code: ReceiptErrorCode, what: string, name: keyof ReceiptClaims, wanted?: string) =>
    fail(code, `the receipt is ${what}`, `/claims/${name}`, wanted);
  const { now, clockSkew } = expected;
  if (claims.iss !== expected.issuer) return other("receipt.issuer_other", "of another gate", "iss");
  if (claims.aud !== expected.audience) return other("receipt.audience_other", "for another audience", "aud");
  if (claims.tenant !== expected.tenant) return other("receipt.tenant_other", "of another tenant", "tenant");
  if (claims.sub !== expected.subject) return other("receipt.subject_other", "for another agent", "sub");
  if (claims.policy_origin !== POLICY_ORIGIN[kind]) {
    return other("receipt.origin_other", "under a policy of another origin", "policy_origin", POLICY_ORIGIN[kind]);
  }
  if (claims.exp - claims.iat !== STATEMENT_LIFETIME) {
    return other(
      "receipt.lifetime_refused",
      "valid for another time",
      "exp",
      `${STATEMENT_LIFETIME} seconds after iat`,
    );
  }
  if (now + clockSkew < claims.iat) return other("receipt.not_yet_valid", "not valid yet", "iat");
  if (now - clockSkew >= claims.exp) return other("receipt.expired", "expired", "exp");
  if (claims.action_digest !== expected.actionDigest) {
    return other("receipt.action_other", "for another action", "action_digest", expected.actionDigest);
  }
  if (expected.verdict !== "any" && claims.verdict !== expected.verdict) {
    return other("receipt.verdict_refused", "of another verdict", "verdict", expected.verdict);
  }
  return ok(claims);
}

async function claimUse(
  claims: ReceiptClaims,
  store: ReplayStore,
  { now, clockSkew }: Expected,
): Promise<Result<ReceiptClaims, ReceiptError>> {
  let first: boolean;
  try {
    first = await store.claim(`${claims.iss}\n${claims.jti}`, claims.exp + clockSkew, now);
  } catch {
    return fail("receipt.replay_unknown", "whether the receipt was used before could not be found out");
  }
  // Only true opens: a store that answers nothing has not promised anything.
  return first === true ? ok(claims) : fail("receipt.replayed", "the receipt was used before", "/claims/jti");
}

function readObject(bytes: Uint8Array): JsonObject | undefined {
  const parsed = parseJson(bytes, flat, "plain");
  if (!parsed.ok || typeof parsed.value !== "object" || parsed.value === null) return undefined;
  return Array.isArray(parsed.value) ? undefined : (parsed.value as JsonObject);
}

const own = (object: JsonObject, name: string) => (Object.hasOwn(object, name) ? object[name] : undefined);

function fail(
  code: ReceiptErrorCode,
  message: string,
  path?: string,
  expected?: string,
): { readonly ok: false; readonly error: ReceiptError } {
  return err({
    code,
    message,
    ...(path === undefined ? {} : { path }),
    ...(expected === undefined ? {} : { expected }),
  });
}

const malformed = (expected: string, path = "") => fail("receipt.malformed", "this is not a receipt", path, expected);

const claimsMalformed = (name: string, expected: string) =>
  fail("receipt.claims_malformed", "a claim is missing or not what it must be", `/claims/${name}`, expected);
