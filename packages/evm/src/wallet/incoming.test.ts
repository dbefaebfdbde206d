import fc from "fast-check";
import type { Address } from "viem";
import { describe, expect, test } from "vitest";
import { directTransfers, tracedTransfer } from "./incoming.ts";

const WALLET: Address = `0x${"aa".repeat(20)}`;
const SENDER: Address = `0x${"11".repeat(20)}`;
const CONTRACT: Address = `0x${"22".repeat(20)}`;
const HASH = `0x${"ab".repeat(32)}`;

const sent = (change: object = {}) => ({ from: SENDER, to: WALLET, value: "0x5", hash: HASH, ...change });
const direct = (...transactions: unknown[]) => directTransfers({ transactions }, WALLET);

describe("what a block's transactions pay a wallet", () => {
  test.each<[string, object, number]>([
    ["coin, in any letter case", { to: WALLET.toUpperCase().replace("0X", "0x") }, 1],
    ["nothing", { value: "0x0" }, 0],
    ["somebody else", { to: CONTRACT }, 0],
    ["nobody, for a new contract", { to: null }, 0],
    ["itself", { from: WALLET }, 0],
  ])("%s", (_, change, count) => {
    expect(direct(sent(change))).toHaveLength(count);
  });

  test.each<[string, unknown]>([
    ["a transaction that is none", null],
    ["hashes alone", HASH],
    ["no sender", sent({ from: undefined })],
    ["a receiver that is no address", sent({ to: "0x12" })],
    ["no receiver at all", sent({ to: undefined })],
    ["a value as a number", sent({ value: 5 })],
    ["a negative value", sent({ value: "-0x5" })],
    ["a value beyond 256 bits", sent({ value: `0x1${"00".repeat(32)}` })],
    ["a hash that is too short", sent({ hash: "0xab" })],
  ])("cannot be told with %s, wherever it stands", (_, broken) => {
    expect(direct(sent(), broken)).toBeUndefined();
    expect(direct(broken, sent())).toBeUndefined();
  });

  test("is not looked for among more transactions than a block has", () => {
    expect(directTransfers({ transactions: Array(10_001).fill(sent()) }, WALLET)).toBeUndefined();
    for (const block of [null, undefined, {}, { transactions: {} }, "0x", []])
      expect(directTransfers(block, WALLET)).toBeUndefined();
  });
});

const frame = (change: object = {}) => ({ type: "CALL", from: SENDER, to: CONTRACT, value: "0x0", ...change });
const pays = (change: object = {}) => frame({ from: CONTRACT, to: WALLET, value: "0x5", ...change });
const traced = (...results: unknown[]) =>
  tracedTransfer(
    results.map((result) => ({ txHash: HASH, result })),
    WALLET,
  );

describe("what a trace shows to have come first", () => {
  test.each<[string, object, "transfer" | "call" | undefined]>([
    ["a plain transfer", pays({ from: SENDER }), "transfer"],
    ["a call inside of a call", frame({ calls: [frame(), frame({ calls: [pays()] })] }), "call"],
    ["what a contract leaves behind", frame({ calls: [pays({ type: "SELFDESTRUCT" })] }), "call"],
    ["a contract made with coin", frame({ calls: [pays({ type: "CREATE2" })] }), "call"],
    [
      "a call to the wallet that brings nothing, and then one that does",
      pays({ from: SENDER, value: "0x0", calls: [pays()] }),
      "call",
    ],
    ["a call that names a value and moves none", frame({ calls: [pays({ type: "DELEGATECALL" })] }), undefined],
    ["a call that failed", frame({ calls: [pays({ error: "reverted" })] }), undefined],
    ["a call inside of one that failed", frame({ error: "out of gas", calls: [pays()] }), undefined],
    ["a call without a value", frame({ calls: [pays({ value: undefined })] }), undefined],
    ["coin of the wallet's own", frame({ from: WALLET, calls: [pays({ from: WALLET })] }), undefined],
  ])("%s", (_, result, by) => {
    const found = traced(result);
    expect(found?.by).toBe(by);
    if (by !== undefined) expect(found).toMatchObject({ from: SENDER, value: 5n, transaction: HASH });
  });

  test("the earlier transaction goes first", () => {
    const other: Address = `0x${"33".repeat(20)}`;
    expect(traced(frame(), frame({ from: other, calls: [pays()] }), pays({ from: SENDER }))?.from).toBe(other);
  });

  test.each<[string, unknown]>([
    ["a frame without a type", frame({ calls: [pays({ type: undefined })] })],
    ["a value that is none", frame({ calls: [pays({ value: "5" })] })],
    ["no sender", frame({ from: undefined, calls: [pays()] })],
    ["a frame that is none", null],
  ])("nothing is told in doubt: %s", (_, result) => {
    expect(traced(result, pays({ from: SENDER }))).toBeUndefined();
  });

  test("depth and number of frames have an end", () => {
    let deep: object = pays();
    for (let level = 0; level < 5_000; level += 1) deep = frame({ calls: [deep] });
    expect(traced(deep)).toBeUndefined();
    expect(traced(frame({ calls: [...Array(100_001).fill(frame()), pays()] }))).toBeUndefined();
  });

  test("any answer at all is told or not, and never thrown at", () => {
    const value = fc.oneof(fc.constantFrom<unknown>("0x5", "0x0", WALLET, SENDER, "CALL", HASH, null), fc.anything());
    const hostile = fc.letrec((tie) => ({
      frame: fc.record(
        { type: value, from: value, to: value, value, error: value, calls: fc.array(tie("frame"), { maxLength: 3 }) },
        { requiredKeys: [] },
      ),
    })).frame;
    fc.assert(
      fc.property(fc.array(fc.record({ txHash: value, result: fc.oneof(hostile, value) })), (trace) => {
        const found = tracedTransfer(trace, WALLET);
        if (found !== undefined) expect(found.value > 0n && found.from !== WALLET).toBe(true);
      }),
    );
    fc.assert(fc.property(fc.anything(), (trace) => void tracedTransfer(trace, WALLET)));
    fc.assert(fc.property(fc.anything(), (block) => void directTransfers(block, WALLET)));
  });
});
