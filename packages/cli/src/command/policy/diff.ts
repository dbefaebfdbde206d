import {
  changedSections,
  type Decided,
  type Difference,
  diffMandates,
  type MandateDiff,
  type UndecidedReason,
  type Verdict,
} from "@countersign/core";
import { STATUS } from "../../exit.ts";
import { timeOf } from "../../now.ts";
import { paint, print, printJson } from "../../output.ts";
import { partsOf, policyOf, readStack } from "../../policyStack.ts";
import { printable } from "../../printable.ts";
import { actionJson, actionText, regionJson, regionText } from "../../regionText.ts";

export interface DiffOptions {
  readonly now?: string;
  readonly json?: true;
}

/** Differences that a person is shown; a program gets all. */
const SHOWN = 50;

/** Compares two policies: their mandates exactly, all else as it is written. */
export async function diff(before: string, after: string, options: DiffOptions): Promise<void> {
  const now = timeOf(options.now);
  const [old, young] = [await readStack(before), await readStack(after)];
  const mandate = diffMandates(policyOf(old), policyOf(young), now);
  const changed = changedSections(partsOf(old), partsOf(young), ["mandate"]);
  process.exitCode =
    mandate.outcome === "undecided"
      ? STATUS.review
      : mandate.outcome === "differ" || changed.length > 0
        ? STATUS.block
        : STATUS.allow;
  if (options.json === true) {
    const { differences, ...rest } = mandate;
    printJson({ mandate: { ...rest, differences: differences.map(differenceJson) }, changed });
    return;
  }
  printMandate(mandate);
  for (const { scope, section, change, places } of changed)
    print(
      `${paint(change, "bold")} ${printable(`${section} of ${scope}${places.join() === "" ? "" : `: ${places.join(", ")}`}`)}`,
    );
}

const differenceJson = ({ from, to, region, witness, before, after }: Difference) => ({
  from,
  to,
  region: regionJson(region),
  witness: actionJson(witness),
  before,
  after,
});

function printMandate(mandate: MandateDiff): void {
  const { outcome, differences, regions } = mandate;
  const looked = `${regions} ${regions === 1 ? "region" : "regions"} looked at`;
  if (outcome === "same") print(`${paint("same", "allow")}  no action is judged otherwise (${looked})`);
  if (outcome === "differ") print(`${paint("differ", "review")}  ${counted(differences.length)} (${looked})`);
  if (outcome === "undecided") {
    print(`${paint("undecided", "block")}  ${WHY[mandate.reason]} (${looked})`);
    if (differences.length > 0) print(`Found until then: ${counted(differences.length)}`);
  }
  for (const difference of differences.slice(0, SHOWN)) printDifference(difference);
  if (differences.length > SHOWN) print("", `and ${differences.length - SHOWN} more; --json lists all`);
  if (differences.length > 0) print("");
}

const counted = (count: number): string => (count === 1 ? "1 difference" : `${count} differences`);

const WHY = {
  regions: "the policies split actions into more regions than are looked at",
  work: "comparing the policies takes more work than is spent on it",
  targets: "of some prefixes could not be told whether any target begins so",
  dialect: "only native mandates are compared",
} as const satisfies Record<UndecidedReason, string>;

function printDifference({ from, to, region, witness, before, after }: Difference): void {
  const arrow = (verdict: Verdict) => paint(verdict, verdict);
  print(
    "",
    `${arrow(from)} → ${arrow(to)}  ${printable(actionText(witness))}`,
    `  where   ${printable(regionText(region))}`,
    `  before  ${printable(whyText(before))}`,
    `  after   ${printable(whyText(after))}`,
  );
}

/** What decided, in a few words. */
export function whyText({ verdict, basis, findings }: Decided): string {
  const strictest =
    findings.find(({ severity, check }) => severity === verdict && check !== "basis") ??
    findings.find(({ severity }) => severity === verdict);
  if (strictest !== undefined) return strictest.message;
  const by = (basis ?? []).map((one) => (one.by === "clause" ? `clause ${one.id} of ${one.scope}` : one.by));
  return `permitted by ${by.join(" and ")}`;
}
