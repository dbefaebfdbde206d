import type { Result } from "@countersign/core";
import { err, ok } from "@countersign/core";
import type { Address, Hex } from "viem";
import type { RpcReply, RpcTransport } from "../rpc/transport.ts";
import { type ChainError, type ChainErrorCode, chainError } from "./error.ts";
import { least, quantity, readAddress, readBytes, readQuantity } from "./hex.ts";

export interface PinnedBlock {
  readonly number: bigint;
  readonly hash: Hex;
  /** Seconds since 1970. */
  readonly timestamp: bigint;
  /** Wei a unit of gas costs at least; zero on chains without it. A call that names a gas price must name no less. */
  readonly baseFee: bigint;
}

export interface Capabilities {
  /** eth_call takes code, balance and storage overrides. */
  readonly overrides: boolean;
  /** eth_call takes another block time. */
  readonly blockOverrides: boolean;
  /** eth_simulateV1 with several blocks. */
  readonly simulate: boolean;
  readonly accessList: boolean;
  /** Calls name the pinned block by hash, so a node on another fork refuses instead of answering. */
  readonly byHash: boolean;
}

export interface Limits {
  /** Milliseconds one request may take. */
  readonly requestMs: number;
  /** Milliseconds the whole check may take. */
  readonly totalMs: number;
  /** Requests of one check. */
  readonly maxCalls: number;
  /** Gas of one simulated call. */
  readonly gas: bigint;
  /** Bytes of one returned value. */
  readonly maxBytes: number;
}

export const LIMITS: Limits = {
  requestMs: 5_000,
  totalMs: 30_000,
  maxCalls: 120,
  gas: 30_000_000n,
  maxBytes: 2 * 1024 * 1024,
};

export interface AccountOverride {
  readonly code?: Hex;
  readonly balance?: bigint;
  readonly stateDiff?: Readonly<Record<Hex, Hex>>;
}
export type Overrides = Readonly<Record<Address, AccountOverride>>;

export interface BlockOverride {
  readonly number?: bigint;
  readonly time?: bigint;
  readonly feeRecipient?: Address;
  readonly prevRandao?: Hex;
}

export interface CallRequest {
  readonly from?: Address;
  readonly to: Address;
  readonly data: Hex;
  readonly gas?: bigint;
  /** Wei. Zero is itself a signal that some tokens look for, so callers say which they mean. */
  readonly gasPrice?: bigint;
  readonly value?: bigint;
}

/** What a call did. A revert is an answer about the contract, not a failure of the node. */
export type CallOutcome =
  | { readonly state: "returned"; readonly data: Hex }
  | { readonly state: "reverted"; readonly data: Hex };

