import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../json/value.ts";
import { ALL_ACTIONS, anyMandate, bruteVerdict, policyOf, NOW as SMALL_NOW } from "../../testing/smallPolicies.ts";
import { parseInstant } from "../../time/instant.ts";
import type { PolicyPart } from "../readPart.ts";
import { readPart } from "../readPart.ts";
import { lintPolicy } from "./lintPolicy.ts";

const NOW = (() => {
  const read = parseInstant("2027-01-31T12:00:00Z");
  if (!read.ok) throw new Error(read.error.code);
  return read.value;
})();
const partOf = (document: JsonValue, scope: string): PolicyPart => {
  const read = readPart(document, scope);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
};
const clause = (id: string, effect: string, match: JsonObject = {}): JsonObject => ({
  id,
  effect,
  match: { kind: ["file"], ...match },
});
const mandate = (clauses: readonly JsonObject[], rest: JsonObject = {}): JsonObject => ({
  mandate: { default: "block", clauses, ...rest },
});
const told = (...documents: readonly JsonObject[]): readonly string[] => {
  const scopes = ["platform:default", "org:a", "agent:x"].slice(-documents.length);
  return lintPolicy(
    documents.map((document, place) => partOf(document, scopes[place] as string)),
    NOW,
  ).map(({ severity, code, path, scope }) =>
    [severity, code, ...(documents.length > 1 ? [scope] : []), path].join(" "),
  );
};
const usd = (value: string): JsonObject => ({ value, currency: "USD" });
const C = "/mandate/clauses";

