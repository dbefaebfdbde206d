import type { Funding } from "@countersign/core";
import fc from "fast-check";
import type { Address, Hex } from "viem";
import { beforeEach, describe, expect, test } from "vitest";
import { quorumTransport } from "../rpc/quorum.ts";
import type { RpcReply, RpcTransport } from "../rpc/transport.ts";
import { chainSuite } from "../testing.ts";
import { FUNDER_LIMITS, firstFunder } from "./firstFunder.ts";

const hex = (value: number | bigint): Hex => `0x${value.toString(16)}`;
const addressOf = (index: number): Address => `0x${(0xf000 + index).toString(16).padStart(40, "0")}`;
const hashOf = (kind: string, index: number): Hex =>
  `0x${Buffer.from(`${kind}${index}`).toString("hex").padStart(64, "0")}`;

interface Sent {
  readonly from: number;
  readonly to: number;
  readonly value: number;
  /** Through a contract: the transaction itself is to somebody else, without value. */
  readonly inside: boolean;
}

/** A chain of a few blocks, as a node tells of it. Every wallet below `rich` has coin from the beginning. */
class SmallChain implements RpcTransport {
  readonly calls: string[] = [];
  readonly #states: readonly ReadonlyMap<number, { readonly balance: number; readonly nonce: number }>[];
  readonly #blocks: readonly (readonly Sent[])[];
  change: (method: string, params: readonly unknown[], reply: RpcReply) => RpcReply = (_method, _params, reply) =>
    reply;

  constructor(blocks: readonly (readonly Sent[])[], rich: number) {
    this.#blocks = [[], ...blocks];
    let now = new Map(Array.from({ length: rich }, (_, index) => [index, { balance: 1_000, nonce: 0 }]));
    this.#states = this.#blocks.map((block) => {
      now = new Map(now);
      for (const { from, to, value } of block) {
        const sender = now.get(from) ?? { balance: 0, nonce: 0 };
        now.set(from, { balance: sender.balance - value, nonce: sender.nonce + 1 });
        const receiver = now.get(to) ?? { balance: 0, nonce: 0 };
        now.set(to, { ...receiver, balance: receiver.balance + value });
      }
      return now;
    });
  }

  async request(method: string, params: readonly unknown[]): Promise<RpcReply> {
    this.calls.push(method);
    return this.change(method, params, this.#answer(method, params));
  }

  #answer(method: string, params: readonly unknown[]): RpcReply {
    const result = (value: unknown): RpcReply => ({ kind: "result", value });
    if (method === "eth_chainId") return result(hex(7));
    if (method === "eth_getBlockByNumber") {
      const number = params[0] === "latest" ? this.#blocks.length - 1 : Number(params[0]);
      const transactions = (this.#blocks[number] ?? []).map(({ from, to, value, inside }, index) => ({
        hash: hashOf(`t${number}.`, index),
        from: addressOf(from),
        to: inside ? addressOf(999) : addressOf(to),
        value: inside ? "0x0" : hex(value),
      }));
      return result({ number: hex(number), hash: hashOf("b", number), timestamp: hex(number * 10), transactions });
    }
    if (method === "debug_traceBlockByHash") {
      const number = this.#blocks.findIndex((_, index) => hashOf("b", index) === params[0]);
      return result(
        (this.#blocks[number] ?? []).map(({ from, to, value, inside }, index) => {
          const move = { type: "CALL", from: addressOf(from), to: addressOf(to), value: hex(value) };
          const outer = { type: "CALL", from: addressOf(from), to: addressOf(999), value: "0x0", calls: [move] };
          return { txHash: hashOf(`t${number}.`, index), result: inside ? outer : move };
        }),
      );
    }
    const [wallet, at] = params as [Address, Hex];
    const { balance = 0, nonce = 0 } = this.#states[Number(at)]?.get(Number(BigInt(wallet)) - 0xf000) ?? {};
    return result(hex(method === "eth_getBalance" ? balance : nonce));
  }
}

const ask = async (chain: SmallChain, wallet: number) => (await firstFunder(chain, 7, addressOf(wallet))).funding;

/** The same, by looking at every transfer from the beginning. */
function obvious(blocks: readonly (readonly Sent[])[], rich: number, wallet: number): Funding {
  if (wallet < rich) return { state: "none" };
  for (const [number, block] of blocks.entries()) {
    const index = block.findIndex(({ to, from, value }) => to === wallet && from !== wallet && value > 0);
    const sent = block[index];
    if (sent === undefined) continue;
    const transaction = hashOf(`t${number + 1}.`, index);
    const by = sent.inside ? "call" : "transfer";
    return { state: "funded", funder: addressOf(sent.from), evidence: { block: `${number + 1}`, transaction, by } };
  }
  return { state: "none" };
}

