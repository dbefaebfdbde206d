import type { JsonValue } from "../json/value.ts";
import { err, ok, type Result } from "../result.ts";
import { compareInstants, type Instant, parseInstant } from "../time/instant.ts";
import { forSurfaces } from "./compose.ts";
import type { EscalatedOperation } from "./effective.ts";
import { folded } from "./fold.ts";
import { type PolicyProblem, problemList, type Report } from "./problem.ts";
import { readList, readObject, readOneOf, readText } from "./reader.ts";
import type { PolicyPart, SectionName, Sections } from "./readPart.ts";
import { isAgentScope, isPlatform } from "./scope.ts";
import { DEFAULT_THRESHOLDS, type ScreeningPart } from "./section/material.ts";

/** What an exemption can take away: a section, or a part of `screening`, and nothing beside it. */
export const EXEMPT_SECTIONS = [
  "mandate",
  "spend",
  "evidence",
  "contracts",
  "screening",
  "screening.mode",
  "screening.thresholds",
  "screening.thresholds.warn",
  "screening.thresholds.quarantine",
  "screening.thresholds.block",
  "screening.surfaces",
  "screening.surfaces.incoming",
  "screening.surfaces.outgoing",
  "screening.surfaces.tool_calls",
  "screening.surfaces.tool_responses",
  "screening.trusted_sources",
  "protected",
  "review",
  "network",
  "tools",
  "sequence",
  "limits",
  "trade",
  "content",
] as const;
export type ExemptSection = (typeof EXEMPT_SECTIONS)[number];

/**
 * The one way to loosen: for one agent, one section of the scopes above it does not count for a time. What the agent's
 * own documents say still does.
 */
export interface Exemption {
  /** `exm_…` */
  readonly id: string;
  readonly section: ExemptSection;
  /** Of `protected`: only operations of these patterns. Null takes away the whole section. */
  readonly patterns: readonly string[] | null;
  /** `tenant`: organisation and teams. `platform`: the platform too, which is the operator's to grant. */
  readonly over: "tenant" | "platform";
  readonly reason: string;
  readonly grantedBy: string;
  readonly grantedAt: Instant;
  /** The instant itself no longer counts; null for one that only ends by being revoked. */
  readonly expiresAt: Instant | null;
}

/** Granted where nobody says for how long: ninety days, in seconds. */
export const EXEMPTION_LASTS = 7_776_000;

/** At most so many a agent at a time. */
export const EXEMPTION_LIMIT = 64;
/** As long as the request may give it: exemptions that do not read block their agent. */
const REASON_LENGTH = 2_000;

/** `{exemptions: [{id, section, patterns?, over, reason, granted_by, granted_at, expires_at}]}`, as it is stored. */
export function readExemptions(document: JsonValue): Result<readonly Exemption[], readonly PolicyProblem[]> {
  const { problems, report } = problemList();
  const object = readObject(document, "", report);
  const list = object?.required(
    "exemptions",
    (items, at) =>
      readList(items, at, report, EXEMPTION_LIMIT, (item, itemAt) => readExemption(item, itemAt, report), 0),
    "a list",
  );
  object?.close();
  return problems.length > 0 || list === undefined ? err(problems) : ok(list);
}

function readExemption(value: JsonValue, path: string, report: Report): Exemption | undefined {
  const object = readObject(value, path, report);
  if (object === undefined) return undefined;
  const id = object.required("id", (one, at) => readText(one, at, report, 64), "an id");
  const section = object.required("section", (one, at) => readOneOf(one, at, report, EXEMPT_SECTIONS), "a section");
  const patterns = object.optional("patterns", (list, at) => readPatterns(list, at, report));
  const over = object.required("over", (one, at) => readOneOf(one, at, report, ["tenant", "platform"]), "tenant");
  const reason = object.required("reason", (one, at) => readText(one, at, report, REASON_LENGTH), "why");
  const grantedBy = object.required("granted_by", (one, at) => readText(one, at, report), "who");
  const grantedAt = object.required("granted_at", (one, at) => readTime(one, at, report), "when");
  const expiresAt = object.required(
    "expires_at",
    (one, at) => (one === null ? null : readTime(one, at, report)),
    "a time, or null",
  );
  object.close();
  if (id === undefined || section === undefined || over === undefined || reason === undefined) return undefined;
  if (grantedBy === undefined || grantedAt === undefined || expiresAt === undefined) return undefined;
  return { id, section, patterns: patterns ?? null, over, reason, grantedBy, grantedAt, expiresAt };
}

