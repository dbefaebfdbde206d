import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Action, Ask, Kind } from "../../action/action.ts";
import { parseMoney } from "../../money/money.ts";
import type { EffectivePolicy } from "../../policy/effective.ts";
import type { Clause, ClauseMatch, Mandate } from "../../policy/mandate.ts";
import { evaluateByLoop } from "./evaluateByLoop.ts";
import { judgeMandates } from "./mandate.ts";
import { subjectOf } from "./subject.ts";

const money = (value: string, currency = "USD") => {
  const read = parseMoney(value, currency);
  if (!read.ok) throw new Error(read.error.code);
  return read.value;
};
const clause = (id: string, effect: Clause["effect"], match: Partial<ClauseMatch> = {}): Clause => ({
  id,
  effect,
  match: { kind: ["network"], ...match },
});
const mandateOf = (clauses: readonly Clause[], rest: Partial<Mandate> = {}): Mandate => ({
  id: "m",
  clauses,
  requiresHuman: [],
  otherwise: "block",
  matching: "native",
  verbs: "exact",
  ...rest,
});
const action = (rest: Partial<Action> = {}): Action => ({ kind: "network", verb: "get", target: "/a/x", ...rest });

const outcome = (mandate: Mandate, asked: Action): string => {
  const subject = subjectOf(asked, mandate);
  if (!subject.ok) return subject.error.code;
  const { effect, clause: decided, ambiguous, lifted } = evaluateByLoop(mandate, subject.value);
  return [effect, decided?.id ?? "default", ...(ambiguous ? ["ambiguous"] : []), ...(lifted ? ["lifted"] : [])].join(
    " ",
  );
};

const API = ["https://api.example/v1/"];

test.each<{ it: string; clauses: readonly Clause[]; rest?: Partial<Mandate>; asked?: Partial<Action>; want: string }>([
  { it: "blocks what no clause covers", clauses: [], want: "block default" },
  {
    it: "reviews what no clause covers where the default says so",
    clauses: [],
    rest: { otherwise: "review" },
    want: "review default",
  },
  {
    it: "takes the first clause that matches",
    clauses: [clause("one", "review"), clause("two", "block"), clause("three", "allow")],
    want: "review one",
  },
  { it: "matches nothing with an empty list", clauses: [clause("one", "allow", { verb: [] })], want: "block default" },
  {
    it: "never permits what nobody mapped to a kind",
    clauses: [clause("one", "allow", { kind: ["unspecified"] })],
    asked: { kind: "unspecified" },
    want: "block default",
  },
  {
    it: "blocks what nobody mapped to a kind where a clause says so",
    clauses: [clause("one", "block", { kind: ["unspecified"] })],
    asked: { kind: "unspecified" },
    rest: { otherwise: "review" },
    want: "block one",
  },
  { it: "compares verbs to the letter", clauses: [clause("one", "allow", { verb: ["GET"] })], want: "block default" },
  {
    it: "folds the case of verbs where the mandate says so",
    clauses: [clause("one", "allow", { verb: ["GET"] })],
    rest: { verbs: "fold" },
    want: "allow one",
  },
  {
    it: "lifts an allow to a person for the kinds that need one",
    clauses: [clause("one", "allow")],
    rest: { requiresHuman: ["network"] },
    want: "review one lifted",
  },
  {
    it: "leaves a block a block for those kinds",
    clauses: [clause("one", "block")],
    rest: { requiresHuman: ["network"] },
    want: "block one",
  },
  {
    it: "allows exactly the ceiling",
    clauses: [clause("one", "allow", { maxAmount: money("10") })],
    asked: { amount: money("10.00") },
    want: "allow one",
  },
  {
    it: "does not allow a hair above the ceiling",
    clauses: [clause("one", "allow", { maxAmount: money("10") })],
    asked: { amount: money("10.000000000000000001") },
    want: "block default",
  },
  {
    it: "does not compare another currency",
    clauses: [clause("one", "allow", { maxAmount: money("10") })],
    asked: { amount: money("1", "EUR") },
    want: "block default",
  },
  {
    it: "does not take a missing amount for zero",
    clauses: [clause("one", "allow", { maxAmount: money("10") })],
    want: "block default",
  },
  {
    it: "does not match a counterparty that is not there",
    clauses: [clause("one", "allow", { counterparty: ["x"] })],
    want: "block default",
  },
  {
    it: "allows a target that both spellings agree on",
    clauses: [clause("one", "allow", { targetPrefix: API })],
    asked: { target: "https://api.example/v1/x" },
    want: "allow one",
  },
  {
    it: "reviews a target that leaves the prefix in normal form",
    clauses: [clause("one", "allow", { targetPrefix: API })],
    asked: { target: "https://api.example/v1/%2e%2e/admin" },
    want: "review one ambiguous",
  },
  {
    it: "reviews a target that enters the prefix in normal form only",
    clauses: [clause("one", "allow", { targetPrefix: API })],
    asked: { target: "https://API.example/v1/x" },
    want: "review one ambiguous",
  },
  {
    it: "blocks a target that enters the prefix in normal form only",
    clauses: [clause("one", "block", { targetPrefix: API })],
    rest: { otherwise: "review" },
    asked: { target: "https://API.example/v0/../v1/x" },
    want: "block one",
  },
  {
    it: "blocks a target that leaves the prefix in normal form",
    clauses: [clause("one", "block", { targetPrefix: API })],
    rest: { otherwise: "review" },
    asked: { target: "https://api.example/v1/../x" },
    want: "block one",
  },
  {
    it: "blocks by a prefix that is not in normal form itself",
    clauses: [clause("one", "block", { targetPrefix: ["https://API.example/%761/"] })],
    rest: { otherwise: "review" },
    asked: { target: "https://api.example/v1/x" },
    want: "block one",
  },
  {
    it: "permits by a prefix only what is written in it",
    clauses: [clause("one", "allow", { targetPrefix: ["/.."] })],
    asked: { target: "/etc/passwd" },
    want: "block default",
  },
  {
    it: "reviews rather than allows where a person is needed and the target is ambiguous",
    clauses: [clause("one", "allow", { targetPrefix: API })],
    rest: { requiresHuman: ["network"] },
    asked: { target: "https://api.example/v1/../x" },
    want: "review one ambiguous lifted",
  },
  {
    it: "refuses a target with invisible characters",
    clauses: [clause("one", "allow")],
    asked: { target: "/a/\u200bx" },
    want: "target.character",
  },
  {
    it: "in the dialect, permits only what is written",
    clauses: [clause("one", "allow", { targetPrefix: ["/a b/"] })],
    rest: { matching: "decoded" },
    asked: { target: "/a%20b/x" },
    want: "block default",
  },
  {
    it: "in the dialect, forbids what is decoded",
    clauses: [clause("one", "block", { targetPrefix: ["/a b/"] })],
    rest: { matching: "decoded", otherwise: "review" },
    asked: { target: "/a%2520b/x" },
    want: "block one",
  },
  {
    it: "in the dialect, forbids what is written",
    clauses: [clause("one", "block", { targetPrefix: ["/a%20b/"] })],
    rest: { matching: "decoded", otherwise: "review" },
    asked: { target: "/a%20b/x" },
    want: "block one",
  },
  {
    it: "in the dialect, composes both sides",
    clauses: [clause("one", "allow", { targetPrefix: ["/e\u0301/"] })],
    rest: { matching: "decoded" },
    asked: { target: "/\u00e9/x" },
    want: "allow one",
  },
  {
    it: "in the dialect, does not fold compatibility forms",
    clauses: [clause("one", "allow", { targetPrefix: ["/a/"] })],
    rest: { matching: "decoded" },
    asked: { target: "\uff0fa\uff0fx" },
    want: "block default",
  },
])("$it", ({ clauses, rest, asked, want }) => {
  expect(outcome(mandateOf(clauses, rest), action(asked))).toBe(want);
});

