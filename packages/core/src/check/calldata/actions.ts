import type { Action } from "../../action/action.ts";
import { fromAtomic } from "../../money/atomic.ts";
import { type Account, type Actor, isRevocation, type Move, type MoveAmount } from "./move.ts";

/** A currency for an asset on a chain. The native one has no address. */
export const assetCurrency = (chain: string, token: Account | "native"): string =>
  token === "native" ? `${chain}/native` : `${chain}/erc20:${token}`;

/**
 * What mandates and budgets judge in place of bytes: one action for each move, with the spender, recipient or operator
 * as counterparty and the asset as currency, in base units. Without a limit there is no amount to write, so an
 * unlimited move has none, and a rule that needs an amount is not met.
 */
export function actionsOfMoves(moves: readonly Move[], chain: string): readonly Action[] {
  return moves.filter((move) => !isRevocation(move)).map((move) => actionOf(move, chain));
}

function actionOf(move: Move, chain: string): Action {
  const made = (verb: string, target: Account | null, counterparty?: Actor, paid?: Paid): Action => ({
    kind: "transaction",
    verb,
    target: target === null ? chain : `${chain}:${target}`,
    ...(counterparty === undefined || counterparty === "signer" ? {} : { counterparty }),
    ...(paid === undefined || paid.amount === "unlimited"
      ? {}
      : { amount: { amount: fromAtomic(paid.amount, 0), currency: assetCurrency(chain, paid.token) } }),
  });
  switch (move.kind) {
    case "transfer":
      return made("transfer", move.token, move.to, move.tokenId === undefined ? move : undefined);
    case "approval":
      return made("approve", move.token, move.spender, move);
    case "operator":
      return made("approve_all", move.collection, move.operator);
    case "native":
      return made("transfer_native", move.to, move.to, { token: "native", amount: move.amount });
    case "swap":
      return made("swap", move.through, move.recipient === "signer" ? move.through : move.recipient, paidBySwap(move));
    case "delegation":
      return made("delegate", move.to, move.to);
    case "unknown":
      return made("unknown", move.to, move.to ?? undefined);
  }
}

/** What the router holds, and the value of the call, was told of by the move that brought it there. */
const paidBySwap = ({ payer, through, pays }: Extract<Move, { kind: "swap" }>): Paid | undefined =>
  payer === through || pays.token === "native" ? undefined : pays;

interface Paid {
  readonly token: Account | "native";
  readonly amount: MoveAmount;
}
