import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sharedSuite } from "@countersign/core/testing";
import fc from "fast-check";
import type { Hex } from "viem";
import { expect, test } from "vitest";
import { analyse, delegation, isAddressLike, splitTypes } from "./bytecode.ts";

const MINIMAL_PROXY: Hex = `0x363d3d373d3d3d363d73${"ab".repeat(20)}5af43d82803e903d91602b57fd5bf3`;

test.each([
  {
    it: "sees an EIP-1167 clone and its target",
    code: MINIMAL_PROXY,
    want: { kind: "clone", target: `0x${"ab".repeat(20)}` },
  },
  {
    it: "sees an account with delegated code",
    code: `0xef0100${"cd".repeat(20)}`,
    want: { kind: "account", target: `0x${"cd".repeat(20)}` },
  },
  { it: "sees nothing in an empty contract", code: "0x00", want: { kind: "none" } },
])("$it", ({ code, want }) => {
  expect(delegation(code as Hex, analyse(code as Hex))).toEqual(want);
});

test.each([
  { it: "finds an opcode that runs", code: "0x33ff", want: true },
  { it: "does not take push data for an opcode", code: "0x60ff00", want: false },
  { it: "does not take bytes behind the end of the code for an opcode", code: "0x00ff", want: false },
])("$it", ({ code, want }) => {
  expect(analyse(code as Hex).hints.has("SELFDESTRUCT")).toBe(want);
});

test("an address in push data is found, an amount is not", () => {
  expect(analyse(`0x73${"12".repeat(20)}50`).embedded).toEqual([`0x${"12".repeat(20)}`]);
  expect(isAddressLike(10n ** 27n)).toBe(false);
});

test("splits nested argument types at the outer commas", () => {
  expect(splitTypes("address,(uint256,bytes)[],bool")).toEqual(["address", "(uint256,bytes)[]", "bool"]);
});

test("code beyond any chain's limit is not analysed and says so", () => {
  expect(analyse(`0x${"5b".repeat(100 * 1024)}`).complete).toBe(false);
});

test("no bytes make it throw, and it takes no constant of them for an address below the ground", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
      const facts = analyse(`0x${Buffer.from(bytes).toString("hex")}`);
      expect(facts.embedded.every((address) => isAddressLike(BigInt(address)))).toBe(true);
    }),
  );
});

sharedSuite("fixtures/solidity", (folder) => {
  const artifacts = JSON.parse(readFileSync(join(folder, "artifacts.json"), "utf8")) as Record<
    string,
    { runtime: Hex }
  >;
  const facts = (name: string) => analyse(artifacts[name]?.runtime ?? "0x");

  test("finds a selector that begins with a zero byte", () => {
    expect(facts("StockToken").functions.map(({ selector }) => selector)).toContain("0x000af2a1");
  });
  test("finds SELFDESTRUCT where it runs and nowhere else", () => {
    const found = Object.keys(artifacts).filter((name) => facts(name).hints.has("SELFDESTRUCT"));
    expect(found).toEqual(["SelfDestructToken"]);
  });
  test("finds the slot of a hidden operator", () => {
    expect(facts("HiddenOwnerToken").addressSlots).toContainEqual({ slot: 3n, offset: 0 });
  });
});
