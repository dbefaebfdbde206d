import { ok, type Result } from "@countersign/core";
import { concat, keccak256 } from "viem";
import type { ChainError } from "../../chain/error.ts";
import { word } from "../../chain/hex.ts";
import type { Overrides } from "../../chain/view.ts";
import type { CodeFunction } from "../bytecode.ts";
import type { FlagBook } from "../flags.ts";
import { tryAll } from "./attempts.ts";
import { actOf, GRAVE } from "./effects.ts";
import type { Scene } from "./scene.ts";

/**
 * Lists of members cannot be read out of a chain, so a stranger is written into each and tries again. What a member
 * can do and a stranger cannot is a power of somebody unknown.
 */
export async function tryMembers(
  scene: Scene,
  functions: readonly CodeFunction[],
  open: ReadonlySet<string>,
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
  for (const one of run.value.found) {
    const { effect, selector } = one;
    if (open.has(actOf(one)) || !GRAVE.has(effect)) continue;
    book.set("members_hold_powers", "yes", `${selector}, called by a member of a list: ${effect.replace("_", " ")}`);
  }
  return ok(undefined);
}
