import type { Basis, Decided } from "./decision.ts";
import type { Finding, Severity, Verdict } from "./finding.ts";

const VERDICT = { advisory: "allow", review: "review", block: "block" } as const satisfies Record<Severity, Verdict>;
const STRICTNESS = { allow: 0, review: 1, block: 2 } as const satisfies Record<Verdict, number>;

export const stricter = (a: Verdict, b: Verdict): Verdict => (STRICTNESS[a] >= STRICTNESS[b] ? a : b);

/** An action that a person approved, with the review codes that this person saw. */
export interface GrantInHand {
  readonly id: string;
  readonly codes: readonly string[];
}

const NO_BASIS: Finding = {
  check: "basis",
  code: "basis.none",
  severity: "block",
  message: "nothing in force permits this",
  retry: "changed",
};

/**
 * Joins basis and findings to a verdict: the strictest finding, else allow. Without a basis there is a block finding.
 * A grant turns the review findings its person saw into advisories, and only if it covers every one of them: one
 * review code that nobody saw needs a new look at the whole.
 */
export function compose(basis: Basis, found: readonly Finding[], grant: GrantInHand | null = null): Decided {
  const all = basis === null || basis.length === 0 ? [...found, NO_BASIS] : found;
  const reviews = all.filter((finding) => finding.severity === "review");
  const granted =
    grant !== null && reviews.length > 0 && reviews.every((finding) => grant.codes.includes(finding.code));
  const findings = ordered(granted ? [...all.map(approved), grantUsed(grant)] : all);
  const verdict = findings.map((finding) => VERDICT[finding.severity]).reduce<Verdict>(stricter, "allow");
  return { kind: "decided", verdict, basis: basis === null || basis.length === 0 ? null : basis, findings };
}

const approved = (finding: Finding): Finding =>
  finding.severity === "review" ? { ...finding, severity: "advisory" } : finding;

const grantUsed = (grant: GrantInHand): Finding => ({
  check: "grant",
  code: "grant.used",
  severity: "advisory",
  message: "a person approved this action",
  actual: grant.id,
  retry: "never",
});

/** Strictest first, then by content; equal findings once. Any order of finding gives the same list. */
function ordered(findings: readonly Finding[]): readonly Finding[] {
  const keyed = findings.map((finding) => ({ key: sortKey(finding), finding }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.filter(({ key }, at) => key !== keyed[at - 1]?.key).map(({ finding }) => finding);
}

const sortKey = (finding: Finding): string =>
  JSON.stringify([
    2 - STRICTNESS[VERDICT[finding.severity]],
    finding.check,
    finding.code,
    finding.path ?? "",
    finding.message,
    finding.expected ?? "",
    finding.actual ?? "",
    finding.retry,
  ]);
