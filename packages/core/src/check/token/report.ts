import type { Known, TokenFactor, TokenStage } from "./factors.ts";

export interface TokenFlag {
  readonly value: Known;
  /** What was seen, in words of ours and figures; text of a contract appears only quoted, stripped and cut short. */
  readonly evidence: readonly string[];
}

export type StageStatus = "ran" | "skipped" | "failed";

export interface StageReport {
  readonly stage: TokenStage;
  readonly status: StageStatus;
  /** Why a stage was skipped or failed. */
  readonly reason?: string;
  readonly calls: number;
  readonly ms: number;
}

/** What was found out about a token at one block. Plain data: it can be kept, compared and judged again. */
export interface TokenFacts {
  readonly chainId: number;
  readonly address: string;
  readonly block: { readonly number: string; readonly hash: string };
  /** Digest of the code at the address and of the logic it runs, in order. */
  readonly codeHash: string;
  /** Who may act on the token, in lower case: powers belong to these, and a change of them is a new token. */
  readonly authorities: readonly string[];
  readonly stages: readonly StageReport[];
  readonly flags: Readonly<Record<TokenFactor, TokenFlag>>;
  /** In basis points of what was sent or paid; null when not measured. */
  readonly taxBps: { readonly buy: number | null; readonly sell: number | null; readonly transfer: number | null };
  /** Whether a simulated holder could sell; null when no sale could be tried. */
  readonly sellSimulationOk: boolean | null;
}
