import fc from "fast-check";
import { expect, test } from "vitest";
import {
  ALL_ACTIONS,
  anyPair,
  bruteVerdict,
  clause,
  mandateOf,
  money,
  NOW,
  policyOf,
} from "../../testing/smallPolicies.ts";
import type { EffectivePolicy } from "../effective.ts";
import type { Clause } from "../mandate.ts";
import { diffMandates, type MandateDiff } from "./diffMandates.ts";
import { inRegion } from "./region.ts";

const told = ({ outcome, differences }: MandateDiff): readonly string[] => [
  outcome,
  ...differences.map(({ from, to, witness: { kind, verb, target, counterparty, amount } }) =>
    [`${from}>${to}`, kind, verb, target, counterparty, amount?.amount.coefficient, amount?.currency]
      .filter((part) => part !== undefined)
      .join(" "),
  ),
];

test.each<{ it: string; a: EffectivePolicy; b: EffectivePolicy; want: readonly string[] }>([
  {
    it: "finds none between a policy and itself",
    a: policyOf(mandateOf([clause("allow")])),
    b: policyOf(mandateOf([clause("allow")])),
    want: ["same"],
  },
  {
    it: "knows that without a mandate nothing is permitted",
    a: policyOf(),
    b: policyOf(mandateOf([])),
    want: ["same"],
  },
  {
    it: "sees through another order and other words",
    a: policyOf(
      mandateOf([
        clause("block", { targetPrefix: ["/a/"] }),
        clause("allow", { verb: ["get"], targetPrefix: ["/b/"] }),
      ]),
    ),
    b: policyOf(
      mandateOf([clause("allow", { verb: ["get"], targetPrefix: ["/b/"] }), clause("block", { verb: ["put"] })]),
    ),
    want: ["same"],
  },
  {
    it: "shows the plainest action that was loosened",
    a: policyOf(mandateOf([])),
    b: policyOf(mandateOf([clause("allow", { targetPrefix: ["/a/"], verb: ["get"] })])),
    want: ["differ", "block>allow network get /a/"],
  },
  {
    it: "tells amounts apart at the ceiling",
    a: policyOf(mandateOf([clause("allow", { maxAmount: money("10") })])),
    b: policyOf(mandateOf([clause("allow", { maxAmount: money("25") })])),
    want: ["differ", "block>allow network x x 11 USD"],
  },
  {
    it: "finds the amount between two ceilings that hardly differ",
    a: policyOf(mandateOf([clause("allow", { maxAmount: money("10.01") })])),
    b: policyOf(mandateOf([clause("allow", { maxAmount: money("10.02") })])),
    want: ["differ", "block>allow network x x 1002 USD"],
  },
  {
    it: "does not take two spellings of a host for two hosts where a clause forbids",
    a: policyOf(mandateOf([clause("block", { targetPrefix: ["https://H.example/"] }), clause("allow")])),
    b: policyOf(mandateOf([clause("block", { targetPrefix: ["https://h.example/"] }), clause("allow")])),
    want: ["same"],
  },
  {
    it: "knows that a permission in a spelling that is not normal permits nothing",
    a: policyOf(mandateOf([])),
    b: policyOf(mandateOf([clause("allow", { targetPrefix: ["https://H.example/", "/%61/", "/a/../b", "//a"] })])),
    want: ["same"],
  },
  {
    it: "sees the host that a prefix without an end lets in",
    a: policyOf(mandateOf([clause("allow", { targetPrefix: ["https://api.example.com/"] })])),
    b: policyOf(mandateOf([clause("allow", { targetPrefix: ["https://api.example.com"] })])),
    want: ["differ", "block>allow network x https://api.example.comx/"],
  },
  {
    it: "does not call a change of one scope a change while another stands in front",
    a: policyOf(mandateOf([clause("block")]), mandateOf([])),
    b: policyOf(mandateOf([clause("block")]), mandateOf([clause("allow")])),
    want: ["same"],
  },
  {
    it: "counts a kind that needs a person",
    a: policyOf(mandateOf([clause("allow", { kind: ["network", "file"] })])),
    b: policyOf(mandateOf([clause("allow", { kind: ["network", "file"] })], { requiresHuman: ["file"] })),
    want: ["differ", "allow>review file x x"],
  },
  {
    it: "blocks what an expired mandate allowed",
    a: policyOf(mandateOf([clause("allow", { verb: ["get"] })])),
    b: policyOf(mandateOf([clause("allow", { verb: ["get"] })], { expires: { until: NOW, inclusive: false } })),
    want: ["differ", "allow>block network get x"],
  },
  {
    it: "blocks everything once a document has ended",
    a: policyOf(mandateOf([clause("allow", { verb: ["get"] })])),
    b: {
      ...policyOf(mandateOf([clause("allow", { verb: ["get"] })])),
      expiries: [{ scope: "org:a", until: { until: NOW, inclusive: false } }],
    },
    want: ["differ", "allow>block network get x"],
  },
  {
    it: "never lets a clause permit what nobody mapped to a kind",
    a: policyOf(mandateOf([])),
    b: policyOf(mandateOf([clause("allow", { kind: ["unspecified"] })])),
    want: ["same"],
  },
  {
    it: "compares addresses as bytes",
    a: policyOf(mandateOf([clause("allow", { counterparty: [`0x${"Ab".repeat(20)}`] })])),
    b: policyOf(mandateOf([clause("allow", { counterparty: [`0x${"aB".repeat(20)}`] })])),
    want: ["same"],
  },
  {
    it: "names what is loosened before what is tightened",
    a: policyOf(mandateOf([clause("allow", { verb: ["a"] }), clause("review", { verb: ["b"] })])),
    b: policyOf(mandateOf([clause("allow", { verb: ["b"] })])),
    want: ["differ", "review>allow network b x", "allow>block network a x"],
  },
])("$it", ({ a, b, want }) => {
  expect(told(diffMandates(a, b, NOW))).toEqual(want);
});

