import {
  composeParts,
  normalText,
  type PolicyPart,
  SURFACES,
  tells,
  throughCeilings,
  trustAt,
  wantsReview,
} from "@countersign/core";
import { composeUnjudged } from "./unjudged.ts";

/** A field of a draft that a scope above made stricter. */
export interface Conflict {
  readonly field: string;
  readonly from: string | number | boolean;
  readonly to: string | number | boolean | null;
  readonly reason:
    | "stricter_mode"
    | "lower_threshold"
    | "surface_screened_above"
    | "outside_ceiling"
    | "higher_severity"
    | "applies_to_more"
    | "forbidden_above"
    | "review_enabled_above"
    | "lower_band"
    | "shorter_sla"
    | "told_above"
    | "reviewer_named_above"
    | "clock_may_not_release";
  readonly won_by: string;
}

const BUCKETS = [
  ["agents", "agent_ids"],
  ["domains", "domains"],
  ["addresses", "ip_ranges"],
] as const;

/** Everything that `others`, in force with the draft, make stricter of it, in the order of the card's fields. */
export function conflictsOf(draft: PolicyPart, others: readonly PolicyPart[]): readonly Conflict[] {
  const together = composeParts([...others, draft]);
  const conflicts: Conflict[] = [];
  const wonBy = (says: (part: PolicyPart) => unknown, value: unknown): string =>
    others.find((part) => says(part) === value)?.scope ?? others[0]?.scope ?? draft.scope;
  const { screening, protected: surface, review } = draft.sections;
  if (screening !== undefined && together.screening !== null) {
    const { mode, thresholds, surfaces } = screening.rules;
    const { screening: stands } = together;
    if (stands.mode !== mode)
      conflicts.push({
        field: "mode",
        from: mode,
        to: stands.mode,
        reason: "stricter_mode",
        won_by: wonBy(({ sections }) => sections.screening?.rules.mode, stands.mode),
      });
    for (const name of ["warn", "quarantine", "block"] as const) {
      if (stands.thresholds[name] === thresholds[name]) continue;
      conflicts.push({
        field: `thresholds.${name}`,
        from: thresholds[name],
        to: stands.thresholds[name],
        reason: "lower_threshold",
        won_by: wonBy(({ sections }) => sections.screening?.rules.thresholds[name], stands.thresholds[name]),
      });
    }
    for (const name of SURFACES) {
      if (surfaces[name] || !stands.surfaces[name]) continue;
      conflicts.push({
        field: `screen_surfaces.${name}`,
        from: false,
        to: true,
        reason: "surface_screened_above",
        won_by: wonBy(({ sections }) => sections.screening?.rules.surfaces[name], true),
      });
    }
    conflicts.push(...outsideCeiling(draft, others));
  }
  for (const operation of surface?.forbidden ?? []) {
    const stands = together.protection.forbidden.find(({ pattern }) => sameText(pattern, operation.pattern));
    if (stands === undefined) continue;
    if (stands.severity !== operation.severity)
      conflicts.push({
        field: `protected_surface.forbidden_operations.${operation.pattern}.severity`,
        from: operation.severity,
        to: stands.severity,
        reason: "higher_severity",
        won_by: wonBy(
          ({ sections }) =>
            sections.protected?.forbidden.find(
              ({ pattern, severity }) => sameText(pattern, operation.pattern) && severity === stands.severity,
            )?.severity,
          stands.severity,
        ),
      });
    conflicts.push(...wider("forbidden_operations", operation, stands, others));
  }
  for (const operation of surface?.escalations ?? []) {
    const stands = together.protection.escalations.find(({ pattern }) => sameText(pattern, operation.pattern));
    if (stands !== undefined) conflicts.push(...wider("escalation_required", operation, stands, others));
    else {
      const forbids = others.find(({ sections }) =>
        sections.protected?.forbidden.some(({ pattern }) => sameText(pattern, operation.pattern)),
      );
      if (forbids !== undefined)
        conflicts.push({
          field: `protected_surface.escalation_required.${operation.pattern}`,
          from: "escalated",
          to: "forbidden",
          reason: "forbidden_above",
          won_by: forbids.scope,
        });
    }
  }
  if (review !== undefined && together.review !== null) {
    const { review: stands } = together;
    if (review.enabled === false && stands.enabled)
      conflicts.push({
        field: "review.enabled",
        from: false,
        to: true,
        reason: "review_enabled_above",
        won_by: wonBy(({ sections }) => sections.review && wantsReview(sections.review), true),
      });
    for (const name of SURFACES) {
      const from = review.gateOn[name];
      if (from === null || from === stands.gateOn[name]) continue;
      conflicts.push({
        field: `review.gate_on.${name}`,
        from,
        to: stands.gateOn[name],
        reason: "lower_band",
        won_by: wonBy(({ sections }) => sections.review?.gateOn[name], stands.gateOn[name]),
      });
    }
    const [own, all] = [composeUnjudged([draft]), composeUnjudged([...others, draft])];
    if (own.integrity !== null && all.integrity !== null && own.integrity.value !== all.integrity.value)
      conflicts.push({
        field: "review.gate_on.integrity",
        from: own.integrity.value,
        to: all.integrity.value,
        reason: "lower_band",
        won_by: all.integrity.scope,
      });
    for (const name of ["sse", "webhooks"] as const) {
      if (tells(review.notify[name]) || !tells(stands.notify[name])) continue;
      const told = others.find(({ sections }) => sections.review !== undefined && tells(sections.review.notify[name]));
      conflicts.push({
        field: `review.notify.${name}`,
        from: false,
        to: true,
        reason: "told_above",
        won_by: told?.scope ?? draft.scope,
      });
    }
    if (own.reviewer !== null && all.reviewer !== null && own.reviewer.scope !== all.reviewer.scope)
      conflicts.push({
        field: "review.reviewer",
        from: String(own.reviewer.value["kind"]),
        to: String(all.reviewer.value["kind"]),
        reason: "reviewer_named_above",
        won_by: all.reviewer.scope,
      });
    if (review.sla !== null && stands.sla !== null && stands.sla < review.sla)
      conflicts.push({
        field: "review.sla_seconds",
        from: review.sla,
        to: stands.sla,
        reason: "shorter_sla",
        won_by: wonBy(({ sections }) => sections.review?.sla, stands.sla),
      });
    if (review.onTimeout === "release" && stands.onTimeout === "reject")
      conflicts.push({
        field: "review.on_timeout",
        from: "release",
        to: "reject",
        reason: "clock_may_not_release",
        won_by: others.find(({ sections }) => sections.review?.onTimeout === "reject")?.scope ?? "platform:default",
      });
  }
  return conflicts;
}

