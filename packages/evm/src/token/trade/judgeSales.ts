import { most } from "../../chain/hex.ts";
import type { FlagBook } from "../flags.ts";
import { failureReason } from "../reason.ts";
import { burned, EXCESSIVE_GAS, sells } from "./legs.ts";
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
  const best = selling.find((legs) => legs.sellRest.ok) ?? selling.find((legs) => legs.sellAgain.ok) ?? selling[0];
  if (best?.sellRest.ok === true) book.clear("sell_blocked_after_first", "cannot_sell_all");
  else if (best?.sellAgain.tried === true && !best.sellAgain.ok && !best.sellLast.ok) {
    book.set("sell_blocked_after_first", "yes", `a second sale ${failureReason(best.sellAgain.error)}`);
  } else {
    book.clear("sell_blocked_after_first");
    if (best?.sellRest.tried === true) {
      book.set("cannot_sell_all", "yes", `selling the whole balance ${failureReason(best.sellRest.error)}`);
    }
  }
  return true;
}
