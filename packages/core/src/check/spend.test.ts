import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Action, Ask } from "../action/action.ts";
import { factsOf } from "../fact/fact.ts";
import type { JsonValue } from "../json/value.ts";
import { parseMoney } from "../money/money.ts";
import type { Budget, EffectivePolicy, SpendRules } from "../policy/effective.ts";
import type { Result } from "../result.ts";
import { parseDuration } from "../time/duration.ts";
import { type Instant, parseInstant } from "../time/instant.ts";
import { parseZone } from "../time/zone.ts";
import { budgetsOf, spend } from "./spend.ts";
import { seriesOfBudget, spendSeries } from "./spendSeries.ts";

const known = <T>(result: Result<T, { readonly code: string }>): T => {
  if (!result.ok) throw new Error(result.error.code);
  return result.value;
};
const money = (text: string) => known(parseMoney(text.split(" ")[0], text.split(" ")[1]));
const at = (text: string): Instant => known(parseInstant(text));
const NOW = at("2026-05-01T12:00:00Z");

const RULES: SpendRules = {
  scope: "org:acme",
  ceilings: [],
  budgets: [],
  counterparties: { everyone: true },
  deniedCounterparties: [],
  amountRequired: [],
  otherCurrencies: "block",
};
const BUDGET: Budget = {
  id: "daily",
  per: "agent",
  window: { rolling: known(parseDuration("P1D")) },
  max: money("100 USD"),
};
const policyOf = (...spendRules: readonly Partial<SpendRules>[]): EffectivePolicy =>
  ({ spend: spendRules.map((rules) => ({ ...RULES, ...rules })) }) as unknown as EffectivePolicy;
const askFor = (action: Partial<Action>, teams: readonly string[] = ["ops"]): Ask => ({
  asker: { tenant: "acme", agent: "shopper", teams },
  action: { kind: "transaction", verb: "transfer", target: "acct/1", ...action },
});

const judge = (ask: Ask, policy: EffectivePolicy, spent?: JsonValue, now = NOW): readonly string[] => {
  const facts = factsOf(
    spent === undefined
      ? []
      : budgetsOf(ask, policy, now).map(({ key }) => ({
          key,
          fact: { state: "known", value: spent, source: "ledger", at: "2026-05-01T12:00:00Z" },
        })),
  );
  return spend.judge(ask, policy, facts, now).map(({ code, severity }) => `${code} ${severity}`);
};

describe("ceilings", () => {
  const policy = policyOf({ ceilings: [{ max: money("50 USD"), code: "spend.ceiling_exceeded" }] });

  test.each([
    { it: "allow exactly the ceiling", amount: "50.000 USD", want: [] },
    {
      it: "refuse the smallest step above",
      amount: "50.000000000000000000000001 USD",
      want: ["spend.ceiling_exceeded block"],
    },
    {
      it: "do not speak of another currency, which is refused",
      amount: "1 EUR",
      want: ["spend.currency_not_covered block"],
    },
  ])("$it", ({ amount, want }) => {
    expect(judge(askFor({ amount: money(amount) }), policy)).toEqual(want);
  });

  test("let another currency pass only where that is written", () => {
    const open = policyOf({
      ceilings: [{ max: money("50 USD"), code: "spend.ceiling_exceeded" }],
      otherCurrencies: "allow",
    });
    expect(judge(askFor({ amount: money("1000 EUR") }), open)).toEqual([]);
  });

  test("of every scope apply", () => {
    const both = policyOf(
      { ceilings: [{ max: money("50 USD"), code: "spend.ceiling_exceeded" }] },
      { scope: "agent:shopper", ceilings: [{ max: money("10 USD"), code: "spend.budget_exceeded" }] },
    );
    expect(judge(askFor({ amount: money("51 USD") }), both)).toEqual([
      "spend.ceiling_exceeded block",
      "spend.budget_exceeded block",
    ]);
    expect(judge(askFor({ amount: money("11 USD") }), both)).toEqual(["spend.budget_exceeded block"]);
  });
});

describe("an amount", () => {
  const policy = policyOf({ amountRequired: ["transaction"] });
  test("is required for the kinds that say so", () => {
    expect(judge(askFor({}), policy)).toEqual(["spend.amount_required block"]);
    expect(judge(askFor({ kind: "file" }), policy)).toEqual([]);
    expect(judge(askFor({ amount: money("0 USD") }), policy)).toEqual([]);
  });
});

describe("counterparties", () => {
  const address = `0x${"aB".repeat(20)}`;
  test.each([
    { it: "pass when everyone may", rules: {}, name: "x", want: [] },
    {
      it: "outside an allow list are refused",
      rules: { counterparties: { only: ["a"] } },
      name: "A",
      want: ["spend.counterparty_not_allowed block"],
    },
    {
      it: "are nobody when the list is empty",
      rules: { counterparties: { only: [] } },
      name: "a",
      want: ["spend.counterparty_not_allowed block"],
    },
    {
      it: "have to be named when money moves under an allow list",
      rules: { counterparties: { only: ["a"] } },
      name: undefined,
      want: ["spend.counterparty_required block"],
    },
    { it: "need no name when everyone may", rules: {}, name: undefined, want: [] },
    {
      it: "that are denied stay denied when they are allowed too",
      rules: { counterparties: { only: ["a"] }, deniedCounterparties: ["a"] },
      name: "a",
      want: ["spend.counterparty_denied block"],
    },
    {
      it: "that are addresses are denied in any letter case",
      rules: { deniedCounterparties: [address] },
      name: address.toLowerCase(),
      want: ["spend.counterparty_denied block"],
    },
    {
      it: "that are addresses are allowed in any letter case",
      rules: { counterparties: { only: [address] } },
      name: address.toLowerCase(),
      want: [],
    },
  ])("$it", ({ rules, name, want }) => {
    const ask = askFor({ amount: money("1 USD"), ...(name === undefined ? {} : { counterparty: name }) });
    expect(judge(ask, policyOf(rules as Partial<SpendRules>))).toEqual(want);
  });
});