/** Blocks in which nobody spends what nobody gave, so that every nonce begins with coin. */
const world = fc
  .record({
    rich: fc.integer({ min: 1, max: 3 }),
    wishes: fc.array(
      fc.array(
        fc.record({
          from: fc.nat(6),
          to: fc.nat(6),
          value: fc.integer({ min: 0, max: 20 }),
          inside: fc.boolean(),
        }),
        { maxLength: 3 },
      ),
      { maxLength: 40 },
    ),
  })
  .map(({ rich, wishes }) => {
    const balances = new Map(Array.from({ length: rich }, (_, index) => [index, 1_000]));
    const blocks = wishes.map((block) =>
      block.filter(({ from, to, value }) => {
        const has = balances.get(from) ?? 0;
        if (has === 0 || has < value) return false;
        balances.set(from, has - value);
        balances.set(to, (balances.get(to) ?? 0) + value);
        return true;
      }),
    );
    return { rich, blocks };
  });

describe("the first funder of a wallet", () => {
  test("is found as by looking at every transfer from the beginning", async () => {
    await fc.assert(
      fc.asyncProperty(world, fc.nat(6), async ({ rich, blocks }, wallet) => {
        expect(await ask(new SmallChain(blocks, rich), wallet)).toEqual(obvious(blocks, rich, wallet));
      }),
    );
  });

  test("is found or unknown, and never somebody else, whatever one kind of answer becomes", async () => {
    const methods = [
      "eth_chainId",
      "eth_getBlockByNumber",
      "eth_getBalance",
      "eth_getTransactionCount",
      "debug_traceBlockByHash",
    ];
    const faults: fc.Arbitrary<RpcReply> = fc.oneof(
      fc.constantFrom<RpcReply>(
        { kind: "fault", fault: "timeout" },
        { kind: "fault", fault: "rate_limited" },
        { kind: "error", code: -32601, message: "no such method" },
        { kind: "error", code: -32000, message: "missing trie node" },
        { kind: "result", value: null },
        { kind: "result", value: "0x" },
        { kind: "result", value: [] },
        { kind: "result", value: { __proto__: null, number: "0x1" } },
      ),
      fc.anything().map((value): RpcReply => ({ kind: "result", value })),
    );
    await fc.assert(
      fc.asyncProperty(
        world,
        fc.nat(6),
        fc.constantFrom(...methods),
        faults,
        fc.nat(8),
        async ({ rich, blocks }, wallet, broken, reply, from) => {
          const chain = new SmallChain(blocks, rich);
          let seen = 0;
          chain.change = (method, _params, given) => {
            if (method !== broken) return given;
            seen += 1;
            return seen > from ? reply : given;
          };
          const found = await ask(chain, wallet);
          if (found.state === "funded") expect(found).toEqual(obvious(blocks, rich, wallet));
        },
      ),
      { numRuns: 300 },
    );
  });

  const one: Sent = { from: 0, to: 5, value: 9, inside: false };
  const quiet = (before: number, block: readonly Sent[], after: number) => [
    ...Array.from({ length: before }, () => []),
    block,
    ...Array.from({ length: after }, () => []),
  ];

  test.each<[string, (chain: SmallChain) => void]>([
    [
      "a node that forgot old blocks",
      (chain) => {
        chain.change = (method, params, reply) =>
          /Balance|Count/.test(method) && Number(params[1]) < 60
            ? { kind: "error", code: -32000, message: "missing trie node" }
            : reply;
      },
    ],
    [
      "a node that says nothing was there in old blocks",
      (chain) => {
        chain.change = (method, params, reply) =>
          /Balance|Count/.test(method) && Number(params[1]) < 60 ? { kind: "result", value: "0x0" } : reply;
      },
    ],
    [
      "a node that serves another chain",
      (chain) => {
        chain.change = (method, _, reply) => (method === "eth_chainId" ? { kind: "result", value: "0x8" } : reply);
      },
    ],
    [
      "a chain whose end changed meanwhile",
      (chain) => {
        let heads = 0;
        chain.change = (method, params, reply) => {
          if (method !== "eth_getBlockByNumber" || params[1] === true || reply.kind !== "result") return reply;
          heads += 1;
          return heads > 1 ? { kind: "result", value: { ...(reply.value as object), hash: hashOf("x", 1) } } : reply;
        };
      },
    ],
    [
      "coin that came without any transaction, and a node that traces none",
      (chain) => {
        chain.change = (method, params, reply) => {
          if (method === "debug_traceBlockByHash") return { kind: "error", code: -32601, message: "" };
          return method === "eth_getBalance" && Number(params[1]) >= 50 ? { kind: "result", value: "0xa" } : reply;
        };
      },
    ],
  ])("is unknown with %s", async (_, spoil) => {
    const chain = new SmallChain(quiet(49, [one], 50), 1);
    expect(await ask(chain, 5)).toMatchObject({ state: "funded", funder: addressOf(0) });
    spoil(chain);
    expect(await ask(chain, 5)).toMatchObject({ state: "unknown", reason: expect.any(String) });
  });

  test.each([
    { liars: 1, state: "funded" },
    { liars: 2, state: "unknown" },
  ])("of three nodes, with $liars that lie about who sent it, is $state", async ({ liars, state }) => {
    const blocks = quiet(5, [one], 5);
    const nodes = Array.from({ length: 3 }, (_, index) => {
      const node = new SmallChain(blocks, 1);
      if (index < liars) {
        node.change = (_method, params, reply) => {
          if (params[1] !== true || reply.kind !== "result") return reply;
          const block = reply.value as { transactions: readonly object[] };
          const transactions = block.transactions.map((sent) => ({ ...sent, from: addressOf(20 + index) }));
          return { kind: "result", value: { ...block, transactions } };
        };
      }
      return node;
    });
    const found = await firstFunder(quorumTransport(nodes, 2), 7, addressOf(5));
    expect(found.funding).toMatchObject(state === "funded" ? { state, funder: addressOf(0) } : { state });
  });

  test("costs a bounded number of requests, on a chain of any length", async () => {
    const chain = new SmallChain([], 0);
    const at = 123_456_789n;
    const end = 4n ** 16n - 1n;
    chain.change = (method, params) => {
      const result = (value: unknown): RpcReply => ({ kind: "result", value });
      if (method === "eth_chainId") return result("0x7");
      if (method === "eth_getTransactionCount") return result("0x0");
      if (method === "eth_getBalance") return result(BigInt(params[1] as Hex) >= at ? "0x9" : "0x0");
      const number = params[0] === "latest" ? end : BigInt(params[0] as Hex);
      const transactions =
        params[1] === true ? [{ hash: hashOf("t", 1), from: addressOf(1), to: addressOf(5), value: "0x9" }] : [];
      return result({ number: hex(number), hash: hashOf("b", 1), timestamp: "0x1", transactions });
    };
    expect(await ask(chain, 5)).toMatchObject({ state: "funded", funder: addressOf(1) });
    expect(chain.calls.length).toBeLessThanOrEqual(FUNDER_LIMITS.maxCalls);
    const few = { ...FUNDER_LIMITS, maxCalls: 50 };
    const spent = await firstFunder(chain, 7, addressOf(5), few);
    expect(spent.funding).toMatchObject({ state: "unknown" });
  });

  test("is unknown when the node does not answer, in time", async () => {
    const silent: RpcTransport = { request: () => new Promise(() => {}) };
    const limits = { ...FUNDER_LIMITS, requestMs: 10, totalMs: 20 };
    expect(await firstFunder(silent, 7, addressOf(5), limits)).toMatchObject({ funding: { state: "unknown" } });
  });
});

