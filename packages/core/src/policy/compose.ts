import { SURFACES, type Surface } from "../action/action.ts";
import { composeUrlPolicies } from "../check/url/composeUrlPolicies.ts";
import { DEFAULT_URL_POLICY, type UrlPolicy } from "../check/url/urlPolicy.ts";
import { digest } from "../record/digest.ts";
import type { Seconds } from "../time/duration.ts";
import { compareInstants } from "../time/instant.ts";
import { composeProtection } from "./composeProtection.ts";
import { composeTrust } from "./composeTrust.ts";
import {
  BLANK_POLICY,
  type ContentRules,
  type EffectivePolicy,
  type EvidenceRules,
  type GateBand,
  KEEPINGS,
  NOTHING_PROTECTED,
  type Review,
  type Screening,
  type ToolMapping,
} from "./effective.ts";
import type { Names, Until } from "./mandate.ts";
import type { PolicyPart, SectionName, Sections } from "./readPart.ts";
import { isPlatform } from "./scope.ts";
import type { ReviewPart } from "./section/review.ts";

export const MODES = ["off", "observe", "nudge", "enforce"] as const;

/**
 * What is in force where all of these documents are, given in the order platform, organisation, teams, agent. A later
 * scope never loosens; the one exception are lists of whom to trust, under the platform's ceiling.
 */
export function composeParts(parts: readonly PolicyPart[], exemptions: readonly string[] = []): EffectivePolicy {
  const of = <N extends SectionName>(name: N): readonly NonNullable<Sections[N]>[] =>
    parts.map(({ sections }) => sections[name]).filter((section) => section !== undefined);
  const screening = of("screening").map(({ rules }) => rules);
  return {
    ...BLANK_POLICY,
    digest: digestOf(parts, exemptions),
    origin: "operator",
    enforcement: enforcementOf(parts),
    mandates: parts.flatMap(({ scope, sections: { mandate } }) => (mandate === undefined ? [] : [{ scope, mandate }])),
    spend: of("spend"),
    evidence: folded(of("evidence"), bothEvidence),
    contracts: of("contracts").flatMap(({ fields }) => fields),
    schemas: of("contracts").flatMap(({ schemas }) => schemas),
    screening: folded(screening, bothScreenings),
    trusted: composeTrust(parts),
    protection: of("protected").length === 0 ? NOTHING_PROTECTED : composeProtection(of("protected")),
    review: composeReview(parts),
    sequence: of("sequence"),
    limits: of("limits"),
    content: folded(of("content"), bothContents),
    trade: of("trade"),
    tools: composeTools(parts.flatMap(({ sections }) => sections.tools ?? [])),
    network: composeNetwork(parts),
    expiries: parts.flatMap(({ scope, expires }) => (expires === null ? [] : [{ scope, until: expires }])),
    sources: parts.map(({ scope, version, digest: of }) => ({ scope, version, digest: of })),
    exemptions,
  };
}

/** One document alone keeps its own digest: what a person reads in a file is what stands in the record. */
function digestOf(parts: readonly PolicyPart[], exemptions: readonly string[]): string {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0 && exemptions.length === 0) return only.digest;
  return digest("countersign-policy-v1", {
    parts: parts.map((part) => part.digest),
    exemptions: [...exemptions].sort(),
  });
}

function folded<T>(list: readonly T[], both: (a: T, b: T) => T): T | null {
  const [first, ...rest] = list;
  return first === undefined ? null : rest.reduce(both, first);
}

/** The earliest end that a document of the platform names. */
function enforcementOf(parts: readonly PolicyPart[]): EffectivePolicy["enforcement"] {
  const end = folded(
    parts.flatMap(({ scope, observe }) => (isPlatform(scope) && observe !== null ? [observe] : [])),
    earlier,
  );
  return end === null ? "enforce" : { observe: end };
}

const earlier = (a: Until, b: Until): Until => (compareInstants(a.until, b.until) <= 0 ? a : b);

const bothEvidence = (a: EvidenceRules, b: EvidenceRules): EvidenceRules => ({
  required: a.required || b.required,
  trusted: bothNames(a.trusted, b.trusted),
  maxAge: Object.fromEntries(
    [...new Set([...Object.keys(a.maxAge), ...Object.keys(b.maxAge)])].map((source) => [
      source,
      Math.min(own(a.maxAge, source), own(b.maxAge, source)) as Seconds,
    ]),
  ),
});

const own = (ages: EvidenceRules["maxAge"], source: string): number =>
  Object.hasOwn(ages, source) ? (ages[source] ?? 0) : Number.POSITIVE_INFINITY;

function bothNames(a: Names, b: Names): Names {
  if ("everyone" in a) return b;
  return "everyone" in b ? a : { only: a.only.filter((name) => b.only.includes(name)) };
}

