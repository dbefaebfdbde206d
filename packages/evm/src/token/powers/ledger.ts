import { ok, type Result } from "@countersign/core";
import type { ChainError } from "../../chain/error.ts";
import { analyse } from "../bytecode.ts";
import type { FlagBook } from "../flags.ts";
import type { Subject } from "../subject.ts";
import { tryAll } from "./attempts.ts";
import { findAuthorities } from "./authorities.ts";
import { actOf, anyoneFactor, factorOf } from "./effects.ts";
import type { Scene } from "./scene.ts";

const MAX_CLERKS = 4;

/** Balances that are kept in another contract can be written there, past the token: by anybody, or by who runs it. */
export async function tryLedger(scene: Scene, book: FlagBook): Promise<Result<void, ChainError>> {
  const { view, cast, subject, slots } = scene;
  const address = slots.contract;
  if (address === subject.address) return ok(undefined);
  const code = await view.code(address);
  if (!code.ok) return code;
  const facts = analyse(code.value);
  const ledger: Subject = { ...subject, address, owner: undefined, layers: [{ address, code: code.value, facts }] };
  if (!facts.complete) book.set("unreadable_code", "yes", "the contract that keeps the balances cannot be analysed");
  const own = subject.layers.map((layer) => layer.address);
  const found = await findAuthorities(view, ledger, [], own);
  if (!found.ok) return found;
  const functions = facts.functions.filter(({ writes }) => writes);
  const there = { ...scene, target: address };
  const clerks = found.value.candidates.slice(0, MAX_CLERKS).map((one) => one.address);
  const [anyone, ...each] = await Promise.all(
    [cast.stranger, ...clerks].map((caller) => tryAll(there, caller, functions, {})),
  );
  if (anyone?.ok === false) return anyone;
  const open = new Set(anyone?.value.found.map(actOf));
  for (const { effect, selector } of anyone?.value.found ?? []) {
    const name = anyoneFactor(effect);
    if (name !== undefined) book.set(name, "yes", `${selector} of the contract that keeps the balances, by a stranger`);
  }
  for (const [index, one] of each.entries()) {
    if (!one.ok) return one;
    for (const act of one.value.found.filter((other) => !open.has(actOf(other)))) {
      const name = factorOf(act);
      const told = `${act.selector} of the contract that keeps the balances, called by ${clerks[index]}`;
      if (name !== undefined) book.set(name, "yes", told);
    }
  }
  return ok(undefined);
}