test.each([
  { inclusive: true, want: [] },
  { inclusive: false, want: ["spend.expired block"] },
])("at the instant of expiry, inclusive $inclusive decides", ({ inclusive, want }) => {
  expect(judge(askFor({}), policyOf({ expires: { until: NOW, inclusive } }))).toEqual(want);
  expect(
    judge(askFor({}), policyOf({ expires: { until: NOW, inclusive } }), undefined, at("2026-05-01T12:00:00.1Z")),
  ).toEqual(["spend.expired block"]);
});

describe("budgets", () => {
  const policy = policyOf({ budgets: [BUDGET] });
  const spent = (paid: string, reserved: string): JsonValue => ({ spent: paid, reserved });

  test.each<{ it: string; amount: string; fact: JsonValue | undefined; want: readonly string[] }>([
    { it: "allow a payment that lands exactly on the limit", amount: "30 USD", fact: spent("60", "10"), want: [] },
    {
      it: "count what is reserved and what is proposed",
      amount: "30.01 USD",
      fact: spent("60", "10"),
      want: ["spend.budget_exceeded block"],
    },
    { it: "refuse when what was spent is unknown", amount: "0.01 USD", fact: undefined, want: ["spend.unknown block"] },
    {
      it: "refuse when what was spent is unreadable",
      amount: "0.01 USD",
      fact: { spent: 1, reserved: "0" },
      want: ["spend.unknown block"],
    },
    {
      it: "refuse when half of it is missing",
      amount: "0.01 USD",
      fact: { spent: "1" },
      want: ["spend.unknown block"],
    },
    { it: "refuse a negative sum", amount: "0.01 USD", fact: spent("-50", "0"), want: ["spend.unknown block"] },
    { it: "refuse what is no object", amount: "0.01 USD", fact: ["1", "0"], want: ["spend.unknown block"] },
    {
      it: "do not speak of another currency",
      amount: "1 EUR",
      fact: spent("0", "0"),
      want: ["spend.currency_not_covered block"],
    },
  ])("$it", ({ amount, fact, want }) => {
    expect(judge(askFor({ amount: money(amount) }), policy, fact)).toEqual(want);
  });

  test("name what they need as facts, once a sum", () => {
    const ask = askFor({ amount: money("1 USD") });
    const keys = spend.needs(ask, policy, NOW);
    expect(keys).toEqual([{ fact: "spent", of: '["org:acme","daily","agent:shopper","USD","2026-04-30T12:00:00Z"]' }]);
    expect(spend.needs(askFor({}), policy, NOW)).toEqual([]);
  });

  test("count by the calendar of their zone", () => {
    const zone = known(parseZone("America/New_York"));
    const ask = askFor({ amount: money("1 USD") });
    const monthly = policyOf({ budgets: [{ ...BUDGET, window: { calendar: "month", zone } }] });
    const [instance] = budgetsOf(ask, monthly, at("2026-05-01T03:59:59Z"));
    expect(instance?.window).toEqual({
      kind: "calendar",
      start: at("2026-04-01T04:00:00Z"),
      before: at("2026-05-01T04:00:00Z"),
    });
  });

  test.each<{ per: Budget["per"]; scope: string; want: readonly string[] }>([
    { per: "agent", scope: "org:acme", want: ["agent:shopper"] },
    { per: "team", scope: "org:acme", want: ["team:ops", "team:a%2Fb"] },
    { per: "team", scope: "team:ops", want: ["team:ops"] },
    { per: "org", scope: "platform:default", want: ["org:acme"] },
    { per: "tool", scope: "org:acme", want: ["org:acme/tool:transfer"] },
    { per: "tool", scope: "team:ops", want: ["team:ops/tool:transfer"] },
    { per: "counterparty", scope: "agent:shopper", want: ["agent:shopper/counterparty:shop"] },
  ])("of $scope by $per look at $want, which every payment counts in", ({ per, scope, want }) => {
    const ask = askFor({ amount: money("1 USD"), counterparty: "shop" }, ["ops", "a/b"]);
    expect(seriesOfBudget(per, scope, ask)).toEqual(want);
    expect(spendSeries(ask)).toEqual(expect.arrayContaining([...want]));
  });

  test.each<{ per: Budget["per"]; teams: readonly string[] }>([
    { per: "counterparty", teams: ["ops"] },
    { per: "team", teams: [] },
  ])("by $per refuse a payment that names none", ({ per, teams }) => {
    const ask = askFor({ amount: money("1 USD") }, teams);
    expect(judge(ask, policyOf({ budgets: [{ ...BUDGET, per }] }))).toEqual(["spend.subject_missing block"]);
  });
});

test("spending more, or having spent more, never loosens", () => {
  const policy = policyOf({ ceilings: [{ max: money("50 USD"), code: "spend.ceiling_exceeded" }], budgets: [BUDGET] });
  const units = fc.nat(120);
  fc.assert(
    fc.property(units, units, units, units, (amount, moreAmount, spent, moreSpent) => {
      const found = (pays: number, paid: number) =>
        judge(askFor({ amount: money(`${pays} USD`) }), policy, { spent: String(paid), reserved: "0" });
      const before = found(amount, spent);
      expect(found(amount + moreAmount, spent + moreSpent)).toEqual(expect.arrayContaining([...before]));
    }),
  );
});
