import fc from "fast-check";
import type { Action, Kind } from "../action/action.ts";
import { normaliseTarget } from "../action/target.ts";
import { evaluateByLoop } from "../check/mandate/evaluateByLoop.ts";
import { type Subject, subjectOf } from "../check/mandate/subject.ts";
import { stricter } from "../decision/compose.ts";
import type { Verdict } from "../decision/finding.ts";
import { parseMoney } from "../money/money.ts";
import type { EffectivePolicy } from "../policy/effective.ts";
import type { Clause, ClauseMatch, Mandate } from "../policy/mandate.ts";
import { readPolicy } from "../policy/readPolicy.ts";
import { hasEnded } from "../policy/until.ts";
import { type Instant, parseInstant } from "../time/instant.ts";

/**
 * Small policies over small alphabets, and all their actions: what an analysis of policies is compared with. Prefixes
 * nest, differ in case and escapes, and some are no normal form; amounts lie at, between and above ceilings.
 */
export const at = (text: string): Instant => {
  const read = parseInstant(text);
  if (!read.ok) throw new Error(read.error.code);
  return read.value;
};
export const NOW = at("2027-01-31T12:00:00Z");
export const money = (value: string, currency = "USD") => {
  const read = parseMoney(value, currency);
  if (!read.ok) throw new Error(read.error.code);
  return read.value;
};
const blank = readPolicy({}, "org:a");
if (!blank.ok) throw new Error("an empty policy reads");
const BLANK = blank.value;

export type Draft = Omit<Clause, "id">;
export const clause = (effect: Clause["effect"], match: Partial<ClauseMatch> = {}): Draft => ({
  effect,
  match: { kind: ["network"], ...match },
});
export const mandateOf = (clauses: readonly Draft[], rest: Partial<Mandate> = {}): Mandate => ({
  id: "m",
  clauses: clauses.map((one, place) => ({ ...one, id: `c${place}` })),
  requiresHuman: [],
  otherwise: "block",
  matching: "native",
  verbs: "exact",
  ...rest,
});
export const policyOf = (...mandates: readonly Mandate[]): EffectivePolicy => ({
  ...BLANK,
  mandates: mandates.map((mandate, place) => ({ scope: `org:${place}`, mandate })),
});
const PREFIXES = [
  "/",
  "/a/",
  "/a/b",
  "/a/b/",
  "/A/",
  "/%61/",
  "/a/%2e",
  "/a/.",
  "/a/..",
  "/a%20",
  "a",
  "ａ",
  "x:",
  "https://h/",
  "https://H/",
  "https://h",
  "https:",
  "https://h/a b",
  "https://h/a%20b",
  "https://h/a/",
];
const TARGETS = [
  "/",
  "/x",
  "/a",
  "/a/",
  "/a/x",
  "/a/b",
  "/a/bx",
  "/a/b/",
  "/a/b/x",
  "/a/.x",
  "/a/..x",
  "/a/.b",
  "/A/",
  "/A/x",
  "/a x",
  "/a%2",
  "a",
  "ax",
  "x",
  "x:",
  "x:y",
  "https",
  "https://h/",
  "https://h/x",
  "https://h/a%20b",
  "https://h/a%20bx",
  "https://h/a/",
  "https://h/a/x",
  "https://hx/",
  "https://h:8/",
  "https://x/",
].filter((target) => {
  const read = normaliseTarget(target);
  return read.ok && read.value.normal === target;
});
const KINDS = ["network", "file", "unspecified"] as const satisfies readonly Kind[];
const AMOUNTS = [
  undefined,
  money("0"),
  money("1"),
  money("1.5"),
  money("2"),
  money("2.01"),
  money("3"),
  money("1", "EUR"),
];

const listOf = <T>(values: readonly T[]) => fc.option(fc.subarray([...values], { minLength: 1 }), { nil: undefined });
export const anyClause: fc.Arbitrary<Draft> = fc
  .record({
    effect: fc.constantFrom<Clause["effect"]>("allow", "review", "block"),
    kind: fc.subarray([...KINDS], { minLength: 1 }),
    verb: listOf(["get", "put"]),
    targetPrefix: fc.option(fc.subarray(PREFIXES, { minLength: 1, maxLength: 3 }), { nil: undefined, freq: 4 }),
    counterparty: listOf(["c", "d"]),
    maxAmount: fc.option(fc.constantFrom(money("1"), money("2"), money("2", "EUR")), { nil: undefined }),
  })
  .map(({ effect, ...match }) => ({
    effect,
    match: Object.fromEntries(
      Object.entries(match).filter(([, value]) => value !== undefined),
    ) as unknown as ClauseMatch,
  }));
export const anyMandate = fc
  .record({
    clauses: fc.array(anyClause, { maxLength: 5 }),
    requiresHuman: fc.subarray([...KINDS], { maxLength: 1 }),
    otherwise: fc.constantFrom("block" as const, "review" as const),
    expired: fc.integer({ min: 0, max: 19 }).map((n) => n === 0),
  })
  .map(({ clauses, expired, ...rest }) =>
    mandateOf(clauses, { ...rest, ...(expired ? { expires: { until: NOW, inclusive: false } } : {}) }),
  );
export const anyPolicy = fc.array(anyMandate, { maxLength: 2 }).map((mandates) => policyOf(...mandates));
/** Mostly the same mandates, changed a little: two that have nothing in common differ almost everywhere. */
export const anyPair = fc.oneof(
  fc.tuple(anyPolicy, anyPolicy),
  fc.tuple(anyMandate, anyClause, fc.nat(5)).map(([mandate, added, place]) => {
    const clauses = [...mandate.clauses.slice(0, place), added, ...mandate.clauses.slice(place)];
    return [
      policyOf(mandate),
      policyOf(mandateOf(clauses, { requiresHuman: mandate.requiresHuman, otherwise: mandate.otherwise })),
    ] as const;
  }),
);

/** With a kind that no clause speaks of: it stands for all the others. */
export const ALL_ACTIONS = ([...KINDS, "device"] as const satisfies readonly Kind[])
  .flatMap((kind) =>
    ["get", "put", "x"].flatMap((verb) =>
      TARGETS.flatMap((target) =>
        [undefined, "c", "d", "e"].flatMap((counterparty) =>
          AMOUNTS.map((amount) => ({
            kind,
            verb,
            target,
            ...(counterparty === undefined ? {} : { counterparty }),
            ...(amount === undefined ? {} : { amount }),
          })),
        ),
      ),
    ),
  )
  .map((action: Action) => {
    const subject = subjectOf(action, mandateOf([]));
    if (!subject.ok) throw new Error(subject.error.code);
    return { action, subject: subject.value };
  });

/** The obvious way: every scope is asked, clause by clause. */
export function bruteVerdict({ mandates }: EffectivePolicy, subject: Subject): Verdict {
  if (mandates.length === 0) return "block";
  return mandates
    .map(({ mandate }): Verdict => {
      if (mandate.expires !== undefined && hasEnded(mandate.expires, NOW)) return "block";
      return evaluateByLoop(mandate, subject).effect;
    })
    .reduce(stricter);
}
