import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compose } from "./compose.ts";
import type { Basis } from "./decision.ts";
import type { Finding, Severity, Verdict } from "./finding.ts";

const finding = (severity: Severity, code = `test.${severity}`): Finding => ({
  check: "test",
  code,
  severity,
  message: "found",
  retry: "changed",
});
const CLAUSE: Basis = [{ by: "clause", scope: "org:acme", id: "reads" }];

const anyFinding: fc.Arbitrary<Finding> = fc.record(
  {
    check: fc.constantFrom("spend", "mandate"),
    code: fc.constantFrom("a.one", "a.two", "b.one"),
    severity: fc.constantFrom<Severity>("advisory", "review", "block"),
    message: fc.constantFrom("one", "two"),
    path: fc.constantFrom("/action", "/material"),
    retry: fc.constantFrom("never" as const, "changed" as const),
  },
  { requiredKeys: ["check", "code", "severity", "message", "retry"] },
);

/** The obvious rule, without order, keys or grants. */
const model = (basis: Basis, all: readonly Finding[]): Verdict =>
  basis === null || basis.length === 0 || all.some((one) => one.severity === "block")
    ? "block"
    : all.some((one) => one.severity === "review")
      ? "review"
      : "allow";

const RANK = { allow: 0, review: 1, block: 2 } as const;

describe("laws", () => {
  test("Block wins.", () => {
    fc.assert(
      fc.property(fc.array(anyFinding), (all) => {
        expect(compose(CLAUSE, [...all, finding("block")]).verdict).toBe("block");
      }),
    );
  });

  test("No basis means block.", () => {
    fc.assert(
      fc.property(fc.array(anyFinding), fc.constantFrom<Basis>(null, []), (all, basis) => {
        const decided = compose(basis, all);
        expect(decided.verdict).toBe("block");
        expect(decided.basis).toBeNull();
        expect(decided.findings.map((one) => one.code)).toContain("basis.none");
      }),
    );
  });

  test("Order and repetition of findings do not matter.", () => {
    fc.assert(
      fc.property(fc.array(anyFinding), fc.infiniteStream(fc.nat()), (all, picks) => {
        const shuffled = [...all, ...all.filter((_, i) => i % 2 === 0)];
        for (let i = shuffled.length - 1; i > 0; i -= 1) {
          const j = Number(picks.next().value) % (i + 1);
          [shuffled[i], shuffled[j]] = [shuffled[j] as Finding, shuffled[i] as Finding];
        }
        expect(compose(CLAUSE, shuffled)).toEqual(compose(CLAUSE, all));
      }),
    );
  });

  test("With the basis fixed, finding more never loosens.", () => {
    fc.assert(
      fc.property(fc.array(anyFinding), fc.array(anyFinding), (some, more) => {
        const before = compose(CLAUSE, some).verdict;
        expect(RANK[compose(CLAUSE, [...some, ...more]).verdict]).toBeGreaterThanOrEqual(RANK[before]);
      }),
    );
  });
});

test("decides as the obvious rule does", () => {
  fc.assert(
    fc.property(fc.array(anyFinding), fc.constantFrom<Basis>(null, CLAUSE), (all, basis) => {
      expect(compose(basis, all).verdict).toBe(model(basis, all));
    }),
  );
});

describe("a grant", () => {
  const grant = { id: "grant_1", codes: ["test.review"] };

  test("lets pass what its person saw", () => {
    const decided = compose(CLAUSE, [finding("review")], grant);
    expect(decided.verdict).toBe("allow");
    expect(decided.findings.map((one) => one.code)).toEqual(["grant.used", "test.review"]);
  });

  test("covers nothing when one review code is new", () => {
    const decided = compose(CLAUSE, [finding("review"), finding("review", "test.new")], grant);
    expect(decided.verdict).toBe("review");
    expect(decided.findings.map((one) => one.code)).not.toContain("grant.used");
  });

  test("never lifts a block", () => {
    expect(compose(CLAUSE, [finding("review"), finding("block")], grant).verdict).toBe("block");
    expect(compose(null, [finding("review")], grant).verdict).toBe("block");
  });

  test("is not used where nothing asks for a person", () => {
    expect(compose(CLAUSE, [finding("advisory")], grant).findings.map((one) => one.code)).toEqual(["test.advisory"]);
  });
});
