import type { Result } from "@countersign/core";
import { ok } from "@countersign/core";
import { type Address, encodeFunctionData, type Hex, maxUint256 } from "viem";
import type { ChainError } from "../chain/error.ts";
import { addressOfWord, least, most } from "../chain/hex.ts";
import { widestLogs } from "../chain/logs.ts";
import type { CallRequest, ChainView, Log, SimulatedCall } from "../chain/view.ts";
import { PROBE } from "../probe/bytecode.ts";
import { ERC20, outcomeWord, PROBE_ABI, read, runScript } from "../probe/script.ts";
import type { Cast } from "./cast.ts";
import type { FlagBook } from "./flags.ts";
import { gasPriceOf, purse } from "./funding.ts";
import type { Pool } from "./pools.ts";
import { failureReason } from "./reason.ts";
import { failed, RAN, type StageEnd, skipped } from "./stage.ts";
import { codeSizes } from "./subject.ts";
import { DAY, saysFalse, swapLeg } from "./trade/asWallet.ts";
import type { TradeResult } from "./trade/runTrades.ts";

const TRANSFER: Hex = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/** By which a pool names who got what was bought, as the second indexed member. V4 pools do not. */
const SWAPS: Readonly<Record<Pool["route"]["venue"], Hex | undefined>> = {
  2: "0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822",
  3: "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67",
  4: undefined,
};
const SAMPLE = 10;
/** More candidates than are replayed: some will be empty, or contracts. */
const CANDIDATES = 24;

export interface Holder {
  readonly address: Address;
  readonly balance: bigint;
}

export interface Holders {
  readonly sample: readonly Holder[];
  /** Who took part in transfers, newest first: addresses worth asking whether they hold powers. */
  readonly seen: readonly Address[];
}

/**
 * Plain wallets that hold the token now, buyers first: those who got it from the pool are who a freeze list is for.
 * The pool names its buyers itself where it can. The token's logs are its own word, and it may name puppets or nobody,
 * so they come second, and a balance is read for each.
 */
export async function findHolders(
  view: ChainView,
  conductor: Address,
  token: Address,
  pool: Pool | undefined,
): Promise<Result<Holders, ChainError>> {
  const target = pool?.route.target;
  const swap = pool === undefined ? undefined : SWAPS[pool.route.venue];
  const [logs, swaps] = await Promise.all([
    widestLogs(view, token, [TRANSFER], "recent"),
    target === undefined || swap === undefined
      ? ok({ logs: [], whole: true })
      : widestLogs(view, target, [swap], "recent"),
  ]);
  if (!logs.ok) return logs;
  if (!swaps.ok) return swaps;
  const party = (log: Log, index: number): Address | undefined => {
    const topic = log.topics[index];
    return topic === undefined ? undefined : addressOfWord(BigInt(topic));
  };
  const newest = [...logs.value.logs].reverse();
  const from = (log: Log) => party(log, 1);
  const buyers = newest.filter((log) => target !== undefined && from(log) === target);
  const recipients = (some: readonly Log[]) =>
    unique(some.map((log) => party(log, 2)).filter((one) => one !== undefined)).filter(
      (one) => one !== target && one !== token && BigInt(one) > 0xffffn,
    );
  const named = spread(recipients([...swaps.value.logs].reverse()), CANDIDATES / 2);
  const told = spread(recipients(buyers), CANDIDATES / 2);
  const candidates = unique([...named, ...told, ...recipients(newest)]).slice(0, CANDIDATES);
  const seen = unique(newest.flatMap((log) => [party(log, 1), party(log, 2)]).filter((one) => one !== undefined));
  if (candidates.length === 0) return ok({ sample: [], seen });
  const [sizes, balances] = await Promise.all([
    codeSizes(view, conductor, candidates),
    runScript(
      view,
      conductor,
      candidates.map((one) => read(token, encodeFunctionData({ abi: ERC20, functionName: "balanceOf", args: [one] }))),
    ),
  ]);
  if (!sizes.ok) return sizes;
  if (!balances.ok) return balances;
  const sample = candidates
    .map((address, index) => ({ address, balance: outcomeWord(balances.value[index]) ?? 0n, size: sizes.value[index] }))
    .filter(({ balance, size }) => balance > 1_000n && size === 0n)
    .slice(0, SAMPLE)
    .map(({ address, balance }) => ({ address, balance }));
  return ok({ sample, seen });
}

