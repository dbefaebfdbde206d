import { expect, test } from "vitest";
import type { JsonObject } from "../json/value.ts";
import { instantFromMillis } from "../time/instant.ts";
import { composeParts } from "./compose.ts";
import { type Exemption, type ExemptSection, withExemptions } from "./exemption.ts";
import { readPart } from "./readPart.ts";

const NOW = instantFromMillis(1_800_000_000_000);
const part = (scope: string, document: JsonObject) => {
  const read = readPart(document, scope);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
};
const ORG = part("org:acme", {
  screening: {
    mode: "enforce",
    thresholds: { warn: 0.2, quarantine: 0.3, block: 0.4 },
    surfaces: { incoming: true, outgoing: true, tool_calls: true, tool_responses: true },
  },
});
const AGENT = part("agent:a", {
  screening: {
    mode: "nudge",
    thresholds: { warn: 0.5, quarantine: 0.6, block: 0.7 },
    surfaces: { incoming: false, outgoing: false, tool_calls: false, tool_responses: false },
  },
});
const from = (section: ExemptSection) => {
  const exemption: Exemption = {
    id: "exm_1",
    section,
    patterns: null,
    over: "tenant",
    reason: "pilot",
    grantedBy: "ada",
    grantedAt: NOW,
    expiresAt: null,
  };
  return withExemptions([ORG, AGENT], [exemption], NOW);
};
const exempted = (section: ExemptSection) => {
  const { screening } = composeParts(from(section).parts);
  const { mode, thresholds, surfaces } = screening ?? {};
  return { mode, thresholds: Object.values(thresholds ?? {}), on: Object.values(surfaces ?? {}) };
};
const ALL = { mode: "enforce", thresholds: [0.2, 0.3, 0.4], on: [true, true, true, true] };

test.each<{ section: ExemptSection; want: Partial<typeof ALL> }>([
  { section: "screening.mode", want: { mode: "nudge" } },
  { section: "screening.thresholds", want: { thresholds: [0.5, 0.6, 0.7] } },
  { section: "screening.thresholds.block", want: { thresholds: [0.2, 0.3, 0.7] } },
  // As far as the next band, which still stands.
  { section: "screening.thresholds.quarantine", want: { thresholds: [0.2, 0.4, 0.4] } },
  { section: "screening.thresholds.warn", want: { thresholds: [0.3, 0.3, 0.4] } },
  { section: "screening.surfaces", want: { on: [false, false, false, false] } },
  { section: "screening.surfaces.outgoing", want: { on: [true, false, true, true] } },
  { section: "mandate", want: {} },
])("an exemption from $section loosens nothing beside it", ({ section, want }) => {
  expect(exempted(section)).toEqual({ ...ALL, ...want });
});

test("an exemption that takes nothing away is not said to be applied", () => {
  expect(from("screening.thresholds").applied).toEqual(["exm_1"]);
  expect(from("screening.trusted_sources").applied).toEqual([]);
  expect(from("network").applied).toEqual([]);
  const same = { ...ORG, sections: { ...ORG.sections, screening: AGENT.sections.screening } } as typeof ORG;
  const mode = {
    section: "screening.mode",
    patterns: null,
    over: "tenant",
    reason: "pilot",
    grantedBy: "ada",
  } as const;
  const exemption = { ...mode, id: "exm_2", grantedAt: NOW, expiresAt: null };
  expect(withExemptions([same, AGENT], [exemption], NOW).applied).toEqual([]);
});
