import type { Ask, MaterialText, Surface } from "../../action/action.ts";
import type { FactKey, Facts } from "../../fact/fact.ts";
import type { EffectivePolicy, TrustedSources } from "../../policy/effective.ts";
import { trustedBy } from "../../policy/trustedSource.ts";
import type { Seconds } from "../../time/duration.ts";
import type { Instant } from "../../time/instant.ts";
import { isWithin, type LeftMark, readMarks } from "../sequence/sequence.ts";
import { NEAR_MISS_PLACES } from "./nearMissPlaces.ts";
import { scanText } from "./scan.ts";
import { type Band, bandOf, type Scan } from "./types.ts";

/** What this agent left behind, whichever credential it came with: a list of `{mark, at}`. */
export const AGENT_MARKS: FactKey = { fact: "marks", of: "agent" };

/** A score from here on is a near-miss, and near-misses in a row weigh. */
const NEAR_MISS = 0.6;
const POSTURE_KEPT = 600 as Seconds;

/** One text as it was scored. */
export interface ScreenedText {
  /** JSON Pointer into the ask. */
  readonly path: string;
  readonly surface: Surface;
  /** Of this text alone. */
  readonly score: number;
  /** With the near-misses of the same agent within ten minutes: the bands apply to it. */
  readonly postureScore: number;
  readonly band: Band;
  /** By which entry its source is trusted; such a text is not scored. */
  readonly trusted: { readonly bucket: keyof TrustedSources; readonly matched: string } | null;
}

/**
 * Scores every text on the surfaces that are screened; nothing where screening is off. Null when earlier near-misses
 * would have to be known and are not.
 */
export function screenTexts(
  ask: Ask,
  policy: EffectivePolicy,
  facts: Facts,
  now: Instant,
): readonly ScreenedText[] | null {
  const { screening, trusted } = policy;
  const texts = screenedTexts(ask, policy);
  if (screening === null || texts.length === 0) return [];
  const left = policy.origin === "operator" ? readMarks(facts, AGENT_MARKS) : [];
  if (left === null) return null;
  let earlier = nearMisses(left, now).length;
  return texts.map(({ text, index }) => {
    const path = `/material/texts/${index}/text`;
    const { surface } = text;
    const source = text.from === undefined ? null : trustedBy(trusted, text.from);
    if (source !== null) return { path, surface, score: 0, postureScore: 0, band: "pass" as const, trusted: source };
    const { score } = scanOf(text);
    const postureScore = Math.min(1, score * (earlier >= 3 ? 1.3 : earlier === 2 ? 1.15 : 1));
    if (score >= NEAR_MISS) earlier += 1;
    return { path, surface, score, postureScore, band: bandOf(postureScore, screening.thresholds), trusted: null };
  });
}

/** Texts on surfaces that are screened, with their place among all. */
export function screenedTexts({ material }: Ask, { screening }: EffectivePolicy) {
  if (screening === null || screening.mode === "off") return [];
  return (material?.texts ?? []).flatMap((text, index) => (screening.surfaces[text.surface] ? [{ text, index }] : []));
}

const scans = new WeakMap<MaterialText, Scan>();

/** The scan of a text, made once: judging twice, with a grant and without, does not scan twice. */
export function scanOf(text: MaterialText): Scan {
  const known = scans.get(text);
  if (known !== undefined) return known;
  const scan = scanText(text.text, text.source === undefined ? {} : { source: text.source });
  scans.set(text, scan);
  return scan;
}

const nearMisses = (left: readonly LeftMark[], now: Instant): readonly LeftMark[] =>
  left.filter(({ mark, at }) => NEAR_MISS_PLACES.some((place) => place === mark) && isWithin(at, POSTURE_KEPT, now));

/** How many of these texts are near-misses, to be remembered of their agent. */
export const nearMissesIn = (screened: readonly ScreenedText[]): number =>
  Math.min(NEAR_MISS_PLACES.length, screened.filter(({ score }) => score >= NEAR_MISS).length);

/** The places that hold no near-miss of the last ten minutes: one in any of them would have made a score heavier. */
export function freePlaces(screened: readonly ScreenedText[], facts: Facts, now: Instant): readonly string[] {
  if (screened.every(({ score }) => score === 0)) return [];
  const taken = new Set(nearMisses(readMarks(facts, AGENT_MARKS) ?? [], now).map(({ mark }) => mark));
  return NEAR_MISS_PLACES.filter((place) => !taken.has(place));
}
