import { beforeEach, expect, test } from "vitest";
import type { RpcReply, RpcTransport } from "../rpc/transport.ts";
import { FUNDER_MEMORY, funderMemory } from "./funderMemory.ts";

const FUNDER = `0x${"aa".repeat(20)}`;
const wallet = (index: number) => `0x${index.toString(16).padStart(40, "ab")}`;
const HASH = `0x${"11".repeat(32)}`;

let now: number;
let searches: number;
let isDown: boolean;
/** Seconds between the block that funded and the newest. */
let age: number;

/** Every wallet was funded in block 1 of two. */
const transport: RpcTransport = {
  async request(method, params): Promise<RpcReply> {
    const result = (value: unknown): RpcReply => ({ kind: "result", value });
    if (method === "eth_chainId") {
      searches += 1;
      return isDown ? { kind: "fault", fault: "unreachable" } : result("0x7");
    }
    if (method === "eth_getBalance") return result(params[1] === "0x0" ? "0x0" : "0x9");
    if (method === "eth_getTransactionCount") return result("0x0");
    const number = params[0] === "latest" ? "0x2" : params[0];
    const timestamp = `0x${(number === "0x2" ? age : 0).toString(16)}`;
    const transactions = asked.map((to) => ({ hash: HASH, from: FUNDER, to, value: "0x9" }));
    return result({ number, hash: HASH, timestamp, transactions });
  },
};
let asked: string[];

beforeEach(() => {
  now = 0;
  searches = 0;
  isDown = false;
  age = FUNDER_MEMORY.settled;
  asked = [1, 2, 3].map(wallet);
});
const memory = (wallets = FUNDER_MEMORY.wallets) =>
  funderMemory({ transport, chainId: 7, clock: () => now, rules: { ...FUNDER_MEMORY, wallets } });

test("a funder that lies back far enough is asked for once, in any letter case, also by many at once", async () => {
  const funderOf = memory();
  const all = await Promise.all([
    funderOf(wallet(1)),
    funderOf(wallet(1)),
    funderOf(`0x${wallet(1).slice(2).toUpperCase()}`),
  ]);
  expect(all[0]).toMatchObject({ state: "funded", funder: FUNDER });
  expect(all).toEqual([all[0], all[0], all[0]]);
  now += 10 * 365 * 86_400_000;
  expect(await funderOf(wallet(1))).toEqual(all[0]);
  expect(searches).toBe(1);
});

test.each([
  { it: "a funder of a moment ago", old: FUNDER_MEMORY.settled - 1, down: false },
  { it: "what is not known", old: FUNDER_MEMORY.settled, down: true },
])("$it is asked for again after a minute, and not before", async ({ old, down }) => {
  age = old;
  isDown = down;
  const funderOf = memory();
  const first = await funderOf(wallet(1));
  now += FUNDER_MEMORY.again - 1;
  expect(await funderOf(wallet(1))).toEqual(first);
  expect(searches).toBe(1);
  isDown = false;
  now += 1;
  expect(await funderOf(wallet(1))).toMatchObject({ state: "funded" });
  expect(searches).toBe(2);
});

test("the wallet longest unused is forgotten first", async () => {
  const funderOf = memory(2);
  for (const index of [1, 2, 1, 3, 1]) await funderOf(wallet(index));
  expect(searches).toBe(3);
  await funderOf(wallet(2));
  expect(searches).toBe(4);
});

test("what is no address is unknown, and nobody is asked", async () => {
  expect(await memory()("me")).toMatchObject({ state: "unknown" });
  expect(searches).toBe(0);
});
