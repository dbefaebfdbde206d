import { expect, test } from "vitest";
import type { Ask, Material } from "../../action/action.ts";
import { withDerivedAction } from "./derivedAction.ts";

const TOKEN = `0x${"11".repeat(20)}`;
const A = `0x${"22".repeat(20)}`;
const word = (value: string): string => value.replace("0x", "").padStart(64, "0");
const transfer = (amount: number): string => `0xa9059cbb${word(A)}${word(amount.toString(16))}`;
const ask = (material: Material, more: Partial<Ask> = {}): Ask => ({
  asker: { tenant: "t", agent: "a", teams: [] },
  material,
  ...more,
});
const calldata = (data: string, value?: string) => ({
  chain: "eip155:8453",
  to: TOKEN,
  data,
  ...(value === undefined ? {} : { value }),
});

test("an ask of calldata alone is judged as what its bytes would do", () => {
  expect(withDerivedAction(ask({ calldata: calldata(transfer(5)) })).action).toMatchObject({
    kind: "transaction",
    verb: "transfer",
    counterparty: A,
    amount: { currency: `eip155:8453/erc20:${TOKEN}` },
  });
});

test("what is not understood is an action too, and nobody permits it by accident", () => {
  expect(withDerivedAction(ask({ calldata: calldata("0xdeadbeef") })).action?.verb).toBe("unknown");
});

test.each([
  {
    it: "an action that is named stands",
    given: ask({ calldata: calldata(transfer(5)) }, { action: { kind: "transaction", verb: "pay", target: "x" } }),
    verb: "pay",
  },
  {
    it: "bytes that do two things have no one action",
    given: ask({ calldata: calldata(transfer(5), "7") }),
    verb: undefined,
  },
  { it: "bytes that are no transaction have none", given: ask({ calldata: calldata("0x1") }), verb: undefined },
  { it: "an ask without bytes has none", given: ask({ texts: [] }), verb: undefined },
])("$it", ({ given, verb }) => {
  expect(withDerivedAction(given).action?.verb).toBe(verb);
});
