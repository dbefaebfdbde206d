import type { Instant } from "../../time/instant.ts";
import { contradictionsOf } from "../contradictions.ts";
import type { PolicyPart } from "../readPart.ts";
import { hasEnded } from "../until.ts";
import type { LintFinding } from "./lintFinding.ts";
import { lintMandates } from "./lintMandates.ts";
import { lintSpend } from "./lintSpend.ts";

/**
 * What is wrong or doubtful in documents that can be saved, each given below those that stand above it. The order of
 * what is found is that of the documents, then of their lines.
 */
export function lintPolicy(parts: readonly PolicyPart[], now: Instant): readonly LintFinding[] {
  const found = [
    ...parts.flatMap((part) => expired(part, now)),
    ...lintMandates(parts, now),
    ...lintSpend(parts),
    ...parts.flatMap((part, place) => contradictory(part, parts.slice(0, place))),
  ];
  const scopes = parts.map(({ scope }) => scope);
  return [...found].sort((a, b) => scopes.indexOf(a.scope) - scopes.indexOf(b.scope) || byPath(a.path, b.path));
}

/** Numbers in a path count as numbers. */
const byPath = (a: string, b: string): number => {
  const [left, right] = [a.split("/"), b.split("/")];
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const [x, y] = [left[at] as string, right[at] as string];
    if (x === y) continue;
    const numbers = /^\d+$/.test(x) && /^\d+$/.test(y);
    return numbers ? Number(x) - Number(y) : x < y ? -1 : 1;
  }
  return left.length - right.length;
};

function expired({ scope, expires, sections: { mandate, spend } }: PolicyPart, now: Instant): readonly LintFinding[] {
  const ends = [
    { path: "/expires", until: expires, what: "the document" },
    { path: "/mandate/expires", until: mandate?.expires, what: "the mandate" },
    { path: "/spend/expires", until: spend?.expires, what: "the section spend" },
  ];
  return ends.flatMap(({ path, until, what }) => {
    if (until === undefined || until === null || !hasEnded(until, now)) return [];
    const message = `${what} has expired, and blocks every action that it judges`;
    return [{ code: "lint.expired", severity: "error", scope, path, message } as const];
  });
}

function contradictory(part: PolicyPart, above: readonly PolicyPart[]): readonly LintFinding[] {
  const { errors, warnings } = contradictionsOf(part, above);
  const { scope } = part;
  return [
    ...errors.map(({ code, path, message }) => ({ code, severity: "error", scope, path, message }) as const),
    ...warnings.map(({ code, path, message }) => ({ code, severity: "warning", scope, path, message }) as const),
  ];
}
