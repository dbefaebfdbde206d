import { ok, type Result } from "@countersign/core";
import { type Address, decodeAbiParameters, encodeFunctionData, type Hex, maxUint256, stringToHex } from "viem";
import type { ChainError } from "../../chain/error.ts";
import { wordAt } from "../../chain/hex.ts";
import type { CallRequest, SimulatedCall } from "../../chain/view.ts";
import { PROBE } from "../../probe/bytecode.ts";
import { decoded, ERC20, NOBODY, PROBE_ABI } from "../../probe/script.ts";
import { funded, gasPriceOf, mergeOverrides, purse } from "../funding.ts";
import { type Leg, type Legs, NO_LEGS, UNTRIED } from "./legs.ts";
import { type MoveSetting, routeOf, type TradeSetting } from "./setting.ts";

/** Gas of one wallet transaction: ample for any honest trade, and what a real wallet would set at most. */
const WALLET_GAS = 5_000_000n;
/** What a wallet can pay for: one transaction, and what the others use. */
const PURSE_GAS = 3n * WALLET_GAS;
export const DAY = 86_400n;
/** Seconds from the buy to each sale. Some doors close on a holder days after it came in. */
const PACE = [0n, 60n, 2n * DAY, 40n * DAY, 41n * DAY] as const;
/** And blocks, for contracts that count those: as many as nodes simulate in one request. */
const BLOCKS = [1n, 2n, 70n, 200n, 240n] as const;

/** The trader as a plain wallet, in blocks of their own with time between: what a person would experience. */
export async function tradeAsWallet(
  setting: TradeSetting,
  options: {
    readonly pace: "apart" | "same_block";
    readonly startAfter: bigint;
    readonly moved: bigint;
    readonly last?: bigint;
  },
): Promise<Result<Legs, ChainError>> {
  const { view, cast, token, pool } = setting;
  const money = await funded(view, cast.wallet, setting.quoteSlots, setting.spend);
  if (!money.ok) return money;
  const gasPrice = gasPriceOf(view, cast);
  const call = (to: Address, data: Hex, value = 0n): CallRequest => ({
    from: cast.wallet,
    to,
    data,
    value,
    gas: WALLET_GAS,
    gasPrice,
  });
  const approve = (asset: Address): CallRequest[] =>
    asset === NOBODY
      ? []
      : [call(asset, encodeFunctionData({ abi: ERC20, functionName: "approve", args: [cast.router, maxUint256] }))];
  const sellShare = (bps: bigint): CallRequest => {
    const args = [routeOf(pool), token, pool.quote, bps] as const;
    return call(cast.router, encodeFunctionData({ abi: PROBE_ABI, functionName: "swapShare", args }));
  };
  const bought = [routeOf(pool), pool.quote, token, setting.spend] as const;
  const buy = call(
    cast.router,
    encodeFunctionData({ abi: PROBE_ABI, functionName: "buy", args: bought }),
    pool.quote === NOBODY ? setting.spend : 0n,
  );
  const move = call(
    token,
    encodeFunctionData({ abi: ERC20, functionName: "transfer", args: [cast.peer, options.moved] }),
  );
  const peerBalance = call(token, encodeFunctionData({ abi: ERC20, functionName: "balanceOf", args: [cast.peer] }));
  // Whom a part was sent to sells it too: some doors are open to buyers only.
  const byPeer = (one: CallRequest): CallRequest => ({ ...one, from: cast.peer });
  const resale = options.moved === 0n ? [] : [...approve(token), sellShare(5_000n)].map(byPeer);
  const steps: CallRequest[][] = [
    [...approve(pool.quote), buy],
    [...approve(token), peerBalance, move, peerBalance, sellShare(5_000n)],
    [sellShare(5_000n), ...resale],
    [sellShare(10_000n)],
    [sellShare(options.last ?? 5_000n)],
  ];
  const start = view.block.timestamp + options.startAfter + 12n;
  const overrides = mergeOverrides(money.value, {
    [cast.wallet]: { balance: purse(view, cast, PURSE_GAS, pool.quote === NOBODY ? setting.spend : 0n) },
    [cast.peer]: { balance: purse(view, cast, PURSE_GAS) },
    [cast.router]: { code: cast.disguised(PROBE.Router) },
  });
  const blocks =
    options.pace === "same_block"
      ? [
          {
            block: { number: view.block.number + 1n, time: start, feeRecipient: cast.builder },
            overrides,
            calls: steps.flat(),
          },
        ]
      : steps.map((calls, index) => ({
          block: {
            number: view.block.number + (BLOCKS[index] ?? 1n),
            time: start + (PACE[index] ?? 0n),
            feeRecipient: cast.builder,
          },
          ...(index === 0 ? { overrides } : {}),
          calls,
        }));
  const got = await view.simulate(blocks);
  if (!got.ok) return got;
  const flat = got.value.flat();
  const names = steps.flat();
  const at = (request: CallRequest | undefined): SimulatedCall | undefined =>
    request === undefined ? undefined : flat[names.indexOf(request)];
  const balances = names.flatMap((request, index) => (request === peerBalance ? [flat[index]] : []));
  const [before, after] = balances.map(wordOf);
  const gained = (after ?? 0n) - (before ?? 0n);
  const moveLeg = simpleLeg(at(move), options.moved, gained > 0n ? gained : 0n);
  return ok({
    buy: swapLeg(at(buy)),
    move: moveLeg,
    sell: swapLeg(at(steps[1]?.at(-1))),
    sellAgain: swapLeg(at(steps[2]?.[0])),
    sellRest: swapLeg(at(steps[3]?.at(-1))),
    sellLast: swapLeg(at(steps[4]?.at(-1))),
    resale: moveLeg.ok ? swapLeg(at(resale.at(-1))) : UNTRIED,
  });
}

