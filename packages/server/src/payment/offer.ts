import { type Problem, problemOf } from "@countersign/api";
import { err, ok, type Result } from "@countersign/core";
import type { FacilitatorClient, x402ResourceServer } from "@x402/core/server";
import type { PaymentPayload, PaymentRequired, PaymentRequirements, SettleResponse } from "@x402/core/types";
import type { PaymentConfig } from "./config.ts";
import type { Payment } from "./payload.ts";

/** What one answer is offered for: the resource as payers name it, and the terms they sign. */
export interface Offer {
  readonly resource: { readonly url: string; readonly description: string; readonly mimeType: string };
  readonly requirements: PaymentRequirements;
}

/** The x402 library, narrowed to what is asked of it. What it throws is not caught here. */
export interface Exchange {
  offer(resource: Offer["resource"], amount: bigint): Promise<Offer>;
  /** Null when the payment is for exactly this offer. */
  mismatch(payment: Payment, offer: Offer): Problem | null;
  verify(payment: Payment, offer: Offer): Promise<{ readonly isValid: boolean; readonly reason: string }>;
  /** The library may ask the facilitator twice for one settlement; an authorization pays once all the same. */
  settle(payment: Payment, offer: Offer): Promise<SettleResponse>;
}

/** Fails when the facilitator does not answer, or does not serve the network. */
export async function openExchange(
  config: PaymentConfig,
  facilitator: FacilitatorClient,
): Promise<Result<Exchange, string>> {
  let supported: Awaited<ReturnType<FacilitatorClient["getSupported"]>>;
  try {
    supported = await facilitator.getSupported();
  } catch {
    return err("the facilitator does not say what it supports");
  }
  const { network } = config;
  if (!supported.kinds.some((kind) => kind.x402Version === 2 && kind.scheme === "exact" && kind.network === network))
    return err(`the facilitator does not settle x402 version 2, scheme exact, on ${network}`);
  const [{ x402ResourceServer: Server }, { ExactEvmScheme }] = await Promise.all([
    import("@x402/core/server"),
    import("@x402/evm/exact/server"),
  ]);
  const known: FacilitatorClient = {
    verify: (payload, requirements) => facilitator.verify(payload, requirements),
    settle: (payload, requirements) => facilitator.settle(payload, requirements),
    // The library asks for it once more, and would write to the console when that failed.
    getSupported: async () => supported,
  };
  const server = new Server(known).register(network, new ExactEvmScheme());
  await server.initialize();
  return ok(exchangeOver(server, config));
}

function exchangeOver(
  server: x402ResourceServer,
  { network, asset, payTo, maxTimeoutSeconds }: PaymentConfig,
): Exchange {
  return {
    async offer(resource, amount) {
      const price = {
        asset: asset.address,
        amount: amount.toString(),
        extra: { name: asset.name, version: asset.version },
      };
      const terms = { scheme: "exact", network, payTo, price, maxTimeoutSeconds };
      const [requirements] = await server.buildPaymentRequirements(terms);
      if (requirements === undefined) throw new Error("an offer has no terms");
      return { resource, requirements };
    },
    mismatch({ resource, accepted, authorization }, offer) {
      const { requirements } = offer;
      if (resource !== offer.resource.url) return refused("the payment is for another resource");
      const payload = { x402Version: 2, accepted } as PaymentPayload;
      if (server.findMatchingRequirements([requirements], payload) === undefined)
        return refused("the payment accepts other terms than are offered here");
      if (authorization.to !== payTo) return refused("the payment is to somebody else");
      if (authorization.value !== requirements.amount) return refused("the payment is of another amount");
      return null;
    },
    async verify(payment, offer) {
      const { isValid, invalidReason } = await server.verifyPayment(payloadOf(payment, offer), offer.requirements);
      return { isValid, reason: shownReason(invalidReason) };
    },
    settle: (payment, offer) => server.settlePayment(payloadOf(payment, offer), offer.requirements),
  };
}

/** Only what was read and reserved reaches the facilitator, under our own terms. */
const payloadOf = ({ authorization, signature }: Payment, { resource, requirements }: Offer): PaymentPayload => ({
  x402Version: 2,
  resource: { ...resource },
  accepted: requirements,
  payload: { signature, authorization: { ...authorization } },
});

/** What a payer is told: the terms, and why it has to pay (again). */
export const challengeOf = ({ resource, requirements }: Offer, error: string): PaymentRequired => ({
  x402Version: 2,
  error,
  resource: { ...resource },
  accepts: [requirements],
});

/** A reason in the facilitator's words, when it is a word. */
export const shownReason = (reason: string | undefined): string =>
  reason !== undefined && /^[A-Za-z0-9_.:-]{1,100}$/.test(reason) ? reason : "refused";

const refused = (message: string): Problem => problemOf({ code: "payment.refused", message });
