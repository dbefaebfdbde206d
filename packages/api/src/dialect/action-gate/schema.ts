import type { InputSchema } from "../../schema/inputFaults.ts";
import { type DialectTool, judgesOnly } from "../tool.ts";

/** The body of the published description: every member may be left out. */
export const actionGateInput = {
  type: "object",
  properties: {
    action: {
      type: "object",
      description: "What is about to happen; its `description` is searched for injected instructions.",
    },
    payload: { type: "object", description: "What would be sent." },
    schema: { type: "object", description: "JSON Schema 2020-12 that the payload has to satisfy." },
    spend: { type: "object", description: "`{proposal, mandate, now?}`, amounts as digits in atomic units." },
    untrusted_text: { type: "string", description: "Text of somebody else's, searched for injected instructions." },
    url: { type: "string", description: "What would be fetched." },
  },
  required: [],
} as const satisfies InputSchema;

const open = { type: "object", additionalProperties: true } as const;
const hash = { type: "string", pattern: "^[0-9a-f]{64}$" } as const;

/** Open, so that a check may say more than it does today. */
const actionGateOutput = {
  type: "object",
  properties: {
    decision: {
      type: "string",
      enum: ["ALLOW", "REVIEW", "BLOCK"],
      description: "The strictest of the checks that ran.",
    },
    reason_codes: { type: "array", items: { type: "string" } },
    checks: {
      type: "object",
      properties: { prompt: open, url: open, payload: open, spend: open },
      required: ["prompt", "url", "payload", "spend"],
      additionalProperties: true,
    },
    request_sha256: hash,
    receipt_sha256: hash,
    limitation: { type: "string" },
    receipt: { type: "string", description: "Signed advice as a JWS; no executor takes it for a decision." },
  },
  required: ["decision", "reason_codes", "checks", "request_sha256", "receipt_sha256", "limitation"],
  additionalProperties: true,
} as const;

export const ACTION_GATE_TOOL: DialectTool = {
  name: "action_gate",
  title: "Check before acting",
  description:
    "Judges a proposed action by what comes with it: injected instructions in texts, the URL, a payload against its schema, a payment against a mandate. Checks without input are skipped, not passed. Advice: it enforces nothing, and ALLOW is no promise. Treat an error as BLOCK.",
  annotations: judgesOnly("Check before acting"),
  inputSchema: actionGateInput as unknown as DialectTool["inputSchema"],
  outputSchema: actionGateOutput as unknown as DialectTool["outputSchema"],
  aliases: [],
  http: { method: "POST", path: "/api/action-gate" },
};
