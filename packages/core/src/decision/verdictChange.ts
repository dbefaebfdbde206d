import type { Verdict } from "./finding.ts";

/** From one verdict to another, of the same ask. What is loosened first: that is what a reader must not miss. */
export const VERDICT_CHANGES: readonly `${Verdict} ${Verdict}`[] = [
  "block allow",
  "review allow",
  "block review",
  "allow block",
  "review block",
  "allow review",
];
