import type { Action } from "../../action/action.ts";
import type { Scope } from "../effective.ts";

/**
 * `error`: something cannot do what it says. `warning`: it does more or less than its author probably means. `note`: it
 * changes nothing, and may stand there for the reader.
 */
export type LintSeverity = "error" | "warning" | "note";

export const LINT_CODES = [
  "lint.unreachable",
  "lint.contradictory",
  "lint.shadowed",
  "lint.cannot_match",
  "lint.unbounded",
  "lint.expired",
  "lint.overruled",
  "lint.never_bites",
  "lint.not_analysed",
] as const;

/** One thing about a document that its author should know. */
export interface LintFinding {
  /** One of `LINT_CODES`, or of the codes that saving a document refuses or warns with. */
  readonly code: string;
  readonly severity: LintSeverity;
  readonly scope: Scope;
  /** JSON Pointer into the document of the scope. */
  readonly path: string;
  readonly message: string;
  /** An action that shows it. */
  readonly example?: Action;
}
