import type { Action, Kind } from "../../action/action.ts";
import { partyKey } from "../../action/partyKey.ts";
import { percentDecoded } from "../../action/percentDecoded.ts";
import { normaliseTarget, type TargetError } from "../../action/target.ts";
import type { Money } from "../../money/money.ts";
import type { Mandate } from "../../policy/mandate.ts";
import { ok, type Result } from "../../result.ts";
import { normalText } from "../../text/normalText.ts";

/** What a mandate sees of an action, in the spellings its clauses are compared with. */
export interface Subject {
  readonly kind: Kind;
  readonly verb: string;
  /** The target as it was written. */
  readonly written: string;
  /** The same target in normal form (native) or fully percent-decoded (the mandate dialect). */
  readonly other: string;
  readonly counterparty?: string;
  readonly amount?: Money;
}

/** How a mandate compares: all of it that an action's spellings depend on. */
export type Comparison = Pick<Mandate, "matching" | "verbs">;

/** Fails where a native target has no normal form. */
export function subjectOf(action: Action, comparison: Comparison): Result<Subject, TargetError> {
  const target = spellings(action.target, comparison);
  if (!target.ok) return target;
  return ok({
    kind: action.kind,
    verb: verbKey(action.verb, comparison),
    ...target.value,
    ...(action.counterparty === undefined ? {} : { counterparty: counterpartyKey(action.counterparty, comparison) }),
    ...(action.amount === undefined ? {} : { amount: action.amount }),
  });
}

function spellings(
  target: string,
  { matching }: Comparison,
): Result<{ readonly written: string; readonly other: string }, TargetError> {
  if (matching === "decoded") {
    return ok({ written: normalText(target, "NFC"), other: normalText(percentDecoded(target).text, "NFC") });
  }
  const normalised = normaliseTarget(target);
  return normalised.ok ? ok({ written: normalised.value.written, other: normalised.value.normal }) : normalised;
}

export const verbKey = (verb: string, { verbs }: Comparison): string => (verbs === "fold" ? verb.toLowerCase() : verb);

/** The mandate dialect compares names to the letter, also those that are addresses. */
export const counterpartyKey = (name: string, { matching }: Comparison): string =>
  matching === "native" ? partyKey(name) : name;
