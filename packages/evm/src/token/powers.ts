import type { Result, TokenFactor } from "@countersign/core";
import { ok } from "@countersign/core";
import { type Address, concat, encodeFunctionData, type Hex, keccak256 } from "viem";
import type { BalanceSlots } from "../balance/slot.ts";
import type { ChainError } from "../chain/error.ts";
import { addressOfWord, most, word } from "../chain/hex.ts";
import type { ChainView, Overrides } from "../chain/view.ts";
import { PROBE } from "../probe/bytecode.ts";
import { ERC20, NOBODY, outcomeWord, read, runExperiment, runScript, type Seen, type Step } from "../probe/script.ts";
import { type CodeFunction, isAddressLike } from "./bytecode.ts";
import type { FlagBook } from "./flags.ts";
import { type Shape, shapesOf } from "./shapes.ts";
import { codeSizes, PROXY_SLOTS, readSlots, type Subject } from "./subject.ts";
import { type Cast, funded, mergeOverrides } from "./trader.ts";
import type { StageEnd } from "./tradeStage.ts";

/** Who might hold powers, and where that was seen. */
export interface Candidate {
  readonly address: Address;
  readonly from: "owner" | "storage" | "code" | "role" | "log";
}

const ROLE_GRANTED: Hex = "0x2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d";
const ROLE_RANGE = 50_000n;
const MAX_CANDIDATES = 5;
const DEAD = new Set([
  NOBODY,
  "0x000000000000000000000000000000000000dead",
  "0x0000000000000000000000000000000000000001",
]);

/** Slots that the code reads by constant number, but for those that say what a proxy runs. */
export function constantSlots(subject: Subject): readonly bigint[] {
  const proxySlots = new Set<bigint>(Object.values(PROXY_SLOTS));
  const all = new Set(subject.layers.flatMap(({ facts }) => facts.slots));
  return [...all].filter((slot) => !proxySlots.has(slot)).slice(0, 128);
}

/** Slots that hold addresses: the code reads them by constant number, whatever it calls them. */
export async function findAuthorities(
  view: ChainView,
  subject: Subject,
  seen: readonly Address[],
  ignore: readonly Address[],
): Promise<Result<readonly Candidate[], ChainError>> {
  const facts = subject.layers.map((layer) => layer.facts);
  const plain = constantSlots(subject);
  const offsets = new Map<bigint, number[]>();
  for (const { slot, offset } of facts.flatMap(({ addressSlots }) => addressSlots)) {
    offsets.set(slot, [...(offsets.get(slot) ?? []), offset]);
  }
  const usesRoles = facts.some(({ functions }) => functions.some(({ selector }) => selector === GRANT_ROLE));
  const [values, granted] = await Promise.all([
    readSlots(view, subject.address, plain),
    usesRoles ? view.logs(subject.address, [ROLE_GRANTED], ROLE_RANGE) : Promise.resolve(ok([])),
  ]);
  if (!values.ok) return values;
  if (!granted.ok) return granted;
  const candidates: Candidate[] = [];
  if (subject.owner !== undefined) candidates.push({ address: subject.owner, from: "owner" });
  const mask = (1n << 160n) - 1n;
  for (const [index, slot] of plain.entries()) {
    const value = values.value[index] ?? 0n;
    for (const offset of new Set([0, ...(offsets.get(slot) ?? [])])) {
      const part = (value >> BigInt(8 * offset)) & mask;
      if (isAddressLike(part)) candidates.push({ address: addressOfWord(part), from: "storage" });
    }
  }
  for (const log of granted.value) {
    const account = log.topics[2];
    if (account !== undefined) candidates.push({ address: addressOfWord(BigInt(account)), from: "role" });
  }
  candidates.push(
    ...facts.flatMap(({ embedded }) => embedded.map((address): Candidate => ({ address, from: "code" }))),
  );
  // The first recipients are usually whoever deployed it.
  const oldest = [...seen].reverse();
  candidates.push(...oldest.slice(0, 2).map((address): Candidate => ({ address, from: "log" })));
  const skip = new Set<Address>([...ignore, ...subject.layers.map(({ address }) => address)]);
  const unique = [...new Map(candidates.reverse().map((one) => [one.address, one])).values()].reverse();
  return ok(unique.filter(({ address }) => !DEAD.has(address) && !skip.has(address)));
}

