import { err, ok, type Result } from "@countersign/core";
import { decodeFunctionResult, encodeFunctionData, type Hex } from "viem";
import type { ChainError } from "../../chain/error.ts";
import type { BlockOverride, ChainView, Overrides } from "../../chain/view.ts";
import { PROBE } from "../../probe/bytecode.ts";
import { decoded, NO_ANSWER, NOBODY, TRADER_ABI } from "../../probe/script.ts";
import type { Cast } from "../cast.ts";
import { funded, gasPriceOf, mergeOverrides, purse } from "../funding.ts";
import { type Leg, type Legs, NO_LEGS, UNTRIED } from "./legs.ts";
import { type MoveSetting, routeOf, type TradeSetting } from "./setting.ts";

/**
 * The trader as a contract: one eth_call. With `spend` zero it does not buy; it sells what an override gave it.
 * `gasPrice` zero is the careless simulation that some tokens look for.
 */
export async function tradeAsContract(
  setting: TradeSetting,
  options: { readonly gasPrice: "realistic" | "zero"; readonly buys: boolean; readonly holding?: bigint },
  block?: BlockOverride,
  extra: Overrides = {},
): Promise<Result<Legs, ChainError>> {
  const { view, cast, token, pool } = setting;
  const money = await funded(view, cast.trader, setting.quoteSlots, setting.spend);
  if (!money.ok) return money;
  const goods = options.buys ? ok({}) : await funded(view, cast.trader, setting.tokenSlots, options.holding ?? 0n);
  if (!goods.ok) return goods;
  const plan = {
    router: cast.router,
    route: routeOf(pool),
    token,
    quote: pool.quote,
    spend: options.buys ? setting.spend : 0n,
    peer: cast.peer,
  };
  const got = await view.call(
    {
      from: cast.trader,
      to: cast.trader,
      data: encodeFunctionData({ abi: TRADER_ABI, functionName: "run", args: [plan] }),
      gasPrice: options.gasPrice === "zero" ? 0n : gasPriceOf(view, cast),
    },
    mergeOverrides(money.value, goods.value, actors(view, cast, pool.quote === NOBODY ? setting.spend : 0n), extra),
    block,
  );
  if (!got.ok) return got;
  const legs = decoded(() => {
    if (got.value.state !== "returned") return undefined;
    return decodeFunctionResult({ abi: TRADER_ABI, functionName: "run", data: got.value.data }).map(legOf);
  });
  if (legs?.length !== 6) return err(NO_ANSWER);
  const [buy = UNTRIED, move = UNTRIED, sell = UNTRIED, sellAgain = UNTRIED, sellRest = UNTRIED, sellLast = UNTRIED] =
    legs;
  return ok({ buy, move, sell, sellAgain, sellRest, sellLast, resale: UNTRIED });
}

/** Without a pool: a transfer, and a pull by an approved router where a sale would be. */
export async function moveAsContract(
  { view, cast, token, slots, amount }: MoveSetting,
  options: { readonly gasPrice: "realistic" | "zero" },
  block?: BlockOverride,
): Promise<Result<Legs, ChainError>> {
  const goods = await funded(view, cast.trader, slots, amount);
  if (!goods.ok) return goods;
  const args = [token, cast.router, cast.peer, amount] as const;
  const got = await view.call(
    {
      from: cast.trader,
      to: cast.trader,
      data: encodeFunctionData({ abi: TRADER_ABI, functionName: "moveOnly", args }),
      gasPrice: options.gasPrice === "zero" ? 0n : gasPriceOf(view, cast),
    },
    mergeOverrides(goods.value, actors(view, cast, 0n)),
    block,
  );
  if (!got.ok) return got;
  const legs = decoded(() => {
    if (got.value.state !== "returned") return undefined;
    return decodeFunctionResult({ abi: TRADER_ABI, functionName: "moveOnly", data: got.value.data }).map(legOf);
  });
  const [move, sell] = legs ?? [];
  return move === undefined || sell === undefined ? err(NO_ANSWER) : ok({ ...NO_LEGS, move, sell });
}

const actors = (view: ChainView, cast: Cast, spend: bigint): Overrides => ({
  [cast.trader]: { code: cast.disguised(PROBE.Trader), balance: purse(view, cast, view.limits.gas, spend) },
  [cast.router]: { code: cast.disguised(PROBE.Router) },
});

interface RawLeg {
  readonly ok: boolean;
  readonly sent: bigint;
  readonly arrived: bigint;
  readonly poolOut: bigint;
  readonly received: bigint;
  readonly used: bigint;
  readonly err: Hex;
}

const legOf = ({ used, err: error, ...leg }: RawLeg): Leg => ({
  ...leg,
  gas: used,
  error,
  tried: leg.sent > 0n && (leg.ok || used > 0n || error !== "0x"),
});
