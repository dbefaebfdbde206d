import type { AbiValue } from "./abi.ts";
import type { Actor } from "./move.ts";
import { type Call, type CallRule, int, list, rule, type Sink, text } from "./rule.ts";

/** Calls inside a call to itself: same contract, same sender. */
const selfCalls =
  (index: number): CallRule["handle"] =>
  (args, call, sink) =>
    sink.inner(list(args[index]).map((data) => ({ ...call, value: 0n, data: text(data) })));

/** Calls that a contract makes for whoever asked it: it is the sender of each. */
const calls =
  (
    index: number,
    read: (call: readonly AbiValue[]) => { to: string; value?: bigint; data: string },
  ): CallRule["handle"] =>
  (args, { to: by }, sink) =>
    sink.inner(
      list(args[index]).map((one) => {
        const { to, value = 0n, data } = read(list(one));
        return { to, value, data, by };
      }),
    );

const toData = ([to, data]: readonly AbiValue[]) => ({ to: text(to), data: text(data) });

/** A Safe's packed batch: operation (1), to (20), value (32), length (32), data. */
function multiSend(packed: string, by: Actor, sink: Sink): undefined {
  const digits = packed.slice(2);
  const found: Call[] = [];
  for (let at = 0; at < digits.length; ) {
    const head = digits.slice(at, at + 170);
    const length = /^0{56}[0-9a-f]{8}$/.test(head.slice(106)) ? Number.parseInt(head.slice(162), 16) : undefined;
    const data = length === undefined ? "" : digits.slice(at + 170, at + 170 + length * 2);
    if (head.length !== 170 || length === undefined || data.length !== length * 2 || found.length >= 256) {
      return sink.move({ kind: "unknown", to: null, selector: null, reason: "arguments" });
    }
    const to = `0x${head.slice(2, 42)}`;
    if (head.startsWith("00")) found.push({ to, value: BigInt(`0x${head.slice(42, 106)}`), data: `0x${data}`, by });
    else sink.move({ kind: "unknown", to, selector: null, reason: "delegatecall" });
    at += 170 + length * 2;
  }
  sink.inner(found);
}

/** Calls that make other calls, by selector. */
export const BATCH_CALLS: ReadonlyMap<string, CallRule> = new Map<string, CallRule>([
  // Many calls in one
  ["ac9650d8", rule("multicall", "bytes[]", selfCalls(0))],
  ["5ae401dc", rule("multicall", "uint256,bytes[]", selfCalls(1))],
  ["1f0464d1", rule("multicall", "bytes32,bytes[]", selfCalls(1))],
  ["252dba42", rule("aggregate", "(address,bytes)[]", calls(0, toData))],
  ["c3077fa9", rule("blockAndAggregate", "(address,bytes)[]", calls(0, toData))],
  ["bce38bd7", rule("tryAggregate", "bool,(address,bytes)[]", calls(1, toData))],
  ["399542e9", rule("tryBlockAndAggregate", "bool,(address,bytes)[]", calls(1, toData))],
  [
    "82ad56cb",
    rule(
      "aggregate3",
      "(address,bool,bytes)[]",
      calls(0, ([to, , data]) => ({ to: text(to), data: text(data) })),
    ),
  ],
  [
    "174dea71",
    rule(
      "aggregate3Value",
      "(address,bool,uint256,bytes)[]",
      calls(0, ([to, , value, data]) => ({ to: text(to), value: int(value), data: text(data) })),
    ),
  ],
  // Accounts that are contracts
  [
    "b61d27f6",
    rule("execute", "address,uint256,bytes", ([to, value, data], { to: by }, sink) =>
      sink.inner([{ to: text(to), value: int(value), data: text(data), by }]),
    ),
  ],
  [
    "34fcd5be",
    rule(
      "executeBatch",
      "(address,uint256,bytes)[]",
      calls(0, ([to, value, data]) => ({ to: text(to), value: int(value), data: text(data) })),
    ),
  ],
  [
    "47e1da2a",
    rule("executeBatch", "address[],uint256[],bytes[]", ([targets, values, datas], call, sink) => {
      const [tos, amounts, payloads] = [list(targets), list(values), list(datas)];
      if (tos.length !== payloads.length || (amounts.length !== 0 && amounts.length !== tos.length)) {
        return sink.move({ kind: "unknown", to: call.to, selector: null, reason: "arguments" });
      }
      sink.inner(
        tos.map((to, index) => ({
          to: text(to),
          value: amounts.length === 0 ? 0n : int(amounts[index]),
          data: text(payloads[index]),
          by: call.to,
        })),
      );
    }),
  ],
  [
    "6a761202",
    rule(
      "execTransaction",
      "address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes",
      ([to, value, data, operation, , , gasPrice, gasToken, refundReceiver], call, sink) => {
        safeTransaction({ to: text(to), value: int(value), data: text(data), by: call.to }, int(operation), sink);
        // A price of gas is paid to whoever sends it, in any amount.
        if (int(gasPrice) !== 0n || BigInt(text(refundReceiver)) !== 0n || BigInt(text(gasToken)) !== 0n) {
          sink.move({ kind: "unknown", to: text(refundReceiver), selector: null, reason: "arguments" });
        }
      },
    ),
  ],
  ["8d80ff0a", rule("multiSend", "bytes", ([packed], { by }, sink) => multiSend(text(packed), by, sink))],
]);

/** A Safe acts by calling, or by running another contract's code in its own name: then only well-known code is read. */
export function safeTransaction(call: Call, operation: bigint, sink: Sink): undefined {
  if (operation === 0n) return sink.inner([call]);
  if (operation === 1n && call.data.startsWith("0x8d80ff0a")) return sink.inner([call]);
  sink.move({ kind: "unknown", to: call.to, selector: null, reason: "delegatecall" });
}
