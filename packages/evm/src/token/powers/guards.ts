import { ok, type Result } from "@countersign/core";
import { type Address, concat, type Hex } from "viem";
import type { ChainError } from "../../chain/error.ts";
import { word } from "../../chain/hex.ts";
import type { Overrides } from "../../chain/view.ts";
import type { CodeFunction } from "../bytecode.ts";
import type { FlagBook } from "../flags.ts";
import { tryAll } from "./attempts.ts";
import { actOf, GRAVE } from "./effects.ts";
import type { Scene } from "./scene.ts";

/**
 * Code that answers everything with one word, and refuses to transfer: a token behind which another one is kept would
 * else seem to hand out what nobody paid for.
 */
export const answering = (value: bigint): Hex =>
  concat([
    "0x60003560e01c", // the selector
    "0x806323b872dd14604c57", // transferFrom: refuse
    "0x63a9059cbb14604c57", // transfer: refuse
    "0x7f",
    word(value),
    "0x60005260006020526000604052", // the word, and two of zero behind it
    "0x60606000f3",
    "0x5b60006000fd",
  ]);

/**
 * Who is let in may be for another contract to say. Each that the token knows says yes to everybody, and then names the
 * stranger: what that opens is a power of whoever the contract really lets in.
 */
export async function tryGuards(
  scene: Scene,
  functions: readonly CodeFunction[],
  contracts: readonly Address[],
  open: ReadonlySet<string>,
  book: FlagBook,
): Promise<Result<void, ChainError>> {
  const { cast } = scene;
  if (contracts.length === 0 || functions.length === 0) return ok(undefined);
  const saying = (value: bigint): Overrides =>
    Object.fromEntries(contracts.map((one) => [one, { code: answering(value) }]));
  const runs = await Promise.all(
    [1n, BigInt(cast.stranger)].map((value) => tryAll(scene, cast.stranger, functions, saying(value))),
  );
  for (const run of runs) {
    if (!run.ok) return run;
    for (const one of run.value.found) {
      if (open.has(actOf(one)) || !GRAVE.has(one.effect)) continue;
      const told = `${one.selector}, when another contract lets the caller in: ${one.effect.replace("_", " ")}`;
      book.set("members_hold_powers", "yes", told);
    }
  }
  return ok(undefined);
}
