import { ok, type Result } from "@countersign/core";
import type { Address, Hex } from "viem";
import type { ChainError } from "../../chain/error.ts";
import { most } from "../../chain/hex.ts";
import type { BlockOverride, CallRequest, Overrides } from "../../chain/view.ts";
import { PROBE } from "../../probe/bytecode.ts";
import { NOBODY, runExperiment, type Step } from "../../probe/script.ts";
import type { CodeFunction } from "../bytecode.ts";
import { gasPriceOf, mergeOverrides, purse } from "../funding.ts";
import { shapesOf } from "../shapes.ts";
import type { Subject } from "../subject.ts";
import { effectsOf, type Found } from "./effects.ts";
import { observations, type Scene, type Sight, sightOf } from "./scene.ts";

/** What came of one caller's attempts. */
export interface Tried {
  readonly found: readonly Found[];
  /** What is seen when nobody does anything. */
  readonly baseline: Sight | undefined;
  /** False when some calls were not tried. */
  readonly complete: boolean;
  /** Functions that never let the caller in. */
  readonly closed: readonly CodeFunction[];
}

const GAS_EACH = 6_000_000n;
const ATTEMPT_GAS = 1_500_000n;
const CHUNK = 120;
const MAX_CHUNKS = 4;

/** Tries every function that writes, as `caller`, and tells what changed. `complete` is false when some were not tried. */
export async function tryAll(
  scene: Scene,
  caller: Address,
  functions: readonly CodeFunction[],
  extra: Overrides,
  first: readonly Step[] = [],
  block?: BlockOverride,
): Promise<Result<Tried, ChainError>> {
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
    ({ shape }): Step => ({ actor: caller, to: scene.target, limit: ATTEMPT_GAS, data: shape.data }),
  );
  const idle: Step = { actor: NOBODY, to: NOBODY, limit: 0n, data: "0x" };
  const overrides = mergeOverrides(scene.overrides, extra, { [caller]: { code: cast.disguised(PROBE.Actor) } });
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
      { origin: caller, first, attempts, observations: watch, gasEach: GAS_EACH },
      overrides,
      block,
    );
    if (!got.ok) return got;
    const [idleEnd, ...ends] = got.value;
    if (idleEnd?.state !== "done") return ok({ found, baseline, complete: false, closed: [] });
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
  return ok({ found, baseline, complete, closed: functions.filter(({ selector }) => !passed.has(selector)) });
}

const WALLET_CALLS = 100;

/**
 * Calls that let `caller` in only when it is a plain wallet: the experiments need code of ours at its address, and a
 * function that refuses contracts would show them nothing. What such a call does is not looked at.
 */
export async function opensToWallets(
  { view, cast, subject }: Scene,
  caller: Address,
  closed: readonly CodeFunction[],
): Promise<Result<readonly Hex[], ChainError>> {
  if (!view.capabilities.simulate || closed.length === 0) return ok([]);
  const supply = subject.supply ?? 0n;
  const roles = [...new Set(subject.layers.flatMap((layer) => layer.facts.hashes))];
  const parts = { victim: cast.peer, caller, peer: cast.peer, huge: supply, some: most(supply / 10n, 1_000n), roles };
  const tried = closed.flatMap((fn) => shapesOf(fn, parts).map(({ data }) => ({ data, selector: fn.selector })));
  const calls = tried.slice(0, WALLET_CALLS).map(
    ({ data }): CallRequest => ({
      from: caller,
      to: subject.address,
      data,
      gas: ATTEMPT_GAS,
      gasPrice: gasPriceOf(view, cast),
    }),
  );
  const block = { number: view.block.number + 1n, time: view.block.timestamp + 12n, feeRecipient: cast.builder };
  const balance = purse(view, cast, BigInt(WALLET_CALLS) * ATTEMPT_GAS);
  const got = await view.simulate([{ block, overrides: { [caller]: { balance } }, calls }]);
  if (!got.ok) return got;
  return ok([...new Set(got.value.flat().flatMap((call, index) => (call.ok ? [tried[index]?.selector ?? "0x"] : [])))]);
}

/** Everything that could make `caller` a member of something, before the attempt: who may appoint a minter can mint. */
export function prelude(subject: Subject, caller: Address, grants: readonly CodeFunction[]): readonly Step[] {
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
