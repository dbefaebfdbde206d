import fc from "fast-check";
import { expect, test } from "vitest";
import type { Ask } from "../action/action.ts";
import { withDerivedAction } from "../check/typedData/derivedAction.ts";
import { formatMoney, parseMoney } from "../money/money.ts";
import { actionDigest } from "../record/actionDigest.ts";
import { keptAsk } from "./keptAsk.ts";

const asker = { tenant: "acme", agent: "a", teams: [] };
const money = parseMoney("12.50", "USD");
if (!money.ok) throw new Error("test data");
const ask: Ask = {
  asker,
  action: { kind: "transaction", verb: "pay", target: "https://shop.example/", amount: money.value },
  material: { urls: ["https://shop.example/"], texts: [{ surface: "incoming", text: "hello" }] },
  session: "s1",
};
const kept = (more: object = {}) => {
  const { amount, ...action } = ask.action as NonNullable<Ask["action"]>;
  const fields = { facts: [], action: { ...action, amount: { ...formatMoney(money.value) } }, material: ask.material };
  return { fields: JSON.stringify({ ...fields, session: ask.session, ...more }) };
};
const digest = actionDigest(ask);

test("gives the ask that was decided", () => {
  expect(keptAsk(kept(), asker, digest)).toEqual(ask);
});

test.each([
  { it: "an action that was changed", content: kept({ action: { kind: "file", verb: "read", target: "/etc" } }) },
  {
    it: "an amount that was changed",
    content: kept({ action: { ...ask.action, amount: { value: "9", currency: "USD" } } }),
  },
  {
    it: "an amount that is none",
    content: kept({ action: { ...ask.action, amount: { value: "1e3", currency: "USD" } } }),
  },
  { it: "an amount of another type", content: kept({ action: { ...ask.action, amount: 12.5 } }) },
  { it: "an action of another type", content: kept({ action: "pay" }) },
  { it: "material of another type", content: kept({ material: [] }) },
  { it: "a list", content: { fields: "[]" } },
  { it: "what is not JSON", content: { fields: "{" } },
])("gives nothing for $it", ({ content }) => {
  expect(keptAsk(content, asker, digest)).toBeUndefined();
});

test("gives nothing to another agent's digest, nor to none", () => {
  expect(keptAsk(kept(), { ...asker, agent: "b" }, digest)).toBeUndefined();
  expect(keptAsk(kept(), asker, null)).toBeUndefined();
});

const member = (name: string) =>
  fc.option(
    fc.jsonValue().map((value) => ({ [name]: value })),
    { nil: {} },
  );
const objectOf = (...names: string[]) => fc.tuple(...names.map(member)).map((parts) => Object.assign({}, ...parts));
const fieldsOfAnyShape = fc.oneof(
  fc.json(),
  fc
    .record({
      action: objectOf("kind", "verb", "target", "counterparty", "amount", "parameters", "assets"),
      material: objectOf("urls", "calldata", "typed_data", "texts"),
    })
    .map((fields) => JSON.stringify(fields)),
  fc
    .record({
      action: objectOf("counterparty", "amount", "parameters", "assets"),
      calldata: objectOf("chain", "to", "data", "value", "from"),
    })
    .map(({ action, calldata }) =>
      JSON.stringify({
        action: { kind: "file", verb: "read", target: "/a", ...action },
        material: { calldata: { chain: "eip155:1", to: `0x${"0".repeat(40)}`, data: "0x", ...calldata } },
      }),
    ),
);

test("never throws, and gives only what has the digest", () =>
  fc.assert(
    fc.property(fieldsOfAnyShape, (fields) => {
      const read = keptAsk({ fields }, asker, digest);
      expect(read === undefined || actionDigest(read) === digest).toBe(true);
    }),
    { numRuns: 500 },
  ));

test("gives the ask that was judged by what its bytes would do", () => {
  const transfer = `0xa9059cbb${"1".repeat(40).padStart(64, "0")}${"5".padStart(64, "0")}`;
  const asked: Ask = {
    asker,
    material: { calldata: { chain: "eip155:1", to: `0x${"2".repeat(40)}`, data: transfer } },
  };
  const judged = withDerivedAction(asked);
  const { amount, ...action } = judged.action as NonNullable<Ask["action"]>;
  if (amount === undefined) throw new Error("a transfer has an amount");
  const fields = (verb: string) => ({
    fields: JSON.stringify({ action: { ...action, verb, amount: formatMoney(amount) }, material: judged.material }),
  });
  expect(keptAsk(fields("transfer"), asker, actionDigest(asked))).toEqual(judged);
  expect(keptAsk(fields("approve"), asker, actionDigest(asked))).toBeUndefined();
});
