import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../json/value.ts";
import { readPolicy } from "./readPolicy.ts";

const CLAUSE = { id: "reads", effect: "allow", match: { kind: ["file"], verb: ["read"], target_prefix: ["/work/"] } };
const MANDATE = { clauses: [CLAUSE], default: "block" };
const BUDGET = { id: "daily", per: "agent", window: { rolling: "P1D" }, currency: "USD", max: "100" };

const problems = (document: JsonValue) => {
  const read = readPolicy(document, "org:acme");
  return read.ok ? [] : read.error.map(({ code, path }) => `${code} ${path}`);
};

test("reads a document with every section", () => {
  const read = readPolicy(
    {
      mandate: { ...MANDATE, requires_human: ["administrative"], expires: "2027-01-01T00:00:00Z" },
      spend: {
        ceilings: [{ value: "50", currency: "USD" }],
        budgets: [BUDGET],
        counterparties: { allow: ["shop"], deny: [] },
      },
      evidence: { required: true, trusted: ["feed"], max_age: { feed: "PT60S" } },
      contracts: [{ id: "order", fields: { "item.price": { type: "number", min: 0 } }, allow_extra: false }],
      screening: { mode: "enforce" },
      network: { allow: ["api.example.com", "*.example.org"], deny: [], raw_public_address: "review" },
    },
    "org:acme",
  );
  expect(read.ok).toBe(true);
  if (!read.ok) return;
  expect(read.value.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(read.value.mandates[0]?.mandate.otherwise).toBe("block");
  expect(read.value.spend[0]?.counterparties).toEqual({ only: ["shop"] });
  expect(read.value.screening?.thresholds).toEqual({ warn: 0.6, quarantine: 0.8, block: 0.95 });
  expect(read.value.network?.allow).toEqual({ only: [{ host: "api.example.com" }, { domain: "example.org" }] });
});

test("an empty document is a policy that permits nothing", () => {
  expect(readPolicy({}, "org:acme")).toMatchObject({ ok: true, value: { mandates: [], rule: null } });
});

test("the digest covers the scope", () => {
  const [a, b] = ["org:acme", "agent:shopper"].map((scope) => readPolicy({ mandate: MANDATE }, scope));
  expect(a?.ok && b?.ok && a.value.digest === b.value.digest).toBe(false);
});

describe("refuses", () => {
  test.each<{ it: string; document: JsonValue; want: string }>([
    { it: "what is no object", document: [], want: "policy.wrong_type " },
    { it: "an unknown section", document: { mandat: MANDATE }, want: "policy.unknown_key /mandat" },
    {
      it: "an unknown key in a clause",
      document: { mandate: { ...MANDATE, clauses: [{ ...CLAUSE, efect: 1 }] } },
      want: "policy.unknown_key /mandate/clauses/0/efect",
    },
    {
      it: "an unknown condition, which would not bite",
      document: { mandate: { ...MANDATE, clauses: [{ ...CLAUSE, match: { kind: ["file"], targets: ["/"] } }] } },
      want: "policy.unknown_key /mandate/clauses/0/match/targets",
    },
    {
      it: "an unknown effect",
      document: { mandate: { ...MANDATE, clauses: [{ ...CLAUSE, effect: "permit" }] } },
      want: "policy.wrong_value /mandate/clauses/0/effect",
    },
    {
      it: "an unknown kind",
      document: { mandate: { ...MANDATE, clauses: [{ ...CLAUSE, match: { kind: ["files"] } }] } },
      want: "policy.wrong_value /mandate/clauses/0/match/kind/0",
    },
    {
      it: "a default that allows",
      document: { mandate: { ...MANDATE, default: "allow" } },
      want: "policy.wrong_value /mandate/default",
    },
    { it: "no default", document: { mandate: { clauses: [CLAUSE] } }, want: "policy.missing /mandate/default" },
    {
      it: "no clauses",
      document: { mandate: { clauses: [], default: "block" } },
      want: "policy.out_of_range /mandate/clauses",
    },
    {
      it: "1,001 clauses",
      document: {
        mandate: { clauses: Array.from({ length: 1_001 }, (_, i) => ({ ...CLAUSE, id: `c${i}` })), default: "block" },
      },
      want: "policy.out_of_range /mandate/clauses",
    },
    {
      it: "a list of 65",
      document: {
        mandate: {
          clauses: [{ ...CLAUSE, match: { kind: ["file"], verb: Array(65).fill("read") } }],
          default: "block",
        },
      },
      want: "policy.out_of_range /mandate/clauses/0/match/verb",
    },
    {
      it: "an empty condition list",
      document: { mandate: { clauses: [{ ...CLAUSE, match: { kind: ["file"], verb: [] } }], default: "block" } },
      want: "policy.out_of_range /mandate/clauses/0/match/verb",
    },
    {
      it: "a prefix of more than 256 bytes",
      document: {
        mandate: {
          clauses: [{ ...CLAUSE, match: { kind: ["file"], target_prefix: ["é".repeat(129)] } }],
          default: "block",
        },
      },
      want: "policy.out_of_range /mandate/clauses/0/match/target_prefix/0",
    },
    {
      it: "one id twice",
      document: { mandate: { clauses: [CLAUSE, CLAUSE], default: "block" } },
      want: "policy.duplicate_id /mandate/clauses/1/id",
    },
    {
      it: "ids that differ in letter case",
      document: { mandate: { clauses: [CLAUSE, { ...CLAUSE, id: "READS" }], default: "block" } },
      want: "policy.duplicate_id /mandate/clauses/1/id",
    },
    {
      it: "ids that differ in Unicode form",
      document: {
        mandate: {
          clauses: [
            { ...CLAUSE, id: "café" },
            { ...CLAUSE, id: "cafe\u0301" },
          ],
          default: "block",
        },
      },
      want: "policy.duplicate_id /mandate/clauses/1/id",
    },
    {
      it: "an amount that is a number",
      document: { spend: { ceilings: [{ value: 50, currency: "USD" }] } },
      want: "policy.amount /spend/ceilings/0/value",
    },
    {
      it: "an amount with an exponent",
      document: { spend: { ceilings: [{ value: "5e1", currency: "USD" }] } },
      want: "policy.amount /spend/ceilings/0/value",
    },
    {
      it: "a window of no length",
      document: { spend: { budgets: [{ ...BUDGET, window: { rolling: "PT0S" } }] } },
      want: "policy.duration /spend/budgets/0/window/rolling",
    },
    {
      it: "a window in months",
      document: { spend: { budgets: [{ ...BUDGET, window: { rolling: "P1M" } }] } },
      want: "policy.duration /spend/budgets/0/window/rolling",
    },
    {
      it: "an unknown zone",
      document: { spend: { budgets: [{ ...BUDGET, window: { calendar: "day", zone: "Mars/Base" } }] } },
      want: "policy.zone /spend/budgets/0/window/zone",
    },
    {
      it: "a budget twice",
      document: { spend: { budgets: [BUDGET, BUDGET] } },
      want: "policy.duplicate_id /spend/budgets/1/id",
    },
    {
      it: "a time without an offset",
      document: { mandate: { ...MANDATE, expires: "2027-01-01T00:00:00" } },
      want: "policy.time /mandate/expires",
    },
    {
      it: "thresholds out of order",
      document: { screening: { mode: "enforce", thresholds: { warn: 0.9, quarantine: 0.8, block: 0.95 } } },
      want: "policy.out_of_range /screening/thresholds",
    },
    {
      it: "a threshold above one",
      document: { screening: { mode: "enforce", thresholds: { warn: 0.9, quarantine: 1, block: 1.1 } } },
      want: "policy.out_of_range /screening/thresholds/block",
    },
    {
      it: "a host pattern that is no domain",
      document: { network: { allow: ["api.*.com"] } },
      want: "policy.wrong_value /network/allow/0",
    },
    {
      it: "a host that is none",
      document: { network: { deny: ["ok.example.com", "no host"] } },
      want: "policy.wrong_value /network/deny/1",
    },
    {
      it: "a range with bits beyond its prefix",
      document: { network: { internal: { addresses: ["10.1.0.0/8"] } } },
      want: "policy.wrong_value /network/internal/addresses/0",
    },
    {
      it: "a contract with a misspelt rule",
      document: { contracts: [{ id: "a", fields: { x: { requird: true } } }] },
      want: "policy.contract /contracts/0/fields/x/requird",
    },
    {
      it: "ages of more sources than a list has items",
      document: {
        evidence: { max_age: Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`s${at}`, "PT1S"])) },
      },
      want: "policy.out_of_range /evidence/max_age",
    },
    {
      it: "a secret",
      document: { mandate: { ...MANDATE, clauses: [{ ...CLAUSE, note: `key ghp_${"a1B2".repeat(9)}` }] } },
      want: "policy.secret /mandate/clauses/0/note",
    },
  ])("$it", ({ document, want }) => {
    expect(problems(document)).toContain(want);
  });
});

