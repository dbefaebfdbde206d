import { ok, type Result } from "@countersign/core";
import type { Address, Hex } from "viem";
import type { BalanceSlots } from "../../balance/slot.ts";
import type { ChainError } from "../../chain/error.ts";
import { most } from "../../chain/hex.ts";
import type { ChainView } from "../../chain/view.ts";
import { PROBE } from "../../probe/bytecode.ts";
import type { CodeFunction } from "../bytecode.ts";
import type { Cast } from "../cast.ts";
import type { FlagBook } from "../flags.ts";
import { funded, mergeOverrides } from "../funding.ts";
import { failed, RAN, type StageEnd, skipped } from "../stage.ts";
import type { Subject } from "../subject.ts";
import { blockAfter } from "../trade/judgeLater.ts";
import { opensToWallets, prelude, type Tried, tryAll } from "./attempts.ts";
import { type Authorities, type Candidate, DEAD } from "./authorities.ts";
import { actOf, anyoneFactor, factorOf, GRAVE } from "./effects.ts";
import { tryOpenGates } from "./gates.ts";
import { tryGuards } from "./guards.ts";
import { tryLedger } from "./ledger.ts";
import { tryMembers } from "./members.ts";
import { publiclyNamed } from "./named.ts";
import { type Scene, type Sight, went } from "./scene.ts";

/** Each costs two requests. Where there are more, nothing is said to be absent. */
const MAX_CANDIDATES = 8;

/** Entry points whose effect is known and needs the holder's own act. */
const ORDINARY: ReadonlySet<Hex> = new Set<Hex>([
  "0xa9059cbb", // transfer
  "0x095ea7b3", // approve
  "0x23b872dd", // transferFrom, tried by itself among the observations
  "0x39509351", // increaseAllowance
  "0xa457c2d7", // decreaseAllowance
]);
/** Replacing logic is told by the proxy factors; what it could lead to is everything. */
const UPGRADES: ReadonlySet<Hex> = new Set<Hex>(["0x3659cfe6", "0x4f1ef286", "0x99a88ec4", "0x9623609d", "0x1f931c1c"]);

export interface PowersInput {
  readonly view: ChainView;
  readonly cast: Cast;
  readonly subject: Subject;
  readonly slots: BalanceSlots | undefined;
  readonly pool: Address | undefined;
  readonly authorities: Authorities;
  readonly nobodyBuys: boolean;
  /** Contracts that the token knows: each may be asked who is let in. */
  readonly contracts: readonly Address[];
}

/** Finds out by effect what authorities, members of lists, and anyone at all can do to holders. */
export async function runPowers(input: PowersInput, book: FlagBook): Promise<StageEnd> {
  const { subject, slots } = input;
  const { candidates, whole } = input.authorities;
  if (slots === undefined) return skipped("the balance of a trial holder could not be set");
  const made = await sceneOf(input, slots, most((subject.supply ?? 0n) / 10_000_000n, 1_000n));
  if (!made.ok) return failed(made.error);
  const scene = made.value;
  const functions = functionsOf(subject);
  const grants = functions.filter(({ args }) => args.length > 0 && args.length <= 2 && args.includes("address"));
  const people = candidates.slice(0, MAX_CANDIDATES);
  // Some powers begin later; what an authority can make of itself is tried then.
  const { builder, delays } = input.cast;
  const after = delays.at(-2) ?? 0n;
  const later = input.view.capabilities.blockOverrides ? blockAfter(input.view, builder, after) : undefined;
  const [anyone, ...each] = await Promise.all([
    tryAll(scene, input.cast.stranger, functions, {}),
    ...people.map(async ({ address }): Promise<Result<Person, ChainError>> => {
      const [alone, appointed] = await Promise.all([
        tryAll(scene, address, functions, {}),
        tryAll(scene, address, functions, {}, prelude(subject, address, grants), later),
      ]);
      if (!alone.ok) return alone;
      if (!appointed.ok) return appointed;
      // A contract is no plain wallet, and has code of its own that the experiment put aside.
      const shut = input.contracts.includes(address) ? [] : alone.value.closed;
      const walls = await opensToWallets(scene, address, shut);
      return walls.ok ? ok({ alone: alone.value, appointed: appointed.value, walls: walls.value }) : walls;
    }),
  ]);
  if (!anyone.ok) return failed(anyone.error);
  const idle = anyone.value.baseline;
  if (idle === undefined || idle.victim.word === 0n) {
    return skipped("a trial holder could not be observed");
  }
  const open = judgeAnyone(anyone.value, input.nobodyBuys, book);
  const secret: Address[] = [];
  let complete = anyone.value.complete && people.length === candidates.length && whole;
  let closed = anyone.value.closed.length;
  for (const [index, candidate] of people.entries()) {
    const person = each[index];
    if (person === undefined) continue;
    if (!person.ok) return failed(person.error);
    const { alone, appointed } = person.value;
    complete &&= alone.complete && appointed.complete;
    closed = Math.min(closed, alone.closed.length, appointed.closed.length);
    if (person.value.walls.length > 0) {
      const told = `${person.value.walls.join(", ")} let ${candidate.address} in only as a plain wallet`;
      book.set("behaves_differently_for_contracts", "yes", told);
    }
    const grave = judgePerson(candidate, person.value, { idle, open, nobodyBuys: input.nobodyBuys }, book);
    if (!grave || candidate.from === "role" || subject.owner === undefined || candidate.address === subject.owner)
      continue;
    if (DEAD.has(subject.owner)) {
      book.set("hidden_authority", "yes", `${candidate.address} holds a power, and owner() names nobody`);
    } else secret.push(candidate.address);
  }
  const named = await publiclyNamed(scene, secret);
  if (!named.ok) return failed(named.error);
  for (const address of secret.filter((one) => !named.value.has(one))) {
    book.set("hidden_authority", "yes", `${address} holds a power, and nothing that the contract says names it`);
  }
  const told = new Set([...open, ...each.flatMap((one) => (one.ok ? actsOf(one.value) : []))]);
  const others = await Promise.all([
    tryMembers(scene, functions, open, book),
    tryGuards(scene, functions, input.contracts, open, book),
    tryOpenGates(scene, functions, told, book),
    tryLedger(scene, book),
  ]);
  for (const one of others) if (!one.ok) return failed(one.error);
  if (subject.layers.some(({ facts }) => facts.comparesHashes)) {
    book.set("hashed_gate", "yes", "a hash is compared with a constant or with what is stored");
  }
  if (closed > 0) book.set("unproven_functions", "yes", `${closed} functions that nobody known could call`);
  book.clear("unproven_functions", "hashed_gate");
  return clearWhatWasSeen(complete && subject.layers.every(({ facts }) => facts.complete), idle, book);
}

