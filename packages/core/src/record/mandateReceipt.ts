import { mandateForm } from "../json/mandateForm.ts";
import { encodeUtf8 } from "../json/utf8.ts";
import type { ExactJson } from "../json/value.ts";
import { addSeconds, formatInstant, type Instant } from "../time/instant.ts";
import { encodeBase64url } from "./base64url.ts";
import { type HexSha256, sha256Hex } from "./hexSha256.ts";
import type { Signer } from "./signer.ts";

const RECEIPT_TYPE = "hanria-receipt-v1";

/** Seconds for which a receipt of the mandate dialect binds. */
export const MANDATE_RECEIPT_LIFETIME = 900;

/** Hex SHA-256 of a request as the mandate dialect digests it. Throws `NotJsonError` for what has no such form. */
export const mandateActionDigest = (action: ExactJson, sha256: HexSha256 = sha256Hex): string =>
  sha256(`hanria-action-v1${mandateForm(action)}`);

/** Hex SHA-256 of a mandate, without a tag. Throws as `mandateActionDigest`. */
export const mandateDigest = (mandate: ExactJson, sha256: HexSha256 = sha256Hex): string =>
  sha256(mandateForm(mandate));

/** What a receipt of the mandate dialect says, before it is signed. */
export interface MandateStatement {
  readonly outcome: "permit" | "deny" | "escalate";
  readonly actionDigest: string;
  readonly mandateDigest: string;
  readonly issuedAt: Instant;
  readonly clause?: string;
  readonly mandateRef?: string;
}

/** A receipt of the mandate dialect as it stands in an answer. Advice: a policy that came with the request judged it. */
export type MandateReceipt = UnsignedMandateReceipt & {
  /** Ed25519, base64url without padding. */
  readonly signature: string;
};

type UnsignedMandateReceipt = {
  readonly type: typeof RECEIPT_TYPE;
  readonly kid: string;
  readonly outcome: MandateStatement["outcome"];
  readonly action_digest: string;
  readonly mandate_digest: string;
  readonly issued_at: string;
  readonly not_after: string;
  readonly clause?: string;
  readonly mandate_ref?: string;
};

/** The bytes under the signature: the type, then the receipt without its signature in the dialect's canonical form. */
export const mandateReceiptBytes = (receipt: UnsignedMandateReceipt): Uint8Array => {
  const { signature: _, ...unsigned } = receipt as MandateReceipt;
  return encodeUtf8(RECEIPT_TYPE + mandateForm(unsigned));
};

/** Rejects when the signer does. */
export async function signMandateReceipt(statement: MandateStatement, signer: Signer): Promise<MandateReceipt> {
  const receipt: UnsignedMandateReceipt = {
    type: RECEIPT_TYPE,
    kid: signer.kid,
    outcome: statement.outcome,
    action_digest: statement.actionDigest,
    mandate_digest: statement.mandateDigest,
    issued_at: formatInstant(statement.issuedAt),
    not_after: formatInstant(addSeconds(statement.issuedAt, MANDATE_RECEIPT_LIFETIME)),
    ...(statement.clause === undefined ? {} : { clause: statement.clause }),
    ...(statement.mandateRef === undefined ? {} : { mandate_ref: statement.mandateRef }),
  };
  return { ...receipt, signature: encodeBase64url(await signer.sign(mandateReceiptBytes(receipt))) };
}
