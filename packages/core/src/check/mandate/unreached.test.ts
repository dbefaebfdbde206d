import fc from "fast-check";
import { expect, test } from "vitest";
import type { Kind } from "../../action/action.ts";
import { parseDecimal } from "../../money/decimal.ts";
import type { Clause, ClauseMatch, Mandate } from "../../policy/mandate.ts";
import { evaluateByLoop } from "./evaluateByLoop.ts";
import { subjectOf } from "./subject.ts";
import { unreachedClauses } from "./unreached.ts";

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
const clause = (effect: Clause["effect"], match: Partial<ClauseMatch> = {}): Omit<Clause, "id"> => ({
  effect,
  match: { kind: ["file"], ...match },
});
const named = (mandate: Mandate) =>
  unreachedClauses(mandate).map(({ clause: dead, deciders }) => `${dead.id}<${deciders.map(({ id }) => id).sort()}`);

test.each<{ it: string; clauses: readonly Omit<Clause, "id">[]; want: readonly string[] }>([
  { it: "not the first", clauses: [clause("allow")], want: [] },
  {
    it: "a permission under one that covers it",
    clauses: [clause("allow"), clause("allow", { verb: ["read"] })],
    want: ["c1<c0"],
  },
  {
    it: "a permission that several cover together",
    clauses: [
      clause("block", { verb: ["read"] }),
      clause("review", { verb: ["WRITE"] }),
      clause("allow", { verb: ["read", "write"] }),
    ],
    want: ["c2<c0,c1"],
  },
  {
    it: "not one that has a verb left",
    clauses: [clause("block", { verb: ["read"] }), clause("allow", { verb: ["read", "write"] })],
    want: [],
  },
  {
    it: "not one without verbs under one with verbs",
    clauses: [clause("block", { verb: ["~"] }), clause("allow")],
    want: [],
  },
  {
    it: "kinds that two cover together",
    clauses: [
      clause("allow", { kind: ["file"] }),
      clause("allow", { kind: ["network"] }),
      clause("allow", { kind: ["file", "network"], targetPrefix: ["/a/"] }),
    ],
    want: ["c2<c0,c1"],
  },
  {
    it: "not a prefix with longer ones above",
    clauses: [clause("allow", { targetPrefix: ["/a/b/", "/a/~/"] }), clause("allow", { targetPrefix: ["/a/"] })],
    want: [],
  },
  {
    it: "a prefix under a shorter one",
    clauses: [clause("allow", { targetPrefix: ["/a/"] }), clause("allow", { targetPrefix: ["/a/b/"] })],
    want: ["c1<c0"],
  },
  {
    it: "not a denial that decoding reaches past a permission",
    clauses: [clause("allow", { targetPrefix: ["/a/"] }), clause("block", { targetPrefix: ["/a/b/"] })],
    want: [],
  },
  {
    it: "a denial under a denial",
    clauses: [clause("block", { targetPrefix: ["/a/"] }), clause("block", { targetPrefix: ["/a/b/"] })],
    want: ["c1<c0"],
  },
  {
    it: "a permission under a denial of what it decodes to",
    clauses: [clause("block", { targetPrefix: ["/a b/"] }), clause("allow", { targetPrefix: ["/a%20b/"] })],
    want: ["c1<c0"],
  },
  {
    it: "a lower ceiling under a higher one",
    clauses: [clause("allow", { maxAmount: usd(5) }), clause("allow", { maxAmount: usd(5) })],
    want: ["c1<c0"],
  },
  {
    it: "not a higher ceiling",
    clauses: [clause("allow", { maxAmount: usd(5) }), clause("allow", { maxAmount: usd(6) })],
    want: [],
  },
  {
    it: "not another currency",
    clauses: [clause("allow", { maxAmount: usd(5) }), clause("allow", { maxAmount: usd(1, "EUR") })],
    want: [],
  },
  {
    it: "not what has no ceiling under what has one",
    clauses: [clause("allow", { maxAmount: usd(5) }), clause("allow")],
    want: [],
  },
  {
    it: "not a clause that matches nothing by itself",
    clauses: [clause("block"), clause("allow", { verb: [] })],
    want: [],
  },
])("unreachable is $it", ({ clauses, want }) => {
  expect(named(mandateOf(clauses))).toEqual(want);
});

const kinds = ["file", "network"] as const satisfies readonly Kind[];
const verbs = ["a", "b", "new"];
const prefixes = ["/", "/x/", "/x/y/", "/%78/"];
const parties = ["p", "q", undefined];
const amounts = [usd(1), usd(2), usd(3), usd(1, "EUR"), undefined];
const some = <T>(list: readonly T[]) => fc.subarray([...list], { minLength: 1 });
const anyClause = fc.record({
  effect: fc.constantFrom("allow" as const, "review" as const, "block" as const),
  match: fc.record(
    {
      kind: some(kinds),
      verb: some(["a", "b"]),
      targetPrefix: some(prefixes),
      counterparty: some(["p", "q"]),
      maxAmount: fc.constantFrom(usd(1), usd(2), usd(1, "EUR")),
    },
    { requiredKeys: ["kind"] },
  ),
});
/** Every way to combine values that tell the clauses apart. */
const allActions = kinds.flatMap((kind) =>
  verbs.flatMap((verb) =>
    ["/z", "/x/z", "/x/y/z", "/%78/z", "/%78/y/z", "%2fz", "%2fx/z", "%2f%78/z", "%2fx/y/z", "z"].flatMap((target) =>
      parties.flatMap((counterparty) =>
        amounts.map((amount) => ({
          kind,
          verb,
          target,
          ...(counterparty === undefined ? {} : { counterparty }),
          ...(amount === undefined ? {} : { amount }),
        })),
      ),
    ),
  ),
);

test("is exactly what no action reaches", () => {
  fc.assert(
    fc.property(fc.array(anyClause, { maxLength: 7 }), (clauses) => {
      const mandate = mandateOf(clauses);
      const reached = new Set(
        allActions.map((action) => {
          const subject = subjectOf(action, mandate);
          return subject.ok ? evaluateByLoop(mandate, subject.value).clause?.id : undefined;
        }),
      );
      const dead = mandate.clauses.map(({ id }) => id).filter((id) => !reached.has(id));
      expect(unreachedClauses(mandate).map(({ clause: { id } }) => id)).toEqual(dead);
    }),
    { numRuns: 150 },
  );
});

test("says nothing beyond its bound", () => {
  const many = Array.from({ length: 600 }, (_, i) => `v${i}`);
  expect(named(mandateOf([clause("allow"), clause("allow", { verb: many })]))).toEqual([]);
});
