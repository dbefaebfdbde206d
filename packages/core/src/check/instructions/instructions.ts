import type { Finding } from "../../decision/finding.ts";
import type { Screening } from "../../policy/effective.ts";
import type { Check } from "../check.ts";
import { scanText } from "./scan.ts";
import { type Band, bandOf } from "./types.ts";

/** What each band weighs where the mode is `enforce`. A passing text gives no finding. */
const SEVERITY = { warn: "advisory", quarantine: "review", block: "block" } as const satisfies Record<
  Exclude<Band, "pass">,
  Finding["severity"]
>;

/** Texts on the surfaces that are screened, scored for instructions to the agent that did not come from its operator. */
export const instructions: Check = {
  name: "instructions",
  needs: () => [],
  judge({ material }, { screening }) {
    if (screening === null || screening.mode === "off") return [];
    return (material?.texts ?? []).flatMap(({ surface, text, source }, index) => {
      if (!screening.surfaces[surface]) return [];
      const { score } = scanText(text, source === undefined ? {} : { source });
      const band = bandOf(score, screening.thresholds);
      return band === "pass" ? [] : [finding(band, score, screening, `/material/texts/${index}/text`)];
    });
  },
};

/** Names the score and the band. The text and its signals are an attacker's words, and stay out. */
const finding = (
  band: Exclude<Band, "pass">,
  score: number,
  { mode, thresholds }: Screening,
  path: string,
): Finding => ({
  check: "instructions",
  code: `instructions.${band}`,
  severity: mode === "enforce" ? SEVERITY[band] : "advisory",
  path,
  message: "this text reads like instructions to an agent",
  expected: `a score below ${thresholds[band]}`,
  actual: score.toFixed(3),
  retry: "changed",
});
