import { expect, test } from "vitest";
import type { Action, Calldata } from "../../action/action.ts";
import { NO_FACTS } from "../../fact/fact.ts";
import { parseMoney } from "../../money/money.ts";
import type { EffectivePolicy } from "../../policy/effective.ts";
import { abiTypes, decodeAbi } from "./abi.ts";
import { actionsOfCalldata, calldata } from "./calldata.ts";
import { decodeCalldata } from "./decodeCalldata.ts";

const TOKEN = "0x1111111111111111111111111111111111111111";
const A = "0x2222222222222222222222222222222222222222";
const B = "0x3333333333333333333333333333333333333333";
const word = (value: bigint | string): string =>
  typeof value === "bigint" ? value.toString(16).padStart(64, "0") : value.slice(2).padStart(64, "0");
const transfer = (to: string, amount: bigint): string => `0xa9059cbb${word(to)}${word(amount)}`;
const approve = (spender: string, amount: bigint): string => `0x095ea7b3${word(spender)}${word(amount)}`;
const call = (data: string, more: Partial<Calldata> = {}): Calldata => ({
  chain: "eip155:8453",
  to: TOKEN,
  data,
  ...more,
});

function judged(given: Calldata, action?: Action) {
  const asker = { tenant: "t", agent: "a", teams: [] };
  const ask =
    action === undefined ? { asker, material: { calldata: given } } : { asker, action, material: { calldata: given } };
  return calldata
    .judge(ask, {} as EffectivePolicy, NO_FACTS, 0n as never)
    .map(({ code, severity }) => `${severity} ${code}`);
}

const money = (value: string, currency: string) => {
  const read = parseMoney(value, currency);
  if (!read.ok) throw new Error("not money");
  return read.value;
};
const said = (more: Partial<Action>): Action => ({ kind: "transaction", verb: "pay", target: "x", ...more });
const USD = `eip155:8453/erc20:${TOKEN}`;

test.each([
  { it: "a transfer alone gives no cause to stop", given: call(transfer(A, 5n)), want: [] },
  { it: "native value alone gives none either", given: call("0x", { value: "5" }), want: [] },
  { it: "an unknown function is reviewed", given: call("0xdeadbeef"), want: ["review calldata.unknown_call"] },
  { it: "so are bytes that are no selector", given: call("0xde"), want: ["review calldata.unknown_call"] },
  {
    it: "known functions with truncated arguments are reviewed",
    given: call(transfer(A, 5n).slice(0, -2)),
    want: ["review calldata.unknown_arguments"],
  },
  {
    it: "an address with dirty upper bits is reviewed",
    given: call(`0xa9059cbb${"f".repeat(24)}${A.slice(2)}${word(5n)}`),
    want: ["review calldata.unknown_arguments"],
  },
  {
    it: "an approval without a limit is reviewed",
    given: call(approve(A, (1n << 256n) - 1n)),
    want: ["review calldata.unlimited_approval"],
  },
  { it: "an approval of nothing takes back", given: call(approve(A, 0n)), want: [] },
  {
    it: "an operator for a collection is reviewed",
    given: call(`0xa22cb465${word(A)}${word(1n)}`),
    want: ["review calldata.operator"],
  },
  { it: "an operator who is dismissed is not", given: call(`0xa22cb465${word(A)}${word(0n)}`), want: [] },
  {
    it: "an account that would run other code is reviewed",
    given: call("0x", { authorizations: [{ chain_id: "8453", address: A }] }),
    want: ["review calldata.delegation"],
  },
  {
    it: "a chain that is no chain is blocked",
    given: call("0x", { chain: "solana:x" }),
    want: ["block calldata.malformed"],
  },
  { it: "half a byte is blocked", given: call("0x1"), want: ["block calldata.malformed"] },
  { it: "a value with a sign is blocked", given: call("0x", { value: "-1" }), want: ["block calldata.malformed"] },
  {
    it: "an address that is too long is blocked",
    given: call("0x", { to: `${TOKEN}00` }),
    want: ["block calldata.malformed"],
  },
  {
    it: "more bytes than a transaction has are blocked",
    given: call(`0x${"00".repeat(200_000)}`),
    want: ["block calldata.malformed"],
  },
])("$it", ({ given, want }) => {
  expect(judged(given)).toEqual(want);
});

