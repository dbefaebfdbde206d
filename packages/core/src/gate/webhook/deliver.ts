import { canonicalize } from "../../json/canonical.ts";
import type { Sha256 } from "../../record/merkle.ts";
import { ok, type Result } from "../../result.ts";
import type { Millis } from "../ledger/change.ts";
import type { StoreError } from "../ledger/refusal.ts";
import type { Delivery, TenantId, Webhooks } from "../ports.ts";
import { webhookHeaders } from "./signature.ts";

/** One request that leaves the gate, over the egress that checks where it goes. Follows no redirect. */
export type SendWebhook = (request: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}) => Promise<Result<{ readonly status: number }, { readonly code: string }>>;

export interface WebhookPorts {
  readonly webhooks: Pick<Webhooks, "takeDeliveries" | "settleDelivery">;
  readonly send: SendWebhook;
  /** The gate's key for webhooks, 32 bytes, and for nothing else. */
  readonly key: Uint8Array;
  readonly clock: () => Millis;
  /** From 0 up to 1, to spread tries that failed together. */
  readonly random: () => number;
  readonly sha256: Sha256;
}

const second: Millis = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long after each try that failed the next one comes: what Standard Webhooks advises, and then it is dead. */
export const RETRY_AFTER: readonly Millis[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** Longer than one request may take, so that nobody else tries the same at the same time. */
const leaseFor = minute;
const atOnce = 32;

/** Delivers what is due now. Gives how many tries were made; call again when it is not 0. */
export async function deliverWebhooks(ports: WebhookPorts): Promise<Result<number, StoreError>> {
  const taken = await ports.webhooks.takeDeliveries({ limit: atOnce, leaseFor });
  if (!taken.ok) return taken;
  const settled = await Promise.all(taken.value.map((delivery) => deliver(delivery, ports)));
  return settled.find((result) => !result.ok) ?? ok(taken.value.length);
}

async function deliver(
  delivery: Delivery & { readonly tenant: TenantId },
  { webhooks, send, key, clock, random, sha256 }: WebhookPorts,
): Promise<Result<number, StoreError>> {
  const { tenant, webhook, id, attempts } = delivery;
  const body = eventBody(delivery);
  const seconds = Math.floor(clock() / 1000);
  const headers = webhookHeaders({ id: messageId(delivery), seconds, body }, key, tenant, webhook, sha256);
  const outcome = await tried(send({ url: webhook.url, headers, body }));
  const settled = await webhooks.settleDelivery(tenant, id, next(outcome, attempts, random()));
  return settled.ok ? ok(1) : settled;
}

/** The same for every try, so that a receiver can tell a repetition. */
const messageId = ({ tenant, id }: Delivery & { readonly tenant: TenantId }): string => `msg_${tenant}_${id}`;

/** Ids, codes and digests; whoever wants more asks the gate for it, with a key. */
function eventBody({ tenant, event }: Delivery & { readonly tenant: TenantId }): string {
  const { id, kind, ref, agent, codes, recordHash, verdict, hold, recipients, at } = event;
  return canonicalize({
    type: kind,
    timestamp: new Date(at).toISOString(),
    data: {
      seq: id,
      tenant,
      ref,
      agent,
      codes: [...codes],
      record_hash: recordHash,
      verdict,
      hold,
      recipients: [...recipients],
    },
  });
}

async function tried(sending: ReturnType<SendWebhook>): Promise<{ status: number } | { failed: string }> {
  try {
    const sent = await sending;
    return sent.ok ? { status: sent.value.status } : { failed: sent.error.code };
  } catch {
    return { failed: "webhook.failed" };
  }
}

/** Gone means gone; everything else but success may be better later. */
function next(
  outcome: { status: number } | { failed: string },
  attempts: number,
  random: number,
): Parameters<Webhooks["settleDelivery"]>[2] {
  if ("status" in outcome && outcome.status >= 200 && outcome.status < 300) return { state: "delivered" };
  const error = "status" in outcome ? `status ${outcome.status}` : outcome.failed;
  const wait = RETRY_AFTER[attempts];
  if (wait === undefined || ("status" in outcome && outcome.status === 410)) return { state: "dead", error };
  return { state: "due", after: Math.round(wait * (1 + random / 5)), error };
}
