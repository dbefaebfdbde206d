import { type LintFinding, type LintSeverity, lintPolicy, type PolicyPart } from "@countersign/core";
import { STATUS } from "../../exit.ts";
import { nameOf } from "../../input.ts";
import { timeOf } from "../../now.ts";
import { paint, print, printJson } from "../../output.ts";
import { readStack, type StackedDocument } from "../../policyStack.ts";
import { printable } from "../../printable.ts";
import { actionJson } from "../../regionText.ts";
import { type Place, placesIn } from "../../yamlPlaces.ts";

export interface LintOptions {
  readonly now?: string;
  readonly strict?: true;
  readonly json?: true;
}

interface Placed extends LintFinding, Place {
  readonly file: string;
}

/** Says what is wrong or doubtful in a policy, with the line it stands on. */
export async function lint(policy: string, options: LintOptions): Promise<void> {
  const now = timeOf(options.now);
  const documents = await readStack(policy);
  const unread = documents.flatMap(problemsOf);
  const parts: PolicyPart[] = documents.flatMap(({ part }) => (part.ok ? [part.value] : []));
  // What cannot be read whole is not judged in part: the rest would be judged by what is left of it.
  const found = unread.length > 0 ? unread : lintPolicy(parts, now);
  const placed = found.map((finding) => place(finding, documents));
  const count = (severity: LintSeverity) => placed.filter((one) => one.severity === severity).length;
  const [errors, warnings, notes] = [count("error"), count("warning"), count("note")];
  const failed = errors > 0 || (options.strict === true && warnings > 0);
  process.exitCode = failed ? STATUS.block : STATUS.allow;
  if (options.json === true) {
    const findings = placed.map(({ example, ...rest }) => ({
      ...rest,
      ...(example === undefined ? {} : { example: actionJson(example) }),
    }));
    printJson({ findings, errors, warnings, notes });
    return;
  }
  for (const { file, line, column, severity, code, message } of placed)
    print(
      `${printable(file)}:${line}:${column}  ${paint(severity, COLOUR[severity])}  ${printable(message)}  ${paint(printable(code), "dim")}`,
    );
  print(
    placed.length === 0
      ? "nothing to say"
      : `${plural(errors, "error")}, ${plural(warnings, "warning")}, ${plural(notes, "note")}`,
  );
}

const COLOUR = { error: "block", warning: "review", note: "dim" } as const satisfies Record<LintSeverity, string>;

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

function problemsOf({ part, scope }: StackedDocument): readonly LintFinding[] {
  if (part.ok) return [];
  return part.error.map(({ code, path, message }) => ({ code, severity: "error", scope, path, message }));
}

function place(finding: LintFinding, documents: readonly StackedDocument[]): Placed {
  const document = documents.find(({ scope }) => scope === finding.scope) as StackedDocument;
  return { ...finding, file: nameOf(document.file), ...placesOf(document)(finding.path) };
}

const known = new WeakMap<StackedDocument, (pointer: string) => Place>();

function placesOf(document: StackedDocument): (pointer: string) => Place {
  const places = known.get(document) ?? placesIn(document.text);
  known.set(document, places);
  return places;
}
