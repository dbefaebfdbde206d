import fc from "fast-check";
import { expect, test } from "vitest";
import type { Action } from "../../action/action.ts";
import type { Verdict } from "../../decision/finding.ts";
import {
  ALL_ACTIONS,
  anyPolicy,
  bruteVerdict,
  clause,
  mandateOf,
  money,
  NOW,
  policyOf,
} from "../../testing/smallPolicies.ts";
import { everDecides, type PartialAction } from "./everDecides.ts";

const SHOP = policyOf(
  mandateOf([
    clause("block", { targetPrefix: ["/secrets/"] }),
    clause("allow", { verb: ["get"] }),
    clause("allow", { verb: ["pay"], counterparty: ["shop"], maxAmount: money("25") }),
    clause("review", { verb: ["pay"] }),
  ]),
);

test.each<{ it: string; wanted: Verdict; partial: PartialAction; want: Partial<Action> | "no" }>([
  {
    it: "never allows a target under a forbidden prefix",
    wanted: "allow",
    partial: { targetPrefix: "/secrets/" },
    want: "no",
  },
  { it: "sees through another spelling of it", wanted: "allow", partial: { target: "/%73ecrets/x" }, want: "no" },
  {
    it: "never allows more than the ceiling",
    wanted: "allow",
    partial: { verb: "pay", amount: money("25.01") },
    want: "no",
  },
  {
    it: "finds who may be paid",
    wanted: "allow",
    partial: { verb: "pay" },
    want: { counterparty: "shop", amount: money("1") },
  },
  { it: "never allows a payment to nobody", wanted: "allow", partial: { verb: "pay", counterparty: null }, want: "no" },
  {
    it: "keeps what was given",
    wanted: "review",
    partial: { verb: "pay", counterparty: "x", target: "/till" },
    want: { counterparty: "x", target: "/till" },
  },
  { it: "never allows a kind of which nothing is said", wanted: "allow", partial: { kind: "process" }, want: "no" },
])("$it", ({ wanted, partial, want }) => {
  const ever = everDecides(SHOP, wanted, partial, NOW);
  expect(ever).toMatchObject({
    ok: true,
    value: want === "no" ? { outcome: "no" } : { outcome: "yes", witness: want },
  });
});

test("refuses a target that has no normal form", () => {
  expect(everDecides(SHOP, "allow", { target: "\u0000" }, NOW)).toMatchObject({
    ok: false,
    error: { code: "target.character" },
  });
});

test("is undecided past its bound", () => {
  expect(everDecides(SHOP, "allow", { verb: "pay" }, NOW, { regions: 2, work: 1_000 })).toMatchObject({
    ok: true,
    value: { outcome: "undecided", reason: "regions" },
  });
});

const anyPartial = fc.record(
  {
    kind: fc.constantFrom("network" as const, "file" as const),
    verb: fc.constantFrom("get", "put", "x"),
    targetPrefix: fc.constantFrom("/a/", "/", "https://h/", "a"),
    counterparty: fc.constantFrom("c", "d", "e", null),
    amount: fc.constantFrom(money("1"), money("2.01"), null),
  },
  { requiredKeys: [] },
);

const agrees = (action: Action, { kind, verb, targetPrefix, counterparty, amount }: PartialAction): boolean =>
  (kind === undefined || action.kind === kind) &&
  (verb === undefined || action.verb === verb) &&
  (targetPrefix === undefined || action.target.startsWith(targetPrefix)) &&
  (counterparty === undefined || (action.counterparty ?? null) === counterparty) &&
  (amount === undefined ||
    (amount === null
      ? action.amount === undefined
      : JSON.stringify(text(action)) ===
        JSON.stringify([amount.amount.coefficient.toString(), amount.amount.scale, amount.currency])));

const text = ({ amount }: Action) =>
  amount === undefined ? [] : [amount.amount.coefficient.toString(), amount.amount.scale, amount.currency];

test("is not told apart from deciding every action of a small alphabet", () => {
  fc.assert(
    fc.property(
      anyPolicy,
      anyPartial,
      fc.constantFrom<Verdict>("allow", "review", "block"),
      (policy, partial, wanted) => {
        const ever = everDecides(policy, wanted, partial, NOW);
        const some = ALL_ACTIONS.some(
          ({ action, subject }) => agrees(action, partial) && bruteVerdict(policy, subject) === wanted,
        );
        expect(ever).toMatchObject({ ok: true, value: { outcome: some ? "yes" : "no" } });
        if (ever.ok && ever.value.outcome === "yes") expect(agrees(ever.value.witness, partial)).toBe(true);
      },
    ),
    { numRuns: 150 },
  );
});