test.each<{ it: string; documents: readonly JsonObject[]; want: readonly string[] }>([
  {
    it: "nothing in a policy that says what it means",
    documents: [
      mandate([
        clause("no-secrets", "block", { target_prefix: ["/work/secrets/"] }),
        clause("work", "allow", { verb: ["read"], target_prefix: ["/work/"] }),
        clause("small", "allow", { kind: ["transaction"], max_amount: usd("25") }),
        clause("large", "review", { kind: ["transaction"] }),
      ]),
    ],
    want: [],
  },
  {
    it: "a clause that an earlier one covers",
    documents: [
      mandate([
        clause("all", "block", { target_prefix: ["/a/"] }),
        clause("some", "allow", { target_prefix: ["/a/b/"] }),
      ]),
    ],
    want: ["error lint.unreachable /mandate/clauses/1"],
  },
  {
    it: "a clause that says the opposite of an earlier one",
    documents: [
      mandate([clause("yes", "allow", { verb: ["read", "list"] }), clause("no", "block", { verb: ["list", "read"] })]),
    ],
    want: [`error lint.contradictory ${C}/1`],
  },
  {
    it: "a prohibition that comes too late for a part of what it forbids",
    documents: [
      mandate([
        clause("read", "allow", { verb: ["read"], target_prefix: ["/work/"] }),
        clause("no-secrets", "block", { target_prefix: ["/work/secrets/"] }),
        clause("rest", "review", { target_prefix: ["/work/"] }),
      ]),
    ],
    want: [`warning lint.shadowed ${C}/1`],
  },
  {
    it: "no shadow where the exception comes before the rule",
    documents: [
      mandate([
        clause("drafts", "allow", { verb: ["write"], target_prefix: ["/work/drafts/"] }),
        clause("work", "review", { target_prefix: ["/work/"] }),
      ]),
    ],
    want: [],
  },
  {
    it: "a permission in a spelling that no target has",
    documents: [
      mandate([
        clause("a", "allow", { kind: ["network"], target_prefix: ["https://API.example/", "https://docs.example/"] }),
      ]),
    ],
    want: [`error lint.cannot_match ${C}/0/match/target_prefix/0`],
  },
  {
    it: "a permission of a kind that nobody may permit",
    documents: [mandate([clause("a", "allow", { kind: ["unspecified"], verb: ["x"] })])],
    want: [`error lint.cannot_match ${C}/0`],
  },
  {
    it: "a host without an end",
    documents: [mandate([clause("a", "allow", { kind: ["network"], target_prefix: ["https://api.example.com"] })])],
    want: [`error lint.unbounded ${C}/0/match/target_prefix/0`],
  },
  {
    it: "a path without an end",
    documents: [mandate([clause("a", "allow", { target_prefix: ["/work", "/tmp/"] })])],
    want: [`warning lint.unbounded ${C}/0/match/target_prefix/0`],
  },
  {
    it: "no missing end in an address or where something is forbidden",
    documents: [
      mandate([
        clause("b", "block", { target_prefix: ["/etc"] }),
        clause("a", "allow", { target_prefix: [`eip155:1/0x${"ab".repeat(20)}`] }),
      ]),
    ],
    want: [`note lint.never_bites ${C}/0`],
  },
  {
    it: "a permission that names nothing",
    documents: [mandate([clause("a", "allow")])],
    want: [`warning lint.unbounded ${C}/0/match`],
  },
  {
    it: "a payment without a limit",
    documents: [mandate([clause("a", "allow", { kind: ["transaction"], verb: ["pay"] })])],
    want: [`warning lint.unbounded ${C}/0/match`],
  },
  {
    it: "no missing limit where spend has one",
    documents: [
      { ...mandate([clause("a", "allow", { kind: ["transaction"], verb: ["pay"] })]), spend: { ceilings: [usd("5")] } },
    ],
    want: [],
  },
  {
    it: "a payment in a currency without a limit, where spend lets others pass",
    documents: [
      {
        ...mandate([clause("a", "allow", { kind: ["transaction"], verb: ["pay"] })]),
        spend: { ceilings: [usd("5")], other_currencies: "allow" },
      },
    ],
    want: [`warning lint.unbounded ${C}/0/match`],
  },
  {
    it: "a scheme and nothing behind it, unless the counterparty is named",
    documents: [
      mandate([
        clause("a", "allow", { kind: ["network"], verb: ["get"], target_prefix: ["https://", "http:"] }),
        clause("b", "allow", { kind: ["network"], verb: ["send"], target_prefix: ["mailto:"], counterparty: ["bob"] }),
      ]),
    ],
    want: [0, 1].map((at) => `warning lint.unbounded ${C}/0/match/target_prefix/${at}`),
  },
  {
    it: "what has expired",
    documents: [
      {
        ...mandate([clause("a", "allow", { verb: ["x"] })], { expires: "2027-01-31T12:00:00Z" }),
        expires: "2020-01-01T00:00:00Z",
      },
    ],
    want: ["error lint.expired /expires", "error lint.expired /mandate/expires"],
  },
  {
    it: "a prohibition of what is forbidden anyway",
    documents: [mandate([clause("a", "allow", { verb: ["x"] }), clause("b", "block", { verb: ["y"] })])],
    want: [`note lint.never_bites ${C}/1`],
  },
  {
    it: "a person for what nobody may do",
    documents: [mandate([clause("a", "allow", { verb: ["x"] })], { requires_human: ["device"] })],
    want: ["note lint.never_bites /mandate/requires_human/0"],
  },
  {
    it: "a permission that another scope takes back",
    documents: [
      mandate([clause("some", "allow", { verb: ["read"] }), clause("person", "review", { verb: ["write"] })]),
      mandate([clause("more", "allow", { verb: ["read", "write"] }), clause("del", "allow", { verb: ["delete"] })]),
    ],
    want: [`warning lint.overruled agent:x ${C}/1`],
  },
  {
    it: "a permission that another scope blocks, and one that nobody else permits",
    documents: [
      mandate([clause("no", "block", { verb: ["x"] }), clause("y", "allow", { verb: ["y"] })]),
      mandate([clause("x", "allow", { verb: ["x"] })]),
    ],
    want: [
      `note lint.never_bites org:a ${C}/0`,
      `warning lint.overruled org:a ${C}/1`,
      `warning policy.overruled agent:x ${C}`,
      `warning lint.overruled agent:x ${C}/0`,
    ],
  },
  {
    it: "limits that other limits make idle",
    documents: [
      {
        ...mandate([clause("a", "allow", { kind: ["transaction"], max_amount: usd("60") })]),
        spend: {
          ceilings: [usd("50"), usd("100"), { value: "7", currency: "EUR" }],
          budgets: [{ id: "day", per: "agent", window: { rolling: "P1D" }, currency: "USD", max: "50" }],
          counterparties: { allow: ["a", "b"], deny: ["b"] },
        },
      },
    ],
    want: [
      `note lint.overruled ${C}/0/match/max_amount`,
      "note lint.never_bites /spend/ceilings/0",
      "note lint.never_bites /spend/ceilings/1",
      "error lint.contradictory /spend/counterparties/allow/1",
    ],
  },
  {
    it: "that it did not look at everything",
    documents: [
      mandate([
        clause("long", "allow", {
          verb: Array.from({ length: 64 }, (_, i) => `v${i}`),
          counterparty: Array.from({ length: 64 }, (_, i) => `p${i}`),
          target_prefix: ["/a/", "/b/", "/c/"],
        }),
      ]),
    ],
    want: ["note lint.not_analysed /mandate/clauses"],
  },
])("finds $it", ({ documents, want }) => {
  expect(told(...documents)).toEqual(want);
});

test("calls idle only what changes nothing, whatever the policy", () => {
  fc.assert(
    fc.property(anyMandate, (mandate) => {
      const without = (id: string) => ({ ...mandate, clauses: mandate.clauses.filter((one) => one.id !== id) });
      const part = { ...partOf({}, "org:a"), sections: { mandate } };
      for (const { code, path } of lintPolicy([part], SMALL_NOW)) {
        if (code !== "lint.never_bites" && code !== "lint.unreachable" && code !== "lint.contradictory") continue;
        const clause = mandate.clauses[Number(/^\/mandate\/clauses\/(\d+)$/.exec(path)?.[1] ?? -1)];
        if (clause === undefined) continue;
        const [before, after] = [policyOf(mandate), policyOf(without(clause.id))];
        const changed = ALL_ACTIONS.find(
          ({ subject }) => bruteVerdict(before, subject) !== bruteVerdict(after, subject),
        );
        expect({ code, path, changed: changed?.action }).toEqual({ code, path, changed: undefined });
      }
    }),
    { numRuns: 30 },
  );
});