/** The same as a plain wallet, the pull in a later block than the transfer. */
export async function moveAsWallet(
  { view, cast, token, slots, amount }: MoveSetting,
  options: { readonly startAfter: bigint },
): Promise<Result<Legs, ChainError>> {
  const goods = await funded(view, cast.wallet, slots, amount);
  if (!goods.ok) return goods;
  const gasPrice = gasPriceOf(view, cast);
  const call = (to: Address, data: Hex): CallRequest => ({ from: cast.wallet, to, data, gas: WALLET_GAS, gasPrice });
  const erc20 = (functionName: "transfer" | "approve", to: Address, value: bigint) =>
    call(token, encodeFunctionData({ abi: ERC20, functionName, args: [to, value] }));
  const held = call(token, encodeFunctionData({ abi: ERC20, functionName: "balanceOf", args: [cast.peer] }));
  const pulls = encodeFunctionData({ abi: PROBE_ABI, functionName: "pull", args: [token, cast.peer, amount / 4n] });
  const start = view.block.timestamp + options.startAfter + 12n;
  const overrides = mergeOverrides(goods.value, {
    [cast.wallet]: { balance: purse(view, cast, PURSE_GAS) },
    [cast.router]: { code: cast.disguised(PROBE.Router) },
  });
  const number = view.block.number + 1n;
  const got = await view.simulate([
    {
      block: { number, time: start, feeRecipient: cast.builder },
      overrides,
      calls: [held, erc20("transfer", cast.peer, amount / 2n), held],
    },
    {
      block: { number: number + 1n, time: start + 2n * DAY, feeRecipient: cast.builder },
      calls: [erc20("approve", cast.router, amount / 4n), call(cast.router, pulls)],
    },
  ]);
  if (!got.ok) return got;
  const [before, moved, after, , pulled] = got.value.flat();
  const gained = wordOf(after) - wordOf(before);
  const arrived = pulled?.ok === true ? wordOf(pulled) : 0n;
  return ok({
    ...NO_LEGS,
    move: simpleLeg(moved, amount / 2n, gained > 0n ? gained : 0n),
    sell: simpleLeg(pulled, amount / 4n, arrived),
  });
}

const wordOf = (call: SimulatedCall | undefined): bigint => (call === undefined ? 0n : (wordAt(call.data, 0) ?? 0n));

const simpleLeg = (call: SimulatedCall | undefined, sent: bigint, arrived: bigint): Leg => ({
  ...UNTRIED,
  tried: call !== undefined && sent > 0n,
  ok: call?.ok === true && !saysFalse(call.data) && arrived > 0n,
  sent,
  arrived,
  received: arrived,
  gas: call?.gasUsed ?? 0n,
  error: call?.ok === false ? call.data : arrived === 0n ? NOTHING_ARRIVED : "0x",
});

/** The probe's own words for it, as the contract trader says them. */
const NOTHING_ARRIVED = stringToHex("PROBE: nothing arrived");

export const saysFalse = (data: Hex): boolean => data.length >= 66 && BigInt(data.slice(0, 66)) === 0n;

const FOUR = [{ type: "uint256" }, { type: "uint256" }, { type: "uint256" }, { type: "uint256" }] as const;

/** A swap of a plain wallet, as the router reported it. */
export function swapLeg(call: SimulatedCall | undefined): Leg {
  if (call === undefined) return UNTRIED;
  const figures = call.ok ? decoded(() => decodeAbiParameters(FOUR, call.data)) : undefined;
  if (figures === undefined) return { ...UNTRIED, tried: true, gas: call.gasUsed, error: call.ok ? "0x" : call.data };
  const [sent, arrived, poolOut, received] = figures;
  return { tried: true, ok: true, sent, arrived, poolOut, received, gas: call.gasUsed, error: "0x" };
}