export const readPatterns = (value: JsonValue, path: string, report: Report) =>
  readList(value, path, report, 64, (one, at) => readText(one, at, report, 200));

function readTime(value: JsonValue, path: string, report: Report): Instant | undefined {
  const read = parseInstant(value);
  if (read.ok) return read.value;
  report("policy.time", path, read.error.message, "RFC 3339 with an offset");
  return undefined;
}

export const isLive = ({ expiresAt }: Exemption, now: Instant): boolean =>
  expiresAt === null || compareInstants(now, expiresAt) < 0;

export interface Exempted {
  readonly parts: readonly PolicyPart[];
  /** Ids of those that took something away, in order. */
  readonly applied: readonly string[];
}

/** The documents without what live exemptions take away from them. */
export function withExemptions(parts: readonly PolicyPart[], exemptions: readonly Exemption[], now: Instant): Exempted {
  const applied = new Set<string>();
  const own = parts.flatMap(({ scope, sections }) => (isAgentScope(scope) ? (sections.screening ?? []) : []))[0];
  let left = parts;
  for (const exemption of exemptions.filter((one) => isLive(one, now))) {
    left = left.map((part) => {
      const isAbove = !isAgentScope(part.scope) && (exemption.over === "platform" || !isPlatform(part.scope));
      // Only the platform sets a ceiling for whom to trust.
      const reaches = isAbove && (exemption.section !== "screening.trusted_sources" || isPlatform(part.scope));
      const sections = reaches ? without(part.sections, exemption, own) : part.sections;
      if (sections === part.sections) return part;
      applied.add(exemption.id);
      return { ...part, sections, exempted: [...part.exempted, exemption.section] };
    });
  }
  return { parts: left, applied: [...applied].sort() };
}

function without(sections: Sections, exemption: Exemption, own: ScreeningPart | undefined): Sections {
  const [name, field, one] = exemption.section.split(".") as [SectionName, string | undefined, string | undefined];
  const section = sections[name];
  if (section === undefined) return sections;
  if (field !== undefined && sections.screening !== undefined) {
    const screening = screeningWithout(sections.screening, field, one, own);
    return JSON.stringify(screening) === JSON.stringify(sections.screening) ? sections : { ...sections, screening };
  }
  if (name === "protected" && exemption.patterns !== null && sections.protected !== undefined) {
    const gone = new Set(exemption.patterns.map(folded));
    const stays = ({ pattern }: EscalatedOperation): boolean => !gone.has(folded(pattern));
    const { assets, forbidden, escalations } = sections.protected;
    const kept = { assets, forbidden: forbidden.filter(stays), escalations: escalations.filter(stays) };
    const same = kept.forbidden.length === forbidden.length && kept.escalations.length === escalations.length;
    return same ? sections : { ...sections, protected: kept };
  }
  const { [name]: _, ...rest } = sections;
  return rest;
}

/** What the scopes above say gives way to what the agent itself says, or to the shipped values. */
function screeningWithout(
  above: ScreeningPart,
  field: string,
  one: string | undefined,
  own: ScreeningPart | undefined,
): ScreeningPart {
  const { rules, trust } = above;
  switch (field) {
    case "mode":
      return { rules: { ...rules, mode: own?.rules.mode ?? "off" }, trust };
    case "thresholds": {
      const { warn, quarantine, block } = replaced(rules.thresholds, own?.rules.thresholds ?? DEFAULT_THRESHOLDS, one);
      // Where the next band begins lower, this one begins there too.
      const middle = Math.min(quarantine, block);
      return { rules: { ...rules, thresholds: { warn: Math.min(warn, middle), quarantine: middle, block } }, trust };
    }
    case "surfaces": {
      const surfaces = own?.rules.surfaces ?? forSurfaces(() => true);
      return { rules: { ...rules, surfaces: replaced(rules.surfaces, surfaces, one) }, trust };
    }
    default:
      return { rules, trust: { ...trust, ceiling: "none" } };
  }
}

/** All members as the other has them, or the one that is named. */
const replaced = <T extends object>(above: T, own: T, one: string | undefined): T =>
  one === undefined ? own : { ...above, [one]: own[one as keyof T] };