test("no answer repeats a secret, also where it is the name of a member", () => {
  const secret = `ghp_${"a1B2".repeat(9)}`;
  for (const document of [
    { [secret]: 1 },
    { evidence: { max_age: { [secret]: "x" } } },
    { mandate: { ...MANDATE, clauses: [{ ...CLAUSE, id: secret, effect: secret, [secret]: 1 }] } },
  ]) {
    const read = readPolicy(document as JsonValue, "org:acme");
    expect(read.ok ? [] : read.error.map(({ code }) => code)).toContain("policy.secret");
    expect(JSON.stringify(read)).not.toContain(secret);
  }
});

test("a mistyped key is answered with the one that was meant", () => {
  const read = readPolicy({ mandate: { ...MANDATE, require_human: [] } }, "org:acme");
  expect(!read.ok && read.error[0]?.message).toContain("did you mean requires_human?");
});

test("every mistake is told at once, and at most a hundred", () => {
  expect(problems({ a: 1, b: 2, c: 3 })).toHaveLength(3);
  expect(problems(Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`k${i}`, 1])))).toHaveLength(100);
});

test("any JSON is read or refused, and nothing throws", () => {
  const names = fc.constantFrom(
    "mandate",
    "clauses",
    "match",
    "spend",
    "budgets",
    "window",
    "network",
    "__proto__",
    "id",
    "kind",
  );
  const document = fc.letrec((tie) => ({
    node: fc.oneof(
      { depthSize: "small" },
      fc.jsonValue(),
      fc.dictionary(names, tie("node")),
      fc.array(tie("node"), { maxLength: 3 }),
    ),
  })).node;
  fc.assert(fc.property(document, (value) => void readPolicy(value as JsonValue, "org:acme")));
});
