import { type JsonObject, KINDS, SURFACES, TEXT_SOURCES } from "@countersign/core";
import * as z from "zod/mini";

/** What the published schemas say besides the structure. */
export const docs = z.registry<{ description?: string; type?: "object" }>();

/** Names that a person can read: no control, invisible, reordering or unassigned characters. */
const NAME = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Cn}]+$/u;
const HEX = /^0x(?:[0-9a-fA-F]{2})*$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

export const text = (most: number) => z.string().check(z.minLength(1), z.maxLength(most));
export const name = (most: number) => text(most).check(z.regex(NAME));
export const list = <T extends z.core.$ZodType>(item: T, most: number) => z.array(item).check(z.maxLength(most));

/** Any JSON object as it was read. A schema that copied it could drop a member, and what is judged is what is sent. */
const jsonObject = (description: string) => {
  const schema = z.custom<JsonObject>((value) => typeof value === "object" && value !== null && !Array.isArray(value));
  docs.add(schema, { type: "object", description });
  return schema;
};

export const described = <T extends z.core.$ZodType>(schema: T, description: string): T => {
  docs.add(schema, { description });
  return schema;
};

export const moneySchema = z.strictObject({
  value: described(z.string(), 'An exact decimal as text, "12.50": at most 78 digits, no sign, no exponent.'),
  currency: described(z.string(), '"USD", or "eip155:1/erc20:0x…" for an asset on a chain. Never converted.'),
});

export const actionSchema = z.strictObject({
  kind: z.enum(KINDS),
  verb: described(z.string().check(z.regex(/^[A-Za-z0-9._:-]{1,64}$/)), "What is done: read, pay, delete."),
  target: described(text(16_384), "What it is done to: a URL, a path, an id."),
  counterparty: z.optional(described(name(512), "Who receives.")),
  amount: z.optional(moneySchema),
  parameters: z.optional(jsonObject("Everything else the executor will be given. All of it is in the digest.")),
  assets: z.optional(
    described(
      list(name(321).check(z.regex(/^[^:]{1,64}:.+$/u)), 64),
      "`kind:selector`. Left out: unknown, so every rule about assets applies.",
    ),
  ),
  labels: z.optional(list(name(120), 64)),
  justification: z.optional(described(text(8192), "For people. Permits nothing and is not in the digest.")),
});

export const textOrigin = described(
  z.strictObject({
    agent: z.optional(name(128)),
    domain: z.optional(described(name(253), "Host name, with the port where one is part of it.")),
    address: z.optional(text(45)),
  }),
  "Whose words these are. It counts from an enforcer that observed it, and from nobody else.",
);

const materialText = z.strictObject({
  surface: z.enum(SURFACES),
  text: z.string(),
  source: z.optional(z.enum(TEXT_SOURCES)),
  from: z.optional(textOrigin),
});

const evidence = z.strictObject({
  source: name(512),
  observed_at: z.optional(described(text(64), "RFC 3339, with an offset.")),
});

const calldata = z.strictObject({
  chain: described(z.string().check(z.regex(/^eip155:(?:0|[1-9][0-9]{0,19})$/)), "CAIP-2."),
  to: z.string().check(z.regex(ADDRESS)),
  data: z.string().check(z.regex(HEX)),
  value: z.optional(described(z.string().check(z.regex(/^(?:0|[1-9][0-9]{0,77})$/)), "Native value in atomic units.")),
  from: z.optional(z.string().check(z.regex(ADDRESS))),
});

export const materialSchema = z.strictObject({
  texts: z.optional(list(materialText, 256)),
  urls: z.optional(list(z.string(), 256)),
  data: z.optional(described(z.unknown(), "Any JSON.")),
  evidence: z.optional(list(evidence, 256)),
  calldata: z.optional(described(calldata, "A transaction that is about to be signed.")),
  typed_data: z.optional(jsonObject("EIP-712 typed data that is about to be signed.")),
});

export const decisionRequestSchema = z.strictObject({
  action: z.optional(described(actionSchema, "What is about to happen.")),
  material: z.optional(described(materialSchema, "What came with it, or stands alone to be judged.")),
  agent: z.optional(described(name(128), "For a credential that may speak for several agents.")),
  session: z.optional(
    described(name(128), "The conversation; one that the gate gave out narrows rules over a sequence to it."),
  ),
  idempotency_key: described(name(128), "The same key with the same question gives the same answer for a day."),
  audience: z.optional(described(name(512), "Who will act on the receipt.")),
});

export const verdict = z.enum(["allow", "review", "block"]);

