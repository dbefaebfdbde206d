import { ok, type Result } from "@countersign/core";
import { type Address, concat, type Hex } from "viem";
import type { ChainError } from "../../chain/error.ts";
import { word } from "../../chain/hex.ts";
import { outcomeWord, read, runScript } from "../../probe/script.ts";
import type { Scene } from "./scene.ts";

/** Which of these the contract names to anyone who asks: as the answer of a view, or by a yes of one that takes an address. */
export async function publiclyNamed(
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
