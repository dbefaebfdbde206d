/** How much a finding weighs. An advisory never changes a verdict. */
export type Severity = "advisory" | "review" | "block";

/** Whether asking again can help: never, later with the same action, or only with another action. */
export type Retry = "never" | "later" | "changed";

export type Verdict = "allow" | "review" | "block";

/** One reason, in terms a program can act on (`code`, `path`) and a person can read (`message`). */
export interface Finding {
  /** The check that says it: `mandate`, `spend`, `url`, … */
  readonly check: string;
  /** Public and stable, `concept.reason` in lower case: `spend.ceiling_exceeded`. Codes are added, not changed. */
  readonly code: string;
  readonly severity: Severity;
  /** Where in the ask, as a JSON Pointer below it: `/action/amount/value`. */
  readonly path?: string;
  /** One lower-case sentence in the user's words. Holds no secret and no text of an attacker. */
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly retry: Retry;
}
