import type { Address } from "viem";
import type { BalanceSlots } from "../../balance/slot.ts";
import { most } from "../../chain/hex.ts";
import type { ChainView } from "../../chain/view.ts";
import type { Cast } from "../cast.ts";
import { moveAsContract, tradeAsContract } from "./asContract.ts";
import { moveAsWallet, tradeAsWallet } from "./asWallet.ts";
import type { MoveSetting, TradeSetting } from "./setting.ts";
import type { Trial } from "./trial.ts";

/** Share of a pool's depth that a trial spends: small enough to leave the price alone, large enough to measure taxes. */
const SHARE_OF_DEPTH = 20_000n;
const LEAST_SPEND = 10_000n;

/** Tries the token through a pool. */
export function poolTrial(setting: Omit<TradeSetting, "spend" | "view">): Trial {
  const spend = most(setting.pool.depth / SHARE_OF_DEPTH, LEAST_SPEND);
  const at = (view: ChainView, scale: bigint): TradeSetting => ({ ...setting, view, spend: most(spend / scale, 1n) });
  // A hundredth of a thousandth of nothing known: what a holder of a small position would sell.
  const holding = setting.tokenSlots === undefined ? undefined : 10n ** 15n;
  return {
    kind: "sale",
    venue: setting.pool.route.venue,
    asContract: (view, { gasPrice, scale }, block, extra) =>
      tradeAsContract(at(view, scale), { gasPrice, buys: true }, block, extra),
    sellOnly:
      holding === undefined
        ? undefined
        : (view, block) => tradeAsContract(at(view, 1n), { gasPrice: "realistic", buys: false, holding }, block),
    asWallet: (view, { startAfter, scale, times = 1n, moved, pace }) => {
      const usual = at(view, scale);
      return tradeAsWallet({ ...usual, spend: usual.spend * times }, { pace, startAfter, moved, last: 5_000n / times });
    },
  };
}

/** Tries the token without a pool: whether it can be sent and pulled. */
export function moveTrial(cast: Cast, token: Address, slots: BalanceSlots, amount: bigint): Trial {
  const at = (view: ChainView, scale: bigint): MoveSetting => ({
    view,
    cast,
    token,
    slots,
    amount: most(amount / scale, 8n),
  });
  return {
    kind: "pull",
    venue: undefined,
    asContract: (view, { gasPrice, scale }, block) => moveAsContract(at(view, scale), { gasPrice }, block),
    sellOnly: undefined,
    asWallet: (view, { startAfter, scale }) => moveAsWallet(at(view, scale), { startAfter }),
  };
}
