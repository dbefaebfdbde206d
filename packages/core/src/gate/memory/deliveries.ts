import { ok } from "../../result.ts";
import type { Millis } from "../ledger/change.ts";
import { hears, viewEvent, viewWebhook } from "../ledger/views.ts";
import { DELIVERED_FOR, type Delivery, type TenantId, type Webhooks } from "../ports.ts";
import { type MemoryDelivery, type MemoryTenant, rowsIn } from "./tenant.ts";

/** Deliveries are made from the log when somebody asks for them, each event once for each endpoint that hears of it. */
export function memoryDeliveries(
  tenants: ReadonlyMap<TenantId, MemoryTenant>,
  of: (tenant: TenantId) => MemoryTenant,
  clock: () => Millis,
): Omit<Webhooks, "webhooks"> {
  return {
    takeDeliveries: async ({ limit, leaseFor }) => {
      const now = clock();
      const taken: (Delivery & { readonly tenant: TenantId })[] = [];
      for (const [id, tenant] of tenants) {
        plan(tenant, now);
        for (const delivery of [...tenant.deliveries.values()].sort((a, b) => a.dueAt - b.dueAt)) {
          const shown = delivery.state === "due" && delivery.dueAt <= now ? show(tenant, delivery) : undefined;
          if (shown === undefined || taken.length >= limit) continue;
          tenant.deliveries.set(delivery.id, { ...delivery, dueAt: now + leaseFor });
          taken.push({ ...shown, tenant: id });
        }
      }
      return ok(taken);
    },

    settleDelivery: async (id, ref, result) => {
      const { deliveries } = of(id);
      const delivery = deliveries.get(ref);
      if (delivery !== undefined) {
        const attempts = delivery.attempts + 1;
        const dueAt = result.state === "due" ? clock() + result.after : clock();
        const error = result.state === "delivered" ? "" : result.error;
        deliveries.set(ref, { ...delivery, attempts, state: result.state, dueAt, error });
      }
      return ok(undefined);
    },

    deadDeliveries: async (id, limit) => {
      const tenant = of(id);
      const dead = [...tenant.deliveries.values()].filter(({ state }) => state === "dead");
      const shown = dead
        .sort((a, b) => b.seq - a.seq)
        .flatMap((delivery) => {
          const item = show(tenant, delivery);
          return item === undefined ? [] : [{ ...item, error: delivery.error }];
        });
      return ok(shown.slice(0, limit));
    },

    replayDeliveries: async (id, what) => {
      const { deliveries } = of(id);
      const chosen = [...deliveries.values()].filter((delivery) =>
        "delivery" in what
          ? delivery.id === what.delivery
          : delivery.webhook === what.webhook && delivery.seq >= what.since,
      );
      for (const delivery of chosen)
        deliveries.set(delivery.id, { ...delivery, state: "due", attempts: 0, dueAt: clock() });
      return ok(chosen.length);
    },
  };
}

function plan(tenant: MemoryTenant, now: Millis): void {
  const webhooks = rowsIn(tenant, "webhooks");
  for (const webhook of webhooks.values()) {
    if (webhook.state !== "active") continue;
    for (const entry of tenant.entries.slice(webhook.cursor + 1)) {
      if (!hears(webhook, entry)) continue;
      const id = `${webhook.id}/${entry.seq}`;
      tenant.deliveries.set(id, {
        id,
        webhook: webhook.id,
        seq: entry.seq,
        attempts: 0,
        dueAt: now,
        state: "due",
        error: "",
      });
    }
    webhooks.set(webhook.id, { ...webhook, cursor: tenant.entries.length - 1 });
    for (const { id, state, dueAt } of tenant.deliveries.values())
      if (state === "delivered" && dueAt <= now - DELIVERED_FOR) tenant.deliveries.delete(id);
  }
}

function show(tenant: MemoryTenant, { id, webhook, seq, attempts }: MemoryDelivery): Delivery | undefined {
  const row = rowsIn(tenant, "webhooks").get(webhook);
  const entry = tenant.entries[seq];
  if (row === undefined || entry === undefined || row.state !== "active") return undefined;
  return { id, webhook: viewWebhook(row), event: viewEvent(entry), attempts };
}
