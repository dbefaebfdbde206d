import type { Address, Hex } from "viem";
import { readAddress, readBytes, readQuantity } from "../chain/hex.ts";

/** Coin that came to a wallet. */
export interface Incoming {
  /** The sender of the transaction. */
  readonly from: Address;
  readonly value: bigint;
  readonly transaction: Hex;
  readonly by: "transfer" | "call";
}

const MOST_TRANSACTIONS = 10_000;
/** Frames of one block, and how deep they lie: the chain's own limit of depth is 1,024. */
const MOST_FRAMES = 100_000;
const DEEPEST = 1_100;

const members = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

/** Transactions of a whole block that pay the wallet themselves, in their order; undefined when it cannot be read. */
export function directTransfers(block: unknown, wallet: Address): readonly Incoming[] | undefined {
  const { transactions } = members(block);
  if (!Array.isArray(transactions) || transactions.length > MOST_TRANSACTIONS) return undefined;
  const found: Incoming[] = [];
  for (const entry of transactions as readonly unknown[]) {
    const { from, to, value, hash } = members(entry);
    // A transaction that makes a contract is to nobody.
    const read = { from: readAddress(from), to: to === null ? null : readAddress(to), value: readQuantity(value) };
    const transaction = readBytes(hash, 32);
    if (read.from === undefined || read.to === undefined || read.value === undefined) return undefined;
    if (transaction?.length !== 66) return undefined;
    if (read.to === wallet && read.from !== wallet && read.value > 0n)
      found.push({ from: read.from, value: read.value, transaction, by: "transfer" });
  }
  return found;
}

/** How coin moves; the other kinds of call only name a value. */
const MOVES: ReadonlySet<unknown> = new Set(["CALL", "CREATE", "CREATE2", "SELFDESTRUCT"]);

interface Search {
  readonly wallet: Address;
  frames: number;
}

/** The first coin that came to the wallet in a block, as its `callTracer` has it; undefined when none did, or in doubt. */
export function tracedTransfer(trace: unknown, wallet: Address): Incoming | undefined {
  if (!Array.isArray(trace) || trace.length > MOST_TRANSACTIONS) return undefined;
  const search: Search = { wallet, frames: 0 };
  for (const entry of trace as readonly unknown[]) {
    const { txHash, result } = members(entry);
    const transaction = readBytes(txHash, 32);
    const from = readAddress(members(result)["from"]);
    if (transaction?.length !== 66 || from === undefined) return undefined;
    const value = firstMove(search, result, 0);
    if (value === "doubt") return undefined;
    if (value === undefined || from === wallet) continue;
    const isDirect =
      readAddress(members(result)["to"]) === wallet && (readQuantity(members(result)["value"]) ?? 0n) > 0n;
    return { from, value, transaction, by: isDirect ? "transfer" : "call" };
  }
  return undefined;
}

function firstMove(search: Search, frame: unknown, depth: number): bigint | "doubt" | undefined {
  search.frames += 1;
  if (search.frames > MOST_FRAMES || depth > DEEPEST) return "doubt";
  const { type, from, to, value, error, calls } = members(frame);
  if (typeof type !== "string") return "doubt";
  // What failed moved nothing, and neither did anything inside of it.
  if (error !== undefined) return undefined;
  const moved = value === undefined ? 0n : readQuantity(value);
  if (moved === undefined) return "doubt";
  if (moved > 0n && MOVES.has(type) && readAddress(to) === search.wallet && readAddress(from) !== search.wallet)
    return moved;
  for (const inner of Array.isArray(calls) ? calls : []) {
    const found = firstMove(search, inner, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
