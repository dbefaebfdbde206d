import type { Result, StageStatus } from "@countersign/core";
import type { ChainError } from "../chain/error.ts";
import { most } from "../chain/hex.ts";
import { type BlockOverride, type ChainView, SOMEBODY } from "../chain/view.ts";
import type { FlagBook } from "./flags.ts";
import { failureReason } from "./reason.ts";
import { DAY, type Leg, type Legs } from "./trader.ts";

type Tried = Result<Legs, ChainError>;

/** One way of trying a token, with a pool or without one. */
export interface Trial {
  /** `sale`: through a pool. `pull`: an approved router pulls, and no pool judges. */
  readonly kind: "sale" | "pull";
  readonly venue: 2 | 3 | 4 | undefined;
  asContract(
    view: ChainView,
    options: { readonly gasPrice: "realistic" | "zero"; readonly scale: bigint },
    block?: BlockOverride,
  ): Promise<Tried>;
  /** A contract that sells what it did not buy; undefined where the balance cannot be given. */
  readonly sellOnly: ((view: ChainView, block?: BlockOverride) => Promise<Tried>) | undefined;
  asWallet(
    view: ChainView,
    options: {
      readonly startAfter: bigint;
      readonly scale: bigint;
      readonly moved: bigint;
      readonly pace: "apart" | "same_block";
    },
  ): Promise<Tried>;
}

export interface StageEnd {
  readonly status: StageStatus;
  readonly reason?: string;
}

const RAN: StageEnd = { status: "ran" };
const failed = (error: ChainError): StageEnd => ({ status: "failed", reason: error.message });

/** What the trade stages hand on to those that come after. */
export interface TradeResult {
  readonly trade: StageEnd;
  readonly later: StageEnd;
  readonly wallet: StageEnd;
  readonly taxBps: { readonly buy: number | null; readonly sell: number | null; readonly transfer: number | null };
  readonly sellSimulationOk: boolean | null;
  /** Whether a contract may trade like anyone: where not, powers are tried with plain wallets. */
  readonly contractsTrade: boolean;
  /** Nobody could buy: whether that is a closed market is for the powers stage to say. */
  readonly nobodyBuys: boolean;
  /** Someone who never held the token before can sell it, or, without a pool, have it pulled. */
  readonly freshTraderSells: boolean;
  /** What a buy gave, in token base units. */
  readonly bought: bigint;
}

const EXCESSIVE_GAS = 10_000_000n;
const HIGH_GAS = 2_000_000n;
const NOTICED_BPS = 100;
const EXTREME_BPS = 5_000;
/** Times at which a trade is tried again: after a lunch, after a month, after a year. */
const LATER = [7_200n, 30n * DAY, 400n * DAY] as const;
/** Blocks that may have passed, for contracts that count them. */
const BLOCKS_PER_DAY = 7_200n;

const burned = (leg: Leg): boolean => leg.gas > EXCESSIVE_GAS;

