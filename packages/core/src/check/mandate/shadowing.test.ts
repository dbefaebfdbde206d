import fc from "fast-check";
import { expect, test } from "vitest";
import type { Kind } from "../../action/action.ts";
import { parseDecimal } from "../../money/decimal.ts";
import type { Clause, ClauseMatch, Mandate } from "../../policy/mandate.ts";
import { type Shadowing, shadowings, shadowingsByPairs } from "./shadowing.ts";

const usd = (value: number, currency = "USD") => {
  const amount = parseDecimal(String(value));
  if (!amount.ok) throw new Error(amount.error.code);
  return { amount: amount.value, currency };
};
const mandateOf = (clauses: readonly Omit<Clause, "id">[]): Mandate => ({
  id: "m",
  clauses: clauses.map((clause, i) => ({ ...clause, id: `c${i}` })),
  requiresHuman: [],
  otherwise: "block",
  matching: "decoded",
  verbs: "fold",
});
const named = (found: readonly Shadowing[]) => found.map(({ earlier, later }) => `${earlier.id}>${later.id}`);
const clause = (effect: Clause["effect"], match: Partial<ClauseMatch> = {}): Omit<Clause, "id"> => ({
  effect,
  match: { kind: ["transaction"], ...match },
});

test.each<{ it: string; clauses: readonly Omit<Clause, "id">[]; want: readonly string[] }>([
  {
    it: "a denial under a permission",
    clauses: [clause("allow"), clause("block", { verb: ["pay"] })],
    want: ["c0>c1"],
  },
  { it: "a denial under an escalation", clauses: [clause("review"), clause("block")], want: ["c0>c1"] },
  { it: "no permission, whatever is above", clauses: [clause("block"), clause("allow")], want: [] },
  { it: "no clause of the same effect", clauses: [clause("block"), clause("block")], want: [] },
  { it: "no clause of another kind", clauses: [clause("allow", { kind: ["file"] }), clause("block")], want: [] },
  {
    it: "verbs that differ in letter case only",
    clauses: [clause("allow", { verb: ["PAY"] }), clause("block", { verb: ["pay"] })],
    want: ["c0>c1"],
  },
  { it: "no disjoint verbs", clauses: [clause("allow", { verb: ["a"] }), clause("block", { verb: ["b"] })], want: [] },
  {
    it: "a prefix under a shorter one",
    clauses: [clause("allow", { targetPrefix: ["/a/"] }), clause("block", { targetPrefix: ["/a/b/"] })],
    want: ["c0>c1"],
  },
  {
    it: "a prefix over a longer one",
    clauses: [clause("allow", { targetPrefix: ["/a/b/"] }), clause("block", { targetPrefix: ["/a/"] })],
    want: ["c0>c1"],
  },
  {
    it: "prefixes that differ in composition only",
    clauses: [clause("allow", { targetPrefix: ["/e\u0301/"] }), clause("block", { targetPrefix: ["/\u00e9/"] })],
    want: ["c0>c1"],
  },
  {
    it: "no siblings",
    clauses: [clause("allow", { targetPrefix: ["/a/"] }), clause("block", { targetPrefix: ["/ab/"] })],
    want: [],
  },
  {
    it: "no disjoint counterparties",
    clauses: [clause("allow", { counterparty: ["a"] }), clause("block", { counterparty: ["b"] })],
    want: [],
  },
  {
    it: "no ceilings in two currencies",
    clauses: [clause("allow", { maxAmount: usd(1) }), clause("block", { maxAmount: usd(9, "EUR") })],
    want: [],
  },
  {
    it: "no tiers",
    clauses: [clause("allow", { maxAmount: usd(50) }), clause("review", { maxAmount: usd(500) }), clause("block")],
    want: [],
  },
  {
    it: "a tier that is not above",
    clauses: [clause("allow", { maxAmount: usd(50) }), clause("review", { maxAmount: usd(50) })],
    want: ["c0>c1"],
  },
  {
    it: "a denial that narrows under a ceiling",
    clauses: [clause("allow", { maxAmount: usd(50) }), clause("block", { counterparty: ["x"] })],
    want: ["c0>c1"],
  },
  {
    it: "no tiers whose lists stand in another order",
    clauses: [clause("allow", { verb: ["a", "b"], maxAmount: usd(1) }), clause("block", { verb: ["b", "a"] })],
    want: [],
  },
  {
    it: "the first of several, once a clause",
    clauses: [clause("allow", { verb: ["a"] }), clause("allow"), clause("block")],
    want: ["c0>c2"],
  },
])("shadowing is found in: $it", ({ clauses, want }) => {
  expect(named(shadowings(mandateOf(clauses)))).toEqual(want);
  expect(named(shadowingsByPairs(mandateOf(clauses)))).toEqual(want);
});

test("joined sets and pairs cannot be told apart", () => {
  const some = <T>(item: fc.Arbitrary<T>) => fc.array(item, { minLength: 1, maxLength: 2 });
  const match = fc.record(
    {
      kind: some(fc.constantFrom<Kind>("file", "network", "transaction")),
      verb: some(fc.constantFrom("a", "A", "b", "c")),
      targetPrefix: some(
        fc.oneof(
          fc.constantFrom("/e\u0301/", "/\u00e9/", "/"),
          fc.array(fc.constantFrom("a/", "b/"), { maxLength: 4 }).map((parts) => `/${parts.join("")}`),
        ),
      ),
      counterparty: some(fc.constantFrom("x", "y", "z")),
      maxAmount: fc.tuple(fc.nat(4), fc.constantFrom("USD", "EUR")).map(([value, currency]) => usd(value, currency)),
    },
    { requiredKeys: ["kind"] },
  );
  const effect = fc.constantFrom("allow" as const, "review" as const, "block" as const);
  fc.assert(
    fc.property(fc.array(fc.record({ effect, match }), { maxLength: 80 }), (clauses) => {
      const mandate = mandateOf(clauses);
      expect(named(shadowings(mandate))).toEqual(named(shadowingsByPairs(mandate)));
    }),
    { numRuns: 500 },
  );
});
