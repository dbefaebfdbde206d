import { judgeToken } from "@countersign/core";
import fc from "fast-check";
import type { Address } from "viem";
import { beforeAll, expect, test } from "vitest";
import { simulateBalance } from "../balance/simulateBalance.ts";
import { connectChain } from "../chain/reader.ts";
import { LIMITS, type Limits } from "../chain/view.ts";
import { quorumTransport } from "../rpc/quorum.ts";
import { recordTransport, replayTransport, type Tape } from "../rpc/record.ts";
import type { RpcReply, RpcTransport } from "../rpc/transport.ts";
import { chainSuite, deploy, deployV2, packaged, send, TOKEN_ABI } from "../testing.ts";
import type { Venues } from "./pools.ts";
import { checkTokenSafety } from "./safety.ts";

const SUPPLY = 10n ** 27n;
const QUICK: Limits = { ...LIMITS, requestMs: 400, totalMs: 4_000 };

type Twist = (
  method: string,
  params: readonly unknown[],
  honest: () => Promise<RpcReply>,
  count: number,
) => Promise<RpcReply>;

function twisted(inner: RpcTransport, twist: Twist): RpcTransport {
  let count = 0;
  return {
    request(method, params) {
      count += 1;
      return twist(method, params, () => inner.request(method, params), count);
    },
  };
}

const error = (code: number, message: string, data?: string): RpcReply => ({
  kind: "error",
  code,
  message,
  ...(data === undefined ? {} : { data }),
});
const result = (value: unknown): RpcReply => ({ kind: "result", value });
const NOT_FOUND = error(-32601, "Method not found");

