import { findSecrets, type JsonObject, normalText, type Scan, scanText, THRESHOLDS } from "@countersign/core";
import { familySignals } from "./families.ts";

/** Which signals count: those that others of this interface publish, or our scanner's too. */
export type Signals = "published" | "published-and-own";

export interface PromptCheck {
  readonly code: "prompt_injection_high_signal" | "prompt_injection_medium_signal" | null;
  readonly check: JsonObject;
}

export const SKIPPED_PROMPT: PromptCheck = { code: null, check: { status: "skip" } };

const HIGH = 60;
const MEDIUM = 25;

/** Zero-width characters and their kin, which the published normal form deletes. */
const INVISIBLE = /[\u180e\u200b-\u200d\u2060\ufeff]/g;

/** Searches the texts for injected instructions. Offsets of signals count in the normal form. */
export function judgePrompt(text: string, signals: Signals): PromptCheck {
  const normal = normalForm(text);
  const published = familySignals(normal);
  const sum = Math.min(
    100,
    published.reduce((total, { weight }) => total + weight, 0),
  );
  // As it came: characters that nobody sees are a signal too, and the normal form has none left.
  const scan = signals === "published" ? NOTHING : scanText(text);
  const risk = Math.max(sum, riskOf(scan.score));
  const classification = risk >= HIGH ? "high_signal" : risk >= MEDIUM ? "medium_signal" : "low_signal";
  return {
    code: classification === "low_signal" ? null : `prompt_injection_${classification}`,
    check: {
      status: classification === "high_signal" ? "fail" : "pass",
      classification,
      risk_score: risk,
      signals: [...published.map((signal) => ({ ...signal })), ...ownSignals(scan, text, normal)],
      normalization: { form: "NFC", removed_invisible_chars: text.match(INVISIBLE)?.length ?? 0 },
      limitation: LIMITATION[signals],
    },
  };
}

/** Hashed into the receipt: where the published vectors are to hold, the published sentence is a constant of the wire. */
const LIMITATION = {
  published: "Deterministic pattern match only; low_signal does not prove content is safe.",
  "published-and-own": "found by rules and a small model; a low signal is no proof that a text is harmless",
} as const satisfies Record<Signals, string>;

const NOTHING: Scan = { score: 0, band: "pass", signals: [] };

const normalForm = (text: string): string => normalText(text, "NFC").replace(INVISIBLE, "");

/**
 * Our score on the published scale: warn is 25 and block is 60, straight lines between. Rounded down, so that no score
 * below a threshold reaches its figure.
 */
function riskOf(score: number): number {
  const { warn, block } = THRESHOLDS;
  if (score >= block) return Math.floor(HIGH + ((score - block) / (1 - block)) * (100 - HIGH));
  if (score >= warn)
    return Math.min(HIGH - 1, Math.floor(MEDIUM + ((score - warn) / (block - warn)) * (HIGH - MEDIUM)));
  return Math.min(MEDIUM - 1, Math.floor((score / warn) * MEDIUM));
}

/** What a signal of ours may repeat of the text: enough to find it. */
const MOST_EVIDENCE = 200;

function ownSignals({ signals }: Scan, text: string, normal: string): readonly JsonObject[] {
  if (signals.length === 0) return [];
  const shown = maskSecrets(normal);
  const place = placesIn(text, [...new Set(signals.flatMap(({ start, end }) => [start, end]))]);
  return signals.map(({ rule, weight, start, end }) => {
    const [from, to] = [place(start), place(end)];
    return {
      id: rule,
      weight: Math.round(weight * 100) / 100,
      start: from,
      end: to,
      evidence: shown.slice(from, Math.min(to, from + MOST_EVIDENCE)),
    };
  });
}

/** The text with stars for the characters of secrets, so that offsets stay and evidence repeats none, cut or whole. */
function maskSecrets(text: string): string {
  const parts: string[] = [];
  let done = 0;
  for (const { start, end } of findSecrets(text)) {
    parts.push(text.slice(done, start), "*".repeat(end - start));
    done = end;
  }
  return parts.join("") + text.slice(done);
}

/** Where offsets of the text lie in its normal form: each stretch between two of them is put into it once. */
function placesIn(text: string, offsets: number[]): (offset: number) => number {
  const places = new Map<number, number>();
  let before = 0;
  let place = 0;
  for (const offset of offsets.sort((a, b) => a - b)) {
    place += normalForm(text.slice(before, offset)).length;
    before = offset;
    places.set(offset, place);
  }
  return (offset) => places.get(offset) ?? 0;
}
