import type { AbiValue } from "./abi.ts";
import { type Account, type Actor, approvedAmount, type Move } from "./move.ts";

/** A call as a contract receives it. */
export interface Call {
  readonly to: Account;
  /** Base units of the native currency. */
  readonly value: bigint;
  readonly data: string;
  /** msg.sender. */
  readonly by: Actor;
}

/** What a handler may do: say what moves, and name the calls that are made inside. */
export interface Sink {
  move(move: Move extends infer M ? (M extends Move ? Omit<M, "at"> : never) : never): undefined;
  /** In order; each gets its own place in the path. */
  inner(calls: readonly Call[]): undefined;
  /** A program of a Universal Router. */
  program(commands: string, inputs: readonly string[]): undefined;
}

export interface CallRule {
  readonly name: string;
  readonly args: string;
  handle(args: readonly AbiValue[], call: Call, sink: Sink): void;
}

// Values arrive with the types that the table names, so these only tell the compiler.
const text = (value: AbiValue | undefined): string => value as string;
const int = (value: AbiValue | undefined): bigint => value as bigint;
const list = (value: AbiValue | undefined): readonly AbiValue[] => value as readonly AbiValue[];

const rule = (name: string, args: string, handle: CallRule["handle"]): CallRule => ({ name, args, handle });

const approve =
  (change: "sets" | "adds" | "lowers"): CallRule["handle"] =>
  ([spender, amount], { to: token, by: owner }, sink) =>
    sink.move({
      kind: "approval",
      token,
      owner,
      spender: text(spender),
      amount: change === "lowers" ? int(amount) : approvedAmount(int(amount)),
      change,
    });

const authorised: CallRule["handle"] = ([from, to, amount], { to: token }, sink) =>
  sink.move({ kind: "transfer", token, from: text(from), to: text(to), amount: int(amount) });

const nftTransfer: CallRule["handle"] = ([from, to, id], { to: token }, sink) =>
  sink.move({ kind: "transfer", token, from: text(from), to: text(to), amount: 1n, tokenId: int(id) });

const NOTHING: CallRule["handle"] = () => {};

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

const swapV2 =
  (pays: "token" | "native", gets: "token" | "native", exact: "in" | "out"): CallRule["handle"] =>
  (args, call, sink) => {
    const [first, second] = pays === "native" ? [call.value, int(args[0])] : [int(args[0]), int(args[1])];
    const [path, to] = args.slice(pays === "native" ? 1 : 2);
    const hops = list(path).map(text);
    const [start, end] = [hops[0], hops.at(-1)];
    if (start === undefined || end === undefined || hops.length < 2) {
      return sink.move({ kind: "unknown", to: call.to, selector: null, reason: "arguments" });
    }
    const [amount, least] = exact === "in" || pays === "native" ? [first, second] : [second, first];
    sink.move({
      kind: "swap",
      payer: call.by,
      pays: { token: pays === "native" ? "native" : start, amount },
      gets: { token: gets === "native" ? "native" : end, least },
      recipient: text(to),
      through: call.to,
    });
  };

const swapV3Single =
  (order: "deadline" | "short", exact: "in" | "out"): CallRule["handle"] =>
  ([params], call, sink) => {
    const [tokenIn, tokenOut, , recipient, ...rest] = list(params);
    const [one, two] = order === "deadline" ? rest.slice(1) : rest;
    sink.move({
      kind: "swap",
      payer: call.by,
      pays: { token: text(tokenIn), amount: int(exact === "in" ? one : two) },
      gets: { token: text(tokenOut), least: int(exact === "in" ? two : one) },
      recipient: text(recipient),
      through: call.to,
    });
  };

const swapV3Path =
  (order: "deadline" | "short", exact: "in" | "out"): CallRule["handle"] =>
  ([params], call, sink) => {
    const [path, recipient, ...rest] = list(params);
    const [one, two] = order === "deadline" ? rest.slice(1) : rest;
    const ends = pathEnds(text(path));
    if (ends === undefined) return sink.move({ kind: "unknown", to: call.to, selector: null, reason: "arguments" });
    const [start, end] = exact === "in" ? ends : [ends[1], ends[0]];
    sink.move({
      kind: "swap",
      payer: call.by,
      pays: { token: start, amount: int(exact === "in" ? one : two) },
      gets: { token: end, least: int(exact === "in" ? two : one) },
      recipient: text(recipient),
      through: call.to,
    });
  };

