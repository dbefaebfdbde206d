import type { Delivery, JsonObject, Webhook } from "@countersign/core";
import * as z from "zod/mini";
import { idOf, operation } from "./operation.ts";
import { described, list, name, once, text } from "./schema.ts";

const webhookId = idOf("hook");
const url = described(
  text(2048),
  "https, or http to an address that the operator has listed. Judged when it is written and at each delivery.",
);
const kinds = described(list(z.string().check(z.regex(/^[a-z][a-z._]{0,63}$/)), 64), "Which events; none for all.");
const agents = described(z.nullable(list(name(128), 64)), "Only events about these; null for all.");
const state = z.enum(["active", "disabled"]);

const webhookMembers = { id: webhookId, url: z.string(), kinds, agents, secret_version: z.int(), state };
export const webhookSchema = z.strictObject(webhookMembers);
const withSecret = z.strictObject({
  ...webhookMembers,
  secret: described(z.string(), "`whsec_…`, as Standard Webhooks has it. Shown now and not again."),
});

const admin = (name_: string, title: string, description: string, changes: "nothing" | "the log") =>
  ({ name: name_, title, description, needs: ["admin"], changes }) as const;

export const listWebhooks = operation(
  admin("list_webhooks", "List webhooks", "Where events are sent.", "nothing"),
  ["GET", "/v1/webhooks"],
  z.strictObject({}),
  z.strictObject({ items: z.array(webhookSchema) }),
);

export const createWebhook = operation(
  admin(
    "create_webhook",
    "Send events to an address",
    "From now on; what happened before is not sent. Each delivery is signed as Standard Webhooks has it, tried again for days, and may come twice: its `webhook-id` tells.",
    "the log",
  ),
  ["POST", "/v1/webhooks"],
  z.strictObject({ url, kinds: z.optional(kinds), agents: z.optional(agents), ...once }),
  withSecret,
);

export const updateWebhook = operation(
  admin("update_webhook", "Change a webhook", "Its secret stays as it is.", "the log"),
  ["PUT", "/v1/webhooks/{id}"],
  z.strictObject({ id: webhookId, url, kinds, agents, state, ...once }),
  webhookSchema,
);

export const rotateWebhook = operation(
  admin("rotate_webhook", "A new secret", "Deliveries carry a signature by the secret before as well.", "the log"),
  ["POST", "/v1/webhooks/{id}/rotate"],
  z.strictObject({ id: webhookId, ...once }),
  withSecret,
);

export const removeWebhook = operation(
  admin("remove_webhook", "Send no more", "What waits for this address is not sent.", "the log"),
  ["DELETE", "/v1/webhooks/{id}"],
  z.strictObject({ id: webhookId }),
  z.strictObject({ id: webhookId }),
);

const deadDelivery = z.strictObject({
  id: z.string(),
  webhook: webhookId,
  event: described(z.int(), "The index of the event in the log."),
  kind: z.string(),
  attempts: z.int(),
  error: described(z.string(), "Of the last try."),
});

export const listDeadDeliveries = operation(
  admin(
    "list_dead_deliveries",
    "What was given up",
    "Deliveries that failed until the last try, newest first.",
    "nothing",
  ),
  ["GET", "/v1/webhooks/dead"],
  z.strictObject({ limit: z.optional(z.int().check(z.minimum(1), z.maximum(200))) }),
  z.strictObject({ items: z.array(deadDelivery) }),
);

export const replayDeliveries = operation(
  admin("replay_deliveries", "Send again", "One delivery, or all from an event on.", "nothing"),
  ["POST", "/v1/webhooks/{id}/replay"],
  z.strictObject({
    id: webhookId,
    delivery: z.optional(text(256)),
    since: z.optional(described(z.int().check(z.minimum(0)), "The index of the first event.")),
  }),
  z.strictObject({ replayed: z.int() }),
);

export const writeWebhook = ({
  id,
  url: to,
  kinds: which,
  agents: whose,
  secretVersion,
  state: now,
}: Webhook): JsonObject => ({
  id,
  url: to,
  kinds: which,
  agents: whose,
  secret_version: secretVersion,
  state: now,
});

export const writeDead = ({
  id,
  webhook,
  event,
  attempts,
  error,
}: Delivery & { readonly error: string }): JsonObject => ({
  id,
  webhook: webhook.id,
  event: event.id,
  kind: event.kind,
  attempts,
  error,
});
