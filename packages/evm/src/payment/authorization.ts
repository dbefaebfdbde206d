import { type Address, type Hex, pad, toEventSelector, toFunctionSelector } from "viem";
import { quantity, readAddress, readBytes, readQuantity } from "../chain/hex.ts";
import { readBlock } from "../chain/view.ts";
import type { RpcReply, RpcTransport } from "../rpc/transport.ts";

/** One EIP-3009 authorization, and the transfer that it is expected to have become. */
export interface AuthorizationQuery {
  readonly asset: Address;
  readonly payer: Address;
  /** 32 bytes. */
  readonly nonce: Hex;
  readonly payTo: Address;
  /** Atomic units. */
  readonly amount: bigint;
  /** The block at which it was seen unused; null when that was never seen, and then no use of it is told apart. */
  readonly since: number | null;
}

/**
 * unused: at this block nobody has used it. paid: it became exactly the expected transfer, after `since`. spent: it was
 * cancelled or became another transfer: it never pays again, and did not pay this. used: it is gone, and without `since`
 * nothing says for what. unknown: the chain cannot be read, or does not tell.
 */
export type AuthorizationState =
  | { readonly state: "unused"; readonly block: number; readonly time: number }
  | { readonly state: "paid"; readonly transaction: Hex }
  | { readonly state: "spent" }
  | { readonly state: "used" }
  | { readonly state: "unknown" };

export type AuthorizationReader = (query: AuthorizationQuery) => Promise<AuthorizationState>;

const UNKNOWN: AuthorizationState = { state: "unknown" };
const SPENT: AuthorizationState = { state: "spent" };

const STATE = toFunctionSelector("authorizationState(address,bytes32)");
const USED = toEventSelector("AuthorizationUsed(address,bytes32)");
const CANCELED = toEventSelector("AuthorizationCanceled(address,bytes32)");
const TRANSFER = toEventSelector("Transfer(address,address,uint256)");

/** Blocks of one `eth_getLogs`, as public nodes allow them, and how many times it is asked. */
const WINDOW = 1_000;
const WINDOWS = 50;

/** Reads what became of authorizations on one chain. Never throws. */
export function authorizationReader(transport: RpcTransport, chainId: number): AuthorizationReader {
  return async (query) => {
    const [id, head] = await Promise.all([
      transport.request("eth_chainId", []),
      transport.request("eth_getBlockByNumber", ["latest", false]),
    ]);
    if (id.kind !== "result" || readQuantity(id.value) !== BigInt(chainId) || head.kind !== "result") return UNKNOWN;
    const block = readBlock(head.value);
    if (block === undefined) return UNKNOWN;
    const data = `${STATE}${pad(query.payer).slice(2)}${query.nonce.slice(2)}`;
    const call = await transport.request("eth_call", [{ to: query.asset, data }, quantity(block.number)]);
    const used = call.kind === "result" ? readBytes(call.value, 32) : undefined;
    if (used === undefined || used.length !== 66) return UNKNOWN;
    if (BigInt(used) === 0n) return { state: "unused", block: Number(block.number), time: Number(block.timestamp) };
    return query.since === null ? { state: "used" } : findUse(transport, query, query.since, Number(block.number));
  };
}

async function findUse(
  transport: RpcTransport,
  query: AuthorizationQuery,
  since: number,
  head: number,
): Promise<AuthorizationState> {
  const topics = [[USED, CANCELED], pad(query.payer), query.nonce];
  for (let window = 0, from = since; from <= head; window += 1, from += WINDOW) {
    if (window === WINDOWS) return UNKNOWN;
    const to = Math.min(from + WINDOW - 1, head);
    const filter = { address: query.asset, topics, fromBlock: quantity(from), toBlock: quantity(to) };
    const logs = readLogs(await transport.request("eth_getLogs", [filter]));
    if (logs === undefined) return UNKNOWN;
    const use = logs.find((log) => isUse(log, query));
    if (use !== undefined) return use.topics[0] === CANCELED ? SPENT : wasPaid(transport, query, use);
  }
  // It was unused at `since` and is used now: a node that shows no use in between is behind, or its token logs none.
  return UNKNOWN;
}

/**
 * Which transfer an authorization became is not written anywhere but in the order of the log: the transfer follows its
 * `AuthorizationUsed`. A token that logs them the other way round is believed when only one authorization of the payer
 * was used in the transaction; one transfer must not pay for two.
 */
async function wasPaid(transport: RpcTransport, query: AuthorizationQuery, use: Log): Promise<AuthorizationState> {
  const reply = await transport.request("eth_getTransactionReceipt", [use.transaction]);
  const receipt = reply.kind === "result" ? (reply.value as { logs?: unknown; status?: unknown } | null) : null;
  const logs = receipt === null ? undefined : readLogs({ kind: "result", value: receipt.logs });
  if (logs === undefined || receipt?.status !== "0x1") return UNKNOWN;
  const paid: AuthorizationState = { state: "paid", transaction: use.transaction };
  if (logs.some((log) => log.index === use.index + 1 && isTransfer(log, query))) return paid;
  if (!logs.some((log) => isTransfer(log, query))) return SPENT;
  const uses = logs.filter(
    ({ address, topics }) => address === query.asset && topics[0] === USED && topics[1] === pad(query.payer),
  );
  return uses.length === 1 ? paid : UNKNOWN;
}

interface Log {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly transaction: Hex;
  readonly index: number;
}

const isUse = ({ address, topics }: Log, { asset, payer, nonce }: AuthorizationQuery): boolean =>
  address === asset &&
  (topics[0] === USED || topics[0] === CANCELED) &&
  topics[1] === pad(payer) &&
  topics[2] === nonce;

const isTransfer = ({ address, topics, data }: Log, { asset, payer, payTo, amount }: AuthorizationQuery): boolean =>
  address === asset &&
  topics[0] === TRANSFER &&
  topics[1] === pad(payer) &&
  topics[2] === pad(payTo) &&
  data.length === 66 &&
  BigInt(data) === amount;

/** Undefined when one of them is not a log: then nothing can be said. */
function readLogs(reply: RpcReply): readonly Log[] | undefined {
  if (reply.kind !== "result" || !Array.isArray(reply.value) || reply.value.length > 10_000) return undefined;
  const logs: Log[] = [];
  for (const entry of reply.value as readonly unknown[]) {
    if (typeof entry !== "object" || entry === null) return undefined;
    const { address, topics, data, transactionHash, logIndex } = entry as Record<string, unknown>;
    const read = {
      address: readAddress(address),
      topics: Array.isArray(topics) ? topics.map((topic) => readBytes(topic, 32)) : [undefined],
      data: readBytes(data, 64 * 1024),
      transaction: readBytes(transactionHash, 32),
      index: readQuantity(logIndex),
    };
    if (read.address === undefined || read.data === undefined || read.transaction?.length !== 66) return undefined;
    if (read.index === undefined || read.topics.includes(undefined)) return undefined;
    logs.push({ ...read, topics: read.topics as Hex[], index: Number(read.index) } as Log);
  }
  return logs;
}
