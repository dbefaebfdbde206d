import type { FlagBook } from "../flags.ts";
import { failureReason } from "../reason.ts";
import { buyTax, EXTREME_BPS, type Legs, sells, sellTax } from "./legs.ts";

/** What becomes of a buyer of much, where a buyer of little sells: some doors close on whoever is worth it. */
export function judgeLarge(large: Legs, book: FlagBook): void {
  const { buy, sell, sellAgain, sellRest, sellLast } = large;
  if (!buy.ok) {
    book.set("max_tx_limit", "yes", `a hundredth of the pool cannot be bought at once: it ${failureReason(buy.error)}`);
    return;
  }
  // The last sale is of the usual size again: a cap on what is sold at once lets it pass, a closed door does not.
  if (!sells(large) && sellLast.ok) {
    book.set("max_tx_limit", "yes", `more than a little cannot be sold at once: it ${failureReason(sell.error)}`);
    return;
  }
  if (!sells(large)) {
    book.set("sell_blocked", "yes", `after a larger buy a sale ${failureReason(sell.error)}`);
    return;
  }
  if (sellRest.tried && !sellRest.ok && !sellLast.ok) {
    book.set("sell_blocked_later", "yes", `days after a larger buy a sale ${failureReason(sellLast.error)}`);
  }
  const worst = Math.max(...[sell, sellAgain, sellRest].map((leg) => (leg.ok ? sellTax(leg) : 0)));
  if (worst >= EXTREME_BPS) book.set("sell_tax_extreme", "yes", `${worst} basis points after a larger buy`);
  if (buyTax(buy) >= EXTREME_BPS) book.set("buy_tax_extreme", "yes", `${buyTax(buy)} basis points of a larger buy`);
}
