import type { Result } from "@countersign/core";
import { err, ok } from "@countersign/core";
import { type Address, concat, encodeFunctionData, type Hex, keccak256 } from "viem";
import { type ChainError, chainError } from "../chain/error.ts";
import { addressOfWord, word, wordAt } from "../chain/hex.ts";
import type { ChainView, Overrides } from "../chain/view.ts";
import { PROBE } from "../probe/bytecode.ts";
import { ERC20, outcomeWord, read, runScript } from "../probe/script.ts";
import { analyse, type CodeFacts, delegation, isAddressLike } from "./bytecode.ts";

/** Slots of EIP-1967 and its forerunner, where proxies keep what they delegate to. */
export const PROXY_SLOTS = {
  implementation: 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbcn,
  admin: 0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103n,
  beacon: 0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50n,
  old: 0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3n,
} as const;

export interface Layer {
  readonly address: Address;
  readonly code: Hex;
  readonly facts: CodeFacts;
}

/** A token as its code and its own answers describe it. What it says of itself is a label, not a fact. */
export interface Subject {
  readonly address: Address;
  /** The contract and the logic it runs, outermost first. */
  readonly layers: readonly Layer[];
  /** False when the last of them hands its calls on as well. */
  readonly ends: boolean;
  readonly proxy: "none" | "clone" | "account" | "upgradeable" | "beacon" | "diamond";
  /** A contract that is asked which logic to run. */
  readonly beacon: Address | undefined;
  /** What `owner()` says: zero when it says zero, undefined when there is no answer. */
  readonly owner: Address | undefined;
  readonly supply: bigint | undefined;
  readonly codeHash: Hex;
}

/** A slot of ours among those that are read, and what stands in it. */
const CONTROL = 0x6e6f626f6479206b65657073206120736c6f7420686572652062757420757321n;
const MARKER = 0x636f756e7465727369676en;

/** Values of storage slots in one call: the contract's code is replaced by one that reads its storage aloud. */
export async function readSlots(
  view: ChainView,
  address: Address,
  slots: readonly bigint[],
): Promise<Result<readonly bigint[], ChainError>> {
  if (slots.length === 0) return ok([]);
  const got = await view.call(
    { to: address, data: concat([...slots, CONTROL].map(word)) },
    { [address]: { code: PROBE.SlotReader, stateDiff: { [word(CONTROL)]: word(MARKER) } } },
  );
  if (!got.ok) return got;
  const { state, data } = got.value;
  const values = slots.map((_, index) => (state === "returned" ? wordAt(data, index) : undefined));
  // Nothing but zeros is what a node says that did not run it, too.
  return wordAt(data, slots.length) === MARKER && values.every((value) => value !== undefined)
    ? ok(values)
    : err(chainError("chain.malformed", "the node did not return the storage that was asked for"));
}

/** Sizes of code at addresses, in one call. */
export const codeSizes = (view: ChainView, at: Address, addresses: readonly Address[]) =>
  askOfEach(view, at, PROBE.CodeSizer, addresses);

/** Hashes of code at addresses, in one call. */
export const codeHashes = (view: ChainView, at: Address, addresses: readonly Address[]) =>
  askOfEach(view, at, PROBE.CodeHasher, addresses);

async function askOfEach(
  view: ChainView,
  at: Address,
  code: Hex,
  addresses: readonly Address[],
): Promise<Result<readonly bigint[], ChainError>> {
  if (addresses.length === 0) return ok([]);
  const overrides: Overrides = { [at]: { code } };
  const got = await view.call({ to: at, data: concat(addresses.map((one) => word(BigInt(one)))) }, overrides);
  if (!got.ok) return got;
  const sizes = addresses.map((_, index) =>
    got.value.state === "returned" ? wordAt(got.value.data, index) : undefined,
  );
  return sizes.every((size) => size !== undefined)
    ? ok(sizes)
    : err(chainError("chain.malformed", "the node did not return what was asked of each address"));
}

const MAX_LAYERS = 4;

