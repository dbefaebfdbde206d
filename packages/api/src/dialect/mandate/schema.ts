import type { JsonObject } from "@countersign/core";
import type { InputSchema } from "../../schema/inputFaults.ts";
import { type DialectTool, judgesOnly } from "../tool.ts";

const kind = {
  enum: ["file", "process", "package", "network", "device", "credential_use", "transaction", "administrative"],
} as const satisfies InputSchema;

const names = { items: { type: "string" }, minItems: 1, type: "array" } as const satisfies InputSchema;

/** What is judged of a mandate by its schema. That `not_valid_after` is a time is judged apart, and published with it. */
export const mandateSchema = {
  additionalProperties: false,
  properties: {
    clauses: {
      description: "In order; the first that matches decides.",
      items: {
        additionalProperties: false,
        properties: {
          effect: { enum: ["permit", "deny", "escalate"] },
          id: { minLength: 1, type: "string", description: "Unique. An answer names the clause by it." },
          match: {
            additionalProperties: false,
            description: "All conditions that are stated have to hold; a list holds when one of its entries does.",
            properties: {
              counterparty: { ...names, description: "Exact." },
              kind: { items: kind, minItems: 1, type: "array" },
              max_amount: {
                additionalProperties: false,
                description: "Holds for an amount of the same currency that is at most this.",
                properties: {
                  currency: { type: "string" },
                  value: { type: "string", description: "A plain decimal, such as 12.50." },
                },
                required: ["value", "currency"],
                type: "object",
              },
              target_prefix: {
                ...names,
                description:
                  "Each ends in a slash. Compared literally after composition (NFC); denials and escalations also match the target once it is percent-decoded.",
              },
              verb: { ...names, description: "Letter case does not count." },
            },
            required: ["kind"],
            type: "object",
          },
          note: { type: "string", description: "Repeated in the answer when this clause decides." },
        },
        required: ["id", "effect", "match"],
        type: "object",
      },
      minItems: 1,
      type: "array",
    },
    default: { enum: ["deny", "escalate"], description: "What holds when no clause matches." },
    issued_by: { type: "string" },
    mandate_id: { minLength: 1, type: "string" },
    not_valid_after: { type: "string", description: "At this instant and after it everything is denied." },
    purpose: { minLength: 1, type: "string" },
    requires_human: {
      description: "For these kinds a permission becomes an escalation.",
      items: kind,
      minItems: 0,
      type: "array",
    },
    schema_version: { const: "0.2-draft" },
  },
  required: ["schema_version", "mandate_id", "purpose", "default", "clauses"],
  type: "object",
} as const satisfies InputSchema;

export const requestSchema = {
  additionalProperties: false,
  properties: {
    idempotency_key: { type: "string" },
    justification: { minLength: 1, type: "string", description: "Read by people. It permits nothing." },
    mandate_ref: { type: "string" },
    operation: {
      additionalProperties: false,
      properties: {
        amount: {
          additionalProperties: false,
          properties: {
            currency: { minLength: 1, type: "string" },
            value: { minLength: 1, type: "string", description: "A plain decimal, such as 12.50." },
          },
          required: ["value", "currency"],
          type: "object",
        },
        counterparty: { type: "string" },
        kind,
        parameters: {
          type: "object",
          description: "Whatever else will be done. Digested, and searched for credentials.",
        },
        target: {
          minLength: 1,
          type: "string",
          description: "What is acted on, resolved: a parent segment (..) is denied, however it is encoded.",
        },
        verb: { minLength: 1, type: "string" },
      },
      required: ["kind", "verb", "target"],
      type: "object",
    },
    requested_by: {
      additionalProperties: false,
      properties: { agent: { type: "string" }, on_behalf_of: { type: "string" }, session: { type: "string" } },
      required: ["agent"],
      type: "object",
    },
    schema_version: { const: "0.1-draft" },
  },
  required: ["schema_version", "requested_by", "operation", "justification"],
  type: "object",
} as const satisfies InputSchema;

