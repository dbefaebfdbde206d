import type { Instant } from "../../time/instant.ts";
import { composeParts } from "../compose.ts";
import type { Mandate } from "../mandate.ts";
import type { PolicyPart } from "../readPart.ts";
import { type ClauseReach, clauseReach } from "../regions/clauseReach.ts";
import { lintAmong } from "./lintAmong.ts";
import { type Found, lintClause } from "./lintClause.ts";
import type { LintFinding } from "./lintFinding.ts";
import { Neighbours } from "./neighbours.ts";
import { termsOf } from "./overlap.ts";

/** What clauses do otherwise than they say, alone and below the scopes above. */
export function lintMandates(parts: readonly PolicyPart[], now: Instant): readonly LintFinding[] {
  const policy = composeParts(parts);
  const all = policy.mandates.map(({ mandate }) => mandate.clauses.map((clause) => termsOf(clause, mandate)));
  const neighbours = new Neighbours(all);
  return policy.mandates.flatMap(({ scope, mandate }, place) => {
    const reach = clauseReach(mandate);
    const found = (all[place] ?? []).flatMap((terms, at) => {
      const path = `/mandate/clauses/${at}`;
      const seen = lintClause(terms, path, reach[at] as ClauseReach, mandate, policy);
      if (reach[at]?.outcome !== "reached" || neighbours.isTired) return seen;
      return [...seen, ...lintAmong(terms, path, { policy, place, neighbours, now })];
    });
    const isPartial = neighbours.isTired || reach.some(({ outcome }) => outcome === "undecided");
    const here = (finding: Found): LintFinding => ({ ...finding, scope });
    return [...found.map(here), ...(isPartial ? [here(NOT_ALL)] : []), ...neverLifted(mandate, scope)];
  });
}

const NOT_ALL: Found = {
  code: "lint.not_analysed",
  severity: "note",
  path: "/mandate/clauses",
  message: "some clauses are not analysed whole, as their lists, or the clauses that overlap with them, are too many",
};

/** A kind that always needs a person, and that no clause ever permits. */
function neverLifted(mandate: Mandate, scope: string): readonly LintFinding[] {
  return mandate.requiresHuman.flatMap((kind, at) => {
    if (mandate.clauses.some(({ effect, match }) => effect === "allow" && match.kind.includes(kind))) return [];
    const message = "no clause permits actions of this kind, so that none is left for a person to decide";
    return [
      { code: "lint.never_bites", severity: "note", scope, path: `/mandate/requires_human/${at}`, message } as const,
    ];
  });
}
