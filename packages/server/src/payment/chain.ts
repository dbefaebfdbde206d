/** One EIP-3009 authorization, and the transfer that it is expected to have become. Hex in lower case. */
export interface AuthorizationQuery {
  readonly asset: `0x${string}`;
  readonly payer: `0x${string}`;
  /** 32 bytes. */
  readonly nonce: `0x${string}`;
  readonly payTo: `0x${string}`;
  /** Atomic units. */
  readonly amount: bigint;
  /** The block at which it was seen unused; null when that was never seen. */
  readonly since: number | null;
}

/**
 * unused: at this block, of this time in seconds, nobody has used it. paid: after `since` it became exactly the expected
 * transfer. spent: it was cancelled or became another transfer, so it never pays. used: it is gone, and without `since`
 * nothing says for what. unknown: the chain cannot be read, or does not tell.
 */
export type AuthorizationState =
  | { readonly state: "unused"; readonly block: number; readonly time: number }
  | { readonly state: "paid"; readonly transaction: string }
  | { readonly state: "spent" }
  | { readonly state: "used" }
  | { readonly state: "unknown" };

/** What the chain says of a payment, whatever a facilitator says. Never throws. */
export type PaymentChain = (query: AuthorizationQuery) => Promise<AuthorizationState>;
