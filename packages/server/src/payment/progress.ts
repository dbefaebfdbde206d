import { isObject, type JsonObject } from "@countersign/core";
import type { SettleResponse } from "@x402/core/types";

/**
 * How far one payment has come, as it is kept with its claim.
 *
 * reserved: nobody was asked to settle it. settling: a settlement may have been asked for, and what came of it is for the
 * chain to say; `refused` is the facilitator's own word, where it gave one. settled: it is paid, and the answer is owed.
 */
export type Progress =
  | { readonly step: "reserved" }
  | { readonly step: "settling"; readonly since: number | null; readonly refused: string | null }
  | { readonly step: "settled"; readonly settlement: SettleResponse };

/** What was bought, kept in plain words beside the steps for whoever looks after the payments. */
export interface Bought {
  readonly resource: string;
  readonly amount: string;
  readonly payer: string;
  readonly bodyDigest: string;
}

export const writeProgress = (progress: Progress, bought: Bought): string => JSON.stringify({ ...progress, bought });

/** Reads what this program wrote. Anything else means that the store is damaged, and stops the sale. */
export function readProgress(text: string): Progress {
  const progress = objectIn(text);
  const { step } = progress;
  if (step === "reserved" || step === "settling" || step === "settled") return progress as unknown as Progress;
  throw new Error("a payment is kept in a form that is not known");
}

/** What a payment bought: the answer and its settlement, or that it can never buy anything. */
export type Outcome =
  | { readonly answer: JsonObject; readonly settlement: SettleResponse }
  | { readonly refused: string; readonly settlement: SettleResponse };

export const writeOutcome = (outcome: Outcome): string => JSON.stringify(outcome);

export const readOutcome = (text: string): Outcome => objectIn(text) as unknown as Outcome;

function objectIn(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  if (isObject(value as JsonObject)) return value as JsonObject;
  throw new Error("a payment is kept in a form that is not known");
}
