import type { Result, StageReport, TokenFacts, TokenStage } from "@countersign/core";
import { err, ok, TOKEN_STAGES } from "@countersign/core";
import type { Address } from "viem";
import { type BalanceSlots, findBalanceSlots } from "../balance/slot.ts";
import { type ChainError, chainError } from "../chain/error.ts";
import type { ChainReader } from "../chain/reader.ts";
import type { ChainView } from "../chain/view.ts";
import { NOBODY } from "../probe/script.ts";
import { type Cast, castOf } from "./cast.ts";
import { type ExitsInput, tryExits } from "./exits.ts";
import { type FlagBook, flagBook } from "./flags.ts";
import { findHolders, replayHolders } from "./holders.ts";
import { externalCalls, runOdd } from "./odd.ts";
import { findPools, type Pool, type Venues } from "./pools.ts";
import { type Candidate, constantSlots, findAuthorities } from "./powers/authorities.ts";
import { runPowers } from "./powers/powers.ts";
import { failed, RAN, type StageEnd, skipped } from "./stage.ts";
import { codeSizes, PROXY_SLOTS, readSubject, type Subject } from "./subject.ts";
import { runTrades, type TradeResult } from "./trade/runTrades.ts";
import { moveTrial, poolTrial } from "./trade/trials.ts";

export interface SafetyOptions {
  readonly venues: Venues;
  /**
   * Names the throw-away addresses of the simulation. Must be unpredictable for whoever wrote the token, and the same
   * when recorded traffic is replayed.
   */
  readonly seed: string;
  /** Where quotes keep their balances, kept between checks of one chain. */
  readonly memory?: QuoteMemory;
}

export type QuoteMemory = Map<string, BalanceSlots>;

/** The facts, and what they cost. */
export interface SafetyReport {
  readonly facts: TokenFacts;
  readonly calls: number;
  readonly ms: number;
  /** What must still be as it was for the facts to be about the same token: contracts by code, slots by the addresses in them. */
  readonly watch: { readonly contracts: readonly Address[]; readonly slots: readonly bigint[] };
}

/**
 * Checks a token in stages at one block and says of every factor yes, no or unknown.
 * Fails when the chain could not be read at all; a stage that could not run is reported as such, never as passed.
 */
export async function checkTokenSafety(
  reader: ChainReader,
  address: Address,
  options: SafetyOptions,
): Promise<Result<SafetyReport, ChainError>> {
  const pinned = await reader.pin();
  if (!pinned.ok) return pinned;
  return checkTokenAt(pinned.value, address.toLowerCase() as Address, options);
}

/** The same on a view that is already pinned, so that several facts of one decision speak of one block. */
export async function checkTokenAt(
  view: ChainView,
  address: Address,
  options: SafetyOptions,
): Promise<Result<SafetyReport, ChainError>> {
  const started = performance.now();
  const cast = castOf(options.seed);
  const book = flagBook();
  // A token can have as many functions as it likes: what they cost is not taken from the stages that try to sell.
  const meters = Object.fromEntries(
    TOKEN_STAGES.map((stage) => [stage, view.scope(stage === "powers" ? KEPT_FROM_POWERS : 0)]),
  ) as Record<TokenStage, ChainView>;
  const ends = new Map<TokenStage, StageEnd>();

  const subject = await readSubject(meters.static, cast.conductor, address);
  if (!subject.ok) return subject;
  if (subject.value === "no_code") {
    book.set("no_code", "yes", "the address has no code");
    ends.set("static", RAN);
    return finish(view, address, undefined, book, ends, meters, NOTHING_TRADED, [], started);
  }
  const token = subject.value;
  judgeStatic(token, book);
  ends.set("static", RAN);

  const [pools, slots] = await Promise.all([
    findPools(meters.trade, cast.conductor, address, options.venues),
    tokenSlots(meters.slot, cast, token),
  ]);
  if (!pools.ok) return pools;
  const pool = pools.value[0];
  const balances = slots.ok ? slots.value : undefined;
  ends.set("slot", slotEnd(slots));
  judgeSlots(token, balances, book);

  const poolAddress = pool?.route.target;
  const [holders, quote] = await Promise.all([
    findHolders(meters.holders, cast.conductor, address, pool),
    pool === undefined ? Promise.resolve(ok(undefined)) : quoteSlots(meters.trade, cast, pool, options.memory),
  ]);
  const trades = await tradeStages(meters, cast, token, pool, quote, balances, book);
  ends.set("trade", trades.trade);
  ends.set("later", trades.later);
  ends.set("wallet", trades.wallet);

  const seen = holders.ok ? holders.value.seen : [];
  const known = [poolAddress, pool?.quote, token.beacon].filter((one) => one !== undefined);
  const found = await findAuthorities(meters.static, token, seen, known);
  if (!found.ok) return found;
  const { candidates } = found.value;
  const contracts = await contractsAmong(meters.static, cast, address, candidates, balances);
  if (!contracts.ok) return contracts;
  // Who holds a power may well be exempt from what others suffer.
  const privileged = new Set(candidates.map((one) => one.address));
  const sample = holders.ok ? holders.value.sample.filter((one) => !privileged.has(one.address)) : [];
  const mover = poolAddress ?? (holders.ok ? holders.value.sample[0]?.address : undefined);
  const [replayed, odd, , powers] = await Promise.all([
    holders.ok
      ? replayHolders(meters.holders, cast, address, pool, sample, trades, book)
      : Promise.resolve<StageEnd>(skipped(holders.error.message)),
    oddities(
      {
        view: meters.odd,
        cast,
        token: address,
        slots: balances,
        supply: token.supply ?? 0n,
        pools: pools.value,
        contracts: contracts.value,
      },
      book,
    ),
    externalCalls(
      meters.odd,
      { subject: token, slots: balances, mover, seller: sample[0], pool: poolAddress, cast },
      { contracts: contracts.value, passed: trades.passed, bought: trades.bought },
      book,
    ),
    runPowers(
      {
        view: meters.powers,
        cast,
        subject: token,
        slots: balances,
        pool: poolAddress,
        authorities: found.value,
        nobodyBuys: trades.nobodyBuys,
        contracts: contracts.value,
      },
      book,
    ),
  ]);
  ends.set("holders", replayed);
  ends.set("odd", odd);
  ends.set("powers", powers);
  if (balances?.encoding.kind === "scaled") {
    const spendable = book.get("balance_view_mismatch");
    book.set("rebasing_view", spendable === "no" ? "yes" : spendable === "yes" ? "no" : "unknown");
  }
  judgeDestruction(
    token,
    candidates.some(({ from }) => from !== "log"),
    book,
  );
  const authorities = candidates.map((one) => one.address);
  return finish(view, address, token, book, ends, meters, trades, authorities, started);
}

