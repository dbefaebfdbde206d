import { type Decimal, err, fromAtomic, ok, parseSignedDecimal, type Result, toAtomic } from "@countersign/core";
import { type Address, encodeFunctionData } from "viem";
import type { ChainError } from "../chain/error.ts";
import { derivedAddress, readAddress, word } from "../chain/hex.ts";
import type { ChainReader } from "../chain/reader.ts";
import type { ChainView } from "../chain/view.ts";
import { ERC20, outcomeWord, read, runScript } from "../probe/script.ts";
import { codeSizes, PROXY_SLOTS, readSlots } from "../token/subject.ts";
import { encodeBalance, findBalanceSlots } from "./slot.ts";

export interface BalanceQuery {
  readonly token: string;
  readonly holder: string;
  /** Signed decimal in whole tokens, `-12.5`. */
  readonly delta: string;
  /** Fraction digits of the token, as the caller believes. */
  readonly decimals: number;
}

export interface SimulatedBalance {
  readonly before: Decimal;
  readonly after: Decimal;
  readonly delta: Decimal;
  /** False for tokens that keep shares: what is shown may be a unit or two away from what was written. */
  readonly exact: boolean;
  readonly block: { readonly number: string; readonly hash: string };
}

export type BalanceErrorCode =
  | "balance.malformed"
  | "balance.no_token"
  | "balance.decimals"
  | "balance.insufficient"
  | "balance.not_simulated"
  | ChainError["code"];

export interface BalanceError {
  readonly code: BalanceErrorCode;
  readonly message: string;
}

const MAX_UINT = (1n << 256n) - 1n;
/** How far a shares token may be off. */
const ROUNDING = 2n;

const refuse = (code: BalanceErrorCode, message: string): { readonly ok: false; readonly error: BalanceError } =>
  err({ code, message });

/**
 * What a holder's balance would be after a change, shown by the token itself: the balance is written in a simulation
 * at the place where the token keeps it, and read back. Exact; nothing is rounded.
 */
export async function simulateBalance(
  reader: ChainReader,
  query: BalanceQuery,
  seed: string,
): Promise<Result<SimulatedBalance, BalanceError>> {
  const [token, holder] = [readAddress(query.token), readAddress(query.holder)];
  if (token === undefined || holder === undefined)
    return refuse("balance.malformed", "token and holder must be addresses");
  if (!Number.isInteger(query.decimals) || query.decimals < 0 || query.decimals > 77) {
    return refuse("balance.malformed", "decimals must be a whole number from 0 to 77");
  }
  const delta = parseSignedDecimal(query.delta);
  if (!delta.ok) return refuse("balance.malformed", delta.error.message);
  const units = toAtomic(delta.value, query.decimals);
  if (!units.ok) return refuse("balance.malformed", units.error.message);
  const pinned = await reader.pin();
  if (!pinned.ok) return err(pinned.error);
  return simulate(pinned.value, token, holder, units.value, query.decimals, seed);
}

async function simulate(
  view: ChainView,
  token: Address,
  holder: Address,
  delta: bigint,
  decimals: number,
  seed: string,
): Promise<Result<SimulatedBalance, BalanceError>> {
  const conductor = derivedAddress(seed, "conductor");
  const balanceOf = read(token, encodeFunctionData({ abi: ERC20, functionName: "balanceOf", args: [holder] }));
  const [sizes, answers] = await Promise.all([
    codeSizes(view, conductor, [token]),
    runScript(view, conductor, [balanceOf, read(token, encodeFunctionData({ abi: ERC20, functionName: "decimals" }))]),
  ]);
  if (!sizes.ok) return err(sizes.error);
  if (!answers.ok) return err(answers.error);
  const before = outcomeWord(answers.value[0]);
  if (sizes.value[0] === 0n || before === undefined)
    return refuse("balance.no_token", "the address does not answer as a token");
  const own = outcomeWord(answers.value[1]);
  if (own !== undefined && own !== BigInt(decimals)) {
    return refuse("balance.decimals", `the token has ${own < 256n ? own : "other"} decimals, not ${decimals}`);
  }
  const after = before + delta;
  if (after < 0n) return refuse("balance.insufficient", "the balance would be below zero");
  if (after > MAX_UINT) return refuse("balance.malformed", "the balance would be above what a token can hold");

  const query = { conductor, token, holder, roots: [], reserved: Object.values(PROXY_SLOTS) };
  const slots = await findBalanceSlots(view, query);
  if (!slots.ok) return err(slots.error);
  if (slots.value === undefined)
    return refuse("balance.not_simulated", "the place where the token keeps the balance was not found");
  const { contract, encoding } = slots.value;
  const slot = await slots.value.slotOf(view, holder);
  if (!slot.ok) return err(slot.error);
  const current = await readSlots(view, contract, [BigInt(slot.value)]);
  if (!current.ok) return err(current.error);
  // What shares the word with the balance stays as it is.
  const written =
    encoding.kind === "shifted"
      ? (current.value[0] ?? 0n) + ((after - before) << encoding.bits)
      : encodeBalance(encoding, after);
  if (written < 0n || written > MAX_UINT)
    return refuse("balance.not_simulated", "the balance does not fit where the token keeps it");
  const shown = await runScript(view, conductor, [balanceOf], {
    [contract]: { stateDiff: { [slot.value]: word(written) } },
  });
  if (!shown.ok) return err(shown.error);
  const seen = outcomeWord(shown.value[0]);
  const off = seen === undefined ? MAX_UINT : seen > after ? seen - after : after - seen;
  if (seen === undefined || off > ROUNDING)
    return refuse("balance.not_simulated", "the token does not show the balance that was written");
  const confirmed = await view.confirm();
  if (!confirmed.ok) return err(confirmed.error);
  return ok({
    before: fromAtomic(before, decimals),
    after: fromAtomic(seen, decimals),
    delta: fromAtomic(seen - before, decimals),
    exact: off === 0n,
    block: { number: view.block.number.toString(), hash: view.block.hash },
  });
}