const finding = z.strictObject({
  check: z.string(),
  code: described(z.string(), "What a program acts on. Codes are added, never changed."),
  severity: z.enum(["advisory", "review", "block"]),
  path: z.optional(described(z.string(), "JSON Pointer into the question.")),
  message: described(z.string(), "For a person."),
  expected: z.optional(z.string()),
  actual: z.optional(z.string()),
  retry: described(z.enum(["never", "later", "changed"]), "Whether asking again can help."),
});

const basisEntry = z.union([
  z.strictObject({ by: z.literal("clause"), scope: z.string(), id: z.string() }),
  z.strictObject({ by: z.literal("default"), scope: z.string() }),
  z.strictObject({ by: z.literal("rule"), id: z.string() }),
]);

const digest = z.nullable(z.string().check(z.regex(/^sha256:[0-9a-f]{64}$/)));

export const answerSchema = z.strictObject({
  id: z.string(),
  verdict: described(verdict, "Go on with allow, and with nothing else."),
  enforcement: described(
    z.enum(["enforce", "observe"]),
    "`observe`: the verdict is the true one, and the operator lets nothing be stopped by it.",
  ),
  basis: described(z.nullable(z.array(basisEntry)), "What permits; null when nothing does."),
  findings: z.array(finding),
  action_digest: digest,
  policy_digest: digest,
  engine: z.string(),
  receipt: z.optional(described(z.string(), "A signed statement of this decision, valid for 300 seconds.")),
  hold: z.optional(
    z.strictObject({
      id: z.string(),
      expires_at: z.string(),
      notice: z.optional(described(z.string(), "What the operator tells whoever waits.")),
    }),
  ),
  remedy: z.optional(
    described(
      z.strictObject({
        text: described(z.string(), "`amount at most 42.10 USD`"),
        changes: z.array(
          z.strictObject({ path: described(z.string(), "JSON Pointer into the ask."), value: z.string() }),
        ),
        verdict: described(z.enum(["allow", "review"]), "What the changed ask would get now."),
      }),
      "Of a block: the smallest change that would pass, decided again before it was named.",
    ),
  ),
});

export type DecisionRequestWire = z.infer<typeof decisionRequestSchema>;
export type AnswerWire = z.infer<typeof answerSchema>;

export const decisionId = z
  .string()
  .check(z.regex(/^dec_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/));

export const decisionIdSchema = z.strictObject({ id: decisionId });

/** What is kept of a decision for whoever may see it: no content of the question. */
export const decisionSummarySchema = z.strictObject({
  id: decisionId,
  at: described(z.string(), "RFC 3339."),
  agent: z.string(),
  verdict,
  codes: z.array(z.string()),
  action_digest: digest,
  policy_digest: digest,
  redeemed_at: z.nullable(z.string()),
  outcome: z.nullable(z.enum(["executed", "failed", "unknown"])),
  hold: z.nullable(z.string()),
  grant: z.nullable(z.string()),
});

export const contentDigest = z.string().check(z.regex(/^sha256:[0-9a-f]{64}$/));

/** Of the caller's own making: sent again, nothing is done twice. */
export const idempotencyKey = described(name(128), "The same key with the same request is done once.");

/** Of a change that a caller may have to ask for again, not knowing whether it was made. Also as `Idempotency-Key`. */
export const once = { idempotency_key: z.optional(idempotencyKey) };

/** What really happened. Content stays with the executor; digests of it are reported. */
export const outcomeSchema = z.strictObject({
  id: decisionId,
  result: z.enum(["executed", "failed", "unknown"]),
  sent: z.optional(described(contentDigest, "Of what was sent.")),
  received: z.optional(described(contentDigest, "Of what came back.")),
  as_approved: described(z.boolean(), "False when what ran is not what was approved: that stops the agent."),
  action_digest: z.optional(
    described(contentDigest, "Of the action that ran. Another one than was decided counts as not approved."),
  ),
  idempotency_key: z.optional(idempotencyKey),
});

export const outcomeAnswerSchema = z.strictObject({
  id: decisionId,
  result: z.enum(["executed", "failed", "unknown"]),
  money: described(
    z.enum(["none", "reserved", "redeemed", "spent", "released"]),
    "What became of the money: redeemed counts as spent until somebody knows better.",
  ),
  breaker: described(z.nullable(z.string()), "The stop that this outcome set on the agent, where it did."),
});

export type DecisionSummaryWire = z.infer<typeof decisionSummarySchema>;
export type OutcomeWire = z.infer<typeof outcomeSchema>;