/** Reads the token's code, follows what it delegates to, and asks it for its owner and supply. */
export async function readSubject(
  view: ChainView,
  conductor: Address,
  address: Address,
): Promise<Result<Subject | "no_code", ChainError>> {
  const slots = Object.values(PROXY_SLOTS);
  const [code, proxySlots, views] = await Promise.all([
    view.code(address),
    readSlots(view, address, slots),
    runScript(view, conductor, [
      read(address, encodeFunctionData({ abi: ERC20, functionName: "owner" })),
      read(address, encodeFunctionData({ abi: ERC20, functionName: "totalSupply" })),
    ]),
  ]);
  if (!code.ok) return code;
  if (!proxySlots.ok) return proxySlots;
  if (!views.ok) return views;
  if (code.value === "0x") return ok("no_code");

  const own: Layer = { address, code: code.value, facts: analyse(code.value) };
  const layers: Layer[] = [own];
  let proxy: Subject["proxy"] = "none";
  let [implementation = 0n, , beacon = 0n, old = 0n] = proxySlots.value;
  for (let layer = own; layers.length < MAX_LAYERS; ) {
    const how = delegation(layer.code, layer.facts);
    if (how.kind === "none") break;
    let target: Address | undefined;
    if (how.kind === "account") {
      target = how.target;
      if (proxy === "none") proxy = how.kind;
    } else if (how.kind === "clone") {
      const runs = await runsThere(view, conductor, address, how.target);
      if (!runs.ok) return runs;
      target = how.target;
      // An address in the code that it does not run is a decoy: what it does run can be anything.
      if (!runs.value) proxy = "upgradeable";
      else if (proxy === "none") proxy = how.kind;
    } else if (implementation !== 0n || old !== 0n) {
      target = addressOfWord(implementation || old);
      proxy = "upgradeable";
    } else if (beacon !== 0n) {
      const asked = await runScript(view, conductor, [read(addressOfWord(beacon), IMPLEMENTATION)]);
      if (!asked.ok) return asked;
      const said = outcomeWord(asked.value[0]);
      target = said === undefined ? undefined : addressOfWord(said);
      proxy = "beacon";
    } else {
      const found = await delegateInStorage(view, conductor, layer);
      if (!found.ok) return found;
      target = found.value;
      proxy = target === undefined ? "diamond" : "upgradeable";
    }
    // Each slot is followed once: logic that is a proxy itself has other slots, or none.
    implementation = 0n;
    old = 0n;
    beacon = 0n;
    if (target === undefined || layers.some((one) => one.address === target)) break;
    const next = await view.code(target);
    if (!next.ok) return next;
    layer = { address: target, code: next.value, facts: analyse(next.value) };
    layers.push(layer);
  }
  const owner = outcomeWord(views.value[0]);
  const last = layers.at(-1) ?? own;
  const ends = layers.length < MAX_LAYERS || delegation(last.code, last.facts).kind === "none";
  return ok({
    address,
    beacon: proxy === "beacon" ? addressOfWord(proxySlots.value[2] ?? 0n) : undefined,
    layers,
    ends,
    proxy,
    owner: owner === undefined || owner >> 160n !== 0n ? undefined : addressOfWord(owner),
    supply: outcomeWord(views.value[1]),
    codeHash: keccak256(concat(layers.map((layer) => keccak256(layer.code)))),
  });
}

/** Whether a call of the token ends in the code at `target`: put there, a word of ours comes back. */
async function runsThere(
  view: ChainView,
  conductor: Address,
  token: Address,
  target: Address,
): Promise<Result<boolean, ChainError>> {
  const asked = await runScript(view, conductor, [read(token, TOTAL_SUPPLY)], { [target]: { code: SAYS_MARKER } });
  return asked.ok ? ok(outcomeWord(asked.value[0]) === MARKER) : asked;
}

const TOTAL_SUPPLY: Hex = "0x18160ddd";
/** Returns the marker, whatever it is asked. */
const SAYS_MARKER: Hex = concat(["0x7f", word(MARKER), "0x60005260206000f3"]);

const IMPLEMENTATION: Hex = "0x5c60da1b";

/** A proxy of no known kind: the logic is the contract whose address stands in a slot the code reads. */
async function delegateInStorage(
  view: ChainView,
  conductor: Address,
  layer: Layer,
): Promise<Result<Address | undefined, ChainError>> {
  const { slots, hashes } = layer.facts;
  const values = await readSlots(view, layer.address, [...new Set([...slots, ...hashes.map(BigInt)])]);
  if (!values.ok) return values;
  const addresses = [...layer.facts.embedded, ...values.value.filter(isAddressLike).map(addressOfWord)];
  const sizes = await codeSizes(view, conductor, addresses);
  if (!sizes.ok) return sizes;
  return ok(addresses.find((_, index) => (sizes.value[index] ?? 0n) > 0n));
}
