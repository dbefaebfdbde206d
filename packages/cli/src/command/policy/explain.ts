import {
  actionDigest,
  type Clause,
  type ClauseStep,
  type Decided,
  decide,
  explainMandates,
  type Finding,
  formatMoney,
  type MandateExplained,
  type Remedy,
  remedyFor,
  withDerivedAction,
} from "@countersign/core";
import { askOf } from "../../ask.ts";
import { CommandError, refuse, STATUS } from "../../exit.ts";
import { nameOf, readJson } from "../../input.ts";
import { timeOf } from "../../now.ts";
import { offlineFacts } from "../../offlineFacts.ts";
import { paint, print, printJson, verdictWord } from "../../output.ts";
import { policyOf, readStack } from "../../policyStack.ts";
import { printable } from "../../printable.ts";
import { compiledPolicy } from "../../schemas.ts";

export interface ExplainOptions {
  readonly policy: string;
  readonly spent?: string;
  readonly all?: true;
  readonly now?: string;
  readonly json?: true;
}

/** Why an ask gets its verdict: every clause with its reason, what the other checks found, and the smallest change that would pass. */
export async function explain(file: string, options: ExplainOptions): Promise<void> {
  if (file === "-" && options.policy === "-")
    throw new CommandError("usage", "the ask and the policy cannot both be read from stdin");
  const now = timeOf(options.now);
  const asked = askOf(await readJson(file, "plain"), nameOf(file));
  const ask = withDerivedAction(asked);
  const policy = await compiledPolicy(policyOf(await readStack(options.policy)));
  const facts = offlineFacts(ask, policy, now, options.spent === undefined ? {} : { spent: options.spent });
  const outcome = decide(ask, policy, facts, now);
  if (outcome.kind === "fault") return refuse(outcome, nameOf(file));
  const mandates = ask.action === undefined ? [] : explainMandates(ask.action, policy, now);
  const remedy = asked.action === undefined ? null : remedyFor(ask, policy, facts, now, outcome);
  process.exitCode = STATUS[outcome.verdict];
  if (options.json === true) {
    const { verdict, basis, findings } = outcome;
    printJson({
      verdict,
      basis,
      findings,
      mandates: mandates.map(mandateJson),
      remedy,
      action_digest: actionDigest(asked),
      policy_digest: policy.digest,
    });
    return;
  }
  printExplained(outcome, mandates, remedy, options.all === true);
}

const mandateJson = ({ scope, outcome, steps }: MandateExplained) => ({
  scope,
  outcome: outcome.kind,
  ...(outcome.kind === "evaluated" ? { effect: outcome.result.effect, by: outcome.result.clause?.id ?? null } : {}),
  clauses: steps.map(({ clause, outcome: step }) => ({ id: clause.id, effect: clause.effect, outcome: step })),
});

function printExplained(
  decided: Decided,
  mandates: readonly MandateExplained[],
  remedy: Remedy | null,
  all: boolean,
): void {
  print(paint(verdictWord(decided.verdict), "bold"));
  for (const mandate of mandates) printMandate(mandate, all);
  const others = decided.findings.filter(({ check }) => check !== "mandate" && check !== "basis");
  if (others.length > 0) print("", "other checks", ...others.map(findingLine));
  if (decided.basis === null && mandates.length === 0) print("", "nothing in force permits this");
  if (remedy !== null) {
    const then = remedy.verdict === "allow" ? "would be allowed" : "would wait for a person";
    print("", `${paint("remedy", "bold")}  ${printable(remedy.text)}: ${then}`);
  }
}

function printMandate({ scope, outcome, steps }: MandateExplained, all: boolean): void {
  print("", `mandate of ${printable(scope)}`);
  if (outcome.kind !== "evaluated") {
    const why = outcome.kind === "expired" ? "it has expired" : outcome.error.message;
    print(`  ${printable(why)}, and that blocks`);
    return;
  }
  const shown = all ? steps : steps.filter((step) => step.outcome !== "kind");
  const rows = shown.map((step) => [mark(step), printable(step.clause.id), step.clause.effect, reason(step)] as const);
  const width = Math.min(32, Math.max(0, ...rows.map(([, id]) => id.length)));
  for (const [sign, id, effect, why] of rows)
    print(`  ${sign} ${id.padEnd(width)}  ${paint(effect.padEnd(6), effect)}  ${printable(why)}`);
  const left = steps.length - shown.length;
  if (left > 0)
    print(paint(`    ${left} ${left === 1 ? "clause" : "clauses"} for other kinds; --all shows them`, "dim"));
  const { result } = outcome;
  if (result.clause === undefined)
    print(`  ${paint("●", "bold")} default  ${paint(result.effect, result.effect)}  no clause matches`);
  if (result.lifted) print("    the kind always needs a person");
  if (result.ambiguous)
    print("    the target is permitted in one spelling and not in the other, so that a person has to look");
}

const mark = ({ outcome }: ClauseStep): string =>
  outcome === "decides" ? paint("●", "bold") : outcome === "too_late" ? "·" : "○";

/** What the clause wants and does not get. Repeats the clause, and nothing of the ask. */
function reason({ clause, outcome }: ClauseStep): string {
  const { match } = clause;
  switch (outcome) {
    case "decides":
      return "matches first, and decides";
    case "too_late":
      return "matches too, but comes later";
    case "kind":
      return `is for ${list(match.kind)}`;
    case "verb":
      return `wants the verb ${list(match.verb)}`;
    case "target":
      return `wants a target that begins with ${list(match.targetPrefix)}`;
    case "counterparty":
      return `wants the counterparty ${list(match.counterparty)}`;
    case "amount":
      return "wants an amount";
    case "currency":
      return `wants an amount in ${match.maxAmount?.currency ?? ""}`;
    case "ceiling":
      return `wants an amount of at most ${ceiling(clause)}`;
  }
}

function ceiling({ match }: Clause): string {
  if (match.maxAmount === undefined) return "";
  const { value, currency } = formatMoney(match.maxAmount);
  return `${value} ${currency}`;
}

const SHOWN = 4;
const list = (names: readonly string[] = []): string =>
  names.slice(0, SHOWN).join(" or ") + (names.length > SHOWN ? ` or ${names.length - SHOWN} more` : "");

function findingLine({ code, severity, path, message, expected }: Finding): string {
  const place = path === undefined ? "" : ` ${path}`;
  const wanted = expected === undefined ? "" : ` (expected ${expected})`;
  return `  ${paint(severity, severity === "advisory" ? "dim" : severity)}  ${printable(`${code}${place}: ${message}${wanted}`)}`;
}