test.each([
  {
    it: "the same thing",
    action: said({ counterparty: A.toUpperCase().replace("0X", "0x"), amount: money("5", USD) }),
    want: [],
  },
  { it: "more room than is used", action: said({ counterparty: A, amount: money("6", USD) }), want: [] },
  {
    it: "another counterparty",
    action: said({ counterparty: B, amount: money("5", USD) }),
    want: ["block calldata.other_counterparty"],
  },
  {
    it: "less than is moved",
    action: said({ counterparty: A, amount: money("4", USD) }),
    want: ["block calldata.other_amount"],
  },
  {
    it: "another asset",
    action: said({ counterparty: A, amount: money("5", "eip155:8453/native") }),
    want: ["block calldata.other_asset"],
  },
  {
    it: "a currency of no chain",
    action: said({ counterparty: A, amount: money("5", "USD") }),
    want: ["review calldata.amount_not_compared"],
  },
  { it: "no amount", action: said({ counterparty: A }), want: ["review calldata.amount_undeclared"] },
  {
    it: "another kind of action",
    action: said({ kind: "network", counterparty: A, amount: money("5", USD) }),
    want: ["block calldata.other_kind"],
  },
  {
    it: "the same account with its chain",
    action: said({ counterparty: `eip155:8453:${A}`, amount: money("5", USD) }),
    want: [],
  },
  {
    it: "another account with its chain",
    action: said({ counterparty: `eip155:8453:${B}`, amount: money("5", USD) }),
    want: ["block calldata.other_counterparty"],
  },
  {
    it: "the account on another chain",
    action: said({ counterparty: `eip155:1:${A}`, amount: money("5", USD) }),
    want: ["review calldata.counterparty_not_compared"],
  },
  {
    it: "a counterparty by a name that the bytes do not bear out",
    action: said({ counterparty: "acme", amount: money("5", USD) }),
    want: ["review calldata.counterparty_not_compared"],
  },
  {
    it: "no counterparty",
    action: said({ amount: money("5", USD) }),
    want: ["review calldata.counterparty_undeclared"],
  },
])("compares with an action that says $it", ({ action, want }) => {
  expect(judged(call(transfer(A, 5n)), action)).toEqual(want);
});

const collectible = `0x42842e0e${word(B)}${word(A)}${word(7n)}`;
test.each([
  { it: "named by the action passes", target: `eip155:8453:${TOKEN}`, want: [] },
  { it: "not named by the action is reviewed", target: "x", want: ["review calldata.asset_undeclared"] },
])("a token of a collection that is $it", ({ target, want }) => {
  expect(judged(call(collectible), said({ target, counterparty: A, amount: money("5", USD) }))).toEqual(want);
});

/** Two hops of addresses behind the head of a V2 swap. */
const hops = `${word(2n)}${word(B)}${word(TOKEN)}`;
const ROUTER = "0x4444444444444444444444444444444444444444";
test("what a swap pays in native currency is counted once", () => {
  // swapExactETHForTokens(1, [B, TOKEN], A, 9)
  const data = `0x7ff36ab5${word(1n)}${word(128n)}${word(A)}${word(9n)}${hops}`;
  const action = said({ counterparty: ROUTER, amount: money("5", "eip155:8453/native") });
  expect(judged(call(data, { to: ROUTER, value: "5", from: A }), action)).toEqual([
    "block calldata.other_counterparty",
  ]);
  const own = data.replace(word(A), word(ROUTER));
  expect(judged(call(own, { to: ROUTER, value: "5" }), action)).toEqual([]);
  expect(judged(call(own, { to: ROUTER, value: "6" }), action)).toEqual(["block calldata.other_amount"]);
});

test("an unlimited approval is never within an amount", () => {
  expect(judged(call(approve(A, (1n << 256n) - 1n)), said({ amount: money("5", USD) }))).toContain(
    "block calldata.other_amount",
  );
});

test("the actions behind the bytes name asset, counterparty and amount", () => {
  const [action] = actionsOfCalldata({ calldata: call(transfer(A, 5n)) });
  expect(action).toMatchObject({
    kind: "transaction",
    verb: "transfer",
    target: `eip155:8453:${TOKEN}`,
    counterparty: A,
  });
  expect(action?.amount?.currency).toBe(USD);
});

test("calls inside calls end somewhere", () => {
  const inside = (data: string): string => {
    const digits = data.slice(2);
    const padded = digits.padEnd(Math.ceil(digits.length / 64) * 64, "0");
    return `0xac9650d8${word(32n)}${word(1n)}${word(32n)}${word(BigInt(digits.length / 2))}${padded}`;
  };
  let data = transfer(A, 1n);
  for (let depth = 0; depth < 6; depth += 1) data = inside(data);
  expect(decodeCalldata({ to: TOKEN, value: 0n, data })).toMatchObject([{ kind: "transfer" }]);
  data = inside(data);
  expect(decodeCalldata({ to: TOKEN, value: 0n, data })).toMatchObject([{ kind: "unknown", reason: "too_much" }]);
});

test("a list whose elements all point into itself costs no more than it may", () => {
  const count = 1_000;
  const digits = `${word(32n)}${word(BigInt(count))}${word(64n).repeat(count)}`;
  const work = { left: 8_192 };
  expect(decodeAbi(abiTypes("bytes[][]"), digits, work)).toBeUndefined();
});

test.each(["uint256[]", "bytes", "(address,bytes)[]", "bytes[]"])(
  "an offset or a length beyond the data is refused: %s",
  (types) => {
    for (const huge of [1n << 31n, 1n << 32n, 1n << 64n, (1n << 256n) - 1n]) {
      expect(decodeAbi(abiTypes(types), word(huge), { left: 100 })).toBeUndefined();
      expect(decodeAbi(abiTypes(types), `${word(32n)}${word(huge)}`, { left: 100 })).toBeUndefined();
    }
  },
);