const publishedMandate = {
  ...mandateSchema,
  properties: {
    ...mandateSchema.properties,
    not_valid_after: {
      format: "date-time",
      type: "string",
      description: mandateSchema.properties.not_valid_after.description,
    },
  },
} as const;

/** Closed: a receipt says nothing that is not signed. */
export const receiptSchema = {
  additionalProperties: false,
  description: "Advice that can be verified later; it says what this mandate says, and no operator stands behind it.",
  properties: {
    action_digest: { type: "string" },
    clause: { type: "string" },
    issued_at: { format: "date-time", type: "string" },
    kid: { type: "string" },
    mandate_digest: { type: "string" },
    mandate_ref: { type: "string" },
    not_after: { format: "date-time", type: "string" },
    outcome: { enum: ["permit", "deny", "escalate"], type: "string" },
    signature: { type: "string", description: "Ed25519, base64url." },
    type: { const: "hanria-receipt-v1", type: "string" },
  },
  required: ["type", "kid", "outcome", "action_digest", "mandate_digest", "issued_at", "not_after", "signature"],
  type: "object",
} as const satisfies JsonObject;

const checkActionOutput = {
  additionalProperties: false,
  properties: {
    action_digest: { type: "string", description: "Hex SHA-256 of the request that was judged. Absent on an error." },
    clause: { type: "string", description: "The clause that decided; absent when the default did." },
    clause_note: { type: "string" },
    mandate_ref: { type: "string" },
    outcome: {
      enum: ["permit", "deny", "escalate", "error"],
      type: "string",
      description: "Anything but permit means that the action must not be done now.",
    },
    reason: { type: "string" },
    receipt: receiptSchema,
    schema_version: { const: "0.1-draft", type: "string" },
  },
  required: ["schema_version", "outcome", "reason"],
  type: "object",
} as const satisfies JsonObject;

const validateMandateOutput = {
  additionalProperties: false,
  properties: {
    clauses: { type: "integer" },
    expired: { type: "boolean", description: "An expired mandate is sound, and everything under it is denied." },
    mandate_digest: { type: "string", description: "Hex SHA-256 of a sound mandate." },
    mandate_ref: { type: "string" },
    reason: {
      type: "string",
      description: "Every problem that was found. After `also:`, clauses that nothing reaches, which is no problem.",
    },
    schema_version: { const: "0.1-draft", type: "string" },
    valid: { type: "boolean" },
  },
  required: ["schema_version", "valid", "reason"],
  type: "object",
} as const satisfies JsonObject;

export const CHECK_ACTION: DialectTool = {
  name: "check_action",
  title: "Check an action against a mandate",
  description:
    "Says whether a mandate permits an action: the first clause that matches decides, and what cannot be judged is never permitted. Nothing is enforced here, and no content is kept.",
  annotations: judgesOnly("Check an action against a mandate"),
  inputSchema: {
    additionalProperties: false,
    properties: { action: requestSchema, mandate: publishedMandate },
    required: ["mandate", "action"],
    type: "object",
  },
  outputSchema: checkActionOutput,
  aliases: [],
  http: { method: "POST", path: "/v1/check" },
};

export const VALIDATE_MANDATE: DialectTool = {
  name: "validate_mandate",
  title: "Validate a mandate",
  description:
    "Says whether a mandate is sound, and lists every problem: conditions that cannot be enforced, prefixes without a boundary, credentials, restrictions that an earlier clause makes unreachable.",
  annotations: judgesOnly("Validate a mandate"),
  inputSchema: {
    additionalProperties: false,
    properties: { mandate: publishedMandate },
    required: ["mandate"],
    type: "object",
  },
  outputSchema: validateMandateOutput,
  aliases: [],
  http: { method: "POST", path: "/v1/mandates/validate" },
};

export const MANDATE_TOOLS: readonly DialectTool[] = [CHECK_ACTION, VALIDATE_MANDATE];
