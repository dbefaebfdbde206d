import type { EffectivePolicy, EscalatedOperation, JsonObject, PolicyPart, PolicyVersion } from "@countersign/core";
import { formatInstant, instantFromMillis, isObject, jsonLimits, parseJson, tells } from "@countersign/core";
import { authored } from "./readCard.ts";
import { composeUnjudged } from "./unjudged.ts";

/** The version of the card specification that composed cards are written in. */
export const CARD_VERSION = "protection/2026-04-26";

/** A stored card as it is given back, with what the gate assigned. Null for what is no card. */
export function writeStoredCard(version: PolicyVersion): JsonObject | null {
  const document = parseJson(version.text, jsonLimits, "plain");
  if (!document.ok || !isObject(document.value) || !isObject(document.value["card"] ?? null)) return null;
  const { card, card_id, issued_at } = document.value;
  return {
    ...authored(card as JsonObject),
    card_id: card_id ?? null,
    issued_at: issued_at ?? null,
    version: version.version,
    content_hash: version.digest,
  };
}

export interface CompositionMeta {
  readonly agent: string;
  readonly now: number;
  readonly parts: readonly PolicyPart[];
  readonly policy: EffectivePolicy;
}

/** What is in force of screening, protection and review, as a card. */
export function writeComposedCard({ agent, now, parts, policy }: CompositionMeta): JsonObject {
  const { screening, trusted, protection, review } = policy;
  const own = parts.findLast(({ scope, dialect }) => dialect === "card" && scope === `agent:${agent}`);
  const written = own?.document;
  const unjudged = composeUnjudged(parts);
  const ends = policy.expiries.map(({ until }) => formatInstant(until.until)).sort();
  return {
    card_version: CARD_VERSION,
    agent_id: agent,
    mode: screening?.mode ?? "off",
    thresholds: { ...(screening?.thresholds ?? { warn: 0.6, quarantine: 0.8, block: 0.95 }) },
    screen_surfaces: {
      ...(screening?.surfaces ?? { incoming: true, outgoing: true, tool_calls: true, tool_responses: true }),
    },
    trusted_sources: {
      domains: [...trusted.domains],
      agent_ids: [...trusted.agents],
      ip_ranges: [...trusted.addresses],
    },
    protected_surface: {
      assets: protection.assets.map(({ scope, ...asset }) => ({ ...asset, source_scope: scope })),
      escalation_required: protection.escalations.map(operation),
      forbidden_operations: protection.forbidden.map((one) => ({ ...operation(one), severity: one.severity })),
    },
    ...(review === null
      ? {}
      : {
          review: {
            enabled: review.enabled,
            gate_on: {
              ...review.gateOn,
              ...(unjudged.integrity === null ? {} : { integrity: unjudged.integrity.value }),
            },
            notify: { sse: tells(review.notify.sse), webhooks: tells(review.notify.webhooks) },
            on_timeout: review.onTimeout,
            ...(review.notice === null ? {} : { quarantine_notice: review.notice }),
            ...(unjudged.reviewer === null ? {} : { reviewer: unjudged.reviewer.value }),
            ...(review.sla === null ? {} : { sla_seconds: review.sla }),
          },
        }),
    ...(written?.["extensions"] === undefined ? {} : { extensions: written["extensions"] }),
    expires_at: ends[0] ?? null,
    content_hash: policy.digest,
    _composition: {
      canonical_id: policy.digest,
      composed_at: formatInstant(instantFromMillis(now)),
      exemptions_applied: [...policy.exemptions],
      scopes_applied: parts.map(({ scope, version }) => ({ scope, ...(version === null ? {} : { version }) })),
    },
  };
}

function operation({ pattern, reason, appliesTo, scope }: EscalatedOperation): JsonObject {
  return {
    pattern,
    ...(reason === undefined ? {} : { reason }),
    ...(appliesTo === null ? {} : { applies_to: [...appliesTo] }),
    source_scope: scope,
  };
}
