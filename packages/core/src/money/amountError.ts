import { err } from "../result.ts";

export type AmountErrorCode =
  | "amount.malformed"
  | "amount.too_long"
  | "amount.too_precise"
  | "amount.negative"
  | "amount.currency_malformed"
  | "amount.currency_mismatch";

/** Why an amount cannot be held or compared. Quotes nothing of what was read. */
export interface AmountError {
  readonly code: AmountErrorCode;
  readonly message: string;
  /** Member of the amount at fault, as a JSON Pointer below it; absent for the whole. */
  readonly path?: string;
  readonly expected: string;
}

export const refused = (code: AmountErrorCode, message: string, expected: string) => err({ code, message, expected });
