import type { Address } from "viem";
import type { BlockOverride, ChainView, Overrides } from "../../chain/view.ts";
import type { Cast } from "../cast.ts";
import type { FlagBook } from "../flags.ts";
import { failureReason } from "../reason.ts";
import { failed, RAN, type StageEnd, skipped } from "../stage.ts";
import { judgeDifferences, judgeTransfers } from "./judgeDifferences.ts";
import { judgeLarge } from "./judgeLarge.ts";
import { blockAfter, judgeLater } from "./judgeLater.ts";
import { judgeSales } from "./judgeSales.ts";
import { judgeShrinking } from "./judgeShrinking.ts";
import { judgeTaxes, type Taxes } from "./judgeTaxes.ts";
import { differs, type Legs, sells } from "./legs.ts";
import { passes, type Trial, type Tried, tried, type Ways } from "./trial.ts";

/** What the trade stages hand on to those that come after. */
export interface TradeResult {
  readonly trade: StageEnd;
  readonly later: StageEnd;
  readonly wallet: StageEnd;
  readonly taxBps: Taxes;
  readonly sellSimulationOk: boolean | null;
  /** Nobody could buy: whether that is a closed market is for the powers stage to say. */
  readonly nobodyBuys: boolean;
  /** Someone who never held the token before can sell it, or, without a pool, have it pulled. */
  readonly freshTraderSells: boolean;
  /** What a buy gave, in token base units. */
  readonly bought: bigint;
  /** The trade that passed, and the same on a chain that differs in something; undefined where none passed. */
  readonly passed: { readonly legs: Legs; again(extra: Overrides): Promise<Tried> } | undefined;
}

export interface TradeMeans {
  readonly views: Readonly<Record<"trade" | "later" | "wallet", ChainView>>;
  readonly cast: Cast;
  /** The code asks for the gas price: where it behaves differently without one, that is why. */
  readonly readsGasPrice: boolean;
}

/** Tries the token now, in a careless simulation, at later times and as a plain wallet, and says what differs. */
export async function runTrades(
  trial: Trial,
  { views, cast, readsGasPrice }: TradeMeans,
  book: FlagBook,
): Promise<TradeResult> {
  const { simulate } = views.trade.capabilities;
  const { builder, delays } = cast;
  const { now, careless, later, scale } = await asContracts(trial, views, cast, book);
  const contract = now.ok ? now.value : undefined;
  const bought = contract?.buy.ok === true ? contract.buy.received : 0n;
  const asWallet = (startAfter: bigint, moved: bigint, pace: "apart" | "same_block" = "apart") =>
    trial.asWallet(startAfter === 0n ? views.wallet : views.later, { startAfter, scale, moved, pace });
  let walked = simulate ? await asWallet(0n, bought / 5n) : undefined;
  if (walked?.ok === true && walked.value.buy.ok && bought === 0n) {
    walked = await asWallet(0n, walked.value.buy.received / 5n);
  }
  // Without simulated wallets, selling what was not bought still tells a cooldown from a closed door.
  const unclear = walked === undefined && contract !== undefined && !passes(trial, contract);
  const unbought = unclear ? await trial.sellOnly?.(views.trade, nextBlock(views.trade, builder)) : undefined;
  const ways: Ways = {
    contract,
    wallet: walked?.ok === true ? walked.value : undefined,
    holder: unbought?.ok === true ? unbought.value : undefined,
  };

  await judgeDifferences(trial, ways, () => asWallet(0n, 0n, "same_block"), book);
  judgeTransfers(ways, book);
  const sellSimulationOk = judgeSales(trial, ways, book);
  if (ways.wallet !== undefined) judgeShrinking(ways.wallet, book);
  const isTraded = trial.kind === "sale" && ways.wallet?.buy.ok === true && sells(ways.wallet);
  const large = isTraded
    ? await trial.asWallet(views.wallet, { startAfter: 0n, scale, times: LARGER, moved: 0n, pace: "apart" })
    : undefined;
  if (large?.ok === true) judgeLarge(large.value, book);
  const all = tried(ways);
  const nobodyBuys = trial.kind === "sale" && all.length > 0 && !all.some((legs) => legs.buy.ok);
  if (trial.kind === "sale" && contract !== undefined) {
    if (nobodyBuys) book.set("buy_blocked", "yes", `a buy ${failureReason(contract.buy.error)}`);
    else book.clear("buy_blocked");
  }
  if (careless.ok && contract !== undefined) {
    if (differs(contract, careless.value)) {
      const by = readsGasPrice ? "reads_gasprice" : "detects_simulation";
      book.set(by, "yes", "a trade has another outcome in a simulation without gas price and fee recipient");
    }
    book.clear("reads_gasprice", "detects_simulation");
  }
  const means = {
    view: views.later,
    delays,
    contract: later,
    at: (after: bigint) => blockAfter(views.later, builder, after),
    wallet: simulate ? (after: bigint) => asWallet(after, 0n) : undefined,
  };
  return {
    trade: now.ok ? RAN : failed(now.error),
    wallet: walletEnd(large?.ok === false ? large : walked),
    taxBps: judgeTaxes(trial, ways, book),
    later: await judgeLater(trial, ways, means, book),
    sellSimulationOk,
    nobodyBuys,
    freshTraderSells: all.some(sells),
    bought: bought > 0n ? bought : (ways.wallet?.buy.received ?? 0n),
    passed:
      trial.kind === "sale" && contract !== undefined && passes(trial, contract)
        ? {
            legs: contract,
            again: (extra) =>
              trial.asContract(views.trade, { gasPrice: "realistic", scale }, nextBlock(views.trade, builder), extra),
          }
        : undefined,
  };
}