const GRANT_ROLE: Hex = "0x2f2ff15d";

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

interface Scene {
  readonly view: ChainView;
  readonly cast: Cast;
  readonly subject: Subject;
  readonly slots: BalanceSlots;
  readonly pool: Address | undefined;
  readonly unit: bigint;
  readonly overrides: Overrides;
}

/** What the observations say, in their order. */
interface Sight {
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

function observations({ cast, subject, pool, unit }: Scene, caller: Address): readonly Step[] {
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

const sightOf = (seen: readonly Seen[]): Sight =>
  Object.fromEntries(SIGHTS.map((name, index) => [name, seen[index]])) as unknown as Sight;

const went = ({ ok: done, size, word: value }: Seen): boolean => done && (size === 0n || value === 1n);
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

interface Found {
  readonly effect: Effect;
  readonly selector: Hex;
  readonly kinds: Shape["kinds"];
  readonly namesVictim: boolean;
}

const GAS_EACH = 6_000_000n;
const ATTEMPT_GAS = 1_500_000n;
const CHUNK = 120;
const MAX_CHUNKS = 4;

/** Tries every function that writes, as `caller`, and tells what changed. `complete` is false when some were not tried. */
async function tryAll(
  scene: Scene,
  caller: Address,
  functions: readonly CodeFunction[],
  extra: Overrides,
  first: readonly Step[] = [],
): Promise<
  Result<{ found: readonly Found[]; baseline: Sight | undefined; complete: boolean; closed: number }, ChainError>
> {
  const { view, cast, subject } = scene;
  const supply = subject.supply ?? 0n;
  const roles = [...new Set(subject.layers.flatMap((layer) => layer.facts.hashes))];
  const parts = {
    victim: cast.victim,
    caller,
    peer: cast.peer,
    huge: most(supply * 10n, 1_000_000n),
    some: most(supply / 10n, 1_000n),
    roles,
  };
  const shapes = functions.flatMap((fn) => shapesOf(fn, parts).map((shape) => ({ fn, shape })));
  const steps = shapes.map(
    ({ shape }): Step => ({ actor: caller, to: subject.address, limit: ATTEMPT_GAS, data: shape.data }),
  );
  const idle: Step = { actor: NOBODY, to: NOBODY, limit: 0n, data: "0x" };
  const overrides = mergeOverrides(scene.overrides, extra, { [caller]: { code: PROBE.Actor } });
  const watch = observations(scene, caller);
  const found: Found[] = [];
  const passed = new Set<Hex>();
  let baseline: Sight | undefined;
  let complete = true;
  let queue = steps.map((_, index) => index);
  for (let chunk = 0; queue.length > 0 || chunk === 0; chunk += 1) {
    if (chunk === MAX_CHUNKS) {
      complete = false;
      break;
    }
    const taken = queue.slice(0, CHUNK);
    const attempts = [idle, ...taken.map((index) => steps[index] ?? idle)];
    const got = await runExperiment(
      view,
      cast.conductor,
      { first, attempts, observations: watch, gasEach: GAS_EACH },
      overrides,
    );
    if (!got.ok) return got;
    const [idleEnd, ...ends] = got.value;
    if (idleEnd?.state !== "done") return ok({ found, baseline, complete: false, closed: 0 });
    baseline = sightOf(idleEnd.seen);
    const again: number[] = [];
    for (const [position, end] of ends.entries()) {
      const index = taken[position] ?? 0;
      const entry = shapes[index];
      if (entry === undefined) continue;
      if (end.state === "not_run") again.push(index);
      if (end.state !== "done") continue;
      passed.add(entry.fn.selector);
      for (const effect of effectsOf(baseline, sightOf(end.seen))) {
        const { kinds, namesVictim } = entry.shape;
        found.push({ effect, selector: entry.fn.selector, kinds, namesVictim });
      }
    }
    queue = [...again, ...queue.slice(CHUNK)];
  }
  return ok({ found, baseline, complete, closed: functions.filter(({ selector }) => !passed.has(selector)).length });
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

function factorOf({ effect, kinds }: Found): TokenFactor | undefined {
  if (effect === "block_one") return "owner_can_blacklist";
  if (effect === "block_all") {
    if (kinds === "number") return "owner_can_change_limits";
    return kinds === "address" ? "owner_can_block" : "owner_can_pause";
  }
  if (effect === "unblock" || effect === "ownership") return undefined;
  return OWNER_FACTOR[effect];
}

/** Effects that make a power worth hiding. */
const GRAVE: ReadonlySet<Effect> = new Set(["mint", "rewrite", "block_one", "block_all"]);

export interface PowersInput {
  readonly view: ChainView;
  readonly cast: Cast;
  readonly subject: Subject;
  readonly slots: BalanceSlots | undefined;
  readonly pool: Address | undefined;
  readonly candidates: readonly Candidate[];
  readonly nobodyBuys: boolean;
}

/** Finds out by effect what authorities, members of lists, and anyone at all can do to holders. */
export async function runPowers(
  input: PowersInput,
  book: FlagBook,
): Promise<StageEnd & { readonly live: readonly Address[] }> {
  const { view, cast, subject, slots } = input;
  if (slots === undefined)
    return { status: "skipped", reason: "the balance of a trial holder could not be set", live: [] };
  const writers = subject.layers
    // A proxy's own functions replace its logic, and nothing about holders follows from that.
    .slice(subject.proxy === "upgradeable" || subject.proxy === "beacon" || subject.proxy === "diamond" ? 1 : 0)
    .flatMap((layer) => layer.facts.functions)
    .filter(({ writes, selector }) => writes && !ORDINARY.has(selector) && !UPGRADES.has(selector));
  const functions = [...new Map(writers.map((fn) => [fn.selector, fn])).values()];
  const unit = most((subject.supply ?? 0n) / 10_000_000n, 1_000n);
  const scene = await sceneOf(input, slots, unit);
  if (!scene.ok) return { status: "failed", reason: scene.error.message, live: [] };

  const sizes = await codeSizes(
    view,
    cast.conductor,
    input.candidates.map(({ address }) => address),
  );
  if (!sizes.ok) return { status: "failed", reason: sizes.error.message, live: [] };
  const people = input.candidates
    .filter(({ from }, index) => from === "owner" || from === "role" || sizes.value[index] === 0n)
    .slice(0, MAX_CANDIDATES);

  const grants = functions.filter(({ args }) => args.length > 0 && args.length <= 2 && args.includes("address"));
  const runs = await Promise.all([
    tryAll(scene.value, cast.stranger, functions, {}),
    ...people.map(({ address }) => tryAll(scene.value, address, functions, {}, prelude(subject, address, grants))),
    ...people.map(({ address }) => tryAll(scene.value, address, functions, {})),
  ]);
  const failed = runs.find((run) => !run.ok);
  if (failed !== undefined && !failed.ok) return { status: "failed", reason: failed.error.message, live: [] };
  const [anyone, ...rest] = runs.flatMap((run) => (run.ok ? [run.value] : []));
  const readable = anyone?.baseline !== undefined && anyone.baseline.victim.word > 0n;
  if (!readable) return { status: "skipped", reason: "a trial holder could not be observed", live: [] };

  const live: Address[] = [];
  const secret: Address[] = [];
  const publicAct = new Set<string>();
  for (const one of anyone?.found ?? []) {
    publicAct.add(`${one.selector}${one.effect}`);
    const name = anyoneFactor(one.effect);
    if (name !== undefined) book.set(name, "yes", `${one.selector}, called by a stranger`);
    if (one.effect === "unblock" && input.nobodyBuys) book.set("trading_not_open", "yes", `${one.selector} opens it`);
  }
  for (const [index, { address, from }] of people.entries()) {
    const both = [...(rest[people.length + index]?.found ?? []), ...(rest[index]?.found ?? [])];
    const found = both.filter((one) => !publicAct.has(`${one.selector}${one.effect}`));
    const direct = rest[people.length + index]?.baseline;
    const idle = anyone?.baseline;
    if (direct !== undefined && idle !== undefined && went(direct.taking) && !went(idle.taking)) {
      book.set("owner_can_rewrite_balances", "yes", `${address} moves a holder's tokens without an allowance`);
      live.push(address);
    }
    if (found.length > 0 && found.some(({ effect }) => effect !== "ownership")) live.push(address);
    for (const one of found) {
      const name = factorOf(one);
      if (name !== undefined) book.set(name, "yes", `${one.selector}, called by ${address}`);
      if (one.effect === "unblock" && input.nobodyBuys) book.set("trading_not_open", "yes", `${one.selector} opens it`);
      if (one.effect === "ownership") book.set("ownership_can_return", "yes", `${one.selector}, called by ${address}`);
    }
    const grave = found.some(({ effect }) => GRAVE.has(effect));
    if (!grave || from === "role" || subject.owner === undefined || address === subject.owner) continue;
    if (DEAD.has(subject.owner))
      book.set("hidden_authority", "yes", `${address} holds a power, and owner() names nobody`);
    else secret.push(address);
  }
  const named = await publiclyNamed(scene.value, secret);
  if (!named.ok) return { status: "failed", reason: named.error.message, live: [] };
  for (const address of secret.filter((one) => !named.value.has(one))) {
    book.set("hidden_authority", "yes", `${address} holds a power, and nothing that the contract says names it`);
  }
  const members = await tryMembers(scene.value, functions, publicAct, book);
  if (!members.ok) return { status: "failed", reason: members.error.message, live: [] };

  const complete =
    runs.every((run) => run.ok && run.value.complete) && subject.layers.every(({ facts }) => facts.complete);
  const closed = Math.min(...runs.map((run) => (run.ok ? run.value.closed : 0)));
  if (closed > 0) book.set("unproven_functions", "yes", `${closed} functions that nobody known could call`);
  book.clear("unproven_functions");
  if (!complete) return { status: "ran", reason: "some functions could not be tried", live: [...new Set(live)] };
  book.clear("owner_can_mint", "owner_can_rewrite_balances", "owner_can_rebase", "hidden_authority");
  book.clear("ownership_can_return", "members_hold_powers", "anyone_can_mint", "anyone_can_take", "trading_not_open");
  if (anyone?.baseline === undefined || !went(anyone.baseline.send)) {
    return {
      status: "ran",
      reason: "a trial holder could not send, so what stops or taxes it could not be seen",
      live: [...new Set(live)],
    };
  }
  book.clear("owner_can_pause", "owner_can_blacklist", "owner_can_block", "owner_can_raise_tax");
  book.clear("owner_can_change_limits", "anyone_can_block");
  return { status: "ran", live: [...new Set(live)] };
}

function anyoneFactor(effect: Effect): TokenFactor | undefined {
  if (effect === "mint") return "anyone_can_mint";
  if (effect === "rewrite" || effect === "dilute") return "anyone_can_take";
  if (effect === "block_one" || effect === "block_all") return "anyone_can_block";
  return undefined;
}

/** Everything that could make `caller` a member of something, before the attempt: who may appoint a minter can mint. */
function prelude(subject: Subject, caller: Address, grants: readonly CodeFunction[]): readonly Step[] {
  const roles = [...new Set(subject.layers.flatMap((layer) => layer.facts.hashes))].slice(0, 6);
  const steps: Step[] = [];
  for (const fn of grants.slice(0, 8)) {
    const choices = fn.args.includes("bytes32") ? roles : [undefined];
    for (const role of choices) {
      const parts = {
        victim: caller,
        caller,
        peer: caller,
        huge: 1n << 200n,
        some: 1n,
        roles: role === undefined ? [] : [role],
      };
      const data = shapesOf(fn, parts)[0]?.data;
      if (data !== undefined) steps.push({ actor: caller, to: subject.address, limit: 300_000n, data });
    }
  }
  return steps.slice(0, 16);
}

async function sceneOf(input: PowersInput, slots: BalanceSlots, unit: bigint): Promise<Result<Scene, ChainError>> {
  const { view, cast, subject, pool } = input;
  const [victim, bystander] = await Promise.all([
    funded(view, cast.victim, slots, unit * 40n),
    funded(view, cast.bystander, slots, unit * 40n),
  ]);
  if (!victim.ok) return victim;
  if (!bystander.ok) return bystander;
  const actors = [cast.victim, cast.bystander, cast.stranger].map((one) => [one, { code: PROBE.Actor }] as const);
  const overrides = mergeOverrides(victim.value, bystander.value, Object.fromEntries(actors));
  return ok({ view, cast, subject, slots, pool, unit, overrides });
}

/** Which of these the contract names to anyone who asks: as the answer of a view, or by a yes of one that takes an address. */
async function publiclyNamed(
  { view, cast, subject }: Scene,
  addresses: readonly Address[],
): Promise<Result<ReadonlySet<Address>, ChainError>> {
  if (addresses.length === 0) return ok(new Set());
  const views = subject.layers.flatMap((layer) => layer.facts.functions).filter(({ writes }) => !writes);
  const plain = views.filter(({ args }) => args.length === 0).slice(0, 60);
  const asking = views.filter(
    ({ args, selector }) => args.length === 1 && args[0] === "address" && selector !== BALANCE_OF,
  );
  const people = [...addresses, cast.stranger];
  const steps = [
    ...plain.map(({ selector }) => read(subject.address, selector)),
    ...asking
      .slice(0, 20)
      .flatMap(({ selector }) => people.map((one) => read(subject.address, concat([selector, word(BigInt(one))])))),
  ];
  const said = await runScript(view, cast.conductor, steps);
  if (!said.ok) return said;
  const answers = new Set(said.value.slice(0, plain.length).map(outcomeWord));
  const named = new Set(addresses.filter((one) => answers.has(BigInt(one))));
  for (let at = plain.length; at < said.value.length; at += people.length) {
    const words = said.value.slice(at, at + people.length).map(outcomeWord);
    if (words.at(-1) !== 0n) continue;
    for (const [index, address] of addresses.entries()) if (words[index] === 1n) named.add(address);
  }
  return ok(named);
}

const BALANCE_OF: Hex = "0x70a08231";

/**
 * Lists of members cannot be read out of a chain, so a stranger is written into each and tries again. What a member
 * can do and a stranger cannot is a power of somebody unknown.
 */
async function tryMembers(
  scene: Scene,
  functions: readonly CodeFunction[],
  publicAct: ReadonlySet<string>,
  book: FlagBook,
): Promise<Result<void, ChainError>> {
  const { subject, slots, cast } = scene;
  const used = await slots.slotOf(scene.view, cast.stranger);
  const roots = [...new Set(subject.layers.flatMap(({ facts }) => facts.memberships))].slice(0, 24);
  const entries = roots
    .map((root) => keccak256(concat([word(BigInt(cast.stranger)), word(root)])))
    .filter((slot) => !used.ok || slot !== used.value)
    .map((slot) => [slot, word(1n)] as const);
  if (entries.length === 0 || functions.length === 0) return ok(undefined);
  const member: Overrides = { [subject.address]: { stateDiff: Object.fromEntries(entries) } };
  const run = await tryAll(scene, cast.stranger, functions, member);
  if (!run.ok) return run;
  for (const { effect, selector } of run.value.found) {
    if (publicAct.has(`${selector}${effect}`) || !GRAVE.has(effect)) continue;
    book.set("members_hold_powers", "yes", `${selector}, called by a member of a list: ${effect.replace("_", " ")}`);
  }
  return ok(undefined);
}
