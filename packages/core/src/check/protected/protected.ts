import type { Action } from "../../action/action.ts";
import type { Finding } from "../../decision/finding.ts";
import type { EscalatedOperation, ForbiddenOperation } from "../../policy/effective.ts";
import { folded } from "../../policy/fold.ts";
import { type Glob, globMatches, globOf } from "../../policy/glob.ts";
import { quoted } from "../../text/quoted.ts";
import type { Check } from "../check.ts";
import { operationNames } from "./operations.ts";

/** Forbidden operations block, and operations that need escalation go to a person, on the assets they apply to. */
export const protectedOperations: Check = {
  name: "protected",
  needs: () => [],
  judge({ action }, { protection }) {
    if (action === undefined || (protection.forbidden.length === 0 && protection.escalations.length === 0)) return [];
    const names = operationNames(action);
    const assets = action.assets?.map(folded);
    const found = (operation: EscalatedOperation): boolean =>
      names.some((name) => globMatches(readyGlob(operation), name)) && appliesTo(operation, assets);
    return [
      ...protection.forbidden.filter(found).map((operation) => forbidden(operation, action)),
      ...protection.escalations.filter(found).map(escalated),
    ];
  },
};

const ready = new WeakMap<EscalatedOperation, Glob>();

function readyGlob(operation: EscalatedOperation): Glob {
  const known = ready.get(operation);
  if (known !== undefined) return known;
  const made = globOf(operation.pattern);
  ready.set(operation, made);
  return made;
}

/** An action that does not say what it touches may touch anything. */
function appliesTo({ appliesTo: named }: EscalatedOperation, assets: readonly string[] | undefined): boolean {
  if (named === null || assets === undefined) return true;
  const globs = named.map(globOf);
  return assets.some((asset) => globs.some((glob) => globMatches(glob, asset)));
}

function forbidden({ pattern, scope, severity, reason }: ForbiddenOperation, { assets }: Action): Finding {
  return {
    check: "protected",
    code: "protected.forbidden",
    severity: "block",
    path: "/action",
    message: `${quoted(scope)} forbids operations like ${quoted(pattern)}${because(reason)}`,
    ...(assets === undefined ? { expected: "assets, if this touches none of the protected ones" } : {}),
    actual: severity,
    retry: "changed",
  };
}

const escalated = ({ pattern, scope, reason }: EscalatedOperation): Finding => ({
  check: "protected",
  code: "protected.escalation_required",
  severity: "review",
  path: "/action",
  message: `${quoted(scope)} sends operations like ${quoted(pattern)} to a person${because(reason)}`,
  retry: "later",
});

const because = (reason: string | undefined): string => (reason === undefined ? "" : `: ${quoted(reason, 200)}`);
