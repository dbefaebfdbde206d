import type { Hex } from "viem";

/** One step of a trade, in base units. */
export interface Leg {
  /** False for a leg that was not reached. */
  readonly tried: boolean;
  readonly ok: boolean;
  readonly sent: bigint;
  /** What the receiving side really got of what was sent. */
  readonly arrived: bigint;
  /** What the pool says it paid. */
  readonly poolOut: bigint;
  /** What the trader really got. */
  readonly received: bigint;
  readonly gas: bigint;
  readonly error: Hex;
}

export interface Legs {
  readonly buy: Leg;
  readonly move: Leg;
  readonly sell: Leg;
  readonly sellAgain: Leg;
  readonly sellRest: Leg;
  /** Half of what is left; it matters only when the whole could not be sold. */
  readonly sellLast: Leg;
  /** A sale by whom a part was sent to; only wallets try it. */
  readonly resale: Leg;
}

export const UNTRIED: Leg = {
  tried: false,
  ok: false,
  sent: 0n,
  arrived: 0n,
  poolOut: 0n,
  received: 0n,
  gas: 0n,
  error: "0x",
};

export const NO_LEGS: Legs = {
  buy: UNTRIED,
  move: UNTRIED,
  sell: UNTRIED,
  sellAgain: UNTRIED,
  sellRest: UNTRIED,
  sellLast: UNTRIED,
  resale: UNTRIED,
};

/** More gas than any honest sale needs, by far. */
export const EXCESSIVE_GAS = 10_000_000n;
/** From here on a tax is told, and from there on it is most of the money. */
export const NOTICED_BPS = 100;
export const EXTREME_BPS = 5_000;

export const burned = (leg: Leg): boolean => leg.gas > EXCESSIVE_GAS;

/** A sale passes, if only after some days: a wait is not a closed door. */
export const sells = (legs: Legs): boolean => legs.sell.ok || legs.sellAgain.ok || legs.sellRest.ok;

/** Share of `sent` that did not arrive, in basis points, rounded up against the token. */
export const lost = (sent: bigint, arrived: bigint): number =>
  sent === 0n || arrived >= sent ? 0 : Number(((sent - arrived) * 10_000n + sent - 1n) / sent);
export const sellTax = (leg: Leg): number => lost(leg.sent, leg.arrived);
export const buyTax = (leg: Leg): number => lost(leg.poolOut, leg.received);

/** Whether two runs of the same trade had another outcome, in what both of them tried. */
export function differs(a: Legs, b: Legs): boolean {
  const legs = ["buy", "move", "sell", "sellAgain"] as const;
  const differ = legs.some((name) => a[name].tried && b[name].tried && a[name].ok !== b[name].ok);
  return differ || Math.abs(sellTax(a.sell) - sellTax(b.sell)) > NOTICED_BPS;
}
