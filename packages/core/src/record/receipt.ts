import type { Verdict } from "../decision/finding.ts";
import { asciiText } from "./ascii.ts";
import { base64urlLength, encodeBase64url, writeBase64url } from "./base64url.ts";

/**
 * What is signed: a receipt says what the operator's policy decided, advice what a policy that came with the request
 * would say. They differ in `typ`, key and `policy_origin`, so that advice never verifies as a decision.
 */
export type StatementKind = "receipt" | "advice";

export const STATEMENT_TYP = {
  receipt: "countersign-receipt+jwt",
  advice: "countersign-advice+jwt",
} as const satisfies Record<StatementKind, string>;

export const POLICY_ORIGIN = { receipt: "operator", advice: "caller" } as const satisfies Record<StatementKind, string>;

/** Seconds from `iat` to `exp`, of every statement. A verifier refuses any other lifetime. */
export const STATEMENT_LIFETIME = 300;

export interface Statement {
  readonly kind: StatementKind;
  /** The gate, as its verifiers know it: a URL or another name without a space. */
  readonly issuer: string;
  /** For whom it is meant: the executor that will ask for it. */
  readonly audience: string;
  /** The tenant of the asker. */
  readonly tenant: string;
  /** The agent, by the credential it came with. */
  readonly subject: string;
  /** Of the decision; becomes `jti`, by which a replay is noticed. */
  readonly id: string;
  /** Seconds since the epoch. */
  readonly issuedAt: number;
  readonly verdict: Verdict;
  /** `sha256:<hex>` */
  readonly actionDigest: string;
  /** `sha256:<hex>` */
  readonly policyDigest: string;
  /** `sha256:<hex>` of the record that was kept before this was signed. */
  readonly recordHash: string;
}

/** The payload of a receipt or of advice, in the order in which it is written. */
export interface ReceiptClaims {
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
  readonly iat: number;
  readonly exp: number;
  readonly jti: string;
  readonly tenant: string;
  readonly policy_origin: "operator" | "caller";
  readonly verdict: Verdict;
  readonly action_digest: string;
  readonly policy_digest: string;
  readonly record_hash: string;
}

export function receiptClaims(statement: Statement): ReceiptClaims {
  return {
    iss: statement.issuer,
    aud: statement.audience,
    sub: statement.subject,
    iat: statement.issuedAt,
    exp: statement.issuedAt + STATEMENT_LIFETIME,
    jti: statement.id,
    tenant: statement.tenant,
    policy_origin: POLICY_ORIGIN[statement.kind],
    verdict: statement.verdict,
    action_digest: statement.actionDigest,
    policy_digest: statement.policyDigest,
    record_hash: statement.recordHash,
  };
}

export interface ReceiptHeader {
  readonly alg: "EdDSA";
  readonly typ: (typeof STATEMENT_TYP)[StatementKind];
  readonly kid: string;
}

export const receiptHeader = (kind: StatementKind, kid: string): ReceiptHeader => ({
  alg: "EdDSA",
  typ: STATEMENT_TYP[kind],
  kid,
});

/** What a signer signs: header and claims as a JWS has them (RFC 7515), in ASCII. */
export function signingInput(header: ReceiptHeader, claims: ReceiptClaims): Uint8Array {
  const [first, second] = [asciiJson(header), asciiJson(claims)];
  const input = new Uint8Array(base64urlLength(first.length) + 1 + base64urlLength(second.length));
  const dot = writeBase64url(first, input, 0);
  input[dot] = 0x2e;
  writeBase64url(second, input, dot + 1);
  return input;
}

/** The compact JWS of a signing input and the 64 bytes of its signature. */
export function assemble(input: Uint8Array, signature: Uint8Array): string {
  return `${asciiText(input)}.${encodeBase64url(signature)}`;
}

/** Names are escaped to ASCII, so that text and bytes are the same thing and no encoder can disagree about them. */
const asciiJson = (value: ReceiptHeader | ReceiptClaims): string =>
  JSON.stringify(value).replace(/[\u007f-\uffff]/g, escapeUnit);

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