/** Half of them from the front, the others from all over: whoever filled the front chose only half. */
function spread<T>(all: readonly T[], count: number): readonly T[] {
  if (all.length <= count) return all;
  const front = all.slice(0, Math.ceil(count / 2));
  const rest = all.slice(front.length);
  const picked = count - front.length;
  return [
    ...front,
    ...Array.from({ length: picked }, (_, index) => rest[Math.floor((index * rest.length) / picked)] as T),
  ];
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** What share of the holders that were tried may fail before it is no accident. */
const TOLERATED = 0.2;
const WALLET_GAS = 5_000_000n;

/** Lets holders sell in a simulation, each from its own wallet, in the block after the pinned one. */
export async function replayHolders(
  view: ChainView,
  cast: Cast,
  token: Address,
  pool: Pool | undefined,
  sample: readonly Holder[],
  trades: Pick<TradeResult, "bought" | "freshTraderSells">,
  book: FlagBook,
): Promise<StageEnd> {
  if (!view.capabilities.simulate) return skipped("the node cannot simulate the wallets of holders");
  if (sample.length === 0) {
    book.clear("holder_sells_fail", "some_holder_sells_fail");
    return { status: "ran", reason: "no wallet that holds the token was seen in recent transfers" };
  }
  const gasPrice = gasPriceOf(view, cast);
  const calls = sample.flatMap(({ address: from, balance }): CallRequest[] => {
    const amount = most(least(balance / 2n, trades.bought === 0n ? balance : trades.bought), 1n);
    const call = (to: Address, data: Hex): CallRequest => ({ from, to, data, gas: WALLET_GAS, gasPrice });
    if (pool === undefined) {
      return [call(token, encodeFunctionData({ abi: ERC20, functionName: "transfer", args: [cast.peer, amount] }))];
    }
    const approve = encodeFunctionData({ abi: ERC20, functionName: "approve", args: [cast.router, maxUint256] });
    const bps = most((amount * 10_000n) / balance, 1n);
    const { venue, target, feeBps, key } = pool.route;
    const route = { venue: BigInt(venue), target, feeBps: BigInt(feeBps), key: { ...key } };
    const args = [route, token, pool.quote, bps] as const;
    return [
      call(token, approve),
      call(cast.router, encodeFunctionData({ abi: PROBE_ABI, functionName: "swapShare", args })),
    ];
  });
  const overrides = Object.fromEntries([
    [cast.router, { code: cast.disguised(PROBE.Router) }],
    ...sample.map(({ address }) => [address, { balance: purse(view, cast, 4n * WALLET_GAS) }] as const),
  ]);
  const block = (index: bigint) => ({
    number: view.block.number + 1n + index,
    time: view.block.timestamp + 12n + index * 3n * DAY,
    feeRecipient: cast.builder,
  });
  // Whoever bought a moment ago may have to wait, so each sells again days later: only who fails twice is stuck.
  const got = await view.simulate([
    { block: block(0n), overrides, calls },
    { block: block(1n), calls },
  ]);
  if (!got.ok) return failed(got.error);
  const each = pool === undefined ? 1 : 2;
  const stuck = (end: SimulatedCall | undefined): boolean => {
    if (end === undefined || !end.ok) return true;
    return pool === undefined ? saysFalse(end.data) : swapLeg(end).arrived === 0n;
  };
  const unable = sample.flatMap((_, index) => {
    const [first, second] = got.value.map((one) => one[index * each + each - 1]);
    return stuck(first) && stuck(second) && first !== undefined ? [first] : [];
  });
  // Where nobody can sell, holders are no news.
  if (!trades.freshTraderSells) return { status: "ran", reason: "a new holder cannot sell either" };
  const share = unable.length / sample.length;
  const told = `${unable.length} of ${sample.length} holders could not sell: ${failureReason(unable[0]?.data ?? "0x")}`;
  if (unable.length >= 2 && share > TOLERATED) book.set("holder_sells_fail", "yes", told);
  else if (unable.length > 0) book.set("some_holder_sells_fail", "yes", told);
  book.clear("holder_sells_fail", "some_holder_sells_fail");
  return RAN;
}
