import type { Finding } from "../../decision/finding.ts";
import type { EffectivePolicy, Screening } from "../../policy/effective.ts";
import type { Check } from "../check.ts";
import { AGENT_MARKS, type ScreenedText, screenedTexts, screenTexts } from "./screenTexts.ts";
import type { Band } from "./types.ts";

/** What each band weighs where the mode is `enforce`. A passing text gives no finding. */
const SEVERITY = { warn: "advisory", quarantine: "review", block: "block" } as const satisfies Record<
  Exclude<Band, "pass">,
  Finding["severity"]
>;

/** Texts on the surfaces that are screened, scored for instructions to the agent that did not come from its operator. */
export const instructions: Check = {
  name: "instructions",
  needs: (ask, policy) => (policy.origin === "operator" && screenedTexts(ask, policy).length > 0 ? [AGENT_MARKS] : []),
  judge(ask, policy, facts, now) {
    const { screening } = policy;
    if (screening === null) return [];
    const screened = screenTexts(ask, policy, facts, now);
    if (screened === null) return screening.mode === "enforce" ? [UNKNOWN] : [];
    return screened.flatMap((one) => (one.band === "pass" ? [] : [finding(one, one.band, screening, policy)]));
  },
};

/** Names the score and the band. The text and its signals are an attacker's words, and stay out. */
const finding = (
  { path, surface, score, postureScore }: ScreenedText,
  band: Exclude<Band, "pass">,
  { mode, thresholds }: Screening,
  { review }: EffectivePolicy,
): Finding => ({
  check: "instructions",
  code: `instructions.${band}`,
  severity:
    mode !== "enforce"
      ? "advisory"
      : band === "warn" && review?.enabled === true && review.gateOn[surface] === "warn"
        ? "review"
        : SEVERITY[band],
  path,
  message:
    postureScore > score
      ? "this text reads like instructions to an agent, and it is not the first one"
      : "this text reads like instructions to an agent",
  expected: `a score below ${thresholds[band]}`,
  actual: postureScore.toFixed(3),
  retry: "changed",
});

const UNKNOWN: Finding = {
  check: "instructions",
  code: "instructions.unknown",
  severity: "block",
  message: "what this agent was sent before is not known",
  retry: "later",
};