/** Tries the token now, in a careless simulation, at later times and as a plain wallet, and says what differs. */
export async function runTrades(
  trial: Trial,
  able: { readonly simulate: boolean; readonly blockOverrides: boolean; readonly readsGasPrice: boolean },
  views: Readonly<Record<"trade" | "later" | "wallet", ChainView>>,
  book: FlagBook,
): Promise<TradeResult> {
  const { block } = views.trade;
  const at = (after: bigint): BlockOverride => ({
    time: block.timestamp + after,
    number: block.number + (after * BLOCKS_PER_DAY) / DAY + 1n,
    feeRecipient: SOMEBODY,
  });
  // A trade happens in the next block. A careful simulation pays for gas and has somebody get the fees; a careless one
  // does neither.
  const next = { number: block.number + 1n, time: block.timestamp + 12n };
  const real: BlockOverride | undefined = able.blockOverrides ? { ...next, feeRecipient: SOMEBODY } : undefined;
  const careless: BlockOverride | undefined = able.blockOverrides ? next : undefined;
  const timesFor = (run: (when: BlockOverride) => Promise<Tried>): Promise<Tried[]> =>
    able.blockOverrides ? Promise.all(LATER.map((after) => run(at(after)))) : Promise.resolve([]);

  let scale = 1n;
  let [now, zero, ...later] = await Promise.all([
    trial.asContract(views.trade, { gasPrice: "realistic", scale }, real),
    trial.asContract(views.trade, { gasPrice: "zero", scale }, careless),
    ...(able.blockOverrides
      ? LATER.map((after) => trial.asContract(views.later, { gasPrice: "realistic", scale }, at(after)))
      : []),
  ]);
  if (trial.kind === "sale" && now.ok && !now.value.buy.ok) {
    const small = await trial.asContract(views.trade, { gasPrice: "realistic", scale: 100n }, real);
    if (small.ok && small.value.buy.ok) {
      scale = 100n;
      now = small;
      book.set("max_tx_limit", "yes", "a buy passes at a hundredth of the size at which it failed");
      [zero, ...later] = await Promise.all([
        trial.asContract(views.trade, { gasPrice: "zero", scale }, careless),
        ...(able.blockOverrides
          ? LATER.map((after) => trial.asContract(views.later, { gasPrice: "realistic", scale }, at(after)))
          : []),
      ]);
    }
  }
  const bought = now.ok && now.value.buy.ok ? now.value.buy.received : 0n;
  const asWallet = (startAfter: bigint, moved: bigint, pace: "apart" | "same_block" = "apart") =>
    trial.asWallet(startAfter === 0n ? views.wallet : views.later, { startAfter, scale, moved, pace });
  let wallet = able.simulate ? await asWallet(0n, bought / 5n) : undefined;
  if (wallet?.ok === true && wallet.value.buy.ok && bought === 0n) {
    wallet = await asWallet(0n, wallet.value.buy.received / 5n);
  }

  // Without simulated wallets, selling what was not bought still tells a cooldown from a closed door.
  const unbought =
    wallet === undefined && now.ok && !passes(trial, now.value) ? await trial.sellOnly?.(views.trade, real) : undefined;

  const walletEnd: StageEnd =
    wallet === undefined
      ? { status: "skipped", reason: "the node cannot simulate wallets over several blocks" }
      : wallet.ok
        ? RAN
        : failed(wallet.error);
  const c = now.ok ? now.value : undefined;
  const w = wallet?.ok === true ? wallet.value : undefined;
  const u = unbought?.ok === true ? unbought.value : undefined;
  const tradeEnd = now.ok ? RAN : failed(now.error);

  await judgeDifferences(trial, book, c, w, u, () => asWallet(0n, 0n, "same_block"));
  const ways = [c, w, u].filter((legs) => legs !== undefined);
  judgeTransfers(book, ways);
  const sellSimulationOk = judgeSales(trial, book, ways);
  const nobodyBuys = trial.kind === "sale" && ways.length > 0 && !ways.some((legs) => legs.buy.ok);
  if (trial.kind === "sale" && c !== undefined) {
    if (nobodyBuys) book.set("buy_blocked", "yes", `a buy ${failureReason(c.buy.error)}`);
    else book.clear("buy_blocked");
  }
  const taxBps = judgeTaxes(trial, book, ways);

  if (zero.ok && c !== undefined) {
    if (differs(c, zero.value)) {
      const by = able.readsGasPrice ? "reads_gasprice" : "detects_simulation";
      book.set(by, "yes", "a trade has another outcome in a simulation without gas price and fee recipient");
    }
    book.clear("reads_gasprice", "detects_simulation");
  }

  const laterEnd = await judgeLater(trial, book, { view: views.later, c, w, u, later, able }, at, timesFor, (after) =>
    asWallet(after, 0n),
  );
  return {
    trade: tradeEnd,
    wallet: walletEnd,
    later: laterEnd,
    taxBps,
    sellSimulationOk,
    contractsTrade: c !== undefined && passes(trial, c),
    nobodyBuys,
    freshTraderSells: ways.some(sells),
    bought: bought > 0n ? bought : (w?.buy.received ?? 0n),
  };
}

