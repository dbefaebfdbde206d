import type { Result } from "@countersign/core";
import { ok } from "@countersign/core";
import { type Address, encodeAbiParameters, encodeFunctionData, type Hex, keccak256, parseAbi } from "viem";
import type { ChainError } from "../chain/error.ts";
import { addressOfWord, least, word, wordAt } from "../chain/hex.ts";
import type { ChainView } from "../chain/view.ts";
import { ERC20, NOBODY, outcomeWord, read, runScript, type StepOutcome } from "../probe/script.ts";

export interface PoolKey {
  readonly currency0: Address;
  readonly currency1: Address;
  readonly fee: number;
  readonly tickSpacing: number;
  readonly hooks: Address;
}

/** One pool that trades the token, in the form in which the probe's router can use it. */
export interface Route {
  readonly venue: 2 | 3 | 4;
  /** The pair, the pool, or the manager. */
  readonly target: Address;
  /** Fee of a V2-style pair in basis points; not used for the others. */
  readonly feeBps: number;
  readonly key: PoolKey;
}

export interface Pool {
  readonly route: Route;
  /** What is paid with; zero for the native currency. */
  readonly quote: Address;
  /** How much of the quote a trade can count on, in base units: the reserve, or the virtual one at the current price. */
  readonly depth: bigint;
}

/** Where pools of a chain are found. V4 pools cannot be listed, so the usual hookless keys are tried. */
export interface Venues {
  readonly v2?: { readonly factory: Address; readonly feeBps: number };
  readonly v3?: { readonly factory: Address };
  readonly v4?: { readonly manager: Address; readonly keys?: readonly PoolKey[] };
  /** Assets that a token may trade against; zero is the native currency. */
  readonly quotes: readonly Address[];
}

export const POOL_ABI = parseAbi([
  "function getPair(address, address) view returns (address)",
  "function getPool(address, address, uint24) view returns (address)",
  "function getReserves() view returns (uint112, uint112, uint32)",
  "function slot0() view returns (uint160, int24, uint16, uint16, uint16, uint8, bool)",
  "function liquidity() view returns (uint128)",
  "function extsload(bytes32) view returns (bytes32)",
]);

const NO_KEY: PoolKey = { currency0: NOBODY, currency1: NOBODY, fee: 0, tickSpacing: 0, hooks: NOBODY };
const V3_FEES = [100, 500, 3_000, 10_000] as const;
const V4_USUAL = [
  { fee: 100, tickSpacing: 1 },
  { fee: 500, tickSpacing: 10 },
  { fee: 3_000, tickSpacing: 60 },
  { fee: 10_000, tickSpacing: 200 },
] as const;

const sorted = (a: Address, b: Address): readonly [Address, Address] => (BigInt(a) < BigInt(b) ? [a, b] : [b, a]);

export const poolId = (key: PoolKey): Hex =>
  keccak256(
    encodeAbiParameters(
      [{ type: "address" }, { type: "address" }, { type: "uint24" }, { type: "int24" }, { type: "address" }],
      [key.currency0, key.currency1, key.fee, key.tickSpacing, key.hooks],
    ),
  );

/** Slot of a pool's state in the manager's storage: the mapping of pools is at slot 6. */
export const poolStateSlot = (key: PoolKey): bigint =>
  BigInt(keccak256(encodeAbiParameters([{ type: "bytes32" }, { type: "uint256" }], [poolId(key), 6n])));

/** Liquidity stands three words after the start of a pool's state. */
const LIQUIDITY_OFFSET = 3n;

export function usualKeys(token: Address, quote: Address): readonly PoolKey[] {
  const [currency0, currency1] = sorted(token, quote);
  return V4_USUAL.map(({ fee, tickSpacing }) => ({ currency0, currency1, fee, tickSpacing, hooks: NOBODY }));
}

