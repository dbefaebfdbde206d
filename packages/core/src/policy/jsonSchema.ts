import { KINDS, SURFACES, TEXT_SOURCES } from "../action/action.ts";
import { TRADE_SETTINGS } from "../check/trade/trade.ts";
import type { JsonObject } from "../json/value.ts";
import { MODES } from "./compose.ts";
import { GATE_BANDS, KEEPINGS, OPERATION_SEVERITIES } from "./effective.ts";
import { PLATFORM_CLAUSE_LIMIT } from "./section/mandate.ts";
import { PROTECTED_LIMITS } from "./section/protected.ts";
import { LONGEST_SLA, PERSON_LENGTH, WEBHOOK_ID } from "./section/review.ts";
import { TOOL_LIMIT } from "./section/tools.ts";

const LIST = 64;

const text = (most = 256, more: JsonObject = {}): JsonObject => ({
  type: "string",
  minLength: 1,
  maxLength: most,
  ...more,
});
const list = (items: JsonObject, least = 1, most = LIST): JsonObject => ({
  type: "array",
  items,
  minItems: least,
  maxItems: most,
});
const oneOf = (names: readonly string[], description?: string): JsonObject => ({
  enum: [...names],
  ...(description === undefined ? {} : { description }),
});
const number = (minimum: number, maximum: number): JsonObject => ({ type: "number", minimum, maximum });
const integer = (minimum: number, maximum: number): JsonObject => ({ type: "integer", minimum, maximum });
const object = (properties: JsonObject, required: readonly string[] = [], description?: string): JsonObject => ({
  type: "object",
  properties,
  ...(required.length === 0 ? {} : { required: [...required] }),
  additionalProperties: false,
  ...(description === undefined ? {} : { description }),
});
const flag: JsonObject = { type: "boolean" };
const time: JsonObject = {
  type: "string",
  description: "RFC 3339 with an offset; the instant itself no longer counts.",
};
const duration: JsonObject = {
  type: "string",
  description: "ISO 8601 without years and months, such as P1D or PT90M.",
};
const kinds = (least: number): JsonObject => list(oneOf(KINDS), least, KINDS.length);

const currency: JsonObject = { type: "string", description: '"USD", or "eip155:1/erc20:0x…" for an asset on a chain.' };
const decimal: JsonObject = { type: "string", description: 'An exact decimal as text, "12.50".' };
const money = object({ value: decimal, currency }, ["value", "currency"]);
const verb: JsonObject = { type: "string", pattern: "^[A-Za-z0-9._:-]{1,64}$" };
const id = text(128);

const match = object(
  {
    kind: kinds(1),
    verb: list(verb),
    target_prefix: list(text(256)),
    counterparty: list(text()),
    max_amount: { $ref: "#/$defs/money" },
  },
  ["kind"],
  "What has to hold: every condition that is stated, and of a list one entry.",
);

const mandate = object(
  {
    clauses: list({ $ref: "#/$defs/clause" }, 1, PLATFORM_CLAUSE_LIMIT),
    requires_human: kinds(0),
    default: oneOf(["block", "review"], "What happens where no clause matches."),
    expires: time,
  },
  ["clauses", "default"],
  "Clauses in order, the first match decides. The mandate of every scope is asked, and the strictest stands. 1,000 clauses; 10,000 for the platform.",
);

const clause = object(
  { id, effect: oneOf(["allow", "review", "block"]), match: { $ref: "#/$defs/match" }, note: text(1_000) },
  ["id", "effect", "match"],
);

const spend = object(
  {
    ceilings: list({ $ref: "#/$defs/money" }),
    budgets: list(
      object(
        {
          id,
          per: oneOf(["agent", "team", "org", "tool", "counterparty"]),
          window: {
            anyOf: [
              object({ rolling: duration }, ["rolling"]),
              object({ calendar: oneOf(["day", "week", "month"]), zone: { type: "string" } }, ["calendar", "zone"]),
            ],
          },
          currency,
          max: decimal,
        },
        ["id", "per", "window", "currency", "max"],
      ),
    ),
    counterparties: object({ allow: list(text(), 0), deny: list(text(), 0) }, [], "An empty `allow` is nobody."),
    amount_required: kinds(0),
    other_currencies: oneOf(["block", "allow"]),
    expires: time,
  },
  [],
  "Every ceiling and every budget of every scope applies.",
);

const evidence = object(
  {
    required: flag,
    trusted: list(text(), 0),
    max_age: { type: "object", additionalProperties: duration, maxProperties: 64 },
  },
  [],
  "Where data has to come from, and how old it may be.",
);

const fieldRule = object({
  type: oneOf(["string", "number", "integer", "boolean", "array", "object"]),
  required: flag,
  min: { type: "number" },
  max: { type: "number" },
  enum: { type: "array", items: { type: ["string", "number", "boolean", "null"] } },
});

const contracts = list(
  {
    anyOf: [
      object(
        { id, fields: { type: "object", additionalProperties: fieldRule }, allow_extra: flag, required_for: kinds(0) },
        ["id", "fields"],
      ),
      object({ id, schema: { type: ["object", "boolean"] }, required_for: kinds(0) }, ["id", "schema"]),
    ],
  },
  1,
  100,
);

const level = number(0, 1);
const screening = object(
  {
    mode: oneOf(MODES),
    thresholds: object({ warn: level, quarantine: level, block: level }, ["warn", "quarantine", "block"]),
    surfaces: object(Object.fromEntries(SURFACES.map((surface) => [surface, flag]))),
    trusted_sources: object({
      agents: list(text(), 0),
      domains: list(text(), 0),
      addresses: list(text(), 0),
      ceiling: oneOf(["none", "listed"], "At the platform only."),
    }),
  },
  ["mode"],
  "Search of texts for instructions that did not come from the operator.",
);