test("says undecided, and what it found until then, past its bound", () => {
  // Each clause takes other values together, so that hardly any two values stay together.
  const some = (seed: number) =>
    Array.from({ length: 64 }, (_, i) => `n${i}`).filter((_, i) => ((seed * 2_654_435_761) ^ (i * 40_503)) % 3 === 0);
  const many = (effect: Clause["effect"]) =>
    Array.from({ length: 1_000 }, (_, i) =>
      clause(i % 2 === 0 ? effect : "review", {
        verb: some(i),
        counterparty: some(i + 7),
        targetPrefix: some(i + 3).map((name) => `/${name}/`),
        maxAmount: money(String((i * 37) % 101)),
      }),
    );
  const diff = diffMandates(policyOf(mandateOf(many("allow"))), policyOf(mandateOf(many("block"))), NOW);
  expect(diff).toMatchObject({ outcome: "undecided" });
  expect(diff.differences.length).toBeGreaterThan(0);
});

test("says undecided of a host that it can neither find nor exclude", () => {
  const prefix = "https://h:6553";
  const taken = Array.from({ length: 6 }, (_, digit) => `${prefix}${digit}`);
  const a = policyOf(mandateOf([clause("block", { targetPrefix: [...taken, `${prefix}/`] })]));
  const b = policyOf(
    mandateOf([
      clause("block", { targetPrefix: [...taken, `${prefix}/`] }),
      clause("allow", { targetPrefix: [prefix] }),
    ]),
  );
  expect(diffMandates(a, b, NOW)).toMatchObject({ outcome: "undecided", reason: "targets" });
});

test("leaves a mandate of a dialect to the dialect", () => {
  const a = policyOf(mandateOf([], { matching: "decoded" }));
  expect(diffMandates(a, a, NOW)).toMatchObject({ outcome: "undecided", reason: "dialect" });
});

test("is not told apart from deciding every action of a small alphabet under both", () => {
  fc.assert(
    fc.property(anyPair, fc.nat(), ([a, b], start) => {
      const diff = diffMandates(a, b, NOW);
      expect(diff.outcome).not.toBe("undecided");
      for (const { region, witness } of diff.differences) expect(inRegion(region, witness)).toBe(true);
      // Some of the actions each time: which ones moves on with the runs.
      for (let i = start % 11; i < ALL_ACTIONS.length; i += 11) {
        const { action, subject } = ALL_ACTIONS[i] as (typeof ALL_ACTIONS)[number];
        const [from, to] = [bruteVerdict(a, subject), bruteVerdict(b, subject)];
        const found = diff.differences.filter(({ region }) => inRegion(region, action));
        const want = from === to ? [] : [`${from}>${to}`];
        if (found.length !== want.length || found.some((one) => `${one.from}>${one.to}` !== want[0]))
          expect({ action, found: found.map((one) => `${one.from}>${one.to}`) }).toEqual({ action, found: want });
      }
    }),
    { numRuns: 80 },
  );
});