/** One candidate's attempts: as it is, and after it gave itself whatever it can give. */
interface Person {
  readonly alone: Tried;
  readonly appointed: Tried;
  /** Functions that let it in only as a plain wallet. */
  readonly walls: readonly Hex[];
}

const actsOf = ({ alone, appointed }: Person): readonly string[] => [...alone.found, ...appointed.found].map(actOf);

function functionsOf({ layers, proxy }: Subject): readonly CodeFunction[] {
  // A proxy's own functions replace its logic, and nothing about holders follows from that.
  const own = proxy === "upgradeable" || proxy === "beacon" || proxy === "diamond" ? 1 : 0;
  const writers = layers
    .slice(own)
    .flatMap((layer) => layer.facts.functions)
    .filter(({ writes, selector }) => writes && !ORDINARY.has(selector) && !UPGRADES.has(selector));
  return [...new Map(writers.map((fn) => [fn.selector, fn])).values()];
}

/** What a stranger can do is no power of anybody: gives the acts that are open to all. */
function judgeAnyone({ found }: Tried, nobodyBuys: boolean, book: FlagBook): ReadonlySet<string> {
  for (const { effect, selector } of found) {
    const name = anyoneFactor(effect);
    if (name !== undefined) book.set(name, "yes", `${selector}, called by a stranger`);
    if (effect === "unblock" && nobodyBuys) book.set("trading_not_open", "yes", `${selector} opens it`);
  }
  return new Set(found.map(actOf));
}

interface Setting {
  readonly idle: Sight;
  readonly open: ReadonlySet<string>;
  readonly nobodyBuys: boolean;
}

/** Tells the powers of one candidate; true when one of them would be worth hiding. */
function judgePerson({ address }: Candidate, { alone, appointed }: Person, setting: Setting, book: FlagBook): boolean {
  const { idle, open, nobodyBuys } = setting;
  const takes = alone.baseline !== undefined && went(alone.baseline.taking) && !went(idle.taking);
  if (takes) book.set("owner_can_rewrite_balances", "yes", `${address} moves a holder's tokens without an allowance`);
  const found = [...alone.found, ...appointed.found].filter((one) => !open.has(actOf(one)));
  for (const one of found) {
    const name = factorOf(one);
    if (name !== undefined) book.set(name, "yes", `${one.selector}, called by ${address}`);
    if (one.effect === "unblock" && nobodyBuys) book.set("trading_not_open", "yes", `${one.selector} opens it`);
    if (one.effect === "ownership") book.set("ownership_can_return", "yes", `${one.selector}, called by ${address}`);
  }
  return takes || found.some(({ effect }) => GRAVE.has(effect));
}

/** Says no to what was looked for and not found, and only to that. */
function clearWhatWasSeen(complete: boolean, idle: Sight, book: FlagBook): StageEnd {
  if (!complete) return { status: "ran", reason: "some functions or authorities could not be tried" };
  book.clear("owner_can_mint", "owner_can_rewrite_balances", "owner_can_rebase", "hidden_authority");
  book.clear("ownership_can_return", "members_hold_powers", "anyone_can_mint", "anyone_can_take", "trading_not_open");
  if (!went(idle.send)) {
    return { status: "ran", reason: "a trial holder could not send, so what stops or taxes it could not be seen" };
  }
  book.clear("owner_can_pause", "owner_can_blacklist", "owner_can_block", "owner_can_raise_tax");
  book.clear("owner_can_change_limits", "anyone_can_block");
  return RAN;
}

async function sceneOf(input: PowersInput, slots: BalanceSlots, unit: bigint): Promise<Result<Scene, ChainError>> {
  const { view, cast, subject, pool } = input;
  const [victim, bystander] = await Promise.all([
    funded(view, cast.victim, slots, unit * 40n),
    funded(view, cast.bystander, slots, unit * 40n),
  ]);
  if (!victim.ok) return victim;
  if (!bystander.ok) return bystander;
  const actors = [cast.victim, cast.bystander, cast.stranger].map(
    (one) => [one, { code: cast.disguised(PROBE.Actor) }] as const,
  );
  const overrides = mergeOverrides(victim.value, bystander.value, Object.fromEntries(actors));
  return ok({ view, cast, subject, slots, pool, unit, target: subject.address, overrides });
}
