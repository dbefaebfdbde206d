import { ok, type Result } from "@countersign/core";
import type { ChainError } from "../../chain/error.ts";
import type { Overrides } from "../../chain/view.ts";
import { type CodeFunction, withOpenGates } from "../bytecode.ts";
import type { FlagBook } from "../flags.ts";
import { tryAll } from "./attempts.ts";
import { DEAD } from "./authorities.ts";
import { actOf, GRAVE } from "./effects.ts";
import type { Scene } from "./scene.ts";

/**
 * An authority may stand where nobody looks: in a list, behind a number, in a cipher. So the gates of the code are
 * opened, and a stranger tries what lies behind them: what nobody who was found can do is a power of somebody who was not.
 * @param told acts that are open to all, or are told of those who have them
 */
export async function tryOpenGates(
  scene: Scene,
  functions: readonly CodeFunction[],
  told: ReadonlySet<string>,
  book: FlagBook,
): Promise<Result<void, ChainError>> {
  const { cast, subject } = scene;
  const owner = subject.owner !== undefined && DEAD.has(subject.owner) ? "dead" : "live";
  const opened = subject.layers.flatMap(({ address, code }) => {
    const patched = withOpenGates(code, owner);
    return patched === undefined ? [] : [[address, { code: patched }] as const];
  });
  if (opened.length === 0 || functions.length === 0) return ok(undefined);
  const overrides: Overrides = Object.fromEntries(opened);
  const run = await tryAll(scene, cast.stranger, functions, overrides);
  if (!run.ok) return run;
  for (const one of run.value.found) {
    if (told.has(actOf(one)) || !GRAVE.has(one.effect)) continue;
    const what = one.effect.replace("_", " ");
    book.set("members_hold_powers", "yes", `${one.selector}, for somebody who was not found: ${what}`);
  }
  return ok(undefined);
}
