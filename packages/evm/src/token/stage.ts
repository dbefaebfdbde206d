import type { StageStatus } from "@countersign/core";
import type { ChainError } from "../chain/error.ts";

/** How a stage ended. One that could not run says why, and never counts as passed. */
export type StageEnd =
  | { readonly status: Exclude<StageStatus, "failed">; readonly reason?: string }
  | { readonly status: "failed"; readonly reason: string; readonly error: ChainError };

export const RAN: StageEnd = { status: "ran" };
export const skipped = (reason: string): StageEnd => ({ status: "skipped", reason });
export const failed = (error: ChainError): StageEnd => ({ status: "failed", reason: error.message, error });
