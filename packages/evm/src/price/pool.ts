import { type Decimal, err, fromAtomic, multiplyDecimals, ok, type PoolReading, type Result } from "@countersign/core";
import { type Address, decodeAbiParameters, encodeFunctionData } from "viem";
import type { ChainError } from "../chain/error.ts";
import { word } from "../chain/hex.ts";
import type { ChainView } from "../chain/view.ts";
import { PROBE } from "../probe/bytecode.ts";
import { decoded, outcomeWord, PROBE_ABI, read, runScript, type Step, type StepOutcome } from "../probe/script.ts";
import { POOL_ABI, type Pool, poolStateSlot } from "../token/pools.ts";

export interface PoolQuery {
  readonly pool: Pool;
  readonly token: Address;
  /** Base units of the token that are to be traded. */
  readonly amount: bigint;
  readonly tokenDecimals: number;
  readonly quoteDecimals: number;
  /** Dollars that one quote token is worth. */
  readonly quoteUsd: Decimal;
}

const PRICE_DIGITS = 24;
const PAIR = [{ type: "uint256" }, { type: "uint256" }] as const;
const VENUES = { 2: "uniswap_v2", 3: "uniswap_v3", 4: "uniswap_v4" } as const;

/** What the pool would pay for the amount and take for it, by trying both in one request. Nothing is traded. */
export async function readPool(
  view: ChainView,
  conductor: Address,
  quoter: Address,
  { pool, token, amount, tokenDecimals, quoteDecimals, quoteUsd }: PoolQuery,
): Promise<Result<PoolReading, ChainError>> {
  const { venue, target, feeBps, key } = pool.route;
  const tokenIsFirst = BigInt(token) < BigInt(pool.quote);
  const route = { venue: BigInt(venue), target, feeBps: BigInt(feeBps), key: { ...key } };
  const ask = (zeroForOne: boolean, exactIn: boolean): Step => ({
    actor: "0x0000000000000000000000000000000000000000",
    to: quoter,
    limit: 13_000_000n,
    data: encodeFunctionData({ abi: PROBE_ABI, functionName: "quote", args: [route, zeroForOne, amount, exactIn] }),
  });
  const state =
    venue === 4
      ? read(target, encodeFunctionData({ abi: POOL_ABI, functionName: "extsload", args: [word(poolStateSlot(key))] }))
      : read(target, encodeFunctionData({ abi: POOL_ABI, functionName: venue === 3 ? "slot0" : "getReserves" }));
  const outcomes = await runScript(view, conductor, [ask(tokenIsFirst, true), ask(!tokenIsFirst, false), state], {
    [quoter]: { code: PROBE.Quoter },
  });
  if (!outcomes.ok) return err(outcomes.error);
  const [sold, bought, priced] = outcomes.value;
  const [gets, pays] = [pairOf(sold)?.[1], pairOf(bought)?.[0]];
  const spot = spotOf(priced, venue, tokenIsFirst, tokenDecimals);
  if (gets === undefined || pays === undefined || spot === undefined || amount === 0n) {
    return ok({ state: "failed", reason: "the pool does not trade this amount both ways" });
  }
  const usd = (quoteUnits: bigint, direction: "up" | "down"): Decimal => {
    const scaled = quoteUnits * 10n ** BigInt(tokenDecimals + PRICE_DIGITS);
    const unit = amount * 10n ** BigInt(quoteDecimals);
    const per = direction === "up" ? (scaled + unit - 1n) / unit : scaled / unit;
    return multiplyDecimals(fromAtomic(per, PRICE_DIGITS), quoteUsd);
  };
  return ok({
    state: "quoted",
    venue: VENUES[venue],
    bid: usd(gets, "down"),
    ask: usd(pays, "up"),
    spot: multiplyDecimals(fromAtomic(spot, PRICE_DIGITS + quoteDecimals), quoteUsd),
    depth: multiplyDecimals(fromAtomic(pool.depth, quoteDecimals), quoteUsd),
  });
}

const pairOf = (outcome: StepOutcome | undefined): readonly [bigint, bigint] | undefined =>
  outcome?.ok === true ? decoded(() => decodeAbiParameters(PAIR, outcome.data)) : undefined;

/** Quote base units for one whole token at no size, times 10^PRICE_DIGITS. */
function spotOf(
  outcome: StepOutcome | undefined,
  venue: 2 | 3 | 4,
  tokenIsFirst: boolean,
  tokenDecimals: number,
): bigint | undefined {
  const scale = 10n ** BigInt(tokenDecimals + PRICE_DIGITS);
  if (venue === 2) {
    const reserves = pairOf(outcome);
    if (reserves === undefined) return undefined;
    const [tokens, quotes] = tokenIsFirst ? reserves : [reserves[1], reserves[0]];
    return tokens === 0n ? undefined : (quotes * scale) / tokens;
  }
  const root = (outcomeWord(outcome) ?? 0n) & ((1n << 160n) - 1n);
  if (root === 0n) return undefined;
  return tokenIsFirst ? (root * root * scale) >> 192n : (scale << 192n) / (root * root);
}
