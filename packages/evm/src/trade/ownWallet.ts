import { err, ok, type Result } from "@countersign/core";
import { type Address, encodeFunctionData } from "viem";
import type { ChainError } from "../chain/error.ts";
import { addressOfWord } from "../chain/hex.ts";
import type { ChainView } from "../chain/view.ts";
import { ERC20, outcomeWord, read, runScript } from "../probe/script.ts";
import { castOf } from "../token/cast.ts";
import { flagBook } from "../token/flags.ts";
import { replayHolders } from "../token/holders.ts";
import type { Pool } from "../token/pools.ts";
import { failureReason } from "../token/reason.ts";
import { type QuoteMemory, quoteSlots } from "../token/safety.ts";
import { sells } from "../token/trade/legs.ts";
import { poolTrial } from "../token/trade/trials.ts";

export interface OwnWallet {
  readonly seed: string;
  readonly token: Address;
  readonly wallet: Address;
  /** What it holds of the token, in base units. */
  readonly held: bigint;
  /** What is to be traded, in base units. */
  readonly units: bigint;
  readonly pool: Pool;
  readonly quotes: QuoteMemory;
}

/** What a wallet holds of a token; nothing where the token does not say. */
export async function heldBy(
  view: ChainView,
  conductor: Address,
  token: Address,
  wallet: Address,
): Promise<Result<bigint, ChainError>> {
  const data = encodeFunctionData({ abi: ERC20, functionName: "balanceOf", args: [wallet] });
  const asked = await runScript(view, conductor, [read(token, data)]);
  return asked.ok ? ok(outcomeWord(asked.value[0]) ?? 0n) : asked;
}

/**
 * Why the wallet that is to trade could not sell, or undefined. A token that anybody else can sell may be closed to
 * this one: it sells what it holds, now and days later; and where it holds nothing, what it buys.
 */
export async function ownWalletRefused(
  view: ChainView,
  { seed, token, wallet, held, units, pool, quotes }: OwnWallet,
): Promise<Result<string | undefined, ChainError>> {
  // Without it, the stage that tries wallets says so.
  if (!view.capabilities.simulate) return ok(undefined);
  const cast = { ...castOf(seed), wallet: addressOfWord(BigInt(wallet)) };
  if (held > 0n) {
    const book = flagBook();
    const sample = [{ address: cast.wallet, balance: held }];
    const trades = { bought: units, freshTraderSells: true };
    const end = await replayHolders(view, cast, token, pool, sample, trades, book);
    if (end.status === "failed") return err(end.error);
    const stuck = book.get("some_holder_sells_fail") === "yes";
    return ok(stuck ? `${wallet} cannot sell what it holds` : undefined);
  }
  const quote = await quoteSlots(view, cast, pool, quotes);
  if (!quote.ok) return quote;
  // A quote whose balances cannot be set keeps everybody from buying, and the trade stage says so.
  if (quote.value === undefined) return ok(undefined);
  const slots = quote.value === "native" ? undefined : quote.value;
  const trial = poolTrial({ cast, token, pool, quoteSlots: slots, tokenSlots: undefined });
  const legs = await trial.asWallet(view, { startAfter: 0n, scale: 1n, moved: 0n, pace: "apart" });
  if (!legs.ok) return legs;
  const { buy, sell } = legs.value;
  if (!buy.ok) return ok(`${wallet} cannot buy: ${failureReason(buy.error)}`);
  return ok(sells(legs.value) ? undefined : `${wallet} cannot sell what it bought: ${failureReason(sell.error)}`);
}
