import type { Finding, Severity } from "../../decision/finding.ts";
import { TOKEN_FACTORS, type TokenFactor } from "./factors.ts";
import type { TokenJudgement } from "./judge.ts";

const SEVERITY = { danger: "block", warn: "review", note: "advisory" } as const satisfies Record<string, Severity>;

/**
 * What a token's safety means for an action that would touch it. Not known is a block: a token that nobody could check
 * is not one that nothing was found in.
 * @param path where the ask names the token, as a JSON Pointer.
 */
export function tokenFindings(
  judgement: TokenJudgement | { readonly unknown: string },
  path: string,
): readonly Finding[] {
  if (!("severity" in judgement)) {
    return [found("unknown", "block", path, `the token's safety is not known: ${judgement.unknown}`, "later")];
  }
  const { factors, unknown, advisories } = judgement;
  const told = (factor: TokenFactor, severity: Severity): Finding =>
    found(factor, severity, path, TOKEN_FACTORS[factor].meaning, "never");
  return [
    ...factors.map((factor) => told(factor, SEVERITY[TOKEN_FACTORS[factor].weight])),
    ...advisories.map((factor) => told(factor, "advisory")),
    ...(unknown.length === 0
      ? []
      : [found("not_seen", "review", path, `nobody could look at: ${unknown.join(", ")}`, "later")]),
  ];
}

const found = (code: string, severity: Severity, path: string, message: string, retry: Finding["retry"]): Finding => ({
  check: "token",
  code: `token.${code}`,
  severity,
  path,
  message,
  retry,
});
