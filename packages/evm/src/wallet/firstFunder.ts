import { err, type Funding, ok, type Result } from "@countersign/core";
import type { Address } from "viem";
import { type ChainError, chainError } from "../chain/error.ts";
import { quantity, readQuantity } from "../chain/hex.ts";
import { failure, type PinnedBlock, readBlock, within } from "../chain/view.ts";
import type { RpcTransport } from "../rpc/transport.ts";
import { directTransfers, type Incoming, tracedTransfer } from "./incoming.ts";

export interface FunderLimits {
  /** Milliseconds one request may take. */
  readonly requestMs: number;
  /** Milliseconds the whole search may take. */
  readonly totalMs: number;
  /** Requests of one search. */
  readonly maxCalls: number;
}

/** Enough for a chain of 4^16 blocks. */
export const FUNDER_LIMITS: FunderLimits = { requestMs: 5_000, totalMs: 10_000, maxCalls: 110 };

/** What was found, and how old it was: what happened a moment ago may still be undone. */
export interface FoundFunding {
  readonly funding: Funding;
  /** Seconds between that block and the newest; null where nothing was found. */
  readonly age: number | null;
}

/** Where the blocks lie that one round trip looks at, in quarters of what is left. */
const QUARTERS = [1n, 2n, 3n] as const;

const UNTOLD = "the chain does not tell who funded the wallet";
const MALFORMED = chainError("chain.malformed", "the node's answer is not what the method returns");
const BUDGET = chainError("chain.budget", "the search used all the requests or the time it is given");

/**
 * Finds the block in which a wallet first had a balance or a nonce, and in it the transfer that gave it one.
 *
 * As long as a wallet has sent nothing its balance cannot fall, so "it has a balance or a nonce" is false up to a block and
 * true from then on, and that block can be searched for. It is believed only when the transfers seen in it explain the
 * balance after it to the last wei: a node without the state of old blocks, or with a lie about it, ends in unknown.
 */
export async function firstFunder(
  transport: RpcTransport,
  chainId: number,
  wallet: Address,
  limits: FunderLimits = FUNDER_LIMITS,
): Promise<FoundFunding> {
  const found = await search(asker(transport, limits), chainId, wallet);
  return found.ok ? found.value : { funding: { state: "unknown", reason: found.error.message }, age: null };
}

type Ask = (method: string, params: readonly unknown[]) => Promise<Result<unknown, ChainError>>;

function asker(transport: RpcTransport, { requestMs, totalMs, maxCalls }: FunderLimits): Ask {
  const deadline = performance.now() + totalMs;
  let calls = 0;
  return async (method, params) => {
    const left = deadline - performance.now();
    if (left <= 0 || calls >= maxCalls) return err(BUDGET);
    calls += 1;
    const reply = await within(Math.min(left, requestMs), transport.request(method, params));
    return reply.kind === "result" ? ok(reply.value) : err(failure(reply));
  };
}

async function search(ask: Ask, chainId: number, wallet: Address): Promise<Result<FoundFunding, ChainError>> {
  const [id, newest] = await Promise.all([ask("eth_chainId", []), ask("eth_getBlockByNumber", ["latest", false])]);
  if (!id.ok) return id;
  if (!newest.ok) return newest;
  if (readQuantity(id.value) !== BigInt(chainId))
    return err(chainError("chain.wrong_id", "the node serves another chain than it should"));
  const head = readBlock(newest.value);
  if (head === undefined) return err(MALFORMED);
  const [first, last] = await Promise.all([standing(ask, wallet, 0n), standing(ask, wallet, head.number)]);
  if (!last.ok) return last;
  if (!isThere(last.value)) return ok({ funding: { state: "none" }, age: 0 });
  if (!first.ok) return first;
  if (isThere(first.value)) return ok({ funding: { state: "none" }, age: Number(head.timestamp) });
  const came = await bisect(ask, wallet, { block: head.number, standing: last.value });
  if (!came.ok) return came;
  const told = await explain(ask, wallet, came.value);
  if (!told.ok) return told;
  // Whatever was read belongs to one chain only if its end is still the same.
  const again = await ask("eth_getBlockByNumber", [quantity(head.number), false]);
  if (!again.ok) return again;
  if (readBlock(again.value)?.hash !== head.hash)
    return err(chainError("chain.moved", "the node no longer has the block that was pinned"));
  return ok({ funding: fundingBy(told.value), age: Number(head.timestamp - told.value.block.timestamp) });
}

/** What a wallet has at the end of a block. */
interface Standing {
  readonly balance: bigint;
  readonly nonce: bigint;
}

const isThere = ({ balance, nonce }: Standing): boolean => balance > 0n || nonce > 0n;

async function standing(ask: Ask, wallet: Address, block: bigint): Promise<Result<Standing, ChainError>> {
  const at = quantity(block);
  const [balance, nonce] = await Promise.all([
    ask("eth_getBalance", [wallet, at]),
    ask("eth_getTransactionCount", [wallet, at]),
  ]);
  if (!balance.ok) return balance;
  if (!nonce.ok) return nonce;
  const read = { balance: readQuantity(balance.value), nonce: readQuantity(nonce.value) };
  if (read.balance === undefined || read.nonce === undefined) return err(MALFORMED);
  return ok({ balance: read.balance, nonce: read.nonce });
}

interface Came {
  readonly block: bigint;
  readonly standing: Standing;
}

/** The first block after which the wallet was there: it was not after block 0, and is at the end of `known`. */
async function bisect(ask: Ask, wallet: Address, known: Came): Promise<Result<Came, ChainError>> {
  let before = 0n;
  let came = known;
  while (came.block - before > 1n) {
    const span = came.block - before;
    const blocks = [...new Set(QUARTERS.map((quarter) => before + (span * quarter) / 4n))].filter(
      (block) => block > before,
    );
    const seen = await Promise.all(blocks.map((block) => standing(ask, wallet, block)));
    for (const [index, one] of seen.entries()) {
      if (!one.ok) return one;
      const block = blocks[index] ?? before;
      if (isThere(one.value)) {
        came = { block, standing: one.value };
        break;
      }
      before = block;
    }
  }
  return ok(came);
}

interface Told {
  readonly block: PinnedBlock;
  readonly incoming: Incoming;
}

async function explain(ask: Ask, wallet: Address, came: Came): Promise<Result<Told, ChainError>> {
  const whole = await ask("eth_getBlockByNumber", [quantity(came.block), true]);
  if (!whole.ok) return whole;
  const block = readBlock(whole.value);
  const direct = directTransfers(whole.value, wallet);
  if (block?.number !== came.block || direct === undefined) return err(MALFORMED);
  const [earliest] = direct;
  const sum = direct.reduce((total, { value }) => total + value, 0n);
  if (earliest !== undefined && came.standing.nonce === 0n && sum === came.standing.balance)
    return ok({ block, incoming: earliest });
  // Something came through a contract, or went out again: only a trace has the order of it.
  const traced = await ask("debug_traceBlockByHash", [block.hash, { tracer: "callTracer" }]);
  if (!traced.ok) return err(chainError(traced.error.code, UNTOLD));
  const incoming = tracedTransfer(traced.value, wallet);
  return incoming === undefined ? err(chainError("chain.unsupported", UNTOLD)) : ok({ block, incoming });
}

const fundingBy = ({ block, incoming }: Told): Funding => ({
  state: "funded",
  funder: incoming.from,
  evidence: { block: block.number.toString(), transaction: incoming.transaction, by: incoming.by },
});
