/** Why a chain could not be read. Every one of these is an unknown to whoever asked, never a pass. */
export type ChainErrorCode =
  | "chain.timeout"
  | "chain.unreachable"
  | "chain.rate_limited"
  | "chain.too_large"
  | "chain.malformed"
  | "chain.disagreement"
  | "chain.refused"
  | "chain.unsupported"
  | "chain.wrong_id"
  | "chain.moved"
  | "chain.budget";

export interface ChainError {
  readonly code: ChainErrorCode;
  /** One lower-case sentence. Holds no address of a provider and no text of a node. */
  readonly message: string;
}

export const chainError = (code: ChainErrorCode, message: string): ChainError => ({ code, message });
