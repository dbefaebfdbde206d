import type { InputSchema } from "../../schema/inputFaults.ts";
import { type DialectTool, judgesOnly } from "../tool.ts";

const texts = { type: "array", items: { type: "string" } } as const satisfies InputSchema;
const amount = { type: "number", minimum: 0 } as const satisfies InputSchema;

const fieldRules = {
  type: "object",
  additionalProperties: {
    type: "object",
    properties: {
      type: { type: "string", enum: ["string", "number", "integer", "boolean", "array", "object"] },
      required: {
        type: "boolean",
        default: false,
        description: "Refuses a value that is missing, null or empty text.",
      },
      min: { type: "number", description: "Inclusive, and of numbers only." },
      max: { type: "number", description: "Inclusive, and of numbers only." },
      enum: {
        type: "array",
        items: { type: ["string", "number", "boolean", "null"] },
        description: 'Compared without conversion: 1 is not "1".',
      },
    },
    required: [],
    additionalProperties: false,
  },
  description:
    "A rule a field, by its path with dots. A field that is missing, null or empty text is only asked whether it is required.",
} as const satisfies InputSchema;

const allowExtra = {
  type: "boolean",
  default: true,
  description: "False refuses keys of the data, at its top level, that the rules do not name.",
} as const satisfies InputSchema;

export const checkActionInput = {
  type: "object",
  properties: {
    action: {
      type: "object",
      properties: {
        type: { type: "string", minLength: 1, description: "`payment`, exactly, turns the spend checks on." },
        amount: { ...amount, description: "What a payment would pay." },
        merchant: { type: "string", description: "Whom a payment would pay." },
      },
      required: ["type"],
      additionalProperties: true,
    },
    data: {
      type: "object",
      additionalProperties: true,
      description: "What the action rests on. Judged, never stored.",
    },
    contract: fieldRules,
    allow_extra: allowExtra,
    evidence: {
      type: "array",
      items: {
        type: "object",
        properties: { source: { type: "string" } },
        required: ["source"],
        additionalProperties: true,
      },
      description: "Labels that say where the data comes from. They are claims; nobody proves them here.",
    },
    trusted_sources: { ...texts, description: "Every source of the evidence must be one of these, letter by letter." },
    require_evidence: {
      type: "boolean",
      default: true,
      description: "False asks for no label; those given are still judged.",
    },
    detect_instructions: {
      type: "boolean",
      default: true,
      description: "Looks for injected instructions in the JSON text of the data.",
    },
    remaining_budget: { ...amount, description: "What may still be spent; a payment needs it. Equal passes." },
    per_transaction_limit: { ...amount, description: "What one payment may be at most. Equal passes." },
    allowed_merchants: { ...texts, description: "Left out: not checked. Empty: nobody is paid." },
  },
  required: ["action"],
  additionalProperties: false,
} as const satisfies InputSchema;

export const checkSpendInput = {
  type: "object",
  properties: {
    amount: { ...amount, description: "What would be paid." },
    remaining_budget: { ...amount, description: "What may still be spent. Equal passes." },
    per_transaction_limit: { ...amount, description: "What one payment may be at most. Equal passes." },
    merchant: { type: "string", description: "Whom it would pay; needed with `allowed_merchants`." },
    allowed_merchants: { ...texts, description: "Left out: not checked. Empty: nobody is paid." },
  },
  required: ["amount", "remaining_budget"],
  additionalProperties: false,
} as const satisfies InputSchema;

export const validateDataInput = {
  type: "object",
  properties: {
    data: { type: "object", additionalProperties: true, description: "What is judged." },
    fields: fieldRules,
    allow_extra: allowExtra,
  },
  required: ["data", "fields"],
  additionalProperties: false,
} as const satisfies InputSchema;

export const cleanDataInput = {
  type: "object",
  properties: {
    rows: { type: "array", maxItems: 500, items: { type: "object", additionalProperties: true } },
    primary_key: { type: "string", default: "id", minLength: 1, description: "Names the key of a row." },
    required_fields: texts,
    numeric_ranges: {
      type: "array",
      items: {
        type: "object",
        properties: { field: { type: "string" }, min: { type: "number" }, max: { type: "number" } },
        required: ["field"],
        additionalProperties: false,
      },
      description: "Inclusive bounds, of numbers only.",
    },
    trim_strings: {
      type: "boolean",
      default: false,
      description: "Trims the texts at the top of each row, before all else.",
    },
    remove_duplicates: {
      type: "boolean",
      default: false,
      description: "Drops later rows with the key of an earlier one.",
    },
  },
  required: ["rows"],
  additionalProperties: false,
} as const satisfies InputSchema;