chainSuite("a token check when the node is not to be trusted", (chain) => {
  let token: Address;
  let venues: Venues;
  let tape: Tape;
  let asked: { method: string; params: readonly unknown[] }[] = [];

  async function verdict(transport: RpcTransport, limits = QUICK): Promise<string> {
    const connected = await connectChain(transport, chain().chainId, limits);
    if (!connected.ok) return connected.error.code;
    const report = await checkTokenSafety(connected.value, token, { venues, seed: "faults" });
    if (!report.ok) return report.error.code;
    return judgeToken(report.value.facts, "unregistered").severity;
  }

  beforeAll(async () => {
    const ordinary = packaged("@uniswap/v2-core/build/ERC20.json");
    const v2 = await deployV2(chain());
    const quote = await deploy(chain(), ordinary, [10n ** 30n]);
    token = await deploy(chain(), ordinary, [SUPPLY]);
    const pair = await v2.open(token, quote);
    for (const holder of chain().accounts.slice(1, 4))
      await send(chain(), token, TOKEN_ABI, "transfer", [holder, 10n ** 21n]);
    await v2.fill(pair, token, SUPPLY / 4n, quote, 10n ** 24n);
    venues = { v2: { factory: v2.factory, feeBps: 30 }, quotes: [quote] };
    const recorder = recordTransport(chain().transport);
    asked = [];
    const listening = twisted(recorder.transport, (method, params, honest) => {
      asked.push({ method, params });
      return honest();
    });
    expect(await verdict(listening, LIMITS)).toBe("safe");
    tape = recorder.tape();
  });

  test("the honest conversation ends in safe, so that the faults below have something to break", async () => {
    expect(await verdict(replayTransport(tape))).toBe("safe");
    expect(asked.length).toBeGreaterThan(20);
  });

  const faults: readonly { it: string; reply: RpcReply }[] = [
    { it: "is refused", reply: error(-32000, "internal error") },
    { it: "meets a missing method", reply: NOT_FOUND },
    { it: "times out", reply: { kind: "fault", fault: "timeout" } },
    { it: "is limited", reply: { kind: "fault", fault: "rate_limited" } },
    { it: "is answered with nothing", reply: result(null) },
    { it: "is answered with garbage", reply: result("0xzz") },
    { it: "is answered with an empty word", reply: result(`0x${"00".repeat(32)}`) },
    { it: "is answered with no bytes", reply: result("0x") },
    { it: "is answered with an empty list", reply: result([]) },
    { it: "reverts without data", reply: error(3, "execution reverted", "0x") },
  ];

  test.each(faults)("whichever single request $it, the token is not safe", async ({ reply }) => {
    for (const [index, one] of asked.entries()) {
      // An empty list is an honest answer where there are no logs.
      if (one.method === "eth_getLogs" && reply.kind === "result" && Array.isArray(reply.value)) continue;
      const same = JSON.stringify(one);
      const broken = twisted(replayTransport(tape), (method, params, honest) =>
        JSON.stringify({ method, params }) === same ? Promise.resolve(reply) : honest(),
      );
      expect(`${index} ${one.method}: ${await verdict(broken)}`).not.toMatch(/: safe$/);
    }
  });

  test("whichever requests fail together, the token is not safe", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat(asked.length - 1), { minLength: 1, maxLength: 6 }),
        fc.constantFrom(...faults.filter(({ it }) => !it.includes("list")).map(({ reply }) => reply)),
        async (indexes, reply) => {
          const same = new Set(indexes.map((index) => JSON.stringify(asked[index])));
          const broken = twisted(replayTransport(tape), (method, params, honest) =>
            same.has(JSON.stringify({ method, params })) ? Promise.resolve(reply) : honest(),
          );
          expect(await verdict(broken)).not.toBe("safe");
        },
      ),
      { numRuns: 40 },
    );
  });

  test.each<{ it: string; twist: Twist; want: RegExp }>([
    { it: "never answers", twist: () => new Promise(() => {}), want: /^chain\.timeout$/ },
    { it: "throws", twist: () => Promise.reject(new Error("socket")), want: /^chain\.unreachable$/ },
    {
      it: "names another chain",
      twist: (method, _, honest) => (method === "eth_chainId" ? Promise.resolve(result("0x1")) : honest()),
      want: /^chain\.wrong_id$/,
    },
    {
      it: "names another chain only after it was connected to",
      twist: (method, _, honest, count) =>
        method === "eth_chainId" && count > 2 ? Promise.resolve(result("0x1")) : honest(),
      want: /^chain\.wrong_id$/,
    },
    {
      it: "limits the rate",
      twist: () => Promise.resolve({ kind: "fault", fault: "rate_limited" }),
      want: /^chain\.rate_limited$/,
    },
    { it: "answers garbage", twist: () => Promise.resolve(result({ "": [] })), want: /^chain\./ },
    {
      it: "reverts everything without data",
      twist: (method, _, honest) =>
        method === "eth_call" ? Promise.resolve(error(3, "execution reverted")) : honest(),
      want: /^chain\./,
    },
    {
      it: "moves to another block meanwhile",
      twist: async (method, params, honest) => {
        const reply = await honest();
        if (method !== "eth_getBlockByNumber" || params[0] === "latest" || reply.kind !== "result") return reply;
        return result({ ...(reply.value as object), hash: `0x${"ab".repeat(32)}` });
      },
      want: /^chain\.moved$/,
    },
    {
      it: "does not know the pinned block any more",
      twist: (_method, params, honest, count) =>
        count > 8 && JSON.stringify(params).includes("blockHash")
          ? Promise.resolve(error(-32001, "resource not found"))
          : honest(),
      want: /^(chain\.moved|warn)$/,
    },
    {
      it: "does not simulate wallets",
      twist: (method, _, honest) => (method === "eth_simulateV1" ? Promise.resolve(NOT_FOUND) : honest()),
      want: /^warn$/,
    },
    {
      it: "makes no access lists",
      twist: (method, _, honest) => (method === "eth_createAccessList" ? Promise.resolve(NOT_FOUND) : honest()),
      want: /^warn$/,
    },
    {
      it: "gives no logs",
      twist: (method, _, honest) => (method === "eth_getLogs" ? Promise.resolve(NOT_FOUND) : honest()),
      want: /^warn$/,
    },
    {
      it: "takes no block overrides",
      twist: (method, params, honest) =>
        method === "eth_call" && params.length > 3 ? Promise.resolve(error(-32602, "too many arguments")) : honest(),
      want: /^warn$/,
    },
    {
      it: "ignores block overrides",
      twist: (method, params, honest) =>
        method === "eth_call" && params.length > 3 ? chain().transport.request(method, params.slice(0, 3)) : honest(),
      want: /^warn$/,
    },
    {
      it: "ignores overrides",
      twist: (method, params, honest) =>
        method === "eth_call" && params.length > 2 ? chain().transport.request(method, params.slice(0, 2)) : honest(),
      want: /^chain\./,
    },
    {
      it: "answers with more than anyone asked for",
      twist: async (method, _, honest) => (method === "eth_getCode" ? result(`0x${"00".repeat(3_000_000)}`) : honest()),
      want: /^chain\.malformed$/,
    },
    {
      it: "floods the logs",
      twist: async (method, _, honest) =>
        method === "eth_getLogs" ? result(Array.from({ length: 20_000 }, () => ({}))) : honest(),
      want: /^warn$/,
    },
  ])("a node that $it ends in unknown or error", async ({ twist, want }) => {
    expect(await verdict(twisted(chain().transport, twist))).toMatch(want);
  });

  test("a node that takes blocks by number only is used so, and says as much", async () => {
    const numbered = twisted(chain().transport, (_, params, honest) =>
      JSON.stringify(params).includes("blockHash") ? Promise.resolve(error(-32602, "invalid argument")) : honest(),
    );
    const connected = await connectChain(numbered, chain().chainId);
    expect(connected.ok && connected.value.capabilities).toMatchObject({
      byHash: false,
      overrides: true,
      blockOverrides: true,
      simulate: true,
    });
    expect(await verdict(numbered, LIMITS)).toBe("safe");
  });

  test("a check that used up its requests is an error, not an answer", async () => {
    expect(await verdict(chain().transport, { ...LIMITS, maxCalls: 12 })).toMatch(/^(chain\.budget|warn)$/);
    expect(await verdict(chain().transport, { ...LIMITS, totalMs: 0 })).toBe("chain.budget");
  });

  test("of three providers two must agree; a liar alone changes nothing, and two strangers are no quorum", async () => {
    const liar = twisted(chain().transport, async (method, _, honest) => {
      const reply = await honest();
      return method === "eth_call" ? result(`0x${"00".repeat(640)}`) : reply;
    });
    expect(await verdict(quorumTransport([liar, chain().transport, chain().transport], 2), LIMITS)).toBe("safe");
    expect(await verdict(quorumTransport([liar, chain().transport], 2), LIMITS)).toMatch(/^chain\./);
  });

  test("a balance is not made up when the node fails", async () => {
    for (const { reply } of faults) {
      const connected = await connectChain(chain().transport, chain().chainId);
      if (!connected.ok) throw new Error(connected.error.message);
      const broken = await connectChain(
        twisted(chain().transport, (method, _, honest, count) =>
          count > 6 && method === "eth_call" ? Promise.resolve(reply) : honest(),
        ),
        chain().chainId,
      );
      if (!broken.ok) continue;
      const query = { token, holder: chain().accounts[1] as Address, delta: "1", decimals: 18 };
      expect((await simulateBalance(broken.value, query, "faults")).ok).toBe(false);
    }
  });
});
