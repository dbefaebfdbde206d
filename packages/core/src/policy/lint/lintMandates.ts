import { KINDS } from "../../action/action.ts";
import type { Verdict } from "../../decision/finding.ts";
import { quoted } from "../../text/quoted.ts";
import type { Instant } from "../../time/instant.ts";
import { composeParts } from "../compose.ts";
import type { EffectivePolicy } from "../effective.ts";
import type { Clause, Mandate } from "../mandate.ts";
import type { PolicyPart } from "../readPart.ts";
import { REGION_LIMITS } from "../regions/budget.ts";
import { type ClauseReach, clauseReach } from "../regions/clauseReach.ts";
import { diffMandates } from "../regions/diffMandates.ts";
import { targetIn } from "../regions/targetIn.ts";
import { hasEnded } from "../until.ts";
import type { LintFinding } from "./lintFinding.ts";
import { isNarrowerSomewhere, overlap, sameConditions, type Terms, termsOf } from "./overlap.ts";
import { unboundedBy } from "./unbounded.ts";

/** Clauses in all up to which each is compared with every other. */
const MOST_COMPARED = 3_000;

/** What clauses do otherwise than they say, alone and below the scopes above. */
export function lintMandates(parts: readonly PolicyPart[], now: Instant): readonly LintFinding[] {
  const policy = composeParts(parts);
  const all = policy.mandates.map(({ mandate }) => mandate.clauses.map((clause) => termsOf(clause, mandate)));
  const comparable = all.reduce((sum, terms) => sum + terms.length, 0) <= MOST_COMPARED;
  return policy.mandates.flatMap(({ scope, mandate }, place) => {
    const terms = all[place] as readonly Terms[];
    const reach = clauseReach(mandate);
    const found = terms.flatMap((one, at) => {
      const seen = lintClause(one, reach[at] as ClauseReach, mandate, policy);
      const reached = reach[at]?.outcome === "reached";
      return reached && comparable ? [...seen, ...lintAmong(one, at, { policy, place, all, now })] : seen;
    });
    const here = (finding: Found): LintFinding => ({ ...finding, scope });
    return [...found.map(here), ...(comparable ? [] : [here(TOO_MANY)]), ...neverLifted(mandate, scope)];
  });
}

type Found = Omit<LintFinding, "scope">;

const TOO_MANY: Found = {
  code: "lint.not_analysed",
  severity: "note",
  path: "/mandate/clauses",
  message: `more than ${MOST_COMPARED} clauses are not compared with one another`,
};

/** What is to be said of one clause by what comes before it in its mandate. */
function lintClause(terms: Terms, reach: ClauseReach, mandate: Mandate, policy: EffectivePolicy): readonly Found[] {
  const { clause } = terms;
  const path = pathOf(mandate, clause);
  if (reach.outcome === "unreached") {
    const opposite = reach.deciders.find(
      (one) => one.effect !== clause.effect && sameConditions(termsOf(one, mandate), terms),
    );
    return [opposite === undefined ? unreachable(reach.deciders, path) : contradictory(opposite, clause, path)];
  }
  if (reach.outcome === "impossible") return [cannotMatch(path, "no action meets these conditions")];
  return clause.effect === "allow" ? lintPermit(clause, path, policy) : [];
}

function lintPermit({ match }: Clause, path: string, policy: EffectivePolicy): readonly Found[] {
  const found: Found[] = [];
  for (const [at, prefix] of (match.targetPrefix ?? []).entries()) {
    const where = `${path}/match/target_prefix/${at}`;
    if (targetIn({ under: prefix, except: [] }) === "none") {
      found.push(cannotMatch(where, "no target in normal form begins so, and a permission counts for no other form"));
      continue;
    }
    const beyond = unboundedBy(prefix);
    if (beyond === undefined) continue;
    const what = beyond.host
      ? "the host is not ended, so that hosts of others"
      : "the name is not ended, so that others";
    const message = `${what} are permitted too, such as ${quoted(beyond.target)}`;
    found.push({ code: "lint.unbounded", severity: beyond.host ? "error" : "warning", path: where, message });
  }
  const { verb, targetPrefix, counterparty, maxAmount } = match;
  if (verb === undefined && targetPrefix === undefined && counterparty === undefined && maxAmount === undefined) {
    const message = "everything of these kinds is permitted: no verb, target, counterparty or amount is named";
    found.push({ code: "lint.unbounded", severity: "warning", path: `${path}/match`, message });
  } else if (match.kind.includes("transaction") && maxAmount === undefined && !hasLimits(policy)) {
    const message = "any amount is permitted: neither this clause nor the section spend sets a limit";
    found.push({ code: "lint.unbounded", severity: "warning", path: `${path}/match`, message });
  }
  return found;
}

