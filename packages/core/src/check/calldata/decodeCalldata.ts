import { abiTypes, decodeAbi, type Work } from "./abi.ts";
import { CALLS } from "./calls.ts";
import type { Account, Move } from "./move.ts";
import { runProgram } from "./router.ts";
import type { Call, Sink } from "./rule.ts";

/** A transaction as it would be signed. */
export interface Transaction {
  /** Null creates a contract. */
  readonly to: Account | null;
  readonly value: bigint;
  /** `0x` and whole bytes. */
  readonly data: string;
  /** EIP-7702: contracts whose code the signer's account will run. */
  readonly authorizations?: readonly Account[];
}

/** Values read, calls looked into, and levels of calls inside calls, for one transaction. */
const WORK = 8_192;
const MAX_CALLS = 256;
const MAX_DEPTH = 6;

/**
 * Everything a transaction would do to assets, in order. Total: any bytes give moves. What is not understood is there
 * as `unknown`, never left out.
 */
export function decodeCalldata({ to, value, data, authorizations = [] }: Transaction): readonly Move[] {
  const moves: Move[] = authorizations.map((one): Move => ({ kind: "delegation", to: one.toLowerCase(), at: "" }));
  if (to === null) {
    moves.push({ kind: "unknown", to: null, selector: null, reason: "creation", at: "" });
    return moves;
  }
  const work: Work = { left: WORK };
  const count = { calls: 0 };
  look({ to: to.toLowerCase(), value, data: data.toLowerCase(), by: "signer" }, "", 0, { moves, work, count });
  return moves;
}

/** The same for a call that a contract makes by itself, such as a Safe whose owners sign it. */
export function decodeCallBy(call: Call): readonly Move[] {
  const moves: Move[] = [];
  look(call, "", 0, { moves, work: { left: WORK }, count: { calls: 0 } });
  return moves;
}

interface Looking {
  readonly moves: Move[];
  readonly work: Work;
  readonly count: { calls: number };
}

function look(call: Call, at: string, depth: number, looking: Looking): undefined {
  const { moves, work, count } = looking;
  const add = (move: Parameters<Sink["move"]>[0]): undefined => void moves.push({ ...move, at } as Move);
  const selector = call.data.length >= 10 ? call.data.slice(2, 10) : null;
  count.calls += 1;
  if (depth > MAX_DEPTH || count.calls > MAX_CALLS)
    return add({ kind: "unknown", to: call.to, selector, reason: "too_much" });
  if (call.value > 0n) add({ kind: "native", from: call.by, to: call.to, amount: call.value });
  if (call.data === "0x") return;
  const rule = selector === null ? undefined : CALLS.get(selector);
  if (rule === undefined) return add({ kind: "unknown", to: call.to, selector, reason: "call" });
  const args = decodeAbi(abiTypes(rule.args), call.data.slice(10), work);
  if (args === undefined)
    return add({ kind: "unknown", to: call.to, selector, reason: work.left < 0 ? "too_much" : "arguments" });
  let next = 0;
  const sink: Sink = {
    move: add,
    inner(calls) {
      for (const inner of calls) {
        look({ ...inner, to: inner.to.toLowerCase(), data: inner.data }, `${at}/${next}`, depth + 1, looking);
        next += 1;
      }
    },
    program: (commands, inputs) => runProgram(commands, inputs, { call, sink, work, depth: 0 }),
  };
  rule.handle(args, call, sink);
}