export const capabilitiesInput = {
  type: "object",
  properties: {},
  required: [],
  additionalProperties: false,
} as const satisfies InputSchema;

const reasons = {
  type: "array",
  items: {
    type: "object",
    properties: {
      code: { type: "string", description: "What a program acts on." },
      field: { type: "string" },
      expected: { type: "string" },
      message: { type: "string", description: "For a person." },
      note: { type: "string" },
      row: { type: "integer", minimum: 0, description: "As the row came in, from 0." },
    },
    required: ["code"],
    additionalProperties: false,
  },
} as const;

const ok = {
  type: "boolean",
  const: true,
  description: "The call completed; the verdict says what it found.",
} as const;
const text = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;
const verdict = { type: "string", enum: ["ALLOW", "BLOCK"] } as const;

const closed = <const P extends Record<string, object>>(properties: P) =>
  ({ type: "object", properties, required: Object.keys(properties), additionalProperties: false }) as const;

const checkActionOutput = closed({
  ok,
  service: text,
  version: text,
  verdict,
  reasons,
  checks: { type: "array", items: text },
  warning: text,
});

const checkSpendOutput = closed({ ok, service: text, version: text, verdict, reasons, warning: text });

const validateDataOutput = closed({ ok, service: text, version: text, verdict, reasons, checked_fields: count });

const cleanDataOutput = closed({
  ok,
  service: text,
  version: text,
  verdict: { type: "string", enum: ["ALLOW", "REVIEW", "BLOCK"] },
  issues: reasons,
  cleaned_rows: { type: "array", items: { type: "object", additionalProperties: true } },
  input_count: count,
  output_count: count,
  warning: text,
});

const capabilitiesOutput = closed({
  ok,
  service: text,
  version: text,
  mode: { type: "string", const: "free-pilot" },
  authentication: { type: "string", const: "none" },
  payments_enabled: { type: "boolean", const: false },
  policy_mode: { type: "string", const: "stateless-inline" },
  limits: closed({ request_body_bytes: { type: "integer" }, clean_rows: { type: "integer" } }),
  workflow: { type: "array", items: text },
  tools: {
    type: "array",
    items: {
      type: "object",
      properties: { name: text, path: text, legacy_aliases: { type: "array", items: text } },
      required: ["name", "legacy_aliases"],
      additionalProperties: false,
    },
  },
  limitations: { type: "array", items: text },
  telemetry: text,
});

function tool(
  name: string,
  title: string,
  description: string,
  [inputSchema, outputSchema]: readonly [InputSchema, object],
  [method, path]: readonly ["GET" | "POST", string],
  aliases: readonly string[] = [],
): DialectTool {
  return {
    name,
    title,
    description,
    annotations: judgesOnly(title),
    inputSchema: inputSchema as DialectTool["inputSchema"],
    outputSchema: outputSchema as DialectTool["outputSchema"],
    aliases,
    http: { method, path },
  };
}

const advice = "Advice: it enforces nothing. Treat an error as BLOCK.";

export const FIREWALL_TOOLS: readonly DialectTool[] = [
  tool(
    "trust_check_action",
    "Check an action",
    `Judges an action with the policy that comes in the same call: evidence, trusted sources, injected instructions, a data contract and, for a payment, budget, limit and merchant. Lists every check that failed. ${advice}`,
    [checkActionInput, checkActionOutput],
    ["POST", "/v1/trust/check-action"],
  ),
  tool(
    "trust_check_spend",
    "Check a payment",
    `Judges one amount against the remaining budget, a limit for one payment and a list of merchants. Equal to a limit passes; nothing is added up between calls. ${advice}`,
    [checkSpendInput, checkSpendOutput],
    ["POST", "/v1/trust/spend-guard"],
  ),
  tool(
    "trust_validate_data",
    "Validate data",
    `Judges an object against rules for its fields, without converting any value. ${advice}`,
    [validateDataInput, validateDataOutput],
    ["POST", "/v1/trust/validate-data"],
  ),
  tool(
    "trust_clean_data",
    "Clean rows",
    `Trims, finds duplicates by key, then checks required fields and ranges, of at most 500 rows. Gives cleaned copies and what was found. ${advice}`,
    [cleanDataInput, cleanDataOutput],
    ["POST", "/v1/trust/clean-data"],
  ),
  tool(
    "trust_get_capabilities",
    "What this firewall does",
    "Names the tools, their limits and what they cannot do.",
    [capabilitiesInput, capabilitiesOutput],
    ["GET", "/v1/trust/capabilities"],
    ["trust_inventory", "trust_capabilities"],
  ),
];