const operation = {
  pattern: text(PROTECTED_LIMITS.pattern),
  reason: text(PROTECTED_LIMITS.reason),
  applies_to: list(text(PROTECTED_LIMITS.appliesTo), 0),
};
const protectedSurface = object(
  {
    assets: list(
      object(
        {
          kind: text(PROTECTED_LIMITS.kind),
          selector: text(PROTECTED_LIMITS.selector),
          label: text(PROTECTED_LIMITS.label),
          reason: text(PROTECTED_LIMITS.reason),
        },
        ["kind", "selector"],
      ),
      0,
    ),
    forbidden_operations: list(object({ ...operation, severity: oneOf(OPERATION_SEVERITIES) }, ["pattern"]), 0),
    escalation_required: list(object(operation, ["pattern"]), 0),
  },
  [],
  "A pattern matches the verb, the tool's name, `verb target` or `verb:label`, with * for anything.",
);

const review = object({
  enabled: flag,
  gate_on: object(Object.fromEntries(SURFACES.map((surface) => [surface, oneOf(GATE_BANDS)]))),
  on_timeout: oneOf(["reject", "release"]),
  sla_seconds: integer(1, LONGEST_SLA),
  notice: text(2_000),
  notify: object(
    {
      sse: { anyOf: [flag, list(text(PERSON_LENGTH))] },
      webhooks: { anyOf: [flag, list({ type: "string", pattern: WEBHOOK_ID })] },
      remind_before_seconds: integer(1, LONGEST_SLA),
    },
    [],
    "Who is told that something waits: everybody (true), or people and webhooks by name; and how long before its end once more.",
  ),
  approvers: integer(1, 2),
});

const verdict = oneOf(["allow", "review", "block"]);
const host = text(255, { description: "`api.example.com`, or `*.example.com` for the domain and all below it." });
const network = object({
  schemes: list(oneOf(["https", "http"]), 1, 2),
  ports: list(number(1, 65_535)),
  allow: list(host, 0),
  deny: list(host, 0),
  internal: object({ addresses: list(text(), 0), names: list(text(), 0) }),
  raw_public_address: verdict,
  single_label_names: verdict,
  unlisted_suffixes: verdict,
  homographs: verdict,
  encoded_controls: verdict,
  resolution: oneOf(["required", "skipped"]),
});

const template = text(512, { description: "Text with {/pointer} for values of the arguments." });
const tools = list(
  object(
    {
      tool: { type: "string", pattern: "^[A-Za-z0-9._-]{1,64}[/][A-Za-z0-9._/-]{1,128}$" },
      kind: oneOf(KINDS),
      verb,
      target: template,
      counterparty: template,
      amount: object({ value: template, currency: template }, ["value", "currency"]),
      assets: list(template, 0),
      labels: list(template, 0),
    },
    ["tool", "kind", "verb", "target"],
  ),
  1,
  TOOL_LIMIT,
);

const mark: JsonObject = { type: "string", pattern: "^[a-z][a-z0-9_]{0,39}$" };
const sequence = object(
  {
    marks: list(
      {
        ...object(
          {
            mark,
            match: { $ref: "#/$defs/match" },
            texts: object(
              {
                surfaces: list(oneOf(SURFACES), 1, SURFACES.length),
                sources: list(oneOf(TEXT_SOURCES), 1, TEXT_SOURCES.length),
              },
              ["surfaces"],
            ),
          },
          ["mark"],
        ),
        anyOf: [{ required: ["match"] }, { required: ["texts"] }],
      },
      0,
    ),
    rules: list(
      object(
        {
          id,
          after: list(mark, 1, 8),
          match: { $ref: "#/$defs/match" },
          effect: oneOf(["review", "block"]),
          within: duration,
        },
        ["id", "after", "match", "effect"],
      ),
    ),
  },
  ["rules"],
  "What may not come after what the same credential did within a day.",
);

const limits = object({
  asks: list(object({ max: integer(1, 1_000_000), within: duration }, ["max", "within"]), 1, 8),
  texts: integer(0, 256),
  text_length: integer(0, 1_048_576),
  urls: integer(0, 256),
  parameters_length: integer(0, 1_048_576),
});

const trade = object(
  {
    ceilings_usd: list(decimal, 3, 3),
    max_loss_usd: decimal,
    max_slippage_bps: integer(0, TRADE_SETTINGS.maxSlippageBps),
    warn_trades_per_minute: integer(0, TRADE_SETTINGS.warnTradesPerMinute),
    deny_trades_per_minute: integer(0, TRADE_SETTINGS.denyTradesPerMinute),
    unregistered: oneOf(["denied", "allowed_when_safe"]),
  },
  [],
  "Limits of trades on a chain: the lowest of each stands.",
);

const content = object(
  { keep: oneOf(KEEPINGS), for: duration },
  ["keep"],
  "What is kept beside the record of what was asked, and how long: the least that any scope says, and never more than the gate is set to.",
);

/**
 * The policy document for editors: its structure and its bounds. What it cannot say (times, amounts, names that exist,
 * ids that differ) the reader says when the document is saved; what it refuses, the reader refuses.
 */
export const POLICY_SCHEMA: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Countersign policy",
  description: "What the operator has written for one scope: platform, organisation, team or agent.",
  ...object({
    mandate,
    spend,
    evidence,
    contracts,
    screening,
    protected: protectedSurface,
    review,
    network,
    tools,
    sequence,
    limits,
    trade,
    content,
    expires: time,
    observe_until: { ...time, description: "At the platform only: until then no verdict stops anything." },
  }),
  $defs: { match, clause, money },
};