/** What no trade shows; the ways out come last, since a balance that cannot be spent explains what they meet. */
async function oddities(input: ExitsInput, book: FlagBook): Promise<StageEnd> {
  const { view, cast, token, slots, supply } = input;
  const odd = await runOdd(view, cast, token, slots, supply, book);
  if (odd.status !== "ran") return odd;
  const exits = await tryExits(input, book);
  return exits.status === "failed" ? exits : odd;
}

/** Requests that holders and oddities need at most. */
const KEPT_FROM_POWERS = 30;

/** At most so many contracts that the token knows are looked at by themselves. */
const MAX_CONTRACTS = 6;

/** Contracts whose addresses stand in the token's code or storage, but for the one that keeps its balances. */
async function contractsAmong(
  view: ChainView,
  cast: Cast,
  token: Address,
  candidates: readonly Candidate[],
  balances: BalanceSlots | undefined,
): Promise<Result<readonly Address[], ChainError>> {
  const held = candidates
    .filter(({ from, address }) => (from === "storage" || from === "code") && address !== balances?.contract)
    .map(({ address }) => address);
  if (held.length === 0) return ok([]);
  const sizes = await codeSizes(view, cast.conductor, [token, ...held]);
  if (!sizes.ok) return sizes;
  const [own, ...others] = sizes.value;
  if (own === 0n) return err(chainError("chain.malformed", "the node says that the token it ran has no code"));
  return ok(held.filter((_, index) => (others[index] ?? 0n) > 0n).slice(0, MAX_CONTRACTS));
}

const NOTHING_TRADED = {
  taxBps: { buy: null, sell: null, transfer: null },
  sellSimulationOk: null,
} as const;

async function finish(
  view: ChainView,
  address: Address,
  token: Subject | undefined,
  book: FlagBook,
  ends: ReadonlyMap<TokenStage, StageEnd>,
  meters: Readonly<Record<TokenStage, ChainView>>,
  trades: Pick<TradeResult, "taxBps" | "sellSimulationOk">,
  authorities: readonly Address[],
  started: number,
): Promise<Result<SafetyReport, ChainError>> {
  // Everything above was read at one number; if it no longer has the hash, it was read from two chains.
  const confirmed = await view.confirm();
  if (!confirmed.ok) return err(confirmed.error);
  const stages = TOKEN_STAGES.map((stage): StageReport => {
    const { status, reason } = ends.get(stage) ?? skipped("there is nothing to look at");
    return { stage, status, ...(reason === undefined ? {} : { reason }), ...meters[stage].spent() };
  });
  return ok({
    facts: {
      chainId: view.chainId,
      address,
      block: { number: view.block.number.toString(), hash: view.block.hash },
      codeHash: token?.codeHash ?? "0x",
      authorities,
      stages,
      flags: book.flags(),
      taxBps: trades.taxBps,
      sellSimulationOk: trades.sellSimulationOk,
    },
    calls: stages.reduce((sum, stage) => sum + stage.calls, view.spent().calls),
    ms: performance.now() - started,
    watch: {
      contracts: token?.layers.map((layer) => layer.address) ?? [address],
      slots: token === undefined ? [] : constantSlots(token),
    },
  });
}

