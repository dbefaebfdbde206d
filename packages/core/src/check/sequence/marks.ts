import type { Action, Ask, Material } from "../../action/action.ts";
import type { EffectivePolicy, MarkRule } from "../../policy/effective.ts";
import type { ClauseMatch, Mandate } from "../../policy/mandate.ts";
import { evaluateByLoop } from "../mandate/evaluateByLoop.ts";
import { subjectOf } from "../mandate/subject.ts";

/** Marks that every gate leaves, without a word in any policy. */
export const BUILT_IN_MARKS = ["read_private", "saw_untrusted", "used_credential"] as const;

/** Texts that somebody else than the user may have written. */
const UNTRUSTED = { surfaces: ["incoming", "tool_responses"], sources: ["tool", "mail", "web", "document"] } as const;

/** What an ask would leave behind: from its texts, seen already, and from its action, if that is carried out. */
export interface Marks {
  readonly ofTexts: readonly string[];
  readonly ofAction: readonly string[];
}

export function marksOf({ action, material }: Ask, policy: EffectivePolicy): Marks {
  const rules = policy.sequence.flatMap(({ marks }) => marks);
  const ofTexts = rules.filter((rule) => rule.texts !== undefined && isSeen(rule.texts, material));
  const ofAction = rules.filter((rule) => rule.match !== undefined && matches(rule.match, action));
  return {
    ofTexts: named(ofTexts, isSeen(UNTRUSTED, material) ? ["saw_untrusted"] : []),
    ofAction: named(ofAction, builtIn(action)),
  };
}

const named = (rules: readonly MarkRule[], more: readonly string[]): readonly string[] =>
  [...new Set([...rules.map(({ mark }) => mark), ...more])].sort();

function builtIn(action: Action | undefined): readonly string[] {
  if (action === undefined) return [];
  return [
    ...(action.labels?.includes("private") ? ["read_private"] : []),
    ...(action.kind === "credential_use" ? ["used_credential"] : []),
  ];
}

/** A text that does not say what it is may be anything. */
function isSeen({ surfaces, sources }: NonNullable<MarkRule["texts"]>, material: Material | undefined): boolean {
  return (material?.texts ?? []).some(
    ({ surface, source }) =>
      surfaces.includes(surface) && (sources === null || source === undefined || sources.includes(source)),
  );
}

/** As a clause that forbids would match: in either spelling of the target. A target without a normal form matches all. */
export function matches(match: ClauseMatch, action: Action | undefined): boolean {
  if (action === undefined) return false;
  const mandate: Mandate = {
    id: "sequence",
    clauses: [{ id: "sequence", effect: "block", match }],
    requiresHuman: [],
    otherwise: "block",
    matching: "native",
    verbs: "exact",
  };
  const subject = subjectOf(action, mandate);
  return !subject.ok || evaluateByLoop(mandate, subject.value).clause !== undefined;
}
