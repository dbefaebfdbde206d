import {
  type ChainTradeFacts,
  type Decimal,
  err,
  fromAtomic,
  judgeReadings,
  matchAsset,
  type OracleReading,
  ok,
  type PoolReading,
  type PoolRules,
  type RegistryChain,
  type RegistryToken,
  type Result,
  roundDecimal,
  type TokenFacts,
  type TradeReadings,
  toAtomic,
} from "@countersign/core";
import { type Address, decodeAbiParameters, encodeFunctionData, hexToString } from "viem";
import { type ChainError, chainError } from "../chain/error.ts";
import { derivedAddress, readAddress } from "../chain/hex.ts";
import type { ChainReader } from "../chain/reader.ts";
import type { ChainView } from "../chain/view.ts";
import { readOracle } from "../price/oracle.ts";
import { readPool } from "../price/pool.ts";
import { decoded, ERC20, NOBODY, outcomeWord, read, runScript, type StepOutcome } from "../probe/script.ts";
import type { SafetyMemory } from "../token/memory.ts";
import { findPools, type Pool, type PoolKey, poolId, type Venues } from "../token/pools.ts";
import type { QuoteMemory } from "../token/safety.ts";
import { heldBy, ownWalletRefused } from "./ownWallet.ts";

export interface TradeQuery {
  readonly registry: RegistryChain;
  /** Beyond what the registry names. */
  readonly venues: Omit<Venues, "quotes" | "v4">;
  readonly symbol: string;
  readonly address: string;
  readonly side: "buy" | "sell";
  /** Whole tokens. */
  readonly amount: Decimal;
  /** Who is to trade. */
  readonly wallet: string;
  readonly pools?: PoolRules;
  readonly seed: string;
  readonly memory: SafetyMemory;
  readonly quotes: QuoteMemory;
  /** Seconds since 1970: the gate's clock, not the chain's. */
  readonly now: number;
}

/** How far the clocks of chain and gate may be apart before neither is believed. */
const CLOCKS_APART = 900;

/** A node that lags, or serves a past that suits it, tells of a token that is no more. */
export const otherTime = ({ block }: ChainView, now: number): ChainError | undefined =>
  Math.abs(Number(block.timestamp) - now) > CLOCKS_APART
    ? chainError("chain.moved", "the newest block is not of this time")
    : undefined;

/**
 * Reads everything the chain knows of one trade, at one block. With a remembered token three round trips are enough.
 * Fails when the chain cannot be read; what only a contract refuses becomes an unknown or an unavailable price.
 */
export async function readTrade(reader: ChainReader, query: TradeQuery): Promise<Result<ChainTradeFacts, ChainError>> {
  const address = readAddress(query.address);
  const wallet = readAddress(query.wallet);
  if (address === undefined || wallet === undefined)
    return err(chainError("chain.refused", "the token or the wallet is no address"));
  const pinned = await reader.pin();
  if (!pinned.ok) return pinned;
  const view = pinned.value;
  const untimely = otherTime(view, query.now);
  if (untimely !== undefined) return err(untimely);
  const asset = matchAsset(query.registry, query.symbol, address);
  const official = asset.state === "official" ? asset.token : undefined;
  const conductor = derivedAddress(query.seed, "conductor");
  const venues = venuesOf(query, official);
  const safetyOptions = { venues, seed: query.seed, memory: query.quotes };
  const [safety, oracle, pools, self, held] = await Promise.all([
    query.memory.check(view, address, safetyOptions, query.now),
    official === undefined ? ok(undefined) : oracleOf(view, conductor, query.registry, official),
    findPools(view, conductor, address, venues),
    official === undefined ? selfOf(view, conductor, address) : ok({ decimals: official.decimals, symbol: undefined }),
    heldBy(view, conductor, address, wallet),
  ]);
  if (!oracle.ok) return oracle;
  if (!pools.ok) return pools;
  if (!self.ok) return self;
  if (!held.ok) return held;
  const priced = pools.value.filter((pool) => isPriced(pool, official));
  const [deepest] = pools.value;
  const { decimals } = self.value;
  const units = toAtomic(roundDecimal(query.amount, decimals, "up"), decimals);
  const own = { ...query, token: address, wallet, held: held.value, units: units.ok ? units.value : 0n };
  const reading = Promise.all([
    poolOf(view, conductor, address, query, priced, decimals),
    deepest === undefined ? ok(undefined) : ownWalletRefused(view, { ...own, pool: deepest }),
  ]);
  // Calls that name the block by hash cannot have met another one, so nothing has to be waited for.
  const [[quoted, refused], confirmed] = view.capabilities.byHash
    ? await Promise.all([reading, view.confirm()])
    : [await reading, await view.confirm()];
  if (!quoted.ok) return quoted;
  if (!confirmed.ok) return confirmed;
  const readings: TradeReadings = {
    block: { number: view.block.number.toString(), hash: view.block.hash },
    token: tokenOf(safety, refused),
    oracle: oracle.value ?? null,
    pool: quoted.value ?? null,
  };
  // Whatever the caller calls it: a token that gives itself the symbol of a registered one is a fake of that one.
  const imitates = matchAsset(query.registry, self.value.symbol ?? "", address).state === "mismatch";
  const symbol = asset.state === "unregistered" && imitates ? (self.value.symbol ?? "") : query.symbol;
  return ok(judgeReadings(readings, { ...query, symbol, address }));
}

