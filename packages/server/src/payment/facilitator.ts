import { isObject, type JsonObject, parseJson } from "@countersign/core";
import type { FacilitatorClient } from "@x402/core/server";
import type { PaymentPayload, PaymentRequirements, SettleResponse, VerifyResponse } from "@x402/core/types";
import type { Egress } from "../egress/egress.ts";

/** The facilitator gave no answer that can be used. What it did is not known. */
export class FacilitatorSilent extends Error {
  override readonly name = "FacilitatorSilent";
}

const LIMITS = { bytes: 1 << 20, depth: 32 };

/**
 * A facilitator behind the egress port. Throws `FacilitatorSilent` where there is no answer in time, or none of the
 * expected form. A refusal is an answer, whatever status it comes with.
 */
export function egressFacilitator(egress: Egress, url: string): FacilitatorClient {
  async function ask(
    path: string,
    body: object | null,
  ): Promise<{ readonly status: number; readonly json: JsonObject }> {
    const answer = await egress.send({
      method: body === null ? "GET" : "POST",
      url: `${url}${path}`,
      headers: { accept: "application/json", ...(body === null ? {} : { "content-type": "application/json" }) },
      body: body === null ? null : new TextEncoder().encode(JSON.stringify(body)),
    });
    if (!answer.ok) throw new FacilitatorSilent(answer.error.code);
    const json = parseJson(answer.value.body, LIMITS, "rounded");
    if (!json.ok || !isObject(json.value)) throw new FacilitatorSilent("the answer is not a JSON object");
    return { status: answer.value.status, json: json.value };
  }
  const question = (paymentPayload: PaymentPayload, paymentRequirements: PaymentRequirements) => ({
    x402Version: paymentPayload.x402Version,
    paymentPayload,
    paymentRequirements,
  });
  return {
    async verify(payload, requirements): Promise<VerifyResponse> {
      const { status, json } = await ask("/verify", question(payload, requirements));
      const isValid = json["isValid"];
      if (typeof isValid !== "boolean" || (isValid && status !== 200)) throw new FacilitatorSilent("no verdict");
      return { isValid, ...textsOf(json, ["invalidReason", "payer"]) };
    },
    async settle(payload, requirements): Promise<SettleResponse> {
      const { status, json } = await ask("/settle", question(payload, requirements));
      const { success, transaction } = json;
      if (typeof success !== "boolean" || (success && (status !== 200 || typeof transaction !== "string")))
        throw new FacilitatorSilent("no settlement");
      return {
        success,
        transaction: typeof transaction === "string" ? transaction : "",
        network: requirements.network,
        ...textsOf(json, ["errorReason", "payer"]),
      };
    },
    async getSupported() {
      const { status, json } = await ask("/supported", null);
      const kinds = Array.isArray(json["kinds"]) ? json["kinds"].filter(isKind) : [];
      if (status !== 200) throw new FacilitatorSilent("no list of what is supported");
      return { kinds: kinds as never, extensions: [], signers: {} };
    },
  };
}

const textsOf = (json: JsonObject, names: readonly string[]): { readonly [name: string]: string } =>
  Object.fromEntries(names.flatMap((name) => (typeof json[name] === "string" ? [[name, json[name]]] : [])));

const isKind = (kind: unknown): boolean =>
  typeof kind === "object" &&
  kind !== null &&
  typeof (kind as JsonObject)["x402Version"] === "number" &&
  typeof (kind as JsonObject)["scheme"] === "string" &&
  typeof (kind as JsonObject)["network"] === "string";