/** The least that any of them keeps, for the shortest time. */
const bothContents = (a: ContentRules, b: ContentRules): ContentRules => ({
  keep: KEEPINGS.indexOf(a.keep) >= KEEPINGS.indexOf(b.keep) ? a.keep : b.keep,
  for: a.for === null || b.for === null ? (a.for ?? b.for) : (Math.min(a.for, b.for) as Seconds),
});

const bothScreenings = (a: Screening, b: Screening): Screening => ({
  mode: MODES.indexOf(a.mode) >= MODES.indexOf(b.mode) ? a.mode : b.mode,
  thresholds: {
    warn: Math.min(a.thresholds.warn, b.thresholds.warn),
    quarantine: Math.min(a.thresholds.quarantine, b.thresholds.quarantine),
    block: Math.min(a.thresholds.block, b.thresholds.block),
  },
  surfaces: forSurfaces((surface) => a.surfaces[surface] || b.surfaces[surface]),
});

export const forSurfaces = <T>(of: (surface: Surface) => T): Record<Surface, T> =>
  Object.fromEntries(SURFACES.map((surface) => [surface, of(surface)])) as Record<Surface, T>;

/**
 * A first document without the section leaves URLs to the shipped rules: those are then what later ones tighten. So a
 * section that permits more than the shipped rules has to stand in the first document.
 */
function composeNetwork(parts: readonly PolicyPart[]): UrlPolicy | null {
  // A document whose section an exemption took away is no first one either.
  const counted = parts.filter(({ exempted }) => !exempted.includes("network"));
  const [first, ...rest] = counted.map(({ sections }) => sections.network);
  const later = rest.filter((one) => one !== undefined);
  if (first === undefined && later.length === 0) return null;
  return later.reduce(composeUrlPolicies, first ?? DEFAULT_URL_POLICY);
}

/** Nearest the platform wins: a later scope may only map tools that nobody mapped. */
function composeTools(all: readonly ToolMapping[]): readonly ToolMapping[] {
  const byTool = new Map<string, ToolMapping>();
  for (const mapping of all) if (!byTool.has(mapping.tool)) byTool.set(mapping.tool, mapping);
  return [...byTool.values()];
}

/** Whoever names a band means review to happen, unless the same document switches it off. */
export const wantsReview = ({ enabled, gateOn }: ReviewPart): boolean =>
  enabled ?? Object.values(gateOn).some((band) => band !== null);

const STRICTEST_BAND: readonly GateBand[] = ["warn", "quarantine", "block", "off"];

function composeReview(parts: readonly PolicyPart[]): Review | null {
  const all = parts.flatMap(({ scope, sections: { review } }) => (review === undefined ? [] : [{ scope, review }]));
  if (all.length === 0) return null;
  const reviews = all.map(({ review }) => review);
  const said = reviews.map(({ onTimeout }) => onTimeout);
  // The clock lets nothing go unless the platform says that it may.
  const permitted = all.some(({ scope, review }) => isPlatform(scope) && review.onTimeout === "release");
  const slas = reviews.flatMap(({ sla }) => sla ?? []);
  return {
    // On where nobody says: a section about review is written for review to happen.
    enabled: reviews.some(wantsReview) || reviews.every(({ enabled }) => enabled === null),
    gateOn: forSurfaces((surface) => lowestBand(reviews, surface)),
    onTimeout: permitted && !said.includes("reject") ? "release" : "reject",
    sla: slas.length === 0 ? null : (Math.min(...slas) as Seconds),
    notice: reviews.find(({ notice }) => notice !== null)?.notice ?? null,
    notify: {
      sse: allOf(reviews.map(({ notify }) => notify.sse)),
      webhooks: allOf(reviews.map(({ notify }) => notify.webhooks)),
      remindBefore: earliest(reviews.flatMap(({ notify }) => notify.remindBefore ?? [])),
    },
    approvers: reviews.some(({ approvers }) => approvers === 2) ? 2 : 1,
  };
}

/** Whoever one scope names is told; no other scope takes a name off the list. */
const allOf = (lists: readonly Names[]): Names =>
  lists.some((names) => "everyone" in names)
    ? { everyone: true }
    : { only: [...new Set(lists.flatMap((names) => ("only" in names ? names.only : [])))] };

const earliest = (all: readonly Seconds[]): Seconds | null => (all.length === 0 ? null : (Math.max(...all) as Seconds));

/** Where nobody says a band, the one at which `enforce` stops a text for a person. */
function lowestBand(reviews: readonly ReviewPart[], surface: Surface): GateBand {
  const said = new Set(reviews.map(({ gateOn }) => gateOn[surface]));
  return STRICTEST_BAND.find((band) => said.has(band)) ?? "quarantine";
}