/** The token can be traded this way: bought (where there is a pool), sent on, and sold. */
const passes = (trial: Trial, legs: Legs): boolean =>
  (trial.kind === "pull" || legs.buy.ok) && legs.sell.ok && (!legs.move.tried || legs.move.ok);

/** A sale passes, if only after some days: a wait is not a closed door. */
const sells = (legs: Legs): boolean => legs.sell.ok || legs.sellAgain.ok || legs.sellRest.ok;

function differs(a: Legs, b: Legs): boolean {
  const legs = ["buy", "move", "sell", "sellAgain"] as const;
  const differ = legs.some((name) => a[name].tried && b[name].tried && a[name].ok !== b[name].ok);
  return differ || Math.abs(sellTax(a.sell) - sellTax(b.sell)) > NOTICED_BPS;
}

/** What contracts and wallets may do differently, and whether it is time or kind that makes the difference. */
async function judgeDifferences(
  trial: Trial,
  book: FlagBook,
  c: Legs | undefined,
  w: Legs | undefined,
  u: Legs | undefined,
  sameBlock: () => Promise<Tried>,
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

function judgeTransfers(book: FlagBook, ways: readonly Legs[]): void {
  const moves = ways.map((legs) => legs.move).filter((leg) => leg.tried);
  for (const leg of ways.flatMap((legs) => [legs.move, legs.sell]).filter((one) => one.tried && !one.ok)) {
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

/** Whether a holder can sell. Wallets are who trades: where a wallet was tried, it decides. */
function judgeSales(trial: Trial, book: FlagBook, ways: readonly Legs[]): boolean | null {
  const tried = ways.filter((legs) => legs.sell.tried && failureReason(legs.sell.error) !== "nothing held");
  const gas = tried.map((legs) => legs.sell.gas).reduce(most, 0n);
  if (gas > EXCESSIVE_GAS) book.set("sell_gas_excessive", "yes", `a sale used ${gas} gas`);
  else if (gas > HIGH_GAS) book.set("sell_gas_high", "yes", `a sale used ${gas} gas`);
  if (trial.kind === "pull") book.set("sell_not_simulated", "yes");
  if (tried.length === 0) return null;
  book.clear("sell_gas_excessive", "sell_gas_high", "sell_not_simulated");

  const selling = tried.filter(sells);
  if (selling.length === 0) {
    const error = tried.at(-1)?.sell.error ?? "0x";
    const reason = failureReason(error);
    if (tried.some((legs) => burned(legs.sell))) return false;
    if (trial.venue === 3 && reason.includes('"IIA"')) {
      book.set("fee_token_incompatible_with_pool", "yes", "the pool refuses a sale that arrives short");
      book.set("sell_blocked", "unknown", "this kind of pool cannot take a token with a transfer fee");
      return null;
    }
    book.set("sell_blocked", "yes", trial.kind === "pull" ? `an approved pull ${reason}` : `a sale ${reason}`);
    return false;
  }
  if (trial.kind === "pull") return null;
  const wallet = ways[1];
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

/** Share of `sent` that did not arrive, in basis points, rounded up against the token. */
const lost = (sent: bigint, arrived: bigint): number =>
  sent === 0n || arrived >= sent ? 0 : Number(((sent - arrived) * 10_000n + sent - 1n) / sent);
const sellTax = (leg: Leg): number => lost(leg.sent, leg.arrived);

function judgeTaxes(trial: Trial, book: FlagBook, ways: readonly Legs[]): TradeResult["taxBps"] {
  const worst = (figures: readonly number[]) => (figures.length === 0 ? null : Math.max(...figures));
  const sold = ways.flatMap((legs) => [legs.sell, legs.sellAgain, legs.sellRest]).filter((leg) => leg.ok);
  const buy = worst(ways.filter((legs) => legs.buy.ok).map(({ buy: leg }) => lost(leg.poolOut, leg.received)));
  const transfer = worst(ways.filter((legs) => legs.move.ok).map(({ move }) => lost(move.sent, move.received)));
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

interface LaterInput {
  readonly view: ChainView;
  readonly c: Legs | undefined;
  readonly w: Legs | undefined;
  readonly u: Legs | undefined;
  readonly later: readonly Tried[];
  readonly able: { readonly simulate: boolean };
}

/** Compares like with like: whichever way of trading passes now is the one that is tried later. */
async function judgeLater(
  trial: Trial,
  book: FlagBook,
  { view, c, w, u, later, able }: LaterInput,
  at: (after: bigint) => BlockOverride,
  timesFor: (run: (when: BlockOverride) => Promise<Tried>) => Promise<Tried[]>,
  walletAfter: (after: bigint) => Promise<Tried>,
): Promise<StageEnd> {
  let tried: readonly Tried[] = later;
  let base = c;
  if (c === undefined || !c.sell.ok) {
    if (w !== undefined && sells(w) && able.simulate) {
      base = w;
      tried = await Promise.all(LATER.map(walletAfter));
    } else if (u?.sell.ok === true && trial.sellOnly !== undefined) {
      const { sellOnly } = trial;
      base = u;
      tried = await timesFor((when) => sellOnly(view, when));
    } else
      return { status: "skipped", reason: "nothing can be sold now, so a later sale has nothing to be compared with" };
  }
  if (base === undefined || tried.length === 0)
    return { status: "skipped", reason: "the node cannot change the block time" };
  const error = tried.find((one) => !one.ok);
  if (error !== undefined && !error.ok) return failed(error.error);
  // Where nobody can buy any more, what a holder can do is asked of one who did not buy.
  const holds = await Promise.all(
    tried.map((one, index) =>
      one.ok && base?.buy.ok === true && !one.value.buy.ok && trial.sellOnly !== undefined
        ? trial.sellOnly(view, at(LATER[index] ?? 0n))
        : Promise.resolve(one),
    ),
  );
  const unheld = holds.find((one) => !one.ok);
  if (unheld !== undefined && !unheld.ok) return failed(unheld.error);
  for (const [index, one] of holds.entries()) {
    if (!one.ok) continue;
    const when = `after ${Number(LATER[index] ?? 0n) / 3600} hours`;
    const held = one.value.sell.tried && failureReason(one.value.sell.error) !== "nothing held";
    if (!held) return { status: "skipped", reason: `${when} nothing can be bought, and a holder could not be made up` };
    if (!sells(one.value)) {
      book.set("sell_blocked_later", "yes", `${when} a sale ${failureReason(one.value.sell.error)}`);
    }
    if (base.sellRest.ok && one.value.sell.ok && !one.value.sellRest.ok && !one.value.sellAgain.ok) {
      book.set("sell_blocked_later", "yes", `${when} a second sale ${failureReason(one.value.sellAgain.error)}`);
    }
    const taken = ({ sell, buy }: Legs) => [sell.ok ? sellTax(sell) : 0, buy.ok ? lost(buy.poolOut, buy.received) : 0];
    const taxes = taken(one.value);
    const before = taken(base);
    if (Math.max(...taxes) >= EXTREME_BPS && Math.max(...before) < EXTREME_BPS) {
      book.set("tax_rises_later", "yes", `${when} ${Math.max(...taxes)} basis points are taken`);
    }
    if (differs(base, one.value)) book.set("reads_timestamp", "yes", `${when} a trade has another outcome`);
  }
  book.clear("sell_blocked_later", "tax_rises_later", "reads_timestamp");
  return RAN;
}
