import type { Account, Actor } from "./move.ts";
import { type Call, type CallRule, int, list, rule, text } from "./rule.ts";

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

/** Stand-ins for the caller and the router itself; the older router has only one, and it is zero. */
function receiver(address: string, order: "deadline" | "short", { by, to }: Call): Actor {
  if (order === "deadline") return BigInt(address) === 0n ? to : address;
  return BigInt(address) === 1n ? by : BigInt(address) === 2n ? to : address;
}

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
      recipient: receiver(text(recipient), order, call),
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
      recipient: receiver(text(recipient), order, call),
      through: call.to,
    });
  };

/** First and last token of a packed path: 20 bytes of token, 3 of fee, 20 of token, and so on. */
export function pathEnds(path: string): readonly [Account, Account] | undefined {
  const digits = path.slice(2);
  if (digits.length < 86 || (digits.length - 40) % 46 !== 0) return undefined;
  return [`0x${digits.slice(0, 40)}`, `0x${digits.slice(-40)}`];
}

/** Calls that routers understand, by selector. */
export const SWAP_CALLS: ReadonlyMap<string, CallRule> = new Map<string, CallRule>([
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