export interface Log {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

export interface SimulatedCall {
  readonly ok: boolean;
  readonly data: Hex;
  readonly gasUsed: bigint;
  readonly logs: readonly Log[];
}

export interface SimulatedBlock {
  readonly overrides?: Overrides;
  readonly block: BlockOverride;
  readonly calls: readonly CallRequest[];
}

export interface Spent {
  readonly calls: number;
  /** From the first request to the last answer. Stages overlap, so these do not add up. */
  readonly ms: number;
}

/** One chain at one block: every answer of one check comes through one view. */
export interface ChainView {
  readonly chainId: number;
  readonly block: PinnedBlock;
  readonly capabilities: Capabilities;
  readonly limits: Limits;
  code(address: Address): Promise<Result<Hex, ChainError>>;
  call(request: CallRequest, overrides?: Overrides, block?: BlockOverride): Promise<Result<CallOutcome, ChainError>>;
  simulate(blocks: readonly SimulatedBlock[]): Promise<Result<readonly (readonly SimulatedCall[])[], ChainError>>;
  accessList(request: CallRequest): Promise<Result<readonly { address: Address; slot: Hex }[], ChainError>>;
  /** Newest last. `blocks` back from the pinned block, its own block included. */
  logs(address: Address, topics: readonly (Hex | null)[], blocks: bigint): Promise<Result<readonly Log[], ChainError>>;
  /** That the pinned number still has the pinned hash. Part of every check that answers anything but unknown. */
  confirm(): Promise<Result<void, ChainError>>;
  /** The same view with counters of its own, which leaves so many requests to others. */
  scope(kept?: number): ChainView;
  spent(): Spent;
}

/** Wei that pays for any simulated call. Only where no token can see it. */
export const RICH = 10n ** 24n;

/** What a wallet would offer: never zero, which is how careless simulations give themselves away. */
export const realisticGasPrice = (block: PinnedBlock, tip = 0n): bigint => block.baseFee * 2n + 1_000_000_000n + tip;

const FAULTS: Readonly<Record<Extract<RpcReply, { kind: "fault" }>["fault"], ChainError>> = {
  timeout: chainError("chain.timeout", "the node did not answer in time"),
  unreachable: chainError("chain.unreachable", "the node gave no usable answer"),
  too_large: chainError("chain.too_large", "the node's answer is larger than allowed"),
  malformed: chainError("chain.malformed", "the node's answer is not what the method returns"),
  rate_limited: chainError("chain.rate_limited", "the node limits the rate of requests"),
  disagreement: chainError("chain.disagreement", "the providers do not agree on the answer"),
};
const MALFORMED = FAULTS.malformed;
const BUDGET = chainError("chain.budget", "the check used all the requests or the time it is given");
const MOVED = chainError("chain.moved", "the node no longer has the block that was pinned");

/** Requests that are kept back for `confirm`: without it, all that was read is worth nothing. */
const RESERVED = 1;

/** Budget shared by a view and its scopes. */
interface Meter {
  calls: number;
  readonly deadline: number;
}

export interface ViewParts {
  readonly transport: RpcTransport;
  readonly chainId: number;
  readonly block: PinnedBlock;
  readonly capabilities: Capabilities;
  readonly limits: Limits;
}

/** @param before requests that were made to pin the block: they count too */
export function chainView(
  parts: ViewParts,
  before = 0,
  meter: Meter = { calls: before, deadline: performance.now() + parts.limits.totalMs },
  reserved = RESERVED,
): ChainView {
  const { block, capabilities, limits } = parts;
  const at = capabilities.byHash ? { blockHash: block.hash } : quantity(block.number);
  const own = { calls: before, started: 0, ended: 0 };

  const ask = async (method: string, params: readonly unknown[], kept = reserved): Promise<RpcReply | ChainError> => {
    const left = meter.deadline - performance.now();
    if (left <= 0 || meter.calls >= limits.maxCalls - kept) return BUDGET;
    meter.calls += 1;
    if (own.started === 0) own.started = performance.now();
    own.calls += 1;
    const reply = await within(Math.min(left, limits.requestMs), parts.transport.request(method, params));
    own.ended = performance.now();
    return reply;
  };

  const value = async (method: string, params: readonly unknown[]): Promise<Result<unknown, ChainError>> => {
    const reply = await ask(method, params);
    if (!("kind" in reply)) return err(reply);
    return reply.kind === "result" ? ok(reply.value) : err(failure(reply));
  };

  return {
    chainId: parts.chainId,
    block,
    capabilities,
    limits,

    async code(address) {
      const got = await value("eth_getCode", [address, at]);
      if (!got.ok) return got;
      const code = readBytes(got.value, limits.maxBytes);
      return code === undefined ? err(MALFORMED) : ok(code);
    },

    async call(request, overrides, blockOverride) {
      const params: unknown[] = [callJson(request, limits), at];
      if (overrides !== undefined || blockOverride !== undefined) params.push(overridesJson(overrides ?? {}));
      if (blockOverride !== undefined) params.push(blockJson(blockOverride));
      const reply = await ask("eth_call", params);
      if (!("kind" in reply)) return err(reply);
      if (reply.kind === "fault") return err(failure(reply));
      if (reply.kind === "result") {
        const data = readBytes(reply.value, limits.maxBytes);
        return data === undefined ? err(MALFORMED) : ok({ state: "returned", data });
      }
      const reverted = revertData(reply, limits.maxBytes);
      return reverted === undefined ? err(failure(reply)) : ok({ state: "reverted", data: reverted });
    },

    async simulate(blocks) {
      const blockStateCalls = blocks.map((one) => ({
        blockOverrides: blockJson(one.block),
        stateOverrides: overridesJson(one.overrides ?? {}),
        calls: one.calls.map((call) => callJson(call, limits)),
      }));
      const got = await value("eth_simulateV1", [{ blockStateCalls, validation: false }, at]);
      if (!got.ok) return got;
      const read = readSimulation(got.value, blocks, limits.maxBytes);
      return read === undefined ? err(MALFORMED) : ok(read);
    },

    async accessList(request) {
      const got = await value("eth_createAccessList", [callJson(request, limits), at]);
      if (!got.ok) return got;
      const entries = (got.value as { accessList?: unknown } | null)?.accessList;
      if (!Array.isArray(entries) || entries.length > 512) return err(MALFORMED);
      const slots: { address: Address; slot: Hex }[] = [];
      for (const entry of entries) {
        const { address: where, storageKeys } = (entry ?? {}) as { address?: unknown; storageKeys?: unknown };
        const address = readAddress(where);
        if (address === undefined || !Array.isArray(storageKeys) || storageKeys.length > 512) return err(MALFORMED);
        for (const key of storageKeys) {
          const slot = readBytes(key, 32);
          if (slot === undefined || slot.length !== 66) return err(MALFORMED);
          slots.push({ address, slot });
        }
      }
      return ok(slots);
    },

    async logs(address, topics, blocks) {
      const first = block.number >= blocks ? block.number - blocks + 1n : 0n;
      const filter = { address, topics, fromBlock: quantity(first), toBlock: quantity(block.number) };
      const got = await value("eth_getLogs", [filter]);
      if (!got.ok) return got;
      const read = readLogs(got.value, limits.maxBytes);
      return read === undefined ? err(MALFORMED) : ok(read.filter((log) => log.address === address));
    },

    async confirm() {
      const reply = await ask("eth_getBlockByNumber", [quantity(block.number), false], 0);
      if (!("kind" in reply)) return err(reply);
      if (reply.kind !== "result") return err(failure(reply));
      return readBlock(reply.value)?.hash === block.hash ? ok(undefined) : err(MOVED);
    },

    scope: (kept = RESERVED) => chainView(parts, 0, meter, Math.max(kept, RESERVED)),
    spent: () => ({ calls: own.calls, ms: own.ended - own.started }),
  };
}

/** The fields of a block that pin it, or undefined. */
export function readBlock(value: unknown): PinnedBlock | undefined {
  const { number, hash, timestamp, baseFeePerGas } = (value ?? {}) as Record<string, unknown>;
  const read = { number: readQuantity(number), hash: readBytes(hash, 32), timestamp: readQuantity(timestamp) };
  if (read.number === undefined || read.timestamp === undefined || read.hash?.length !== 66) return undefined;
  const baseFee = readQuantity(baseFeePerGas) ?? 0n;
  return { number: read.number, hash: read.hash, timestamp: read.timestamp, baseFee };
}

/** The reply, or a timeout: a transport that never answers must not hold a check open. */
export async function within(ms: number, reply: Promise<RpcReply>): Promise<RpcReply> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<RpcReply>((resolve) => {
    timer = setTimeout(() => resolve({ kind: "fault", fault: "timeout" }), ms);
  });
  try {
    return await Promise.race([reply, late]);
  } catch {
    return { kind: "fault", fault: "unreachable" };
  } finally {
    clearTimeout(timer);
  }
}