function walletEnd(walked: Tried | undefined): StageEnd {
  if (walked === undefined) return skipped("the node cannot simulate wallets over several blocks");
  return walked.ok ? RAN : failed(walked.error);
}

/**
 * A trade happens in the next block. A careful simulation pays for gas and has somebody get the fees; a careless one
 * does neither, and some tokens look.
 */
function nextBlock({ block, capabilities }: ChainView, builder: Address | undefined): BlockOverride | undefined {
  if (!capabilities.blockOverrides) return undefined;
  const next = { number: block.number + 1n, time: block.timestamp + 12n };
  return builder === undefined ? next : { ...next, feeRecipient: builder };
}

/** The contract trader now, carelessly, and later; at a hundredth of the size where the whole size cannot be bought. */
async function asContracts(trial: Trial, views: TradeMeans["views"], { builder, delays }: Cast, book: FlagBook) {
  const careful = (scale: bigint) =>
    trial.asContract(views.trade, { gasPrice: "realistic", scale }, nextBlock(views.trade, builder));
  const others = async (scale: bigint) => {
    const times = views.later.capabilities.blockOverrides ? delays : [];
    const [careless, ...later] = await Promise.all([
      trial.asContract(views.trade, { gasPrice: "zero", scale }, nextBlock(views.trade, undefined)),
      ...times.map((after) =>
        trial.asContract(views.later, { gasPrice: "realistic", scale }, blockAfter(views.later, builder, after)),
      ),
    ]);
    return { careless, later };
  };
  const [now, rest] = await Promise.all([careful(1n), others(1n)]);
  if (trial.kind === "sale" && now.ok && !now.value.buy.ok) {
    const small = await careful(SMALLER);
    if (small.ok && small.value.buy.ok) {
      book.set("max_tx_limit", "yes", "a buy passes at a hundredth of the size at which it failed");
      return { now: small, ...(await others(SMALLER)), scale: SMALLER };
    }
  }
  return { now, ...rest, scale: 1n };
}

const SMALLER = 100n;
/** A hundredth of the pool, where the usual trade is a twenty-thousandth of it. */
const LARGER = 200n;
