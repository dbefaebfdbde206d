import fc from "fast-check";
import { expect, test } from "vitest";
import { type Known, TOKEN_FACTOR_NAMES, TOKEN_FACTORS, TOKEN_STAGES, type TokenFactor } from "./factors.ts";
import { judgeToken } from "./judge.ts";

const ALL_RAN = TOKEN_STAGES.map((stage) => ({ stage, status: "ran" as const }));
const flagsOf = (values: Partial<Record<TokenFactor, Known>>, rest: Known = "no") =>
  Object.fromEntries(
    TOKEN_FACTOR_NAMES.map((name) => [name, { value: values[name] ?? rest, evidence: [] }]),
  ) as unknown as Record<TokenFactor, { value: Known; evidence: string[] }>;

test.each([
  { it: "is safe only when every stage ran and nothing was found", flags: flagsOf({}), want: "safe" },
  { it: "a sale that fails is danger", flags: flagsOf({ sell_blocked: "yes" }), want: "danger" },
  { it: "a note weighs nothing", flags: flagsOf({ clone: "yes" }), want: "safe" },
  { it: "an unknown sale is not safe", flags: flagsOf({ sell_blocked: "unknown" }), want: "warn" },
  { it: "nothing known at all is not safe", flags: {}, want: "warn" },
])("$it", ({ flags, want }) => {
  expect(judgeToken({ flags, stages: ALL_RAN }, "unregistered").severity).toBe(want);
});

test.each(TOKEN_STAGES.map((stage) => ({ stage })))("is not safe when the stage $stage did not run", ({ stage }) => {
  for (const status of ["skipped", "failed"] as const) {
    const stages = ALL_RAN.map((one) => (one.stage === stage ? { stage, status } : one));
    expect(judgeToken({ flags: flagsOf({}), stages }, "unregistered").severity).toBe("warn");
  }
  const missing = ALL_RAN.filter((one) => one.stage !== stage);
  expect(judgeToken({ flags: flagsOf({}), stages: missing }, "unregistered").severity).toBe("warn");
});

test("the registry excuses issuer powers and nothing else", () => {
  const flags = flagsOf({ owner_can_mint: "yes", sell_tax: "yes" });
  expect(judgeToken({ flags, stages: ALL_RAN }, "official")).toMatchObject({
    severity: "warn",
    factors: ["sell_tax"],
    advisories: ["owner_can_mint"],
  });
});

test("finding more, or knowing less, never loosens", () => {
  const order = { safe: 0, warn: 1, danger: 2 };
  const anyFlags = fc.record(
    Object.fromEntries(TOKEN_FACTOR_NAMES.map((name) => [name, fc.constantFrom<Known>("yes", "no", "unknown")])),
  ) as fc.Arbitrary<Record<TokenFactor, Known>>;
  fc.assert(
    fc.property(
      anyFlags,
      fc.constantFrom(...TOKEN_FACTOR_NAMES),
      fc.constantFrom<Known>("yes", "unknown"),
      (values, name, worse) => {
        const before = judgeToken({ flags: flagsOf({ ...values, [name]: "no" }), stages: ALL_RAN }, "unregistered");
        const after = judgeToken({ flags: flagsOf({ ...values, [name]: worse }), stages: ALL_RAN }, "unregistered");
        expect(order[after.severity]).toBeGreaterThanOrEqual(order[before.severity]);
      },
    ),
  );
});

test("the published table weighs what it is trusted to weigh", () => {
  const weigh = (weight: string) => TOKEN_FACTOR_NAMES.filter((name) => TOKEN_FACTORS[name].weight === weight).sort();
  expect(weigh("danger")).toMatchInlineSnapshot(`
    [
      "anyone_can_block",
      "anyone_can_mint",
      "anyone_can_take",
      "balance_shrinks_extreme",
      "balance_view_mismatch",
      "buy_blocked",
      "buy_tax_extreme",
      "delegated_account",
      "detects_simulation",
      "hidden_authority",
      "holder_sells_fail",
      "no_code",
      "owner_can_rewrite_balances",
      "ownership_can_return",
      "pool_refused",
      "reads_gasprice",
      "router_refused",
      "selfdestruct",
      "sell_blocked",
      "sell_blocked_after_first",
      "sell_blocked_later",
      "sell_gas_excessive",
      "sell_tax_extreme",
      "silent_transfer",
      "tax_rises_later",
      "transfer_blocked",
      "transfer_tax_extreme",
      "wallet_refused",
    ]
  `);
});
