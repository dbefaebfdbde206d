import { expect, test } from "vitest";
import type { Evidence } from "../action/action.ts";
import { NO_FACTS } from "../fact/fact.ts";
import type { EffectivePolicy, EvidenceRules } from "../policy/effective.ts";
import { parseDuration } from "../time/duration.ts";
import { type Instant, parseInstant } from "../time/instant.ts";
import { evidence } from "./evidence.ts";

const instant = (text: string): Instant => {
  const read = parseInstant(text);
  if (!read.ok) throw new Error(read.error.code);
  return read.value;
};
const hour = parseDuration("PT1H");
if (!hour.ok) throw new Error(hour.error.code);

const NOW = instant("2026-05-01T12:00:00Z");
const RULES: EvidenceRules = { required: true, trusted: { only: ["ledger", "feed"] }, maxAge: { feed: hour.value } };

const codes = (labels: readonly Evidence[] | undefined, rules: EvidenceRules | null = RULES): readonly string[] =>
  evidence
    .judge(
      {
        asker: { tenant: "t", agent: "a", teams: [] },
        ...(labels === undefined ? {} : { material: { evidence: labels } }),
      },
      { evidence: rules } as unknown as EffectivePolicy,
      NO_FACTS,
      NOW,
    )
    .map(({ code, path }) => `${code} ${path}`);

test.each<{
  it: string;
  labels: readonly Evidence[] | undefined;
  rules?: EvidenceRules | null;
  want: readonly string[];
}>([
  { it: "refuses when nothing came with it", labels: undefined, want: ["evidence.required /material/evidence"] },
  { it: "refuses when no label came with it", labels: [], want: ["evidence.required /material/evidence"] },
  { it: "asks for nothing where labels are optional", labels: [], rules: { ...RULES, required: false }, want: [] },
  { it: "asks for nothing without rules", labels: undefined, rules: null, want: [] },
  { it: "trusts a listed source without a bound on age", labels: [{ source: "ledger" }], want: [] },
  {
    it: "does not fold letter case",
    labels: [{ source: "Ledger" }],
    want: ["evidence.untrusted_source /material/evidence/0/source"],
  },
  {
    it: "trusts nobody when the list is empty",
    labels: [{ source: "ledger" }],
    rules: { ...RULES, trusted: { only: [] } },
    want: ["evidence.untrusted_source /material/evidence/0/source"],
  },
  {
    it: "does not trust a label without a source, even when the list has one",
    labels: [{ source: " " }, { source: "" }],
    rules: { ...RULES, trusted: { only: ["", " "] } },
    want: [
      "evidence.untrusted_source /material/evidence/0/source",
      "evidence.untrusted_source /material/evidence/1/source",
    ],
  },
  {
    it: "judges every label",
    labels: [{ source: "ledger" }, { source: "x" }],
    want: ["evidence.untrusted_source /material/evidence/1/source"],
  },
  {
    it: "trusts everyone where that is written",
    labels: [{ source: "x" }],
    rules: { ...RULES, trusted: { everyone: true } },
    want: [],
  },
  {
    it: "lets pass what is exactly as old as allowed",
    labels: [{ source: "feed", observed_at: "2026-05-01T11:00:00Z" }],
    want: [],
  },
  {
    it: "refuses what is a little older",
    labels: [{ source: "feed", observed_at: "2026-05-01T10:59:59.999Z" }],
    want: ["evidence.too_old /material/evidence/0/observed_at"],
  },
  {
    it: "lets pass what was observed now",
    labels: [{ source: "feed", observed_at: "2026-05-01T14:00:00+02:00" }],
    want: [],
  },
  {
    it: "refuses what claims to be from the future",
    labels: [{ source: "feed", observed_at: "2026-05-01T12:00:00.001Z" }],
    want: ["evidence.from_future /material/evidence/0/observed_at"],
  },
  {
    it: "does not take an unknown age for a young one",
    labels: [{ source: "feed" }],
    want: ["evidence.time_missing /material/evidence/0/observed_at"],
  },
  {
    it: "does not take an unreadable age for a young one",
    labels: [{ source: "feed", observed_at: "yesterday" }],
    want: ["evidence.time_malformed /material/evidence/0/observed_at"],
  },
  {
    it: "has no rule by the name of a prototype's member",
    labels: [{ source: "constructor" }],
    rules: { ...RULES, trusted: { everyone: true } },
    want: [],
  },
])("$it", ({ labels, rules = RULES, want }) => {
  expect(codes(labels, rules)).toEqual(want);
});
