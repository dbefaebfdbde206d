import type { BlockOverride, ChainView } from "../../chain/view.ts";
import type { FlagBook } from "../flags.ts";
import { failureReason } from "../reason.ts";
import { failed, RAN, type StageEnd, skipped } from "../stage.ts";
import { DAY } from "./asWallet.ts";
import { buyTax, differs, EXTREME_BPS, type Legs, sells, sellTax } from "./legs.ts";
import type { Trial, Tried, Ways } from "./trial.ts";

/** Blocks that may have passed, for contracts that count them. */
const BLOCKS_PER_DAY = 7_200n;

export interface LaterMeans {
  readonly view: ChainView;
  /** Seconds on, the least first. */
  readonly delays: readonly bigint[];
  /** The contract trader at each of the later times, tried with the other trades; empty where time cannot be changed. */
  readonly contract: readonly Tried[];
  /** The block so many seconds on. */
  at(after: bigint): BlockOverride;
  /** The wallet trader so many seconds on; undefined where wallets cannot be simulated. */
  readonly wallet: ((after: bigint) => Promise<Tried>) | undefined;
}

/** The block `after` seconds on, with as many blocks between as usually pass. */
export const blockAfter = (
  view: ChainView,
  feeRecipient: NonNullable<BlockOverride["feeRecipient"]>,
  after: bigint,
): BlockOverride => ({
  time: view.block.timestamp + after,
  number: view.block.number + (after * BLOCKS_PER_DAY) / DAY + 1n,
  feeRecipient,
});

const when = (delay: bigint | undefined): string => `after ${(delay ?? 0n) / 3600n} hours`;

/** Compares like with like: whichever way of trading passes now is the one that is tried later. */
export async function judgeLater(trial: Trial, ways: Ways, means: LaterMeans, book: FlagBook): Promise<StageEnd> {
  const chosen = await likeNow(trial, ways, means);
  if (chosen === undefined) {
    return skipped("nothing can be sold now, so a later sale has nothing to be compared with");
  }
  const { base, later } = chosen;
  if (later.length === 0) return skipped("the node cannot change the block time");
  // Where nobody can buy any more, what a holder can do is asked of one who did not buy.
  const held = await Promise.all(
    later.map((one, index) =>
      one.ok && base.buy.ok && !one.value.buy.ok && trial.sellOnly !== undefined
        ? trial.sellOnly(means.view, means.at(means.delays[index] ?? 0n))
        : one,
    ),
  );
  for (const one of [...later, ...held]) if (!one.ok) return failed(one.error);
  for (const [index, one] of held.entries()) {
    if (!one.ok) continue;
    const { sell } = one.value;
    if (!sell.tried || failureReason(sell.error) === "nothing held") {
      return skipped(`${when(means.delays[index])} nothing can be bought, and a holder could not be made up`);
    }
    compare(base, one.value, when(means.delays[index]), book);
  }
  book.clear("sell_blocked_later", "tax_rises_later", "reads_timestamp");
  return RAN;
}

async function likeNow(
  trial: Trial,
  { contract, wallet, holder }: Ways,
  means: LaterMeans,
): Promise<{ readonly base: Legs; readonly later: readonly Tried[] } | undefined> {
  if (contract?.sell.ok === true) return { base: contract, later: means.contract };
  if (wallet !== undefined && sells(wallet) && means.wallet !== undefined) {
    return { base: wallet, later: await Promise.all(means.delays.map(means.wallet)) };
  }
  const { sellOnly } = trial;
  if (holder?.sell.ok !== true || sellOnly === undefined) return undefined;
  if (means.contract.length === 0) return { base: holder, later: [] };
  return { base: holder, later: await Promise.all(means.delays.map((after) => sellOnly(means.view, means.at(after)))) };
}

function compare(now: Legs, later: Legs, at: string, book: FlagBook): void {
  if (!sells(later)) book.set("sell_blocked_later", "yes", `${at} a sale ${failureReason(later.sell.error)}`);
  if (now.sellRest.ok && later.sell.ok && !later.sellRest.ok && !later.sellAgain.ok) {
    book.set("sell_blocked_later", "yes", `${at} a second sale ${failureReason(later.sellAgain.error)}`);
  }
  const worst = ({ sell, buy }: Legs) => Math.max(sell.ok ? sellTax(sell) : 0, buy.ok ? buyTax(buy) : 0);
  if (worst(later) >= EXTREME_BPS && worst(now) < EXTREME_BPS) {
    book.set("tax_rises_later", "yes", `${at} ${worst(later)} basis points are taken`);
  }
  if (differs(now, later)) book.set("reads_timestamp", "yes", `${at} a trade has another outcome`);
}
