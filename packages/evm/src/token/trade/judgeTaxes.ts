import type { FlagBook } from "../flags.ts";
import { buyTax, EXTREME_BPS, lost, NOTICED_BPS, sellTax } from "./legs.ts";
import { type Trial, tried, type Ways } from "./trial.ts";

/** In basis points; null where it was not measured. */
export interface Taxes {
  readonly buy: number | null;
  readonly sell: number | null;
  readonly transfer: number | null;
}

/** The worst tax that any way of trading met. */
export function judgeTaxes(trial: Trial, ways: Ways, book: FlagBook): Taxes {
  const all = tried(ways);
  const worst = (figures: readonly number[]) => (figures.length === 0 ? null : Math.max(...figures));
  const sold = all.flatMap((legs) => [legs.sell, legs.sellAgain, legs.sellRest]).filter((leg) => leg.ok);
  const buy = worst(all.filter((legs) => legs.buy.ok).map((legs) => buyTax(legs.buy)));
  const transfer = worst(all.filter((legs) => legs.move.ok).map(({ move }) => lost(move.sent, move.received)));
  const sell = worst(sold.map(sellTax));
  const measured = [
    ["buy_tax", "buy_tax_extreme", buy],
    ["sell_tax", "sell_tax_extreme", trial.kind === "sale" ? sell : null],
    ["transfer_tax", "transfer_tax_extreme", transfer],
  ] as const;
  for (const [plain, extreme, bps] of measured) {
    if (bps === null) continue;
    if (bps >= EXTREME_BPS) book.set(extreme, "yes", `${bps} basis points`);
    else if (bps >= NOTICED_BPS) book.set(plain, "yes", `${bps} basis points`);
    book.clear(plain, extreme);
  }
  return { buy, sell: trial.kind === "sale" ? sell : null, transfer };
}
