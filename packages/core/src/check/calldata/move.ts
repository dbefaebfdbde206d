/** `0x` and 40 hex digits in lower case. */
export type Account = string;

/** Who acts: the account that signs, or a contract that was asked to act for somebody. */
export type Actor = "signer" | Account;

/** An amount in base units of the asset, or as much as there will ever be. */
export type MoveAmount = bigint | "unlimited";

interface Placed {
  /** Where in the call it stands: `""` for the call itself, `/2/0` for the first call inside its third. */
  readonly at: string;
}

/** One thing that signing would do to somebody's assets. */
export type Move = Placed &
  (
    | {
        readonly kind: "transfer";
        readonly token: Account;
        readonly from: Actor;
        readonly to: Account;
        /** Base units, or the id for a single token of a collection where the call cannot tell. */
        readonly amount: MoveAmount;
        readonly tokenId?: bigint;
      }
    | {
        readonly kind: "approval";
        readonly token: Account;
        readonly owner: Actor;
        readonly spender: Account;
        readonly amount: MoveAmount;
        /** Whether `amount` replaces what was allowed, or is added to it. */
        readonly change: "sets" | "adds" | "lowers";
        /** Seconds since 1970 until which it can be used, where the call says. */
        readonly until?: bigint;
      }
    | {
        readonly kind: "operator";
        readonly collection: Account;
        readonly owner: Actor;
        readonly operator: Account;
        readonly approved: boolean;
      }
    | { readonly kind: "native"; readonly from: Actor; readonly to: Account; readonly amount: bigint }
    | {
        readonly kind: "swap";
        readonly payer: Actor;
        readonly pays: { readonly token: Account | "native"; readonly amount: MoveAmount };
        readonly gets: { readonly token: Account | "native"; readonly least: bigint };
        readonly recipient: Actor;
        readonly through: Account;
      }
    /** EIP-7702: the account will run this contract's code, which can do anything with it. */
    | { readonly kind: "delegation"; readonly to: Account }
    | {
        readonly kind: "unknown";
        readonly to: Account | null;
        readonly selector: string | null;
        readonly reason: "call" | "arguments" | "creation" | "delegatecall" | "command" | "too_much" | "message";
      }
  );

/** Values that mean "no limit" in one standard or another, and amounts no asset has. */
export function approvedAmount(amount: bigint): MoveAmount {
  return amount >= 1n << 120n || amount === (1n << 96n) - 1n ? "unlimited" : amount;
}

const ZERO = "0x0000000000000000000000000000000000000000";

/** Takes back what was given: nothing leaves, and nothing new is allowed. */
export const isRevocation = (move: Move): boolean =>
  (move.kind === "approval" && (move.amount === 0n || move.change === "lowers")) ||
  (move.kind === "operator" && !move.approved) ||
  (move.kind === "delegation" && move.to === ZERO);
