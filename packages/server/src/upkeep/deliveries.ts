import { deliverWebhooks, encodeUtf8, type Sha256, type Webhooks } from "@countersign/core";
import type { Egress } from "../egress/egress.ts";
import type { Logger } from "../logger.ts";
import { type Repeated, repeat } from "./repeat.ts";

export interface DeliveriesOptions {
  readonly store: Webhooks;
  /** The way out: it judges where each delivery goes, and connects to no other address. */
  readonly egress: Egress;
  /** What the secrets of endpoints are derived from. */
  readonly key: () => Promise<Uint8Array>;
  readonly clock: () => number;
  readonly sha256: Sha256;
  readonly logger: Logger;
  readonly everyMillis?: number;
}

const EVERY_MS = 1_000;
const MOST_ROUNDS = 64;

/** Sends what waits for endpoints. Any number of gates may: each delivery is taken by one of them at a time. */
export function startDeliveries(options: DeliveriesOptions): Repeated {
  const { store, egress, key, clock, sha256, logger, everyMillis = EVERY_MS } = options;
  const failed = (code: string): void => logger.error({ code }, "events could not be delivered");
  return repeat(
    everyMillis,
    async () => {
      const secret = await key();
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        const made = await deliverWebhooks({
          webhooks: store,
          key: secret,
          clock,
          random: Math.random,
          sha256,
          send: async ({ url, headers, body }) => {
            const sent = await egress.send({ method: "POST", url, headers, body: encodeUtf8(body) });
            return sent.ok ? { ok: true, value: { status: sent.value.status } } : sent;
          },
        });
        if (!made.ok) return failed(made.error.code);
        if (made.value === 0) return;
      }
    },
    () => failed("internal"),
  );
}
