import type { JsonObject } from "@countersign/core";
import type { InputSchema } from "../../schema/inputFaults.ts";
import { type DialectTool, judgesOnly } from "../tool.ts";

const AGENT_ID = "^[A-Za-z0-9][A-Za-z0-9_-]{1,62}[A-Za-z0-9]$";
const CARD_VERSION = "^[A-Za-z0-9][A-Za-z0-9._/-]{1,38}[A-Za-z0-9]$";
const MODES = ["off", "observe", "nudge", "enforce"];
const BANDS = ["off", "warn", "quarantine", "block"];

const level = { type: "number", minimum: 0, maximum: 1 } as const;
const flag = { type: "boolean" } as const;
const textOf = (most: number) => ({ type: "string", minLength: 1, maxLength: most }) as const;
const reason = textOf(200);
const appliesTo = { type: "array", items: textOf(256), maxItems: 64 } as const;

const thresholds = {
  type: "object",
  properties: { warn: level, quarantine: level, block: level },
  required: ["warn", "quarantine", "block"],
  additionalProperties: false,
} as const;

const surfaces = { incoming: flag, outgoing: flag, tool_calls: flag, tool_responses: flag } as const;

const sources = {
  domains: { type: "array", items: { type: "string", minLength: 3, maxLength: 253 }, maxItems: 64 },
  agent_ids: {
    type: "array",
    items: { type: "string", minLength: 8, maxLength: 64, pattern: "^mnm-[A-Za-z0-9-]{4,}$" },
    maxItems: 64,
  },
  ip_ranges: { type: "array", items: { type: "string", minLength: 3, maxLength: 43 }, maxItems: 64 },
} as const;

const protectedSurface = {
  type: "object",
  properties: {
    assets: {
      type: "array",
      items: {
        type: "object",
        properties: { kind: textOf(64), selector: textOf(256), label: textOf(120), reason },
        required: ["kind", "selector"],
        additionalProperties: false,
      },
      maxItems: 64,
    },
    escalation_required: {
      type: "array",
      items: {
        type: "object",
        properties: { pattern: textOf(200), reason, applies_to: appliesTo },
        required: ["pattern"],
        additionalProperties: false,
      },
      maxItems: 64,
    },
    forbidden_operations: {
      type: "array",
      items: {
        type: "object",
        properties: {
          pattern: textOf(200),
          reason,
          applies_to: appliesTo,
          severity: { enum: ["low", "medium", "high", "critical"], type: "string" },
        },
        required: ["pattern"],
        additionalProperties: false,
      },
      maxItems: 64,
    },
  },
  additionalProperties: false,
} as const;

const agentId = { maxLength: 64, minLength: 3, pattern: AGENT_ID, type: "string" } as const;
const cardVersion = { type: "string", minLength: 3, maxLength: 40, pattern: CARD_VERSION } as const;

/** What a draft has to have: every part of the screening is said. */
export const previewInput: InputSchema & JsonObject = {
  type: "object",
  properties: {
    agent_id: agentId,
    card_version: cardVersion,
    mode: { enum: MODES, type: "string" },
    thresholds,
    screen_surfaces: {
      type: "object",
      properties: surfaces,
      required: ["incoming", "outgoing", "tool_calls", "tool_responses"],
      additionalProperties: false,
    },
    trusted_sources: {
      type: "object",
      properties: sources,
      required: ["domains", "agent_ids", "ip_ranges"],
      additionalProperties: false,
    },
    protected_surface: protectedSurface,
  },
  required: ["agent_id", "card_version", "mode", "thresholds", "screen_surfaces", "trusted_sources"],
};

const previewOutput: JsonObject = {
  type: "object",
  properties: {
    ok: { type: "boolean" },
    summary: { type: "string" },
    composition_valid: { type: "boolean" },
    conflicts_count: { type: "integer" },
    full_report: {
      oneOf: [
        { type: "null" },
        {
          type: "object",
          properties: { method: { type: "string" }, path: { type: "string" }, note: { type: "string" } },
          required: ["method", "path", "note"],
          additionalProperties: false,
        },
      ],
    },
  },
  required: ["ok", "composition_valid", "conflicts_count", "summary"],
};

const band = { enum: BANDS, type: "string" } as const;

/** A sourced entry of a card that was read from here may be written back as it is. */
const sourced = (list: JsonObject): JsonObject => {
  const items = list["items"] as JsonObject;
  const properties = { ...(items["properties"] as JsonObject), source_scope: textOf(192) };
  return { ...list, items: { ...items, properties } };
};

/** A card as it is stored. Members that the gate assigns are taken and replaced by the gate's own. */
export const cardInput: InputSchema & JsonObject = {
  type: "object",
  properties: {
    card_version: cardVersion,
    card_id: textOf(64),
    agent_id: agentId,
    mode: { enum: MODES, type: "string" },
    thresholds,
    screen_surfaces: { type: "object", properties: surfaces, additionalProperties: false },
    trusted_sources: { type: "object", properties: sources, additionalProperties: false },
    protected_surface: {
      ...protectedSurface,
      properties: Object.fromEntries(
        Object.entries(protectedSurface.properties).map(([name, list]) => [
          name,
          sourced(list as unknown as JsonObject),
        ]),
      ),
    } as unknown as InputSchema & JsonObject,
    review: {
      type: "object",
      properties: {
        enabled: flag,
        gate_on: {
          type: "object",
          properties: {
            incoming: band,
            outgoing: band,
            tool_calls: band,
            tool_responses: band,
            integrity: { enum: ["off", "review_needed", "boundary_violation"], type: "string" },
          },
          additionalProperties: false,
        },
        notify: {
          type: "object",
          properties: { sse: flag, webhooks: flag },
          additionalProperties: false,
        },
        on_timeout: { enum: ["reject", "release"], type: "string" },
        quarantine_notice: { type: "string", maxLength: 2000 },
        reviewer: {
          type: "object",
          properties: {
            endpoint_url: { type: "string", minLength: 1, maxLength: 2048 },
            kind: { enum: ["builtin_opus", "endpoint"], type: "string" },
          },
          required: ["kind"],
          additionalProperties: false,
        },
        sla_seconds: { type: "number", minimum: 1 },
      },
      required: ["enabled"],
      additionalProperties: false,
    },
    version: { type: "integer" },
    content_hash: textOf(80),
    issued_at: textOf(64),
    expires_at: { type: ["string", "null"], maxLength: 64 },
    extensions: { type: "object", additionalProperties: true },
    _composition: { type: "object" },
    warnings: { type: "array" },
  },
  required: ["card_version", "agent_id", "mode"],
  additionalProperties: false,
};

/** At the platform, an organisation or a team a card is a template: what it does not say it leaves to the scopes below. */
export const templateInput: InputSchema & JsonObject = (() => {
  const { required: _, ...rest } = cardInput;
  return rest as InputSchema & JsonObject;
})();

export const PREVIEW_TOOL: DialectTool = {
  name: "preview_compose_protection_by_agent",
  title: "Try a protection card",
  description:
    "Composes a draft protection card of an agent with the cards and policies of the scopes above it, without saving anything, and counts what those scopes would tighten. Zero conflicts means that the draft weakens nothing.",
  annotations: judgesOnly("Try a protection card"),
  inputSchema: previewInput,
  outputSchema: previewOutput,
  aliases: [],
  http: { method: "POST", path: "/v1/protection/preview-compose" },
};

export const CARD_TOOLS: readonly DialectTool[] = [PREVIEW_TOOL];
