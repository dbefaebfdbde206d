import { type Address, encodeFunctionData } from "viem";
import type { BalanceSlots } from "../../balance/slot.ts";
import type { ChainView, Overrides } from "../../chain/view.ts";
import { ERC20, read, type Seen, type Step } from "../../probe/script.ts";
import type { Cast } from "../cast.ts";
import type { Subject } from "../subject.ts";

/** Everything that stays the same while calls are tried. */
export interface Scene {
  readonly view: ChainView;
  readonly cast: Cast;
  readonly subject: Subject;
  readonly slots: BalanceSlots;
  readonly pool: Address | undefined;
  readonly unit: bigint;
  /** Whose functions are tried: the token's, or those of the contract that keeps its balances. */
  readonly target: Address;
  readonly overrides: Overrides;
}

/** What the observations say, in their order. */
export interface Sight {
  readonly supply: Seen;
  readonly victim: Seen;
  readonly caller: Seen;
  readonly bystander: Seen;
  readonly owner: Seen;
  readonly allowance: Seen;
  readonly taking: Seen;
  readonly victimAfterTaking: Seen;
  readonly peerBefore: Seen;
  readonly send: Seen;
  readonly peerAfter: Seen;
  readonly poolBefore: Seen;
  readonly ownStock: Seen;
  readonly sendToPool: Seen;
  readonly poolAfter: Seen;
  readonly bystanderSends: Seen;
}
const SIGHTS = [
  "supply",
  "victim",
  "caller",
  "bystander",
  "owner",
  "allowance",
  "taking",
  "victimAfterTaking",
  "peerBefore",
  "send",
  "peerAfter",
  "poolBefore",
  "ownStock",
  "sendToPool",
  "poolAfter",
  "bystanderSends",
] as const satisfies readonly (keyof Sight)[];

/** What is looked at after each attempt, in the order of `SIGHTS`. */
export function observations({ cast, subject, pool, unit }: Scene, caller: Address): readonly Step[] {
  const token = subject.address;
  const view = (functionName: "totalSupply" | "owner"): Step =>
    read(token, encodeFunctionData({ abi: ERC20, functionName }));
  const balance = (of: Address): Step =>
    read(token, encodeFunctionData({ abi: ERC20, functionName: "balanceOf", args: [of] }));
  const send = (actor: Address, to: Address): Step => ({
    actor,
    to: token,
    limit: 600_000n,
    data: encodeFunctionData({ abi: ERC20, functionName: "transfer", args: [to, unit] }),
  });
  const target = pool ?? cast.router;
  const byName: Record<keyof Sight, Step> = {
    supply: view("totalSupply"),
    victim: balance(cast.victim),
    caller: balance(caller),
    bystander: balance(cast.bystander),
    owner: view("owner"),
    allowance: read(token, encodeFunctionData({ abi: ERC20, functionName: "allowance", args: [cast.victim, caller] })),
    taking: {
      actor: caller,
      to: token,
      limit: 600_000n,
      data: encodeFunctionData({ abi: ERC20, functionName: "transferFrom", args: [cast.victim, caller, unit] }),
    },
    victimAfterTaking: balance(cast.victim),
    peerBefore: balance(cast.peer),
    send: send(cast.victim, cast.peer),
    peerAfter: balance(cast.peer),
    poolBefore: balance(target),
    ownStock: balance(token),
    sendToPool: send(cast.victim, target),
    poolAfter: balance(target),
    bystanderSends: send(cast.bystander, cast.peer),
  };
  return SIGHTS.map((name) => byName[name]);
}

export const sightOf = (seen: readonly Seen[]): Sight =>
  Object.fromEntries(SIGHTS.map((name, index) => [name, seen[index]])) as unknown as Sight;

/** As a careful caller sees it: no revert, and nothing or the word 1 returned. */
export const went = ({ ok: done, size, word: value }: Seen): boolean => done && (size === 0n || value === 1n);
