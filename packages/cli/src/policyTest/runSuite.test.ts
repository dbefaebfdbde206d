import { type JsonValue, readPolicy } from "@countersign/core";
import { expect, test } from "vitest";
import { readSuite } from "./readSuite.ts";
import { runSuite } from "./runSuite.ts";

const USDC = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const budget = (id: string, max: string) => ({ id, per: "agent", window: { rolling: "P1D" }, currency: "USD", max });

function run(document: JsonValue, ...cases: readonly JsonValue[]) {
  const policy = readPolicy(document, "org:local");
  if (!policy.ok) throw new Error(JSON.stringify(policy.error));
  return runSuite(readSuite({ now: "2027-01-31T12:00:00Z", cases: [...cases] }, "test").cases, policy.value);
}

test("a clause is reached by what would be signed, as it is decided by that", () => {
  const move = {
    domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: USDC },
    primaryType: "TransferWithAuthorization",
    types: {
      TransferWithAuthorization: [
        { name: "from", type: "address" },
        { name: "to", type: "address" },
        { name: "value", type: "uint256" },
        { name: "validAfter", type: "uint256" },
        { name: "validBefore", type: "uint256" },
        { name: "nonce", type: "bytes32" },
      ],
    },
    message: {
      from: `0x${"2".repeat(40)}`,
      to: `0x${"1".repeat(40)}`,
      value: "900000",
      validAfter: "0",
      validBefore: "1800000000",
      nonce: `0x${"0".repeat(64)}`,
    },
  };
  const document = {
    mandate: { default: "block", clauses: [{ id: "moves", effect: "review", match: { kind: ["transaction"] } }] },
  };
  const { results, coverage } = run(document, {
    name: "signed",
    ask: { material: { typed_data: move } },
    want: "review",
    codes: ["mandate.clause_review"],
  });
  expect(results.flatMap(({ failures }) => failures)).toEqual([]);
  expect(coverage).toMatchObject([{ clause: "moves", cases: 1 }]);
});

test("what was spent is said for all budgets or for one, and a budget that is not there fails the case", () => {
  const document = {
    mandate: { default: "block", clauses: [{ id: "pays", effect: "allow", match: { kind: ["transaction"] } }] },
    spend: { budgets: [budget("daily", "100"), budget("large", "1000")] },
  };
  const pays = {
    ask: { action: { kind: "transaction", verb: "pay", target: "x", amount: { value: "10", currency: "USD" } } },
  };
  const { results } = run(
    document,
    { ...pays, name: "all", spent: "95", want: "block", remedy: "amount at most 5 USD" },
    { ...pays, name: "one", spent: { large: "993" }, want: "block", remedy: "amount at most 7 USD" },
    { ...pays, name: "none", want: "allow" },
    { ...pays, name: "misspelt", spent: { dayly: "95" }, want: "allow" },
  );
  expect(results.map(({ test: { name }, failures }) => [name, failures])).toEqual([
    ["all", []],
    ["one", []],
    ["none", []],
    ["misspelt", ["there is no budget dayly, of which spent speaks"]],
  ]);
});
