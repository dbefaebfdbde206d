import type { Action } from "../../action/action.ts";
import { expiry } from "../../check/expiry.ts";
import { judgeMandates } from "../../check/mandate/mandate.ts";
import { compose } from "../../decision/compose.ts";
import type { Decided } from "../../decision/decision.ts";
import type { Verdict } from "../../decision/finding.ts";
import { VERDICT_CHANGES } from "../../decision/verdictChange.ts";
import { NO_FACTS } from "../../fact/fact.ts";
import type { Instant } from "../../time/instant.ts";
import type { EffectivePolicy } from "../effective.ts";
import { Exhausted, REGION_LIMITS, type RegionLimits, WorkBudget } from "./budget.ts";
import type { Region } from "./region.ts";
import { searchedClauses } from "./searchedClauses.ts";
import { type Side, sameSide, verdictOf } from "./voices.ts";
import { type Within, walk } from "./walk.ts";
import { peopled } from "./witness.ts";

/** Actions that the second policy judges otherwise than the first, and the plainest of them. */
export interface Difference {
  readonly from: Verdict;
  readonly to: Verdict;
  readonly region: Region;
  readonly witness: Action;
  /** What the mandates of either say of the witness, decided and not predicted. */
  readonly before: Decided;
  readonly after: Decided;
}

export type UndecidedReason = "regions" | "work" | "targets" | "dialect";

/**
 * `same`: no action is judged otherwise. `differ`: these are, and no others. `undecided`: a bound was passed, or there
 * are prefixes of which could not be told whether a target begins so; what was found until then stands.
 */
export type MandateDiff =
  | { readonly outcome: "same"; readonly regions: number; readonly differences: readonly [] }
  | { readonly outcome: "differ"; readonly regions: number; readonly differences: readonly Difference[] }
  | {
      readonly outcome: "undecided";
      readonly reason: UndecidedReason;
      readonly regions: number;
      readonly differences: readonly Difference[];
    };

export interface DiffOptions {
  readonly limits?: RegionLimits;
  /** Leaves out actions that are of no interest. */
  readonly within?: Within;
  /** Ends after so many differences. */
  readonly most?: number;
}

/**
 * Whether the mandates of two policies, all scopes together, ever give another verdict at `now`. Exact for every action
 * whose target is in normal form: a clause that permits is judged there by one spelling only.
 */
export function diffMandates(
  before: EffectivePolicy,
  after: EffectivePolicy,
  now: Instant,
  { limits = REGION_LIMITS, within = {}, most = Number.POSITIVE_INFINITY }: DiffOptions = {},
): MandateDiff {
  const budget = new WorkBudget(limits);
  const differences: Difference[] = [];
  const searched = [before, after]
    .flatMap(({ mandates }) => mandates)
    .reduce((sum, { mandate }) => sum + searchedClauses(mandate), 0);
  let reason: UndecidedReason | undefined;
  if ([before, after].some(({ mandates }) => mandates.some(({ mandate }) => mandate.matching !== "native")))
    return { outcome: "undecided", reason: "dialect", regions: 0, differences };
  try {
    walk({
      policies: [before, after],
      now,
      within,
      budget,
      isDull: sayTheSame,
      visit(region, [from, to]) {
        if (from === undefined || to === undefined || from === to) return false;
        budget.work(region.targets.length * WORK_A_TARGET);
        const { settled, open } = peopled(region);
        if (open) reason ??= "targets";
        if (settled === null) return false;
        budget.work(WORK_A_PROOF + searched);
        differences.push(proven({ before, after, now, from, to, ...settled }));
        return differences.length >= most;
      },
    });
  } catch (cause) {
    if (!(cause instanceof Exhausted)) throw cause;
    reason = cause.bound;
  }
  const found = differences.sort(byChange);
  const { regions } = budget;
  if (reason !== undefined) return { outcome: "undecided", reason, regions, differences: found };
  return found.length === 0
    ? { outcome: "same", regions, differences: [] }
    : { outcome: "differ", regions, differences: found };
}

/** What finding a target and deciding a witness cost, in looks at a rule. */
const WORK_A_TARGET = 100;
const WORK_A_PROOF = 500;

function sayTheSame(sides: readonly Side[]): boolean {
  const [a, b] = sides as readonly [Side, Side];
  if (sameSide(a, b)) return true;
  const verdict = verdictOf(a);
  return verdict !== undefined && verdict === verdictOf(b);
}

interface Claim {
  readonly before: EffectivePolicy;
  readonly after: EffectivePolicy;
  readonly now: Instant;
  readonly from: Verdict;
  readonly to: Verdict;
  readonly region: Region;
  readonly witness: Action;
}

function proven({ before, after, now, from, to, region, witness }: Claim): Difference {
  const difference = {
    from,
    to,
    region,
    witness,
    before: decideByMandates(witness, before, now),
    after: decideByMandates(witness, after, now),
  };
  if (difference.before.verdict !== from || difference.after.verdict !== to)
    throw new Error("a witness is decided otherwise than its region");
  return difference;
}

/** What the mandates alone make of an action; of a document that has ended, nothing stands. */
export function decideByMandates(action: Action, policy: EffectivePolicy, now: Instant): Decided {
  const ask = { asker: NOBODY, action };
  const { basis, findings } = judgeMandates(ask, policy, now);
  return compose(basis, [...findings, ...expiry.judge(ask, policy, NO_FACTS, now)]);
}

const NOBODY = { tenant: "local", agent: "local", teams: [] };

const byChange = (a: Difference, b: Difference): number =>
  VERDICT_CHANGES.indexOf(`${a.from} ${a.to}`) - VERDICT_CHANGES.indexOf(`${b.from} ${b.to}`);