function judgeStatic({ layers, proxy, ends }: Subject, book: FlagBook): void {
  book.set("no_code", "no");
  book.set("delegated_account", proxy === "account" ? "yes" : "no");
  const replaceable = proxy === "upgradeable" || proxy === "beacon" || proxy === "diamond";
  book.set("upgradeable_proxy", replaceable ? "yes" : "no", replaceable ? `delegates as a ${proxy} proxy` : undefined);
  book.set("beacon", proxy === "beacon" ? "yes" : "no");
  book.set("diamond", proxy === "diamond" ? "yes" : "no");
  book.set("clone", proxy === "clone" ? "yes" : "no");
  const last = layers.at(-1);
  const foreign = last?.facts.hints.has("DELEGATECALL") === true || last?.facts.hints.has("CALLCODE") === true;
  const runsForeign = foreign && proxy !== "diamond";
  book.set("foreign_delegatecall", runsForeign ? "yes" : "no");
  book.set("unreadable_code", ends && layers.every(({ facts }) => facts.complete) ? "no" : "yes");
}

function judgeDestruction({ layers }: Subject, someoneMay: boolean, book: FlagBook): void {
  const destructible = layers.some(({ facts }) => facts.hints.has("SELFDESTRUCT"));
  if (destructible)
    book.set(someoneMay ? "selfdestruct" : "selfdestruct_dormant", "yes", "SELFDESTRUCT can be reached");
  book.clear("selfdestruct", "selfdestruct_dormant");
}

async function tokenSlots(view: ChainView, cast: Cast, { address, layers }: Subject) {
  const facts = layers.map((layer) => layer.facts);
  return findBalanceSlots(view, {
    conductor: cast.conductor,
    token: address,
    holder: cast.wallet,
    roots: facts.flatMap(({ slots, hashes, memberships }) => [...memberships, ...hashes.map(BigInt), ...slots]),
    reserved: Object.values(PROXY_SLOTS),
  });
}

function slotEnd(slots: Result<BalanceSlots | undefined, ChainError>): StageEnd {
  if (!slots.ok) return failed(slots.error);
  return slots.value === undefined ? skipped("no storage slot shows what is written into it") : RAN;
}

function judgeSlots(token: Subject, slots: BalanceSlots | undefined, book: FlagBook): void {
  if (slots === undefined) return;
  book.set("external_storage", slots.contract === token.address ? "no" : "yes");
  if (slots.encoding.kind === "shifted") book.set("rebasing_view", "no");
}

/** Where the quote keeps balances; undefined for the native currency. An unknown place is an error: nothing can be bought. */
export async function quoteSlots(
  view: ChainView,
  cast: Cast,
  pool: Pool,
  memory: QuoteMemory | undefined,
): Promise<Result<BalanceSlots | "native" | undefined, ChainError>> {
  if (pool.quote === NOBODY) return ok("native");
  const key = `${view.chainId}:${pool.quote}`;
  const kept = memory?.get(key);
  if (kept !== undefined) return ok(kept);
  const query = {
    conductor: cast.conductor,
    token: pool.quote,
    holder: cast.trader,
    roots: [],
    reserved: Object.values(PROXY_SLOTS),
  };
  const found = await findBalanceSlots(view, query);
  if (found.ok && found.value !== undefined) memory?.set(key, found.value);
  return found;
}

async function tradeStages(
  meters: Readonly<Record<TokenStage, ChainView>>,
  cast: Cast,
  token: Subject,
  pool: Pool | undefined,
  quote: Result<BalanceSlots | "native" | undefined, ChainError>,
  balances: BalanceSlots | undefined,
  book: FlagBook,
): Promise<TradeResult> {
  const view = meters.trade;
  const able = view.capabilities;
  const readsGasPrice = token.layers.some(({ facts }) => facts.hints.has("GASPRICE"));
  const means = { views: meters, cast, readsGasPrice };
  const none = (end: StageEnd): TradeResult => ({
    ...NOTHING_TRADED,
    trade: end,
    later: end,
    wallet: end,
    nobodyBuys: false,
    freshTraderSells: false,
    bought: 0n,
    passed: undefined,
  });
  if (!able.overrides) return none(skipped("the node does not simulate with overrides"));
  if (!quote.ok) return none(failed(quote.error));
  if (pool !== undefined && quote.value !== undefined) {
    const quoteSlotsOrNative = quote.value === "native" ? undefined : quote.value;
    const trial = poolTrial({ cast, token: token.address, pool, quoteSlots: quoteSlotsOrNative, tokenSlots: balances });
    return runTrades(trial, means, book);
  }
  if (balances === undefined) {
    return none(skipped("there is no pool, and the balance of a trial wallet could not be set"));
  }
  const amount = (token.supply ?? 0n) / 1_000_000n;
  const trial = moveTrial(cast, token.address, balances, amount > 10_000n ? amount : 10_000n);
  const result = await runTrades(trial, means, book);
  const reason =
    pool === undefined ? "no pool was found: transfers only" : "the quote's balances could not be set: transfers only";
  return { ...result, trade: result.trade.status === "ran" ? skipped(reason) : result.trade };
}
