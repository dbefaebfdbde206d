/** Why a statement is not taken for what it claims to be. Codes are public: added, never changed. */
export type ReceiptErrorCode =
  | "receipt.keys_malformed"
  | "receipt.expectation_malformed"
  | "receipt.too_large"
  | "receipt.malformed"
  | "receipt.algorithm_refused"
  | "receipt.type_refused"
  | "receipt.critical_unknown"
  | "receipt.key_unknown"
  | "receipt.signature_invalid"
  | "receipt.verification_unavailable"
  | "receipt.claims_malformed"
  | "receipt.issuer_other"
  | "receipt.audience_other"
  | "receipt.tenant_other"
  | "receipt.subject_other"
  | "receipt.origin_other"
  | "receipt.lifetime_refused"
  | "receipt.not_yet_valid"
  | "receipt.expired"
  | "receipt.action_other"
  | "receipt.verdict_refused"
  | "receipt.replayed"
  | "receipt.replay_unknown";

export interface ReceiptError {
  readonly code: ReceiptErrorCode;
  /** One lower-case sentence. Quotes nothing of the statement. */
  readonly message: string;
  /** JSON Pointer below the part that is at fault: `/header/typ`, `/claims/aud`, `/keys/0/x`. */
  readonly path?: string;
  readonly expected?: string;
}