/** Codes by which a node says that it does not have a method or a parameter. */
const UNSUPPORTED: ReadonlySet<number> = new Set([-32601, -32602, -32600, -32004]);

export function failure(reply: Exclude<RpcReply, { kind: "result" }>): ChainError {
  if (reply.kind === "fault") return FAULTS[reply.fault];
  // Nodes say "method not found" in as many words as "block not found".
  if (reply.code === -32601) return chainError("chain.unsupported", "the node does not have the method");
  // -32001 and "header not found": the node does not have the block that was named by hash.
  if (reply.code === -32001 || /not found|unknown block|header/i.test(reply.message)) return MOVED;
  const code: ChainErrorCode = UNSUPPORTED.has(reply.code) ? "chain.unsupported" : "chain.refused";
  return chainError(code, `the node refused the request with code ${Math.trunc(reply.code)}`);
}

const HALTS =
  /revert|out of gas|gas required exceeds|invalid opcode|invalid jump|stack (under|over)|evm error|execution/i;

/** Revert data of an eth_call error, `0x` when the call halted without any; undefined when it is the node that failed. */
function revertData(reply: Extract<RpcReply, { kind: "error" }>, maxBytes: number): Hex | undefined {
  if (UNSUPPORTED.has(reply.code)) return undefined;
  if (reply.data !== undefined) return readBytes(reply.data, maxBytes) ?? "0x";
  return reply.code === 3 || HALTS.test(reply.message) ? "0x" : undefined;
}

