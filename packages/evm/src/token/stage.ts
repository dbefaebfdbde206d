import type { StageStatus } from "@countersign/core";
import type { ChainError } from "../chain/error.ts";

/** How a stage ended. One that could not run says why, and never counts as passed. */
export interface StageEnd {
  readonly status: StageStatus;
  readonly reason?: string;
}

export const RAN: StageEnd = { status: "ran" };
export const skipped = (reason: string): StageEnd => ({ status: "skipped", reason });
export const failed = ({ message }: ChainError): StageEnd => ({ status: "failed", reason: message });
