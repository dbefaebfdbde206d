import type { Result } from "@countersign/core";
import { err, ok } from "@countersign/core";
import type { Hex } from "viem";
import type { RpcReply, RpcTransport } from "../rpc/transport.ts";
import { type ChainError, chainError } from "./error.ts";
import { derivedAddress, quantity, readQuantity, word, wordAt } from "./hex.ts";
import {
  type Capabilities,
  type ChainView,
  chainView,
  failure,
  LIMITS,
  type Limits,
  type PinnedBlock,
  RICH,
  readBlock,
  realisticGasPrice,
  within,
} from "./view.ts";

/** A chain behind a transport whose identity and abilities have been tried, not believed. */
export interface ChainReader {
  readonly chainId: number;
  readonly capabilities: Capabilities;
  readonly limits: Limits;
  /** Pins the newest block. The chain id is asked again: behind one address there may be many nodes. */
  pin(): Promise<Result<ChainView, ChainError>>;
}

const WRONG_ID = chainError("chain.wrong_id", "the node serves another chain than it should");

/**
 * Checks the chain id and tries out once what the node can do.
 * Fails when the node cannot be read, or serves another chain than `chainId`.
 */
export async function connectChain(
  transport: RpcTransport,
  chainId: number,
  limits: Limits = LIMITS,
): Promise<Result<ChainReader, ChainError>> {
  const head = await pinBlock(transport, chainId, limits);
  if (!head.ok) return head;
  const tried = await tryCapabilities(transport, chainId, head.value, limits);
  if (!tried.ok) return tried;
  const capabilities = tried.value;
  return ok({
    chainId,
    capabilities,
    limits,
    async pin() {
      const block = await pinBlock(transport, chainId, limits);
      return block.ok
        ? ok(chainView({ transport, chainId, block: block.value, capabilities, limits }, PIN_CALLS))
        : block;
    },
  });
}

/** Chain id and newest block. */
const PIN_CALLS = 2;

async function pinBlock(
  transport: RpcTransport,
  chainId: number,
  limits: Limits,
): Promise<Result<PinnedBlock, ChainError>> {
  const ask = (method: string, params: readonly unknown[]): Promise<RpcReply> =>
    within(limits.requestMs, transport.request(method, params));
  const [id, head] = await Promise.all([ask("eth_chainId", []), ask("eth_getBlockByNumber", ["latest", false])]);
  if (id.kind !== "result") return err(failure(id));
  if (readQuantity(id.value) !== BigInt(chainId)) return err(WRONG_ID);
  if (head.kind !== "result") return err(failure(head));
  const block = readBlock(head.value);
  return block === undefined ? err(chainError("chain.malformed", "the node's newest block is unreadable")) : ok(block);
}

/** Returns the block time, the gas price and the word in slot 0. */
const ENVIRONMENT: Hex = "0x426000523a60205260005460405260606000f3";

/**
 * A node that ignores an override is worse than one that refuses it: the answer then speaks of another situation than
 * the one asked about. So each ability counts only when its effect was seen.
 */
async function tryCapabilities(
  transport: RpcTransport,
  chainId: number,
  block: PinnedBlock,
  limits: Limits,
): Promise<Result<Capabilities, ChainError>> {
  const at = derivedAddress("countersign", "capabilities");
  const later = block.timestamp + 86_400n;
  const overrides = { [at]: { code: ENVIRONMENT, stateDiff: { [word(0n)]: word(7n) }, balance: RICH } };
  const gasPrice = realisticGasPrice(block);
  const call = { from: at, to: at, data: "0x" as Hex, gas: 1_000_000n, gasPrice };
  const sees = (data: Hex, time: bigint): boolean =>
    wordAt(data, 0) === time && wordAt(data, 1) === gasPrice && wordAt(data, 2) === 7n;
  const seen = async (byHash: boolean, time: bigint | undefined): Promise<boolean> => {
    const view = chainView({ transport, chainId, block, limits, capabilities: { ...NONE, byHash } });
    const got = await view.call(call, overrides, time === undefined ? undefined : { time });
    return got.ok && got.value.state === "returned" && sees(got.value.data, time ?? block.timestamp);
  };
  const simulated = async (byHash: boolean): Promise<boolean> => {
    const view = chainView({ transport, chainId, block, limits, capabilities: { ...NONE, byHash } });
    const first = { number: block.number + 1n, time: block.timestamp + 1n };
    const got = await view.simulate([
      { block: first, overrides, calls: [call] },
      { block: { number: block.number + 2n, time: later }, calls: [call] },
    ]);
    const [a, b] = got.ok ? got.value.map((calls) => calls[0]) : [];
    return a?.ok === true && b?.ok === true && sees(a.data, first.time) && sees(b.data, later);
  };
  const listed = async (): Promise<boolean> => {
    const reply = await within(
      limits.requestMs,
      transport.request("eth_createAccessList", [{ from: at, to: at, data: "0x" }, quantity(block.number)]),
    );
    return reply.kind === "result" && Array.isArray((reply.value as { accessList?: unknown } | null)?.accessList);
  };
  const [full, simulate, accessList] = await Promise.all([seen(true, later), simulated(true), listed()]);
  if (full) return ok({ overrides: true, blockOverrides: true, simulate, accessList, byHash: true });
  const [byHash, byNumber, plain] = await Promise.all([
    seen(true, undefined),
    seen(false, later),
    seen(false, undefined),
  ]);
  return ok({
    overrides: byHash || plain,
    blockOverrides: !byHash && byNumber,
    simulate: byHash ? simulate : await simulated(false),
    accessList,
    byHash,
  });
}

const NONE = { overrides: false, blockOverrides: false, simulate: false, accessList: false } as const;
