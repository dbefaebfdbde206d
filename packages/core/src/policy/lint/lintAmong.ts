import { KINDS } from "../../action/action.ts";
import type { Verdict } from "../../decision/finding.ts";
import { quoted } from "../../text/quoted.ts";
import type { Instant } from "../../time/instant.ts";
import type { EffectivePolicy } from "../effective.ts";
import type { Clause } from "../mandate.ts";
import { REGION_LIMITS } from "../regions/budget.ts";
import { diffMandates } from "../regions/diffMandates.ts";
import { hasEnded } from "../until.ts";
import type { Found } from "./lintClause.ts";
import type { Neighbours } from "./neighbours.ts";
import { isNarrowerSomewhere, type Terms } from "./overlap.ts";

export interface Among {
  readonly policy: EffectivePolicy;
  /** Of the mandate in the policy. */
  readonly place: number;
  readonly neighbours: Neighbours;
  readonly now: Instant;
}

/** What is to be said of a clause that is reached, by all that overlaps with it. */
export function lintAmong(terms: Terms, path: string, { policy, place, neighbours, now }: Among): readonly Found[] {
  const { clause } = terms;
  const nearby = neighbours.of(terms);
  const own = nearby[place] ?? [];
  const shadow = own
    .slice(0, own.indexOf(terms))
    .find((one) => LEVELS[one.clause.effect] < LEVELS[clause.effect] && isNarrowerSomewhere(terms, one));
  const found: Found[] = [];
  if (shadow !== undefined) {
    const message = `clause ${quoted(shadow.clause.id)} comes first and decides a part of what this covers, more loosely`;
    found.push({ code: "lint.shadowed", severity: "warning", path, message });
  }
  if (hasExpired(policy, place, now)) return found;

  // Nothing but what overlaps with the clause can tell whether it is there, or says block.
  const clauses = nearby.map((list) => list.map((one) => one.clause));
  const before = withClauses(policy, clauses);
  const matters = (changed: (own: readonly Clause[]) => readonly Clause[]): boolean => {
    const after = withClauses(
      policy,
      clauses.map((list, at) => (at === place ? changed(list) : list)),
    );
    return differ(before, after, terms, now);
  };
  const blocking = (list: readonly Clause[]): readonly Clause[] =>
    list.map((one) => (one === clause ? { ...one, effect: "block" } : one));
  if (policy.mandates.length > 1 && clause.effect !== "block" && !matters(blocking)) {
    const message = "another scope blocks all that this clause lets through";
    found.push({ code: "lint.overruled", severity: "warning", path, message });
  } else if (!matters((list) => list.filter((one) => one !== clause))) {
    const message =
      "nothing would change without this clause: what follows, or another scope, says the same or more strictly";
    found.push({ code: "lint.never_bites", severity: "note", path, message });
  }
  return found;
}

const LEVELS = { allow: 0, review: 1, block: 2 } as const satisfies Record<Verdict, number>;

function hasExpired({ mandates, expiries }: EffectivePolicy, place: number, now: Instant): boolean {
  const expires = mandates[place]?.mandate.expires;
  return (expires !== undefined && hasEnded(expires, now)) || expiries.some(({ until }) => hasEnded(until, now));
}

const withClauses = (policy: EffectivePolicy, clauses: readonly (readonly Clause[])[]): EffectivePolicy => ({
  ...policy,
  mandates: policy.mandates.map(({ scope, mandate }, at) => ({
    scope,
    mandate: { ...mandate, clauses: clauses[at] ?? [] },
  })),
});

/** Bounds of one comparison: a clause is worth no more. Past them the clause is taken to matter. */
const LIMITS = { regions: REGION_LIMITS.regions / 400, work: REGION_LIMITS.work / 400 };

function differ(before: EffectivePolicy, after: EffectivePolicy, terms: Terms, now: Instant): boolean {
  const { verbs, prefixes, parties } = terms;
  const within = {
    kinds: KINDS.filter((kind) => terms.kinds.includes(kind)),
    ...(verbs === undefined ? {} : { verbs }),
    ...(prefixes === undefined ? {} : { underAny: prefixes }),
    ...(parties === undefined ? {} : { parties }),
  };
  return diffMandates(before, after, now, { limits: LIMITS, within, most: 1 }).outcome !== "same";
}
