import { type Action, KINDS, type Kind } from "../../action/action.ts";
import { partyKey } from "../../action/partyKey.ts";
import { normaliseTarget, type TargetError } from "../../action/target.ts";
import type { Decided } from "../../decision/decision.ts";
import type { Verdict } from "../../decision/finding.ts";
import type { Money } from "../../money/money.ts";
import { err, ok, type Result } from "../../result.ts";
import type { Instant } from "../../time/instant.ts";
import type { EffectivePolicy } from "../effective.ts";
import { Exhausted, REGION_LIMITS, type RegionLimits, WorkBudget } from "./budget.ts";
import { decideByMandates, type UndecidedReason } from "./diffMandates.ts";
import { mayGive } from "./voices.ts";
import { type Within, walk } from "./walk.ts";
import { peopled } from "./witness.ts";

/** An action of which some things are open. */
export interface PartialAction {
  readonly kind?: Kind;
  readonly verb?: string;
  readonly target?: string;
  /** Any target in normal form that begins so. Not together with `target`. */
  readonly targetPrefix?: string;
  /** Null: none is given. */
  readonly counterparty?: string | null;
  /** Null: none is given. */
  readonly amount?: Money | null;
}

export type Ever =
  | { readonly outcome: "yes"; readonly witness: Action; readonly decided: Decided }
  | { readonly outcome: "no" }
  | { readonly outcome: "undecided"; readonly reason: UndecidedReason };

/**
 * Whether the mandates of a policy ever give this verdict for an action that agrees with the partial one, and which is
 * the plainest found. Exact for targets in normal form. Fails where a given target has none.
 */
export function everDecides(
  policy: EffectivePolicy,
  wanted: Verdict,
  partial: PartialAction,
  now: Instant,
  limits: RegionLimits = REGION_LIMITS,
): Result<Ever, TargetError> {
  if (policy.mandates.some(({ mandate }) => mandate.matching !== "native"))
    return ok({ outcome: "undecided", reason: "dialect" });
  const target = partial.target === undefined ? undefined : normaliseTarget(partial.target);
  if (target?.ok === false) return err(target.error);
  const within = withinOf(partial, target?.value.normal);
  const budget = new WorkBudget(limits);
  let reason: UndecidedReason | undefined;
  let witness: Action | undefined;
  try {
    walk({
      policies: [policy],
      now,
      within,
      budget,
      isDull: ([side]) => side === undefined || !mayGive(side, wanted),
      visit(region, [verdict]) {
        if (verdict !== wanted) return false;
        const { settled, open } = peopled(region);
        if (open) reason ??= "targets";
        if (settled !== null) witness = completed(settled.witness, partial, within.target);
        return settled !== null;
      },
    });
  } catch (cause) {
    if (!(cause instanceof Exhausted)) throw cause;
    reason = cause.bound;
  }
  if (witness !== undefined) return ok({ outcome: "yes", witness, decided: proven(witness, policy, wanted, now) });
  return ok(reason === undefined ? { outcome: "no" } : { outcome: "undecided", reason });
}

function withinOf(
  { kind, verb, targetPrefix, counterparty, amount }: PartialAction,
  target: string | undefined,
): Within {
  return {
    kinds: kind === undefined ? KINDS : [kind],
    ...(verb === undefined ? {} : { verbs: [verb] }),
    ...(target === undefined ? {} : { target }),
    ...(targetPrefix === undefined ? {} : { underAny: [targetPrefix] }),
    ...(counterparty === undefined ? {} : { parties: [counterparty === null ? null : partyKey(counterparty)] }),
    ...(amount === undefined ? {} : { amount }),
  };
}

/** With everything that was given, as it was given. */
function completed(witness: Action, { verb, counterparty, amount }: PartialAction, target: string | undefined): Action {
  const { counterparty: found, amount: some, ...rest } = witness;
  const party = counterparty === undefined ? found : counterparty;
  const money = amount === undefined ? some : amount;
  return {
    ...rest,
    ...(verb === undefined ? {} : { verb }),
    ...(target === undefined ? {} : { target }),
    ...(party === undefined || party === null ? {} : { counterparty: party }),
    ...(money === undefined || money === null ? {} : { amount: money }),
  };
}

function proven(witness: Action, policy: EffectivePolicy, wanted: Verdict, now: Instant): Decided {
  const decided = decideByMandates(witness, policy, now);
  if (decided.verdict !== wanted) throw new Error("a witness is decided otherwise than its region");
  return decided;
}