/** Where a token is looked for: the venues beyond the registry, and the pools and the dollars that the registry names. */
export function venuesOf(
  { registry, venues }: Pick<TradeQuery, "registry" | "venues">,
  official: RegistryToken | undefined,
): Venues {
  // An official asset's price is what dollars pay for it; nothing else has a price here.
  const quotes = registry.tokens.filter(({ pegged }) => pegged).map((token) => token.address as Address);
  const keys = official?.pools.map((pool) => ({ ...pool }) as unknown as PoolKey) ?? [];
  const manager = registry.v4Manager?.address as Address | undefined;
  return { ...venues, quotes, ...(manager === undefined ? {} : { v4: { manager, keys } }) };
}

/**
 * Anyone can open a V4 pool and make a little liquidity look deep, so only those that the registry names have a price.
 * What a pair or a V3 pool holds can be counted.
 */
function isPriced({ route }: Pool, official: RegistryToken | undefined): boolean {
  if (route.venue !== 4) return true;
  return official?.pools.some((pool) => poolId(pool as unknown as PoolKey) === poolId(route.key)) === true;
}

/** The token as this wallet finds it: what is remembered of it is about anybody. */
function tokenOf(
  safety: Awaited<ReturnType<SafetyMemory["check"]>>,
  refused: Result<string | undefined, ChainError>,
): TradeReadings["token"] {
  if (!safety.ok) return { known: false, reason: safety.error.message };
  if (!refused.ok) return { known: false, reason: refused.error.message };
  const { facts } = safety.value;
  const why = refused.value;
  // Where nobody can trade, that this wallet cannot is no news.
  if (why === undefined || facts.sellSimulationOk !== true) return { known: true, value: facts };
  const flags: TokenFacts["flags"] = { ...facts.flags, wallet_refused: { value: "yes", evidence: [why] } };
  return { known: true, value: { ...facts, flags } };
}

async function oracleOf(
  view: ChainView,
  conductor: Address,
  { sequencerFeed }: RegistryChain,
  { feed, oracleSwitch, address }: RegistryToken,
): Promise<Result<OracleReading | undefined, ChainError>> {
  if (feed === undefined) return ok(undefined);
  return readOracle(view, conductor, {
    feed: feed.address as Address,
    pausable: oracleSwitch === "asked" ? (address as Address) : undefined,
    sequencer: sequencerFeed?.address as Address | undefined,
  });
}

/** What a token says of itself. Its symbol is only good for showing whom it imitates. */
async function selfOf(
  view: ChainView,
  conductor: Address,
  token: Address,
): Promise<Result<{ readonly decimals: number; readonly symbol: string | undefined }, ChainError>> {
  const ask = (functionName: "decimals" | "symbol") => read(token, encodeFunctionData({ abi: ERC20, functionName }));
  const asked = await runScript(view, conductor, [ask("decimals"), ask("symbol")]);
  if (!asked.ok) return asked;
  const [digits, name] = asked.value;
  const said = outcomeWord(digits);
  return ok({ decimals: said === undefined || said > 77n ? 0 : Number(said), symbol: symbolIn(name) });
}

/** A text, or, of some old tokens, 32 bytes that end in zeros. */
function symbolIn(outcome: StepOutcome | undefined): string | undefined {
  if (outcome?.ok !== true) return undefined;
  const { data } = outcome;
  if (data.length === 66) return decoded(() => hexToString(data).replace(/\0+$/, ""));
  return decoded(() => decodeAbiParameters([{ type: "string" }], data)[0]);
}

async function poolOf(
  view: ChainView,
  conductor: Address,
  token: Address,
  { registry, amount, seed }: TradeQuery,
  pools: readonly Pool[],
  decimals: number,
): Promise<Result<PoolReading | undefined, ChainError>> {
  const pool = pools.find(({ quote }) => quote !== NOBODY);
  const quote = registry.tokens.find(({ address, pegged }) => pegged && address === pool?.quote);
  if (pool === undefined || quote === undefined) return ok(undefined);
  // What a token cannot be divided into is traded as the next larger part: a ceiling sees no less.
  const units = toAtomic(roundDecimal(amount, decimals, "up"), decimals);
  if (!units.ok) return ok({ state: "failed", reason: "the amount is none of this token" });
  return readPool(view, conductor, derivedAddress(seed, "quoter"), {
    pool,
    token,
    amount: units.value,
    tokenDecimals: decimals,
    quoteDecimals: quote.decimals,
    quoteUsd: fromAtomic(1n, 0),
  });
}
