import type { FlagBook } from "../flags.ts";
import { failureReason } from "../reason.ts";
import { sells } from "./legs.ts";
import { passes, type Trial, type Tried, tried, type Ways } from "./trial.ts";

/** What contracts and wallets may do differently, and whether it is time or kind that makes the difference. */
export async function judgeDifferences(
  trial: Trial,
  { contract: c, wallet: w, holder: u }: Ways,
  sameBlock: () => Promise<Tried>,
  book: FlagBook,
): Promise<void> {
  if (c === undefined) return;
  const contract = passes(trial, c);
  if (w === undefined) {
    if (!contract && u?.sell.ok === true)
      book.set("cooldown", "yes", "a sale passes for tokens that were not bought in the same block");
    return;
  }
  const wallet = passes(trial, w);
  if (!w.sell.ok && sells(w)) book.set("cooldown", "yes", "a wallet's sale fails at first and passes days later");
  else if (contract && !wallet) {
    book.set("behaves_differently_for_contracts", "yes", "a contract can trade and a plain wallet cannot");
  }
  if (!contract && wallet) {
    const together = trial.kind === "pull" || !c.buy.ok ? undefined : await sameBlock();
    const waits = together?.ok === true && !passes(trial, together.value);
    if (waits) book.set("cooldown", "yes", "a sale in the block of the buy fails, a later one passes");
    else book.set("eoa_only", "yes", "a plain wallet can trade and a contract cannot");
  }
  book.clear("cooldown", "eoa_only", "behaves_differently_for_contracts");
}

/** Whether transfers between wallets pass, and whether they are what they say. */
export function judgeTransfers(ways: Ways, book: FlagBook): void {
  const all = tried(ways);
  const moves = all.map((legs) => legs.move).filter((leg) => leg.tried);
  for (const leg of all.flatMap((legs) => [legs.move, legs.sell]).filter((one) => one.tried && !one.ok)) {
    const reason = failureReason(leg.error);
    if (reason === "nothing arrived")
      book.set("silent_transfer", "yes", "a transfer reports success and moves nothing");
    if (reason === "returned false") book.set("returns_false", "yes", "a transfer returns false");
  }
  if (moves.length === 0) return;
  book.clear("silent_transfer");
  if (moves.some((leg) => leg.ok)) book.clear("transfer_blocked");
  else book.set("transfer_blocked", "yes", `a transfer ${failureReason(moves[0]?.error ?? "0x")}`);
}
