import { actionDigest, type BasisEntry, decide } from "@countersign/core";
import { askOf } from "../ask.ts";
import { CommandError, refuse, STATUS } from "../exit.ts";
import { nameOf, readJson } from "../input.ts";
import { timeOf } from "../now.ts";
import { offlineFacts } from "../offlineFacts.ts";
import { print, printJson } from "../output.ts";
import { readPolicyFile } from "../policyFile.ts";
import { printVerdict, reasonOf } from "../reasons.ts";
import type { CheckOptions } from "./checkOptions.ts";

/** Decides one ask, on paper: nothing is recorded, reserved or signed. */
export async function check(file: string, options: CheckOptions): Promise<void> {
  if (options.dialect !== undefined || options.mandate !== undefined) {
    if (options.policy !== undefined)
      throw new CommandError(
        "usage",
        "a dialect judges by what its arguments carry, so --policy cannot be given with it",
      );
    return (await import("./checkDialect.ts")).checkDialect(file, options);
  }
  if (file === "-" && options.policy === "-")
    throw new CommandError("usage", "the ask and the policy cannot both be read from stdin");
  const now = timeOf(options.now);
  const ask = askOf(await readJson(file, "plain"), nameOf(file));
  const policy = options.policy === undefined ? null : await readPolicyFile(options.policy);
  const outcome = decide(ask, policy, offlineFacts(ask, policy, now), now);
  if (outcome.kind === "fault") return refuse(outcome, nameOf(file));
  const { verdict, basis, findings } = outcome;
  process.exitCode = STATUS[verdict];
  if (options.json === true) {
    printJson({ verdict, basis, findings, action_digest: actionDigest(ask), policy_digest: policy?.digest ?? null });
    return;
  }
  // What permits is told where it does: beside a block it would read as its reason.
  const permitted = verdict === "allow" && basis !== null ? `by ${basis.map(basisText).join(", ")}` : "";
  printVerdict(verdict, permitted, findings.map(reasonOf));
  if (policy === null)
    print("  Give the policy to decide by with --policy FILE; countersign init writes one to start with.");
}

const basisText = (entry: BasisEntry): string =>
  entry.by === "clause"
    ? `clause ${entry.id} of ${entry.scope}`
    : entry.by === "default"
      ? `the default of ${entry.scope}`
      : `the rule for ${entry.id}`;
