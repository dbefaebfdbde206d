// Other scanners of the same kind, each at its own threshold. They load their models here, once.
import vard from "@andersmyrmel/vard";
import { isSafe } from "@claude-flow/aidefence";
import { checkInjection } from "llm_guardrail";

const lenient = vard().maxLength(Number.MAX_SAFE_INTEGER);

/** By name: whether a text is flagged. Some answer later. */
export const RIVALS = {
  "@andersmyrmel/vard": (text) => !lenient.safeParse(text).safe,
  "@claude-flow/aidefence": (text) => !isSafe(text),
  llm_guardrail: async (text) => !(await checkInjection(text)).allowed,
};
