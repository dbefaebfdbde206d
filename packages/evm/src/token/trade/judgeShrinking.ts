import type { FlagBook } from "../flags.ts";
import { EXTREME_BPS, type Legs, lost, NOTICED_BPS } from "./legs.ts";

/**
 * Whether a wallet still has what it bought and did not send away. Its sales are shares of what it has at the time, so
 * they pass, and are worth nothing, where balances melt.
 */
export function judgeShrinking({ buy, move, sell, sellAgain, sellRest }: Legs, book: FlagBook): void {
  if (!buy.ok) return;
  let left = buy.received - (move.ok ? move.sent : 0n);
  let worst = 0;
  for (const [leg, share] of [
    [sell, 2n],
    [sellAgain, 2n],
    [sellRest, 1n],
  ] as const) {
    // A leg that failed does not tell what was offered.
    if (!leg.ok || left <= 0n) continue;
    worst = Math.max(worst, lost(left / share, leg.sent));
    left -= leg.sent;
  }
  if (worst >= EXTREME_BPS) book.set("balance_shrinks_extreme", "yes", `${worst} basis points were gone within days`);
  else if (worst >= NOTICED_BPS) book.set("balance_shrinks", "yes", `${worst} basis points were gone within days`);
  book.clear("balance_shrinks", "balance_shrinks_extreme");
}
