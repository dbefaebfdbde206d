import { findCredentialHints, quoted } from "@countersign/core";
import type { Fault } from "../../problem.ts";

/** So many problems are told, then how many more there are. */
const MOST_TOLD = 20;

export function joined(reasons: readonly string[], separator = "; "): string {
  const more = reasons.length - MOST_TOLD;
  return [...reasons.slice(0, MOST_TOLD), ...(more > 0 ? [`and ${more} more`] : [])].join(separator);
}

/** Where and why something is not as its schema says. Repeats nothing of the value. */
export function conformance({ path, message, expected }: Fault): string {
  const where = path === "" ? "" : ` at ${path.slice(1).replaceAll("/", ".")}`;
  return `does not conform to its published schema${where}: ${message}${expected === undefined ? "" : `, expected ${expected}`}`;
}

/** Paths only. A name on the path that is a credential itself is not repeated either. */
export function credentialPaths(paths: readonly string[], root: string): string {
  const shown = paths.map((path) =>
    findCredentialHints(path, "").length > 0
      ? `${root} (a name that is itself a credential)`
      : quoted(path, 200).slice(1, -1),
  );
  return joined([...new Set(shown)], ", ");
}