/** First and last token of a packed path: 20 bytes of token, 3 of fee, 20 of token, and so on. */
export function pathEnds(path: string): readonly [Account, Account] | undefined {
  const digits = path.slice(2);
  if (digits.length < 86 || (digits.length - 40) % 46 !== 0) return undefined;
  return [`0x${digits.slice(0, 40)}`, `0x${digits.slice(-40)}`];
}

/** Permit2 details: (token, amount, expiration, nonce). */
const permitDetails = (details: AbiValue | undefined, owner: Actor, spender: string, sink: Sink): undefined => {
  const [token, amount, expiration] = list(details);
  sink.move({
    kind: "approval",
    token: text(token),
    owner,
    spender,
    amount: approvedAmount(int(amount)),
    change: "sets",
    until: int(expiration),
  });
};

export const permitSingle = (permit: AbiValue | undefined, owner: Actor, sink: Sink): undefined => {
  const [details, spender] = list(permit);
  permitDetails(details, owner, text(spender), sink);
};
export const permitBatch = (permit: AbiValue | undefined, owner: Actor, sink: Sink): undefined => {
  const [all, spender] = list(permit);
  for (const details of list(all)) permitDetails(details, owner, text(spender), sink);
};

const moved = (detail: AbiValue, sink: Sink): undefined => {
  const [from, to, amount, token] = list(detail);
  sink.move({ kind: "transfer", token: text(token), from: text(from), to: text(to), amount: int(amount) });
};
export const movedBatch = (details: AbiValue | undefined, sink: Sink): undefined => {
  for (const detail of list(details)) moved(detail, sink);
};

/** Signed transfers: what was permitted, and where the caller sends it. */
const signedTransfer: CallRule["handle"] = ([permit, details, owner], _, sink) => {
  const [permitted] = list(permit);
  const [token] = list(permitted);
  const [to, amount] = list(details);
  sink.move({ kind: "transfer", token: text(token), from: text(owner), to: text(to), amount: int(amount) });
};
const signedBatch: CallRule["handle"] = ([permit, details, owner], call, sink) => {
  const [permitted] = list(permit);
  const wanted = list(details);
  if (list(permitted).length !== wanted.length) {
    return sink.move({ kind: "unknown", to: call.to, selector: null, reason: "arguments" });
  }
  for (const [index, one] of list(permitted).entries()) {
    const [token] = list(one);
    const [to, amount] = list(wanted[index]);
    sink.move({ kind: "transfer", token: text(token), from: text(owner), to: text(to), amount: int(amount) });
  }
};

const PERMIT_SINGLE = "((address,uint160,uint48,uint48),address,uint256)";
const PERMIT_BATCH = "((address,uint160,uint48,uint48)[],address,uint256)";
const PERMIT_TRANSFER = "((address,uint256),uint256,uint256)";
const PERMIT_TRANSFERS = "((address,uint256)[],uint256,uint256)";
export const PERMIT2_TYPES = { single: PERMIT_SINGLE, batch: PERMIT_BATCH } as const;

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