/** Every pool of the token at the known venues that holds something, deepest first within a quote. */
export async function findPools(
  view: ChainView,
  conductor: Address,
  token: Address,
  venues: Venues,
): Promise<Result<readonly Pool[], ChainError>> {
  const quotes = venues.quotes.filter((quote) => quote !== token);
  const places: { route: Route; quote: Address; ask: readonly ReturnType<typeof read>[] }[] = [];
  for (const quote of quotes) {
    const keys = [...usualKeys(token, quote), ...(venues.v4?.keys ?? []).filter((key) => joins(key, token, quote))];
    const unique = [...new Map(keys.map((key) => [poolId(key), key])).values()];
    if (venues.v4 !== undefined) {
      const { manager } = venues.v4;
      for (const key of unique) {
        const slot = poolStateSlot(key);
        const at = (index: bigint) =>
          read(manager, encodeFunctionData({ abi: POOL_ABI, functionName: "extsload", args: [word(slot + index)] }));
        places.push({
          route: { venue: 4, target: manager, feeBps: 0, key },
          quote,
          ask: [at(0n), at(LIQUIDITY_OFFSET)],
        });
      }
    }
    if (quote === NOBODY) continue;
    if (venues.v2 !== undefined) {
      const data = encodeFunctionData({ abi: POOL_ABI, functionName: "getPair", args: [token, quote] });
      const route: Route = { venue: 2, target: NOBODY, feeBps: venues.v2.feeBps, key: NO_KEY };
      places.push({ route, quote, ask: [read(venues.v2.factory, data)] });
    }
    for (const fee of venues.v3 === undefined ? [] : V3_FEES) {
      const data = encodeFunctionData({ abi: POOL_ABI, functionName: "getPool", args: [token, quote, fee] });
      const route: Route = { venue: 3, target: NOBODY, feeBps: 0, key: NO_KEY };
      places.push({ route, quote, ask: [read(venues.v3?.factory ?? NOBODY, data)] });
    }
  }
  if (places.length === 0) return ok([]);
  const found = await runScript(
    view,
    conductor,
    places.flatMap(({ ask }) => ask),
  );
  if (!found.ok) return found;

  const pools: Pool[] = [];
  const open: { route: Route; quote: Address }[] = [];
  let next = 0;
  for (const { route, quote, ask } of places) {
    const answers = found.value.slice(next, next + ask.length);
    next += ask.length;
    if (route.venue === 4) {
      const depth = managedDepth(answers, route.key, quote);
      if (depth > 0n) pools.push({ route, quote, depth });
    } else {
      const target = outcomeWord(answers[0]);
      if (target !== undefined && target !== 0n)
        open.push({ route: { ...route, target: addressOfWord(target) }, quote });
    }
  }
  if (open.length > 0) {
    const asked = await runScript(
      view,
      conductor,
      open.flatMap(({ route: { target, venue }, quote }) =>
        venue === 2
          ? [read(target, encodeFunctionData({ abi: POOL_ABI, functionName: "getReserves" }))]
          : [
              read(target, encodeFunctionData({ abi: POOL_ABI, functionName: "slot0" })),
              read(target, encodeFunctionData({ abi: POOL_ABI, functionName: "liquidity" })),
              read(quote, encodeFunctionData({ abi: ERC20, functionName: "balanceOf", args: [target] })),
            ],
      ),
    );
    if (!asked.ok) return asked;
    let at = 0;
    for (const { route, quote } of open) {
      const count = route.venue === 2 ? 1 : 3;
      const depth = openDepth(route, asked.value.slice(at, at + count), token, quote);
      at += count;
      if (depth > 0n) pools.push({ route, quote, depth });
    }
  }
  const rank = (quote: Address) => quotes.indexOf(quote);
  return ok(pools.sort((a, b) => rank(a.quote) - rank(b.quote) || (a.depth < b.depth ? 1 : -1)));
}

const joins = (key: PoolKey, token: Address, quote: Address): boolean =>
  (key.currency0 === token && key.currency1 === quote) || (key.currency0 === quote && key.currency1 === token);

/** Reserves of a concentrated pool as if its current liquidity had no end. */
export function virtualDepth(sqrtPriceX96: bigint, liquidity: bigint, quoteIsCurrency0: boolean): bigint {
  if (sqrtPriceX96 === 0n) return 0n;
  return quoteIsCurrency0 ? (liquidity << 96n) / sqrtPriceX96 : (liquidity * sqrtPriceX96) >> 96n;
}

const SQRT_PRICE = (1n << 160n) - 1n;
const LIQUIDITY = (1n << 128n) - 1n;

function managedDepth(answers: readonly StepOutcome[], key: PoolKey, quote: Address): bigint {
  const [price = 0n, liquidity = 0n] = answers.map((answer) => outcomeWord(answer) ?? 0n);
  return virtualDepth(price & SQRT_PRICE, liquidity & LIQUIDITY, key.currency0 === quote);
}

function openDepth(route: Route, answers: readonly StepOutcome[], token: Address, quote: Address): bigint {
  const quoteIsFirst = BigInt(quote) < BigInt(token);
  if (route.venue === 2) {
    const data = answers[0]?.ok === true ? answers[0].data : "0x";
    return wordAt(data, quoteIsFirst ? 0 : 1) ?? 0n;
  }
  const [price = 0n, liquidity = 0n, held = 0n] = answers.map((answer) => outcomeWord(answer) ?? 0n);
  const depth = virtualDepth(price & SQRT_PRICE, liquidity & LIQUIDITY, quoteIsFirst);
  return least(depth, held);
}