const hasLimits = ({ spend }: EffectivePolicy): boolean =>
  spend.some(({ ceilings, budgets }) => ceilings.length + budgets.length > 0);

interface Among {
  readonly policy: EffectivePolicy;
  /** Of the mandate in the policy. */
  readonly place: number;
  readonly all: readonly (readonly Terms[])[];
  readonly now: Instant;
}

/** What is to be said of a clause that is reached, by all that overlaps with it. */
function lintAmong(terms: Terms, at: number, among: Among): readonly Found[] {
  const { policy, place, all, now } = among;
  const { mandate } = policy.mandates[place] as EffectivePolicy["mandates"][number];
  const { clause } = terms;
  const path = pathOf(mandate, clause);
  const nearby = all.map((list) => list.filter((one) => one === terms || overlap(one, terms)));
  const found: Found[] = [];
  const earlier = (all[place] as readonly Terms[]).slice(0, at);
  const looser = earlier.find(
    (one) =>
      LEVELS[one.clause.effect] < LEVELS[clause.effect] && isNarrowerSomewhere(terms, one) && overlap(one, terms),
  );
  if (looser !== undefined) {
    const message = `clause ${quoted(looser.clause.id)} comes first and decides a part of what this covers, more loosely`;
    found.push({ code: "lint.shadowed", severity: "warning", path, message });
  }
  const ended = mandate.expires !== undefined && hasEnded(mandate.expires, now);
  if (ended || policy.expiries.some(({ until }) => hasEnded(until, now))) return found;
  // Nothing but what overlaps with the clause can tell whether it is there.
  const narrowed = withClauses(
    policy,
    nearby.map((list) => list.map((one) => one.clause)),
  );
  const changes = (changed: readonly Clause[]) =>
    changesAnything(
      narrowed,
      withClauses(
        narrowed,
        narrowed.mandates.map((one, p) => (p === place ? changed : one.mandate.clauses)),
      ),
      terms,
      now,
    );
  const here = (narrowed.mandates[place] as EffectivePolicy["mandates"][number]).mandate.clauses;
  if (
    policy.mandates.length > 1 &&
    clause.effect !== "block" &&
    !changes(here.map((one) => (one === clause ? { ...one, effect: "block" } : one)))
  ) {
    const message = "another scope blocks all that this clause lets through";
    found.push({ code: "lint.overruled", severity: "warning", path, message });
  } else if (!changes(here.filter((one) => one !== clause))) {
    const message =
      "nothing would change without this clause: what follows, or another scope, says the same or more strictly";
    found.push({ code: "lint.never_bites", severity: "note", path, message });
  }
  return found;
}

const LEVELS = { allow: 0, review: 1, block: 2 } as const satisfies Record<Verdict, number>;

const withClauses = (policy: EffectivePolicy, clauses: readonly (readonly Clause[])[]): EffectivePolicy => ({
  ...policy,
  mandates: policy.mandates.map(({ scope, mandate }, place) => ({
    scope,
    mandate: { ...mandate, clauses: clauses[place] as readonly Clause[] },
  })),
});

/** Bounds of one comparison: a clause is worth no more. Past them it is taken to change something. */
const LIMITS = { regions: REGION_LIMITS.regions / 100, work: REGION_LIMITS.work / 100 };

function changesAnything(before: EffectivePolicy, after: EffectivePolicy, terms: Terms, now: Instant): boolean {
  const { verbs, prefixes, parties } = terms;
  const within = {
    kinds: KINDS.filter((kind) => terms.kinds.includes(kind)),
    ...(verbs === undefined ? {} : { verbs }),
    ...(prefixes === undefined ? {} : { underAny: prefixes }),
    ...(parties === undefined ? {} : { parties }),
  };
  return diffMandates(before, after, now, { limits: LIMITS, within, most: 1 }).outcome !== "same";
}

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

const pathOf = ({ clauses }: Mandate, clause: Clause): string => `/mandate/clauses/${clauses.indexOf(clause)}`;

const cannotMatch = (path: string, message: string): Found => ({
  code: "lint.cannot_match",
  severity: "error",
  path,
  message,
});

function unreachable(deciders: readonly Clause[], path: string): Found {
  const [first, second, ...more] = deciders.map(({ id }) => quoted(id));
  const named = second === undefined ? first : `${first} and ${more.length === 0 ? second : `${more.length + 1} more`}`;
  const message = `no action gets here: ${named} ${second === undefined ? "decides" : "decide"} all that this covers`;
  return { code: "lint.unreachable", severity: "error", path, message };
}

const contradictory = (opposite: Clause, clause: Clause, path: string): Found => ({
  code: "lint.contradictory",
  severity: "error",
  path,
  message: `clause ${quoted(opposite.id)} has the same conditions, says ${opposite.effect}, and comes first, so that this ${clause.effect} never stands`,
});
