import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluateByLoop } from "../../check/mandate/evaluateByLoop.ts";
import { ALL_ACTIONS, anyMandate, clause, type Draft, mandateOf, money } from "../../testing/smallPolicies.ts";
import type { Mandate } from "../mandate.ts";
import { clauseReach } from "./clauseReach.ts";

const told = (mandate: Mandate): readonly string[] =>
  clauseReach(mandate).map((reach) =>
    reach.outcome === "unreached" ? `by ${reach.deciders.map(({ id }) => id).join(",")}` : reach.outcome,
  );

test.each<{ it: string; clauses: readonly Draft[]; want: readonly string[] }>([
  {
    it: "names all that make a clause unreachable together",
    clauses: [
      clause("allow", { verb: ["get"] }),
      clause("review", { verb: ["put"] }),
      clause("block", { verb: ["get", "put"] }),
    ],
    want: ["reached", "reached", "by c0,c1"],
  },
  {
    it: "leaves a tier what is above the one before",
    clauses: [clause("allow", { maxAmount: money("1") }), clause("review", { maxAmount: money("2") })],
    want: ["reached", "reached"],
  },
  {
    it: "does not take a ceiling of another currency for one",
    clauses: [clause("allow", { maxAmount: money("9", "EUR") }), clause("review", { maxAmount: money("2") })],
    want: ["reached", "reached"],
  },
  {
    it: "sees a prefix that a shorter one covers",
    clauses: [clause("allow", { targetPrefix: ["/a/"] }), clause("block", { targetPrefix: ["/a/b/", "/a/c/"] })],
    want: ["reached", "by c0"],
  },
  {
    it: "sees a spelling of a prefix that another spelling covers",
    clauses: [clause("block", { targetPrefix: ["https://H/"] }), clause("allow", { targetPrefix: ["https://h/a/"] })],
    want: ["reached", "by c0"],
  },
  {
    it: "knows what nobody can ask for",
    clauses: [clause("allow", { kind: ["unspecified"] }), clause("allow", { targetPrefix: ["https://H/", "/%61"] })],
    want: ["impossible", "impossible"],
  },
  {
    it: "is undecided where the lists are too long to try",
    clauses: [
      clause("allow", {
        verb: Array.from({ length: 101 }, (_, i) => `v${i}`),
        counterparty: Array.from({ length: 100 }, (_, i) => `c${i}`),
      }),
    ],
    want: ["undecided"],
  },
])("$it", ({ clauses, want }) => {
  expect(told(mandateOf(clauses))).toEqual(want);
});

test("is not told apart from deciding every action of a small alphabet", () => {
  fc.assert(
    fc.property(anyMandate, (mandate) => {
      const reached = new Set(ALL_ACTIONS.map(({ subject }) => evaluateByLoop(mandate, subject).clause?.id));
      const seen = mandate.clauses.map(({ id }) => reached.has(id));
      expect(clauseReach(mandate).map(({ outcome }) => outcome === "reached")).toEqual(seen);
    }),
    { numRuns: 25 },
  );
});
