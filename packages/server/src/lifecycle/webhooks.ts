import {
  createWebhook,
  listDeadDeliveries,
  listWebhooks,
  type Problem,
  problemOf,
  problemOfFault,
  removeWebhook,
  replayDeliveries,
  rotateWebhook,
  updateWebhook,
  writeDead,
  writeWebhook,
} from "@countersign/api";
import {
  err,
  idempotent,
  type JsonObject,
  judgeUrl,
  type Ledger,
  newId,
  ok,
  type Policies,
  type RandomBytes,
  type Result,
  type Sha256,
  type UrlPolicy,
  type Webhook,
  type Webhooks,
  webhookSecret,
} from "@countersign/core";
import { actorOf, type Caller } from "../caller.ts";
import { handler, service } from "../face/service.ts";
import { given } from "./decisions.ts";

export interface WebhooksFace {
  readonly store: Ledger & Webhooks & Policies;
  /** What outgoing requests may reach; an address is judged by it before it is kept, and at each delivery. */
  readonly policy: UrlPolicy;
  /** What secrets are derived from. */
  readonly key: () => Promise<Uint8Array>;
  readonly clock: () => number;
  readonly random: RandomBytes;
  readonly sha256: Sha256;
}

const DEAD_SHOWN = 50;

/** Where events are sent. */
export const webhooksService = (face: WebhooksFace) =>
  service("webhooks", [
    handler(listWebhooks, async (_, { tenant }) => {
      const found = await face.store.webhooks(tenant);
      return found.ok ? ok({ items: found.value.map(writeWebhook) }) : err(problemOfFault(found.error));
    }),
    handler(listDeadDeliveries, async ({ limit = DEAD_SHOWN }, { tenant }) => {
      const dead = await face.store.deadDeliveries(tenant, limit);
      return dead.ok ? ok({ items: dead.value.map(writeDead) }) : err(problemOfFault(dead.error));
    }),
    handler(createWebhook, ({ url, kinds = [], agents = null, idempotency_key: key }, caller) => {
      const id = newId("hook", face.clock(), face.random);
      const made: Webhook = { id, url, kinds, agents, secretVersion: 1, state: "active" };
      const asked = { url, kinds: [...kinds], agents: agents === null ? null : [...agents] };
      return put(
        face,
        made,
        caller,
        "make",
        "with its secret",
        idempotent("webhook.create", actorOf(caller), key, asked, JSON.stringify(made)),
      );
    }),
    handler(updateWebhook, async ({ id, url, kinds, agents, state, idempotency_key: key }, caller) => {
      const before = await find(face, id, caller);
      if (!before.ok) return before;
      const made = { ...before.value, url, kinds, agents, state };
      const asked = { id, url, kinds: [...kinds], agents: agents === null ? null : [...agents], state };
      return put(
        face,
        made,
        caller,
        "change",
        "bare",
        idempotent("webhook.update", actorOf(caller), key, asked, JSON.stringify(made)),
      );
    }),
    handler(rotateWebhook, async ({ id, idempotency_key: key }, caller) => {
      const before = await find(face, id, caller);
      if (!before.ok) return before;
      const made = { ...before.value, secretVersion: before.value.secretVersion + 1 };
      return put(
        face,
        made,
        caller,
        "change",
        "with its secret",
        idempotent("webhook.rotate", actorOf(caller), key, { id }, JSON.stringify(made)),
      );
    }),
    handler(removeWebhook, async ({ id }, caller) => {
      const named = await namedIn(face.store, id, caller);
      if (!named.ok) return named;
      if (named.value !== undefined)
        return err(
          problemOf({ code: "webhook.in_use", message: `the policy of ${named.value} tells this webhook of holds` }),
        );
      const removed = await face.store.commit(caller.tenant, { kind: "webhook.remove", id, by: actorOf(caller) });
      return removed.ok ? ok({ id }) : err(problemOfFault(removed.error));
    }),
    handler(replayDeliveries, async ({ id, delivery, since }, caller) => {
      const own = await find(face, id, caller);
      if (!own.ok) return own;
      if ((delivery === undefined) === (since === undefined))
        return err(
          problemOf({ code: "request.invalid", message: "say which to send again", expected: "delivery or since" }),
        );
      if (delivery !== undefined && !delivery.startsWith(`${id}/`)) return err(problemOf("webhook.unknown"));
      const what = delivery === undefined ? { webhook: id, since: since ?? 0 } : { delivery };
      const replayed = await face.store.replayDeliveries(caller.tenant, what);
      return replayed.ok ? ok({ replayed: replayed.value }) : err(problemOfFault(replayed.error));
    }),
  ]);

/** A scope whose policy wants this webhook told: whoever counts on it has to know first. */
async function namedIn(store: Policies, id: string, { tenant }: Caller): Promise<Result<string | undefined, Problem>> {
  const scopes = await store.policyScopes(tenant);
  if (!scopes.ok) return err(problemOfFault(scopes.error));
  const documents = await store.policies(tenant, scopes.value);
  if (!documents.ok) return err(problemOfFault(documents.error));
  return ok(documents.value.find(({ text }) => text.includes(`"${id}"`))?.scope);
}

async function find({ store }: WebhooksFace, id: string, { tenant }: Caller): Promise<Result<Webhook, Problem>> {
  const all = await store.webhooks(tenant);
  if (!all.ok) return err(problemOfFault(all.error));
  const found = all.value.find((one) => one.id === id);
  return found === undefined ? err(problemOf("webhook.unknown")) : ok(found);
}

/** The secret is derived and stored nowhere: a repetition is answered with the same one. */
async function put(
  face: WebhooksFace,
  made: Webhook,
  caller: Caller,
  how: "make" | "change",
  shown: "bare" | "with its secret",
  once: ReturnType<typeof idempotent>,
): Promise<Result<JsonObject, Problem>> {
  const judged = judgeUrl(made.url, face.policy);
  if (judged.verdict !== "allow")
    return err(
      problemOf({
        code: "request.invalid",
        message: judged.findings[0]?.message ?? "nothing is sent to this address",
        path: "/url",
        ...given("expected", judged.findings[0]?.expected),
      }),
    );
  const { tenant } = caller;
  const kept = await face.store.commit(tenant, {
    kind: "webhook.put",
    ...made,
    onlyChange: how === "change",
    by: actorOf(caller),
    ...once,
  });
  if (!kept.ok) return err(problemOfFault(kept.error));
  const first = kept.value.replayed?.answer;
  const webhook = first == null ? made : (JSON.parse(first) as Webhook);
  const secret = shown === "bare" ? undefined : webhookSecret(await face.key(), tenant, webhook, face.sha256);
  return ok({ ...writeWebhook(webhook), ...given("secret", secret) } as JsonObject);
}
