import type { Result } from "@countersign/core";
import { err, ok } from "@countersign/core";
import { type Address, decodeAbiParameters, decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from "viem";
import { type ChainError, chainError } from "../chain/error.ts";
import { wordAt } from "../chain/hex.ts";
import type { BlockOverride, ChainView, Overrides } from "../chain/view.ts";
import { PROBE } from "./bytecode.ts";

export const PROBE_ABI = parseAbi([
  "struct Key { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }",
  "struct Route { uint256 venue; address target; uint256 feeBps; Key key; }",
  "struct Leg { bool ok; uint256 sent; uint256 arrived; uint256 poolOut; uint256 received; uint256 used; bytes err; }",
  "struct Plan { address router; Route route; address token; address quote; uint256 spend; address peer; }",
  "struct Step { address actor; address to; uint256 limit; bytes data; }",
  "struct Out { bool ok; uint256 used; bytes ret; }",
  "struct Seen { bool ok; uint256 size; uint256 word; }",
  "function run(Step[] steps) returns (Out[])",
  "function experiment(Step[] first, Step[] attempts, Step[] observations, uint256 gasEach) returns (bytes[])",
  "function buy(Route r, address tin, address tout, uint256 amount) payable returns (uint256 sent, uint256 arrived, uint256 out, uint256 received)",
  "function swapShare(Route r, address tin, address tout, uint256 bps) returns (uint256 sent, uint256 arrived, uint256 out, uint256 received)",
  "function quote(Route r, bool zeroForOne, uint256 amount, bool exactIn) returns (uint256 sent, uint256 got)",
  "function pull(address token, address to, uint256 amount) returns (uint256)",
]);
export const TRADER_ABI = parseAbi([
  "struct Key { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }",
  "struct Route { uint256 venue; address target; uint256 feeBps; Key key; }",
  "struct Leg { bool ok; uint256 sent; uint256 arrived; uint256 poolOut; uint256 received; uint256 used; bytes err; }",
  "struct Plan { address router; Route route; address token; address quote; uint256 spend; address peer; }",
  "function run(Plan p) returns (Leg[6])",
  "function moveOnly(address token, address router, address peer, uint256 amount) returns (Leg moved, Leg pulled)",
]);
export const ERC20 = parseAbi([
  "function totalSupply() view returns (uint256)",
  "function balanceOf(address) view returns (uint256)",
  "function allowance(address, address) view returns (uint256)",
  "function transfer(address, uint256) returns (bool)",
  "function transferFrom(address, address, uint256) returns (bool)",
  "function approve(address, uint256) returns (bool)",
  "function decimals() view returns (uint8)",
  "function symbol() view returns (string)",
  "function owner() view returns (address)",
]);

export interface Step {
  /** Who calls; zero for the conductor itself. */
  readonly actor: Address;
  readonly to: Address;
  /** Gas the call may use. */
  readonly limit: bigint;
  readonly data: Hex;
}

export interface StepOutcome {
  readonly ok: boolean;
  /** Gas, the probe's own share included. */
  readonly used: bigint;
  readonly data: Hex;
}

export const NOBODY: Address = "0x0000000000000000000000000000000000000000";
const READ_GAS = 1_000_000n;

export const read = (to: Address, data: Hex): Step => ({ actor: NOBODY, to, limit: READ_GAS, data });

/** The word a step returned, or undefined when it failed or returned less. */
export const outcomeWord = (outcome: StepOutcome | undefined): bigint | undefined =>
  outcome?.ok === true ? wordAt(outcome.data, 0) : undefined;

/** Runs steps in order in one eth_call. A step that fails is an outcome; a script that cannot run is an error. */
export async function runScript(
  view: ChainView,
  conductor: Address,
  steps: readonly Step[],
  overrides: Overrides = {},
  block?: BlockOverride,
): Promise<Result<readonly StepOutcome[], ChainError>> {
  const data = encodeFunctionData({ abi: PROBE_ABI, functionName: "run", args: [steps] });
  const got = await view.call(
    { from: conductor, to: conductor, data },
    { ...overrides, [conductor]: { code: PROBE.Conductor } },
    block,
  );
  if (!got.ok) return got;
  const outcomes = decoded(() => {
    if (got.value.state !== "returned") return undefined;
    return decodeFunctionResult({ abi: PROBE_ABI, functionName: "run", data: got.value.data });
  });
  if (outcomes?.length !== steps.length) return err(NO_ANSWER);
  return ok(outcomes.map(({ ok: done, used, ret }) => ({ ok: done, used, data: ret })));
}

/** What a probe of ours did not return: the node ran out of gas for it, or did not run it. */
export const NO_ANSWER = chainError("chain.malformed", "the probe gave no readable answer");

/** Decoding of what came from outside never throws past here. */
export function decoded<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}

export interface Seen {
  readonly ok: boolean;
  /** Bytes returned, before cutting. */
  readonly size: bigint;
  readonly word: bigint;
}

/** What one attempt led to. */
export type Attempt =
  | { readonly state: "reverted" }
  /** There was not enough gas left to try it. */
  | { readonly state: "not_run" }
  | { readonly state: "done"; readonly seen: readonly Seen[] };

/** Tries every attempt from the same state and observes after each that succeeds; an attempt to nobody is the baseline. */
export async function runExperiment(
  view: ChainView,
  conductor: Address,
  parts: {
    /** Who signed the transaction, as the contracts see it. */
    readonly origin: Address;
    readonly first: readonly Step[];
    readonly attempts: readonly Step[];
    readonly observations: readonly Step[];
    readonly gasEach: bigint;
  },
  overrides: Overrides,
  block?: BlockOverride,
): Promise<Result<readonly Attempt[], ChainError>> {
  const data = encodeFunctionData({
    abi: PROBE_ABI,
    functionName: "experiment",
    args: [parts.first, parts.attempts, parts.observations, parts.gasEach],
  });
  const got = await view.call(
    { from: parts.origin, to: conductor, data },
    { ...overrides, [conductor]: { code: PROBE.Conductor } },
    block,
  );
  if (!got.ok) return got;
  const raw = decoded(() => {
    if (got.value.state !== "returned") return undefined;
    return decodeFunctionResult({ abi: PROBE_ABI, functionName: "experiment", data: got.value.data });
  });
  if (raw?.length !== parts.attempts.length) return err(NO_ANSWER);
  const attempts = raw.map((bytes) => readAttempt(bytes, parts.observations.length));
  return attempts.every((attempt) => attempt !== undefined) ? ok(attempts) : err(NO_ANSWER);
}

const SEEN = [{ type: "tuple[]", components: [{ type: "bool" }, { type: "uint256" }, { type: "uint256" }] }] as const;

function readAttempt(bytes: Hex, observations: number): Attempt | undefined {
  if (bytes === "0x") return { state: "reverted" };
  if (bytes === "0x01") return { state: "not_run" };
  const seen = decoded(() => decodeAbiParameters(SEEN, bytes)[0]);
  if (seen?.length !== observations) return undefined;
  return { state: "done", seen: seen.map(([done, size, value]) => ({ ok: done, size, word: value })) };
}