/** Sends what it is given on to the address in its input: `CALL(gas, calldataload(0), callvalue, 0, 0, 0, 0)`. */
const FORWARDER: Hex = "0x5f5f5f5f345f355af100";

chainSuite("the first funder of a wallet on a local chain", (chain) => {
  const forwarder: Address = "0x00000000000000000000000000000000000000fd";
  let wallet: Address;
  let count = 0;
  beforeEach(async () => {
    count += 1;
    wallet = addressOf(100 + count);
    await chain().rpc("anvil_setCode", forwarder, FORWARDER);
    await chain().rpc("anvil_mine", "0x64");
  });
  const found = async () => (await firstFunder(chain().transport, chain().chainId, wallet)).funding;
  const at = (index: number) => chain().accounts[index] as Address;
  const inside = (value: bigint, from: number) =>
    ({ from: at(from), to: forwarder, value, data: `0x${wallet.slice(2).padStart(64, "0")}` }) as const;

  test("sent it coin", async () => {
    await chain().send({ from: at(3), to: wallet, value: 7n });
    await chain().rpc("anvil_mine", "0x32");
    await chain().send({ from: at(4), to: wallet, value: 1_000n });
    expect(await found()).toMatchObject({
      state: "funded",
      funder: at(3),
      evidence: { by: "transfer", transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    });
  });

  test("sent it coin through a contract", async () => {
    await chain().send(inside(7n, 3));
    await chain().send({ from: at(4), to: wallet, value: 1_000n });
    expect(await found()).toMatchObject({ state: "funded", funder: at(3), evidence: { by: "call" } });
  });

  test("came first in the block, also when another's plain transfer stands beside it", async () => {
    const both = async (first: object, second: object) => {
      await chain().rpc("evm_setAutomine", false);
      for (const tx of [first, second]) await chain().rpc("eth_sendTransaction", { gas: "0x186a0", ...tx });
      await chain().rpc("evm_mine");
      await chain().rpc("evm_setAutomine", true);
    };
    const { value, ...rest } = inside(7n, 3);
    await both({ ...rest, value: hex(value) }, { from: at(4), to: wallet, value: "0x9" });
    expect(await found()).toMatchObject({ state: "funded", funder: at(3), evidence: { by: "call" } });
  });

  test("is nobody for a wallet that is empty, or had its coin when the chain began", async () => {
    expect(await found()).toEqual({ state: "none" });
    expect((await firstFunder(chain().transport, chain().chainId, at(2))).funding).toEqual({ state: "none" });
  });

  test("is unknown where coin came out of nothing", async () => {
    await chain().rpc("anvil_setBalance", wallet, "0x64");
    await chain().rpc("anvil_mine", "0x5");
    expect(await found()).toMatchObject({ state: "unknown" });
  });
});