function callJson(request: CallRequest, limits: Limits): Record<string, unknown> {
  return {
    ...(request.from === undefined ? {} : { from: request.from }),
    to: request.to,
    data: request.data,
    gas: quantity(least(request.gas ?? limits.gas, limits.gas)),
    ...(request.gasPrice === undefined ? {} : { gasPrice: quantity(request.gasPrice) }),
    ...(request.value === undefined ? {} : { value: quantity(request.value) }),
  };
}

function overridesJson(overrides: Overrides): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(overrides).map(([address, one]) => [
      address,
      {
        ...(one.code === undefined ? {} : { code: one.code }),
        ...(one.balance === undefined ? {} : { balance: quantity(one.balance) }),
        ...(one.stateDiff === undefined ? {} : { stateDiff: one.stateDiff }),
      },
    ]),
  );
}

function blockJson(block: BlockOverride): Record<string, unknown> {
  return {
    ...(block.number === undefined ? {} : { number: quantity(block.number) }),
    ...(block.time === undefined ? {} : { time: quantity(block.time) }),
    ...(block.feeRecipient === undefined ? {} : { feeRecipient: block.feeRecipient }),
    ...(block.prevRandao === undefined ? {} : { prevRandao: block.prevRandao }),
  };
}

/** More logs than this in one answer is a flood: the answer is refused as a whole. */
const MAX_LOGS = 10_000;

function readLogs(value: unknown, maxBytes: number): Log[] | undefined {
  if (!Array.isArray(value) || value.length > MAX_LOGS) return undefined;
  const logs: Log[] = [];
  for (const entry of value) {
    const { address: where, topics, data: payload } = (entry ?? {}) as Record<string, unknown>;
    const address = readAddress(where);
    const data = readBytes(payload, maxBytes);
    if (address === undefined || data === undefined || !Array.isArray(topics) || topics.length > 4) return undefined;
    const read = topics.map((topic) => readBytes(topic, 32));
    if (read.some((topic) => topic?.length !== 66)) return undefined;
    logs.push({ address, data, topics: read as Hex[] });
  }
  return logs;
}

function readSimulation(
  value: unknown,
  asked: readonly SimulatedBlock[],
  maxBytes: number,
): SimulatedCall[][] | undefined {
  if (!Array.isArray(value)) return undefined;
  // Nodes may fill gaps in block numbers with empty blocks; those carry no calls of ours.
  const filled = value.filter((block) => Array.isArray(block?.calls) && block.calls.length > 0);
  const wanted = asked.filter((block) => block.calls.length > 0);
  if (filled.length !== wanted.length) return undefined;
  const blocks: SimulatedCall[][] = [];
  for (const [index, block] of filled.entries()) {
    const calls: SimulatedCall[] = [];
    for (const call of block.calls as unknown[]) {
      const { status, returnData, gasUsed, logs } = (call ?? {}) as Record<string, unknown>;
      const data = readBytes(returnData, maxBytes);
      const gas = readQuantity(gasUsed);
      const read = readLogs(logs ?? [], maxBytes);
      if (data === undefined || gas === undefined || read === undefined) return undefined;
      if (status !== "0x1" && status !== "0x0") return undefined;
      calls.push({ ok: status === "0x1", data, gasUsed: gas, logs: read });
    }
    if (calls.length !== wanted[index]?.calls.length) return undefined;
    blocks.push(calls);
  }
  return blocks;
}