/** Entries that the platform's ceiling cuts down or out. Such a draft does not compose as it is. */
export function outsideCeiling(draft: PolicyPart, others: readonly PolicyPart[]): readonly Conflict[] {
  const trust = draft.sections.screening?.trust;
  if (trust === undefined || draft.scope.startsWith("platform:")) return [];
  const platform = (scope: string) => scope.startsWith("platform:");
  const ceilings = trustAt(others, platform);
  return BUCKETS.flatMap(([bucket, name]) =>
    trust.sources[bucket].flatMap((entry): readonly Conflict[] => {
      const left = throughCeilings(bucket, entry, trust, ceilings);
      if (left.length === 1 && left[0] === entry) return [];
      const to = left.length === 0 ? null : left.join(" ");
      return [
        { field: `trusted_sources.${name}`, from: entry, to, reason: "outside_ceiling", won_by: "platform:default" },
      ];
    }),
  );
}

interface Operation {
  readonly pattern: string;
  readonly appliesTo: readonly string[] | null;
  readonly scope: string;
}

function wider(
  list: "forbidden_operations" | "escalation_required",
  draft: Operation,
  stands: Operation,
  others: readonly PolicyPart[],
): readonly Conflict[] {
  if (draft.appliesTo === null) return [];
  const said = draft.appliesTo;
  const isMore = (appliesTo: Operation["appliesTo"]): boolean =>
    appliesTo === null || appliesTo.some((one) => !said.some((other) => sameText(one, other)));
  if (!isMore(stands.appliesTo)) return [];
  const operations = ({ sections }: PolicyPart): readonly Operation[] =>
    (list === "forbidden_operations" ? sections.protected?.forbidden : sections.protected?.escalations) ?? [];
  const winner = others.find((part) =>
    operations(part).some(
      ({ pattern, appliesTo }) =>
        sameText(pattern, draft.pattern) && isMore(appliesTo) && (stands.appliesTo !== null || appliesTo === null),
    ),
  );
  return [
    {
      field: `protected_surface.${list}.${draft.pattern}.applies_to`,
      from: said.join(" "),
      to: stands.appliesTo?.join(" ") ?? "*",
      reason: "applies_to_more",
      won_by: winner?.scope ?? stands.scope,
    },
  ];
}

const sameText = (a: string, b: string): boolean =>
  normalText(a, "NFKC").toLowerCase() === normalText(b, "NFKC").toLowerCase();