test("an address is one counterparty in any letter case, but not in the dialect", () => {
  const address = `0x${"aB".repeat(20)}`;
  const named = [clause("one", "allow", { counterparty: [address] })];
  const asked = action({ counterparty: address.toLowerCase() });
  expect(outcome(mandateOf(named), asked)).toBe("allow one");
  expect(outcome(mandateOf(named, { matching: "decoded" }), asked)).toBe("block default");
});

describe("the mandates of all scopes", () => {
  const NOW = { epochSeconds: 100, fraction: "" };
  const policyOf = (...mandates: readonly (readonly [string, Mandate])[]): EffectivePolicy =>
    ({ mandates: mandates.map(([scope, mandate]) => ({ scope, mandate })) }) as unknown as EffectivePolicy;
  const ask = (asked: Partial<Action> | null = {}): Ask => ({
    asker: { tenant: "t", agent: "a", teams: [] },
    ...(asked === null ? {} : { action: action(asked) }),
  });
  const judged = (policy: EffectivePolicy, asked: Ask = ask()) => {
    const { basis, findings } = judgeMandates(asked, policy, NOW);
    return { basis, findings: findings.map(({ code, severity, path }) => `${code} ${severity} ${path}`) };
  };
  const allows = mandateOf([clause("yes", "allow")]);
  const blocks = mandateOf([clause("no", "block")]);

  test("permit nothing when there are none", () => {
    expect(judged(policyOf())).toEqual({ basis: null, findings: [] });
  });

  test("say nothing of material without an action", () => {
    expect(judged(policyOf(["org:a", allows]), ask(null))).toEqual({ basis: null, findings: [] });
  });

  test("each give the clause that permits", () => {
    expect(judged(policyOf(["org:a", allows], ["agent:a", mandateOf([], { otherwise: "review" })]))).toEqual({
      basis: [
        { by: "clause", scope: "org:a", id: "yes" },
        { by: "default", scope: "agent:a" },
      ],
      findings: ["mandate.no_clause review /action"],
    });
  });

  test("permit nothing as soon as one does not", () => {
    expect(judged(policyOf(["org:a", allows], ["agent:a", blocks]))).toEqual({
      basis: null,
      findings: ["mandate.clause_blocked block /action"],
    });
    expect(judged(policyOf(["org:a", mandateOf([])], ["agent:a", allows]))).toEqual({
      basis: null,
      findings: ["mandate.no_clause block /action"],
    });
  });

  test.each([
    { inclusive: false, findings: ["mandate.expired block /action"] },
    { inclusive: true, findings: [] },
  ])("at the instant of expiry, inclusive $inclusive decides", ({ inclusive, findings }) => {
    expect(judged(policyOf(["org:a", { ...allows, expires: { until: NOW, inclusive } }])).findings).toEqual(findings);
  });

  test("send to a person by clause, by kind and by an ambiguous target, each under its own code", () => {
    const reviews = mandateOf([clause("ask", "review")]);
    const lifts = mandateOf([clause("yes", "allow", { targetPrefix: ["/a/"] })], { requiresHuman: ["network"] });
    const { basis, findings } = judged(policyOf(["org:a", reviews], ["agent:a", lifts]), ask({ target: "/a/../b" }));
    expect(findings).toEqual([
      "mandate.clause_review review /action",
      "target.ambiguous review /action/target",
      "mandate.requires_human review /action/kind",
    ]);
    expect(basis).toEqual([
      { by: "clause", scope: "org:a", id: "ask" },
      { by: "clause", scope: "agent:a", id: "yes" },
    ]);
  });

  test("block a target that cannot be read, and permit nothing", () => {
    expect(judged(policyOf(["org:a", allows]), ask({ target: "/a\u202e" }))).toEqual({
      basis: null,
      findings: ["target.character block /action/target"],
    });
  });

  test("explain the first ten near misses and count the others, without repeating the target", () => {
    const near = mandateOf([
      clause("other-kind", "allow", { kind: ["file"] }),
      clause("verb", "allow", { verb: ["a", "b", "c", "d", "e", "f"] }),
      clause("target", "allow", { targetPrefix: ["/b/"] }),
      clause("counterparty", "allow", { counterparty: ["x"] }),
      clause("amount", "allow", { maxAmount: money("1") }),
      ...Array.from({ length: 8 }, (_, i) => clause(`n${i}`, "allow", { verb: ["put"] })),
    ]);
    const [finding] = judgeMandates(ask({ target: "/secret-place" }), policyOf(["org:a", near]), NOW).findings;
    expect(finding?.message).toBe(
      "no clause of 'org:a' matches this; the closest were 'verb' (verb not in list ['a', 'b', 'c', 'd', 'e', and 1 more]); " +
        "'target' (target matches no permitted prefix); 'counterparty' (counterparty not named); " +
        "'amount' (clause bounds an amount but the request states none); " +
        "'n0' (verb not in list ['put']); 'n1' (verb not in list ['put']); 'n2' (verb not in list ['put']); " +
        "'n3' (verb not in list ['put']); 'n4' (verb not in list ['put']); 'n5' (verb not in list ['put']); and 2 more",
    );
  });

  test("A later scope never loosens.", () => {
    const anyClause = fc.record({
      id: fc.constantFrom("a", "b"),
      effect: fc.constantFrom("allow" as const, "review" as const, "block" as const),
      match: fc.record(
        {
          kind: fc.subarray<Kind>(["network", "file"]),
          verb: fc.subarray(["get", "put"]),
          targetPrefix: fc.subarray(["/a/", "/a/../", "/b/"]),
        },
        { requiredKeys: ["kind"] },
      ),
    });
    const anyMandate = fc
      .record({
        clauses: fc.array(anyClause, { maxLength: 4 }),
        requiresHuman: fc.subarray<Kind>(["network"]),
        otherwise: fc.constantFrom("review" as const, "block" as const),
        expires: fc.record({
          until: fc.constantFrom(NOW, { epochSeconds: 101, fraction: "" }),
          inclusive: fc.boolean(),
        }),
      })
      .map(({ clauses, ...rest }) => mandateOf(clauses, rest));
    const asked = fc.constantFrom("/a/x", "/a/../b/x", "/b/x", "/%61/x").map((target) => ask({ target }));
    fc.assert(
      fc.property(fc.array(anyMandate, { minLength: 1, maxLength: 3 }), anyMandate, asked, (earlier, later, one) => {
        const scoped = earlier.map((mandate, i) => [`scope:${i}`, mandate] as const);
        const before = judgeMandates(one, policyOf(...scoped), NOW);
        const after = judgeMandates(one, policyOf(...scoped, ["agent:a", later]), NOW);
        expect(after.findings.slice(0, before.findings.length)).toEqual(before.findings);
        // What did not permit before does not permit now.
        if (before.basis === null) expect(after.basis).toBeNull();
        else if (after.basis !== null) expect(after.basis.slice(0, before.basis.length)).toEqual(before.basis);
      }),
    );
  });
});
