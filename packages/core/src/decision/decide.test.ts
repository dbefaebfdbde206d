import { describe, expect, test } from "vitest";
import type { Ask } from "../action/action.ts";
import { prepareFields } from "../check/fields/fields.ts";
import { stopKey } from "../check/stop.ts";
import { factsOf, NO_FACTS } from "../fact/fact.ts";
import { parseMoney } from "../money/money.ts";
import { BLANK_POLICY, type EffectivePolicy } from "../policy/effective.ts";
import type { Clause } from "../policy/mandate.ts";
import { parseDuration } from "../time/duration.ts";
import { instantFromMillis } from "../time/instant.ts";
import { decide, factsNeeded } from "./decide.ts";

const NOW = instantFromMillis(1_800_000_000_000);
const asker = { tenant: "acme", agent: "shopper", teams: [] };
const ask = (action: Partial<NonNullable<Ask["action"]>> = {}): Ask => ({
  asker,
  action: { kind: "file", verb: "read", target: "/work/a.txt", ...action },
});
const READS: Clause = { id: "reads", effect: "allow", match: { kind: ["file"], verb: ["read"] } };
const PAYS: Clause = { id: "pays", effect: "allow", match: { kind: ["transaction"] } };

function policyOf(clauses: readonly Clause[], more: Partial<EffectivePolicy> = {}): EffectivePolicy {
  return {
    ...BLANK_POLICY,
    digest: `sha256:${"0".repeat(64)}`,
    origin: "operator",
    mandates: [
      {
        scope: "org:acme",
        mandate: { id: "m", clauses, requiresHuman: [], otherwise: "block", matching: "native", verbs: "exact" },
      },
    ],
    ...more,
  };
}

const noStops = (of: Ask) =>
  factsOf([{ key: stopKey(of), fact: { state: "known", value: [], source: "test", at: "2027-01-15T08:00:00Z" } }]);
const codes = (outcome: ReturnType<typeof decide>) =>
  outcome.kind === "decided" ? outcome.findings.map(({ code }) => code) : [outcome.code];
const verdict = (outcome: ReturnType<typeof decide>) => (outcome.kind === "decided" ? outcome.verdict : outcome.kind);

test("an agent without a policy is blocked", () => {
  const outcome = decide(ask(), null, noStops(ask()), NOW);
  expect(verdict(outcome)).toBe("block");
  expect(codes(outcome)).toContain("policy.none");
});

test("a clause that matches allows, and is the basis", () => {
  const outcome = decide(ask(), policyOf([READS]), noStops(ask()), NOW);
  expect(outcome).toMatchObject({
    kind: "decided",
    verdict: "allow",
    basis: [{ by: "clause", scope: "org:acme", id: "reads" }],
    findings: [],
  });
});

test("an ask without action and material has no basis", () => {
  expect(codes(decide({ asker }, policyOf([READS]), noStops({ asker }), NOW))).toContain("basis.none");
});

describe("A needed unknown blocks.", () => {
  test("whether a stop is in force", () => {
    const outcome = decide(ask(), policyOf([READS]), NO_FACTS, NOW);
    expect(verdict(outcome)).toBe("block");
    expect(codes(outcome)).toContain("stop.unknown");
  });

  test("what was spent", () => {
    const max = parseMoney("100", "USD");
    const day = parseDuration("P1D");
    if (!max.ok || !day.ok) throw new Error("test data");
    const pays: Ask = { ...ask({ kind: "transaction", verb: "pay", amount: max.value }) };
    const policy = policyOf([PAYS], {
      spend: [
        {
          scope: "org:acme",
          ceilings: [],
          budgets: [{ id: "daily", per: "agent", window: { rolling: day.value }, max: max.value }],
          counterparties: { everyone: true },
          deniedCounterparties: [],
          amountRequired: ["transaction"],
          otherCurrencies: "block",
        },
      ],
    });
    expect(factsNeeded(pays, policy, NOW).map(({ fact }) => fact)).toContain("spent");
    expect(codes(decide(pays, policy, noStops(pays), NOW))).toContain("spend.unknown");
  });
});

test("a stop blocks what a clause allows", () => {
  const facts = factsOf([
    { key: stopKey(ask()), fact: { state: "known", value: ["stop_1"], source: "test", at: "2027-01-15T08:00:00Z" } },
  ]);
  const outcome = decide(ask(), policyOf([READS]), facts, NOW);
  expect(verdict(outcome)).toBe("block");
  expect(codes(outcome)).toContain("stopped");
});

test("a check that throws is a fault, under its own code", () => {
  const broken = { ...policyOf([READS]), contracts: null } as unknown as EffectivePolicy;
  expect(decide(ask(), broken, noStops(ask()), NOW)).toMatchObject({ kind: "fault", code: "fields.failed" });
});

test("however much is wrong, it is a verdict and no fault", () => {
  const many = 150_000;
  const rules = Object.fromEntries(Array.from({ length: many }, (_, index) => [`f${index}`, { required: true }]));
  const fields = prepareFields({ fields: rules, extra: "allowed" });
  const policy = policyOf([READS], { contracts: [{ scope: "org:acme", id: "c", fields, requiredFor: [] }] });
  const outcome = decide({ ...ask(), material: { data: {} } }, policy, noStops(ask()), NOW);
  expect(verdict(outcome)).toBe("block");
  expect(codes(outcome)).toHaveLength(many);
});

describe("material alone", () => {
  const evidence = { required: true, trusted: { everyone: true }, maxAge: {} } as const;

  test("is permitted where the policy judges each kind of it", () => {
    const only: Ask = { asker, material: { evidence: [{ source: "feed" }] } };
    expect(decide(only, policyOf([], { evidence, mandates: [] }), noStops(only), NOW)).toMatchObject({
      verdict: "allow",
      basis: [{ by: "rule", id: "material" }],
    });
  });

  test.each([
    { it: "URLs without a network section", material: { urls: ["https://example.com/"] } },
    { it: "texts without screening", material: { texts: [{ surface: "incoming" as const, text: "hello" }] } },
    { it: "data without a contract", material: { data: { a: 1 } } },
    { it: "a list with nothing in it", material: { evidence: [] } },
    { it: "data that is an empty list, beside evidence", material: { data: [], evidence: [{ source: "feed" }] } },
    { it: "calldata, which is an action", material: { calldata: { chain: "eip155:1", to: "0x00", data: "0x" } } },
  ])("has no basis for $it", ({ material }) => {
    const only: Ask = { asker, material };
    expect(codes(decide(only, policyOf([], { evidence, mandates: [] }), noStops(only), NOW))).toContain("basis.none");
  });
});

test("a private address in the material blocks an allowed action, also where no network section was written", () => {
  const outcome = decide(
    { ...ask(), material: { urls: ["http://169.254.169.254/"] } },
    policyOf([READS]),
    noStops(ask()),
    NOW,
  );
  expect(verdict(outcome)).toBe("block");
});
