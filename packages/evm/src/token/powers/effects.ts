import type { TokenFactor } from "@countersign/core";
import type { Hex } from "viem";
import type { Seen } from "../../probe/script.ts";
import type { Shape } from "../shapes.ts";
import { type Sight, went } from "./scene.ts";

const gain = (before: bigint, after: bigint): bigint => (after > before ? after - before : 0n);
const gained = (before: Seen, after: Seen): bigint => (after.word > before.word ? after.word - before.word : 0n);

export type Effect =
  | "mint"
  | "rewrite"
  | "rebase"
  | "dilute"
  | "block_one"
  | "block_all"
  | "tax"
  | "unblock"
  | "ownership";

/** Whether two balances changed in the same proportion, but for a unit or two of rounding. */
function alike([aWas, aIs]: readonly [bigint, bigint], [bWas, bIs]: readonly [bigint, bigint]): boolean {
  const difference = aIs * bWas - aWas * bIs;
  return (difference < 0n ? -difference : difference) <= 2n * (aWas + aIs + bWas + bIs);
}

/** What a privileged call changed for people who did nothing. */
export function effectsOf(before: Sight, after: Sight): readonly Effect[] {
  const effects: Effect[] = [];
  const [victimWas, victimIs] = [before.victim.word, after.victim.word];
  const [bystanderWas, bystanderIs] = [before.bystander.word, after.bystander.word];
  const took = (one: Sight) => went(one.taking) && one.victimAfterTaking.word < one.victim.word;
  if (victimIs < victimWas) {
    // Everybody shrinks alike: a rebase. One holder shrinks: a theft.
    const everybody = bystanderIs < bystanderWas && alike([victimWas, victimIs], [bystanderWas, bystanderIs]);
    effects.push(everybody ? "dilute" : "rewrite");
  } else if ((took(after) && !took(before)) || after.poolBefore.word < before.poolBefore.word) effects.push("rewrite");
  const [callerWas, callerIs] = [before.caller.word, after.caller.word];
  const came = gain(victimWas, victimIs) + gain(callerWas, callerIs);
  const left = gain(callerIs, callerWas) + gain(after.ownStock.word, before.ownStock.word);
  // A distribution of what the caller or the token itself holds creates nothing.
  const moved = after.supply.word <= before.supply.word && came <= left;
  if (after.supply.word > before.supply.word || (came > 0n && !moved)) {
    const everybody =
      victimIs > victimWas &&
      bystanderIs > bystanderWas &&
      alike([victimWas, victimIs], [bystanderWas, bystanderIs]) &&
      alike([victimWas, victimIs], [callerWas, callerIs]);
    effects.push(everybody ? "rebase" : "mint");
  }
  const blocked = (name: "send" | "sendToPool" | "bystanderSends") => went(before[name]) && !went(after[name]);
  const opened = (name: "send" | "sendToPool") => !went(before[name]) && went(after[name]);
  const hasGoods = victimIs > 0n && victimIs >= victimWas / 2n;
  if (hasGoods && (blocked("send") || blocked("sendToPool"))) {
    effects.push(blocked("bystanderSends") ? "block_all" : "block_one");
  } else if (hasGoods && went(after.send)) {
    const loses = (
      sent: "send" | "sendToPool",
      from: "peerBefore" | "poolBefore",
      to: "peerAfter" | "poolAfter",
    ): boolean => {
      const [was, is] = [gained(before[from], before[to]), gained(after[from], after[to])];
      return went(before[sent]) && went(after[sent]) && is * 100n < was * 99n;
    };
    if (loses("send", "peerBefore", "peerAfter") || loses("sendToPool", "poolBefore", "poolAfter")) effects.push("tax");
  }
  if (opened("send") || opened("sendToPool")) effects.push("unblock");
  if (before.owner.ok && before.owner.word === 0n && after.owner.ok && after.owner.word !== 0n)
    effects.push("ownership");
  return effects;
}

/** An effect, and the call that had it. */
export interface Found {
  readonly effect: Effect;
  readonly selector: Hex;
  readonly kinds: Shape["kinds"];
  readonly namesVictim: boolean;
}

const OWNER_FACTOR: Readonly<
  Record<Exclude<Effect, "unblock" | "ownership" | "block_one" | "block_all">, TokenFactor>
> = {
  mint: "owner_can_mint",
  rewrite: "owner_can_rewrite_balances",
  rebase: "owner_can_rebase",
  dilute: "owner_can_rebase",
  tax: "owner_can_raise_tax",
};

/** The factor of an effect that an authority has; undefined where it is told in another way. */
export function factorOf({ effect, kinds }: Found): TokenFactor | undefined {
  if (effect === "block_one") return "owner_can_blacklist";
  if (effect === "block_all") {
    if (kinds === "number") return "owner_can_change_limits";
    return kinds === "address" ? "owner_can_block" : "owner_can_pause";
  }
  if (effect === "unblock" || effect === "ownership") return undefined;
  return OWNER_FACTOR[effect];
}

/** Effects that make a power worth hiding. */
export const GRAVE: ReadonlySet<Effect> = new Set(["mint", "rewrite", "block_one", "block_all"]);

/** The factor of an effect that anyone has. */
export function anyoneFactor(effect: Effect): TokenFactor | undefined {
  if (effect === "mint") return "anyone_can_mint";
  if (effect === "rewrite" || effect === "dilute") return "anyone_can_take";
  if (effect === "block_one" || effect === "block_all") return "anyone_can_block";
  return undefined;
}

/** The same act by another caller: what everybody can do is told once, and of nobody. */
export const actOf = ({ selector, effect }: Pick<Found, "selector" | "effect">): string => `${selector}${effect}`;
