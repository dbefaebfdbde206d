import { ok, type Result } from "@countersign/core";
import type { Address } from "viem";
import { type BalanceSlots, encodeBalance } from "../balance/slot.ts";
import type { ChainError } from "../chain/error.ts";
import { word } from "../chain/hex.ts";
import { type ChainView, type Overrides, realisticGasPrice } from "../chain/view.ts";
import type { Cast } from "./cast.ts";

/** What simulated traders offer for gas. */
export const gasPriceOf = (view: ChainView, cast: Cast): bigint => realisticGasPrice(view.block, cast.tip);

/** The native currency of a trader: what its gas and its trade need, and some change. A token may look how rich it is. */
export const purse = (view: ChainView, cast: Cast, gas: bigint, spent = 0n): bigint =>
  gas * gasPriceOf(view, cast) + spent + cast.change;

/** Overrides that give `holder` an amount of a token, or of the native currency. */
export async function funded(
  view: ChainView,
  holder: Address,
  slots: BalanceSlots | undefined,
  amount: bigint,
): Promise<Result<Overrides, ChainError>> {
  if (slots === undefined) return ok({ [holder]: { balance: amount } });
  const slot = await slots.slotOf(view, holder);
  if (!slot.ok) return slot;
  return ok({ [slots.contract]: { stateDiff: { [slot.value]: word(encodeBalance(slots.encoding, amount)) } } });
}

/** Later entries add to earlier ones, account by account. */
export function mergeOverrides(...all: readonly Overrides[]): Overrides {
  const merged: Record<Address, Overrides[Address]> = {};
  for (const [address, one] of all.flatMap(
    (overrides) => Object.entries(overrides) as [Address, Overrides[Address]][],
  )) {
    const before = merged[address] ?? {};
    const stateDiff = { ...before?.stateDiff, ...one?.stateDiff };
    merged[address] = { ...before, ...one, ...(Object.keys(stateDiff).length === 0 ? {} : { stateDiff }) };
  }
  return merged;
}