/** Every call that is understood, by its selector. What is not here is unknown, and somebody looks at it. */
export const CALLS: ReadonlyMap<string, CallRule> = new Map<string, CallRule>([
  // ERC-20. The same selectors serve ERC-721, where the last number is an id.
  [
    "a9059cbb",
    rule("transfer", "address,uint256", ([to, amount], { to: token, by }, sink) =>
      sink.move({ kind: "transfer", token, from: by, to: text(to), amount: int(amount) }),
    ),
  ],
  ["23b872dd", rule("transferFrom", "address,address,uint256", authorised)],
  ["095ea7b3", rule("approve", "address,uint256", approve("sets"))],
  ["39509351", rule("increaseAllowance", "address,uint256", approve("adds"))],
  ["a457c2d7", rule("decreaseAllowance", "address,uint256", approve("lowers"))],
  [
    "d505accf",
    rule(
      "permit",
      "address,address,uint256,uint256,uint8,bytes32,bytes32",
      ([owner, spender, amount, until], { to: token }, sink) =>
        sink.move({
          kind: "approval",
          token,
          owner: text(owner),
          spender: text(spender),
          amount: approvedAmount(int(amount)),
          change: "sets",
          until: int(until),
        }),
    ),
  ],
  [
    "8fcbaf0c",
    rule(
      "permit",
      "address,address,uint256,uint256,bool,uint8,bytes32,bytes32",
      ([owner, spender, , until, allowed], { to: token }, sink) =>
        sink.move({
          kind: "approval",
          token,
          owner: text(owner),
          spender: text(spender),
          amount: allowed === true ? "unlimited" : 0n,
          change: "sets",
          until: int(until),
        }),
    ),
  ],
  // EIP-3009
  [
    "e3ee160e",
    rule(
      "transferWithAuthorization",
      "address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32",
      authorised,
    ),
  ],
  ["cf092995", rule("transferWithAuthorization", "address,address,uint256,uint256,uint256,bytes32,bytes", authorised)],
  [
    "ef55bec6",
    rule(
      "receiveWithAuthorization",
      "address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32",
      authorised,
    ),
  ],
  ["88b7ab63", rule("receiveWithAuthorization", "address,address,uint256,uint256,uint256,bytes32,bytes", authorised)],
  ["5a049a70", rule("cancelAuthorization", "address,bytes32,uint8,bytes32,bytes32", NOTHING)],
  // ERC-721 and ERC-1155
  ["42842e0e", rule("safeTransferFrom", "address,address,uint256", nftTransfer)],
  ["b88d4fde", rule("safeTransferFrom", "address,address,uint256,bytes", nftTransfer)],
  [
    "f242432a",
    rule("safeTransferFrom", "address,address,uint256,uint256,bytes", ([from, to, id, amount], { to: token }, sink) =>
      sink.move({ kind: "transfer", token, from: text(from), to: text(to), amount: int(amount), tokenId: int(id) }),
    ),
  ],
  [
    "2eb2c2d6",
    rule(
      "safeBatchTransferFrom",
      "address,address,uint256[],uint256[],bytes",
      ([from, to, ids, amounts], call, sink) => {
        if (list(ids).length !== list(amounts).length)
          return sink.move({ kind: "unknown", to: call.to, selector: null, reason: "arguments" });
        for (const [index, id] of list(ids).entries()) {
          sink.move({
            kind: "transfer",
            token: call.to,
            from: text(from),
            to: text(to),
            amount: int(list(amounts)[index]),
            tokenId: int(id),
          });
        }
      },
    ),
  ],
  [
    "a22cb465",
    rule("setApprovalForAll", "address,bool", ([operator, approved], { to: collection, by: owner }, sink) =>
      sink.move({ kind: "operator", collection, owner, operator: text(operator), approved: approved === true }),
    ),
  ],
  [
    "959b8c3f",
    rule("authorizeOperator", "address", ([operator], { to: collection, by: owner }, sink) =>
      sink.move({ kind: "operator", collection, owner, operator: text(operator), approved: true }),
    ),
  ],
  // Wrapped native currency: what moves is the value of the call, and it stays the caller's.
  ["d0e30db0", rule("deposit", "", NOTHING)],
  ["2e1a7d4d", rule("withdraw", "uint256", NOTHING)],
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
      ([to, value, data, operation, , , , gasToken, refundReceiver], call, sink) => {
        safeTransaction({ to: text(to), value: int(value), data: text(data), by: call.to }, int(operation), sink);
        if (BigInt(text(refundReceiver)) !== 0n || BigInt(text(gasToken)) !== 0n) {
          sink.move({ kind: "unknown", to: text(refundReceiver), selector: null, reason: "arguments" });
        }
      },
    ),
  ],
  ["8d80ff0a", rule("multiSend", "bytes", ([packed], { by }, sink) => multiSend(text(packed), by, sink))],
  // Permit2
  [
    "87517c45",
    rule("approve", "address,address,uint160,uint48", ([token, spender, amount, until], { by: owner }, sink) =>
      sink.move({
        kind: "approval",
        token: text(token),
        owner,
        spender: text(spender),
        amount: approvedAmount(int(amount)),
        change: "sets",
        until: int(until),
      }),
    ),
  ],
  [
    "2b67b570",
    rule("permit", `address,${PERMIT_SINGLE},bytes`, ([owner, permit], _, sink) =>
      permitSingle(permit, text(owner), sink),
    ),
  ],
  [
    "2a2d80d1",
    rule("permit", `address,${PERMIT_BATCH},bytes`, ([owner, permit], _, sink) =>
      permitBatch(permit, text(owner), sink),
    ),
  ],
  ["36c78516", rule("transferFrom", "address,address,uint160,address", (args, _, sink) => moved(args, sink))],
  [
    "0d58b1db",
    rule("transferFrom", "(address,address,uint160,address)[]", ([details], _, sink) => movedBatch(details, sink)),
  ],
  ["30f28b7a", rule("permitTransferFrom", `${PERMIT_TRANSFER},(address,uint256),address,bytes`, signedTransfer)],
  ["edd9444b", rule("permitTransferFrom", `${PERMIT_TRANSFERS},(address,uint256)[],address,bytes`, signedBatch)],
  [
    "137c29fe",
    rule(
      "permitWitnessTransferFrom",
      `${PERMIT_TRANSFER},(address,uint256),address,bytes32,string,bytes`,
      signedTransfer,
    ),
  ],
  [
    "fe8ec1a7",
    rule(
      "permitWitnessTransferFrom",
      `${PERMIT_TRANSFERS},(address,uint256)[],address,bytes32,string,bytes`,
      signedBatch,
    ),
  ],
  ["cc53287f", rule("lockdown", "(address,address)[]", NOTHING)],
  // Routers
  [
    "24856bc3",
    rule("execute", "bytes,bytes[]", ([commands, inputs], _, sink) =>
      sink.program(text(commands), list(inputs).map(text)),
    ),
  ],
  [
    "3593564c",
    rule("execute", "bytes,bytes[],uint256", ([commands, inputs], _, sink) =>
      sink.program(text(commands), list(inputs).map(text)),
    ),
  ],
  [
    "38ed1739",
    rule("swapExactTokensForTokens", "uint256,uint256,address[],address,uint256", swapV2("token", "token", "in")),
  ],
  [
    "8803dbee",
    rule("swapTokensForExactTokens", "uint256,uint256,address[],address,uint256", swapV2("token", "token", "out")),
  ],
  ["7ff36ab5", rule("swapExactETHForTokens", "uint256,address[],address,uint256", swapV2("native", "token", "in"))],
  ["fb3bdb41", rule("swapETHForExactTokens", "uint256,address[],address,uint256", swapV2("native", "token", "out"))],
  [
    "18cbafe5",
    rule("swapExactTokensForETH", "uint256,uint256,address[],address,uint256", swapV2("token", "native", "in")),
  ],
  [
    "4a25d94a",
    rule("swapTokensForExactETH", "uint256,uint256,address[],address,uint256", swapV2("token", "native", "out")),
  ],
  [
    "5c11d795",
    rule(
      "swapExactTokensForTokensSupportingFeeOnTransferTokens",
      "uint256,uint256,address[],address,uint256",
      swapV2("token", "token", "in"),
    ),
  ],
  [
    "b6f9de95",
    rule(
      "swapExactETHForTokensSupportingFeeOnTransferTokens",
      "uint256,address[],address,uint256",
      swapV2("native", "token", "in"),
    ),
  ],
  [
    "791ac947",
    rule(
      "swapExactTokensForETHSupportingFeeOnTransferTokens",
      "uint256,uint256,address[],address,uint256",
      swapV2("token", "native", "in"),
    ),
  ],
  [
    "414bf389",
    rule(
      "exactInputSingle",
      "(address,address,uint24,address,uint256,uint256,uint256,uint160)",
      swapV3Single("deadline", "in"),
    ),
  ],
  [
    "db3e2198",
    rule(
      "exactOutputSingle",
      "(address,address,uint24,address,uint256,uint256,uint256,uint160)",
      swapV3Single("deadline", "out"),
    ),
  ],
  [
    "04e45aaf",
    rule("exactInputSingle", "(address,address,uint24,address,uint256,uint256,uint160)", swapV3Single("short", "in")),
  ],
  [
    "5023b4df",
    rule("exactOutputSingle", "(address,address,uint24,address,uint256,uint256,uint160)", swapV3Single("short", "out")),
  ],
  ["c04b8d59", rule("exactInput", "(bytes,address,uint256,uint256,uint256)", swapV3Path("deadline", "in"))],
  ["f28c0498", rule("exactOutput", "(bytes,address,uint256,uint256,uint256)", swapV3Path("deadline", "out"))],
  ["b858183f", rule("exactInput", "(bytes,address,uint256,uint256)", swapV3Path("short", "in"))],
  ["09b81346", rule("exactOutput", "(bytes,address,uint256,uint256)", swapV3Path("short", "out"))],
]);

/** A Safe acts by calling, or by running another contract's code in its own name: then only well-known code is read. */
export function safeTransaction(call: Call, operation: bigint, sink: Sink): undefined {
  if (operation === 0n) return sink.inner([call]);
  if (operation === 1n && call.data.startsWith("0x8d80ff0a")) return sink.inner([call]);
  sink.move({ kind: "unknown", to: call.to, selector: null, reason: "delegatecall" });
}
