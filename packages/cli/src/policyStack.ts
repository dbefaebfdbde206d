import {
  composeParts,
  type EffectivePolicy,
  type JsonValue,
  kindOf,
  type PolicyPart,
  type PolicyProblem,
  type Result,
  readPart,
  SCOPE_KINDS,
  scopeOf,
} from "@countersign/core";
import { CommandError, refuse } from "./exit.ts";
import { nameOf } from "./input.ts";
import { LOCAL_SCOPE, readSource } from "./policyFile.ts";

/** One document of a policy: where it stands and what its file says. */
export interface StackedDocument {
  readonly file: string;
  readonly scope: string;
  readonly text: string;
  readonly document: JsonValue;
  readonly part: Result<PolicyPart, readonly PolicyProblem[]>;
}

/**
 * The documents that a command line names: `FILE` alone, as the organisation's, or `SCOPE=FILE` several times, joined by
 * commas, such as `platform:default=base.yaml,org:acme=acme.yaml`. They are put in the order of composition.
 */
export async function readStack(argument: string): Promise<readonly StackedDocument[]> {
  const named = SCOPED.test(argument) ? argument.split(",").map(scopedFile) : [{ scope: LOCAL_SCOPE, file: argument }];
  const documents: StackedDocument[] = [];
  for (const { scope, file } of named) {
    if (documents.some((one) => one.scope === scope))
      throw new CommandError("usage", "a scope has one document", { at: scope });
    const { text, document } = await readSource(file);
    documents.push({ file, scope, text, document, part: readPart(document, scope) });
  }
  return documents.sort((a, b) => rank(a.scope) - rank(b.scope) || (a.scope < b.scope ? -1 : 1));
}

const SCOPED = /^[a-z]+:[^=,]*=/;

function scopedFile(text: string): { readonly scope: string; readonly file: string } {
  const [, kind = "", id = "", file = ""] = /^([a-z]+):([^=]*)=(.+)$/.exec(text) ?? [];
  const scope = scopeOf(kind, id);
  if (file === "" || !scope.ok)
    throw new CommandError("usage", "a document of a scope is named by SCOPE=FILE", {
      at: text,
      expected: "such as platform:default=base.yaml,org:acme=acme.yaml",
    });
  return { scope: scope.value, file };
}

const rank = (scope: string): number => SCOPE_KINDS.indexOf(kindOf(scope) ?? "agent");

/** All documents, read; the first that cannot be ends the command. */
export function partsOf(documents: readonly StackedDocument[]): readonly PolicyPart[] {
  return documents.map(({ part, file }) => {
    if (part.ok) return part.value;
    const [first, ...rest] = part.error;
    return refuse(
      first ?? { code: "policy.malformed", message: "the policy cannot be read" },
      nameOf(file),
      rest.length,
    );
  });
}

export const policyOf = (documents: readonly StackedDocument[]): EffectivePolicy => composeParts(partsOf(documents));
