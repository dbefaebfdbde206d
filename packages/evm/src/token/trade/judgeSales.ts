import { most } from "../../chain/hex.ts";
import type { FlagBook } from "../flags.ts";
import { failureReason } from "../reason.ts";
import { burned, EXCESSIVE_GAS, type Legs, NO_LEGS, sells } from "./legs.ts";
import { type Trial, tried, type Ways } from "./trial.ts";

const HIGH_GAS = 2_000_000n;

/** Whether a holder can sell. Wallets are who trades: where a wallet was tried, it decides. */
export function judgeSales(trial: Trial, ways: Ways, book: FlagBook): boolean | null {
  const attempts = tried(ways).filter((legs) => legs.sell.tried && failureReason(legs.sell.error) !== "nothing held");
  const gas = attempts.map((legs) => legs.sell.gas).reduce(most, 0n);
  if (gas > EXCESSIVE_GAS) book.set("sell_gas_excessive", "yes", `a sale used ${gas} gas`);
  else if (gas > HIGH_GAS) book.set("sell_gas_high", "yes", `a sale used ${gas} gas`);
  if (trial.kind === "pull") book.set("sell_not_simulated", "yes");
  if (attempts.length === 0) return null;
  book.clear("sell_gas_excessive", "sell_gas_high", "sell_not_simulated");

  const selling = attempts.filter(sells);
  if (selling.length === 0) {
    const error = attempts.at(-1)?.sell.error ?? "0x";
    const reason = failureReason(error);
    if (attempts.some((legs) => burned(legs.sell))) return false;
    if (trial.venue === 3 && reason.includes('"IIA"')) {
      book.set("fee_token_incompatible_with_pool", "yes", "the pool refuses a sale that arrives short");
      book.set("sell_blocked", "unknown", "this kind of pool cannot take a token with a transfer fee");
      return null;
    }
    book.set("sell_blocked", "yes", trial.kind === "pull" ? `an approved pull ${reason}` : `a sale ${reason}`);
    return false;
  }
  if (trial.kind === "pull") return null;
  const { wallet } = ways;
  if (wallet?.buy.ok === true && !sells(wallet) && !burned(wallet.sell)) {
    book.set("sell_blocked", "yes", `a plain wallet's sale ${failureReason(wallet.sell.error)}`);
    return false;
  }
  book.clear("sell_blocked", "fee_token_incompatible_with_pool");
  judgeLaterSales(ways, selling, book);
  // Beside the buyer's second sale: where that fails too, it is the time that stops both.
  if (wallet?.sellAgain.ok === true && wallet.resale.tried && !wallet.resale.ok) {
    const reason = failureReason(wallet.resale.error);
    book.set("sell_blocked", "yes", `a sale by whoever got it from another wallet ${reason}`);
    return false;
  }
  return true;
}

/**
 * Whether what is left can be sold too. A wallet's sales are days apart, so where a wallet was tried it decides: what a
 * contract sells in the block of its buy says nothing of a door that closes afterwards.
 */
function judgeLaterSales({ contract, wallet }: Ways, selling: readonly Legs[], book: FlagBook): void {
  const bought = wallet?.buy.ok === true && sells(wallet) ? wallet : undefined;
  const { sell, sellAgain, sellRest, sellLast } =
    bought ??
    selling.find((legs) => legs.sellRest.ok) ??
    selling.find((legs) => legs.sellAgain.ok) ??
    selling[0] ??
    NO_LEGS;
  if (sellRest.ok) {
    book.clear("sell_blocked_after_first", "cannot_sell_all");
    return;
  }
  const closed = sellRest.tried && !sellLast.ok;
  if (closed && bought !== undefined && (sellAgain.ok || (sell.ok && contract?.sellAgain.ok === true))) {
    const reason = failureReason((sellAgain.ok ? sellLast : sellAgain).error);
    book.set("sell_blocked_later", "yes", `days after it bought, a wallet's sale ${reason}`);
    book.clear("sell_blocked_after_first");
    return;
  }
  if (sellAgain.tried && !sellAgain.ok && !sellLast.ok) {
    book.set("sell_blocked_after_first", "yes", `a second sale ${failureReason(sellAgain.error)}`);
    return;
  }
  book.clear("sell_blocked_after_first");
  if (sellRest.tried) book.set("cannot_sell_all", "yes", `selling the whole balance ${failureReason(sellRest.error)}`);
}
