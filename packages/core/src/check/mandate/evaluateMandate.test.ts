import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KINDS, type Kind } from "../../action/action.ts";
import { normaliseTarget } from "../../action/target.ts";
import { type Decimal, parseDecimal } from "../../money/decimal.ts";
import type { Money } from "../../money/money.ts";
import type { Clause, Mandate } from "../../policy/mandate.ts";
import { compileMandate } from "./compileMandate.ts";
import { evaluateByLoop } from "./evaluateByLoop.ts";
import { evaluateMandate } from "./evaluateMandate.ts";
import { prefixSpellings } from "./prefixSpellings.ts";
import { subjectOf } from "./subject.ts";

const kinds: fc.Arbitrary<Kind> = fc.constantFrom("file", "network", "transaction", "unspecified");
const verbs = fc.constantFrom("read", "READ", "write", "pay");
const prefixes = fc.oneof(
  fc.constantFrom(
    "/a/",
    "/a/b/",
    "/a/b/c/",
    "/%61/",
    "/é/",
    "/é/",
    "https://Example.com/",
    "https://example.com/v1/",
    "",
    "/a/./b/",
  ),
  fc.array(fc.constantFrom("a", "b", "/"), { maxLength: 24 }).map((parts) => `/${parts.join("")}`),
);
const targets = fc
  .oneof(
    prefixes,
    fc
      .tuple(prefixes, fc.constantFrom("x", "../x", "%2e%2e/x", "b/c/d", "%62/c", "c//d"))
      .map((parts) => parts.join("")),
    fc.constantFrom("https://example.com/v1/x", "https://EXAMPLE.com/v1/x", "/a/%62/c/x", "/%2561/x"),
  )
  .filter((target) => target !== "");
const address = `0x${"aB".repeat(20)}`;
const parties = fc.constantFrom("alice", "bob", "carol", address, address.toLowerCase());
const currencies = fc.constantFrom("USD", "EUR", "eip155:1/erc20:0x00");
const decimal = (text: string): Decimal => {
  const read = parseDecimal(text);
  if (!read.ok) throw new Error(read.error.code);
  return read.value;
};
const amounts: fc.Arbitrary<Money> = fc.record({
  amount: fc
    .tuple(fc.nat(40), fc.stringMatching(/^(\.[0-9]{1,3})?$/))
    .map(([whole, fraction]) => decimal(`${whole}${fraction}`)),
  currency: currencies,
});
const some = <T>(item: fc.Arbitrary<T>, maxLength = 3): fc.Arbitrary<T[]> => fc.array(item, { maxLength });

const match = fc.record(
  {
    kind: some(kinds),
    verb: some(verbs),
    targetPrefix: some(prefixes),
    counterparty: some(parties),
    maxAmount: amounts,
  },
  { requiredKeys: ["kind"] },
);
const effect = fc.constantFrom("allow" as const, "review" as const, "block" as const);

const mandateOf = (clauses: readonly Omit<Clause, "id">[], rest: Omit<Mandate, "id" | "clauses">): Mandate => ({
  id: "m",
  clauses: clauses.map((clause, i) => ({ ...clause, id: `c${i}` })),
  ...rest,
});

const rest: fc.Arbitrary<Omit<Mandate, "id" | "clauses">> = fc.record({
  requiresHuman: some(kinds, 2),
  otherwise: fc.constantFrom("review" as const, "block" as const),
  matching: fc.constantFrom("native" as const, "decoded" as const),
  verbs: fc.constantFrom("exact" as const, "fold" as const),
});

const action = fc.record(
  { kind: kinds, verb: verbs, target: targets, counterparty: parties, amount: amounts },
  { requiredKeys: ["kind", "verb", "target"] },
);

const cannotBeToldApart = (mandate: Mandate, asked: fc.Arbitrary<Parameters<typeof subjectOf>[0]>) => {
  const compiled = compileMandate(mandate);
  for (const one of fc.sample(asked, 10)) {
    const subject = subjectOf(one, mandate);
    if (subject.ok) expect(evaluateMandate(compiled, subject.value)).toEqual(evaluateByLoop(mandate, subject.value));
  }
};

describe("the index and the loop cannot be told apart", () => {
  test("on few varied clauses", () => {
    fc.assert(
      fc.property(some(fc.record({ effect, match }), 12), rest, (clauses, other) =>
        cannotBeToldApart(mandateOf(clauses, other), action),
      ),
      { numRuns: 400 },
    );
  });

  test("on many clauses under few prefixes, where lists are split", () => {
    const clause = fc.record({
      effect,
      match: fc.record(
        {
          kind: fc.constantFrom<Kind[]>(["file"], ["file", "network"]),
          verb: fc.constantFrom(["read"], ["read", "WRITE"]),
          targetPrefix: fc.constantFrom(["/a/"], ["/a/b/"], ["/a/", "/%61/"]),
          counterparty: some(parties),
          maxAmount: amounts,
        },
        { requiredKeys: ["kind", "counterparty", "maxAmount"] },
      ),
    });
    fc.assert(
      fc.property(fc.array(clause, { minLength: 20, maxLength: 60 }), rest, (clauses, other) =>
        cannotBeToldApart(mandateOf(clauses, other), action),
      ),
      { numRuns: 100 },
    );
  });

  test("on prefixes of many lengths, which extend one another", () => {
    const nested = fc.array(fc.constantFrom("/a", "/b", "/"), { maxLength: 20 }).map((parts) => `/a${parts.join("")}/`);
    const clause = fc.record({
      effect,
      match: fc.record({ kind: fc.constant<Kind[]>(["file"]), targetPrefix: some(nested) }),
    });
    const asked = fc.record({ kind: fc.constant<Kind>("file"), verb: verbs, target: nested });
    fc.assert(
      fc.property(fc.array(clause, { minLength: 40, maxLength: 80 }), rest, (clauses, other) =>
        cannotBeToldApart(mandateOf(clauses, other), asked),
      ),
      { numRuns: 100 },
    );
  });

  test("on lists too long to unfold", () => {
    const long = Array.from({ length: 70 }, (_, i) => `n${i}`);
    const clause = fc.record({
      effect,
      match: fc.record(
        {
          kind: fc.constantFrom<Kind[]>(["file"], [...KINDS]),
          verb: fc.constantFrom(["read"], [...long, "read"], [...long, "write"]),
          targetPrefix: fc.constantFrom(["/a/"], [...long.map((name) => `/${name}/`), "/a/"]),
          counterparty: fc.constantFrom([...long, "alice"], [...long, "bob"], ["alice"]),
          maxAmount: amounts,
        },
        { requiredKeys: ["kind"] },
      ),
    });
    fc.assert(
      fc.property(fc.array(clause, { minLength: 12, maxLength: 30 }), rest, (clauses, other) =>
        cannotBeToldApart(mandateOf(clauses, other), action),
      ),
      { numRuns: 60 },
    );
  });
});

test("a prefix that is taken for its own normal form is it", () => {
  const parts = fc.array(fc.constantFrom("a", "B", "..", ".", "-", "_", "x.y", "/", "//", "%61", ":", "é", " "), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(parts, (list) => {
      const prefix = list.join("");
      const normal = normaliseTarget(prefix);
      const spelled = prefixSpellings(prefix, "block", { matching: "native", verbs: "exact" });
      expect(spelled).toEqual(normal.ok && normal.value.normal !== prefix ? [prefix, normal.value.normal] : [prefix]);
    }),
    { numRuns: 2000 },
  );
});
