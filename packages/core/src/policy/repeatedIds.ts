import { folded } from "./fold.ts";
import type { Report } from "./problem.ts";

/** Two ids that a person cannot tell apart would make every answer that names one ambiguous. */
export function reportRepeatedIds(
  items: readonly { readonly id: string }[],
  path: string,
  report: Report,
  what: string,
): void {
  const seen = new Set<string>();
  for (const [index, { id }] of items.entries()) {
    const key = folded(id);
    if (seen.has(key)) {
      report(
        "policy.duplicate_id",
        `${path}/${index}/id`,
        `another ${what} has this id, or one that differs only in letter case or Unicode form`,
        "an id of its own",
      );
    }
    seen.add(key);
  }
}
