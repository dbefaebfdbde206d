import type { Address } from "viem";
import type { BalanceSlots } from "../../balance/slot.ts";
import type { ChainView } from "../../chain/view.ts";
import type { Cast } from "../cast.ts";
import type { Pool } from "../pools.ts";

/** What a trade through a pool needs. */
export interface TradeSetting {
  readonly view: ChainView;
  readonly cast: Cast;
  readonly token: Address;
  readonly pool: Pool;
  /** Where the quote keeps balances; undefined for the native currency. */
  readonly quoteSlots: BalanceSlots | undefined;
  readonly tokenSlots: BalanceSlots | undefined;
  /** Quote base units that are spent. */
  readonly spend: bigint;
}

/** What a trial without a pool needs: a balance that an override can give. */
export interface MoveSetting {
  readonly view: ChainView;
  readonly cast: Cast;
  readonly token: Address;
  readonly slots: BalanceSlots;
  readonly amount: bigint;
}

/** The pool as the probe's router takes it. */
export const routeOf = ({ route: { venue, target, feeBps, key } }: Pool) => ({
  venue: BigInt(venue),
  target,
  feeBps: BigInt(feeBps),
  key: { ...key },
});
