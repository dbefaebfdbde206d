import { err, type JsonValue, ok } from "@countersign/core";
import type { PaymentPayload, PaymentRequirements } from "@x402/core/types";
import { describe, expect, test } from "vitest";
import type { Egress, EgressRequest } from "../egress/egress.ts";
import { egressError } from "../egress/egressError.ts";
import { egressFacilitator, FacilitatorSilent } from "./facilitator.ts";

const PAYLOAD = { x402Version: 2, payload: { signature: "0x00" } } as unknown as PaymentPayload;
const TERMS = { network: "eip155:4663", scheme: "exact" } as unknown as PaymentRequirements;

const sent: EgressRequest[] = [];
function facilitator(status: number, body: JsonValue | Uint8Array) {
  const bytes = body instanceof Uint8Array ? body : new TextEncoder().encode(JSON.stringify(body));
  const egress: Egress = {
    send: async (request) => {
      sent.push(request);
      return ok({ status, headers: [], body: bytes, addresses: [] } as never);
    },
  };
  return egressFacilitator(egress, "https://facilitator.example/v2");
}

test("everything is asked through the port, as the facilitator's interface has it", async () => {
  await facilitator(200, { isValid: true }).verify(PAYLOAD, TERMS);
  const [request] = sent.slice(-1);
  expect(request).toMatchObject({
    method: "POST",
    url: "https://facilitator.example/v2/verify",
    headers: { "content-type": "application/json" },
  });
  expect(JSON.parse(new TextDecoder().decode(request?.body ?? new Uint8Array()))).toEqual({
    x402Version: 2,
    paymentPayload: PAYLOAD,
    paymentRequirements: TERMS,
  });
  await facilitator(200, { kinds: [] }).getSupported();
  expect(sent.at(-1)).toMatchObject({ method: "GET", url: "https://facilitator.example/v2/supported", body: null });
});

test.each([200, 400, 402, 500])("a refusal is an answer, also with status %i", async (status) => {
  expect(await facilitator(status, { isValid: false, invalidReason: "no_funds" }).verify(PAYLOAD, TERMS)).toEqual({
    isValid: false,
    invalidReason: "no_funds",
  });
  expect(await facilitator(status, { success: false, errorReason: "no_funds" }).settle(PAYLOAD, TERMS)).toEqual({
    success: false,
    errorReason: "no_funds",
    transaction: "",
    network: "eip155:4663",
  });
});

test("a settlement is read, and of a list of what is supported only what has its form", async () => {
  const settled = { success: true, transaction: "0x01", network: "eip155:1", payer: "0x02", extra: { a: 1 } };
  expect(await facilitator(200, settled).settle(PAYLOAD, TERMS)).toEqual({
    success: true,
    transaction: "0x01",
    network: "eip155:4663",
    payer: "0x02",
  });
  const kind = { x402Version: 2, scheme: "exact", network: "eip155:4663" };
  const supported = await facilitator(200, { kinds: [kind, null, { scheme: 1 }] }).getSupported();
  expect(supported.kinds).toEqual([kind]);
});

describe("what is no answer is silence: nobody knows what was done", () => {
  test.each<{ it: string; status: number; body: JsonValue | Uint8Array }>([
    { it: "an error without a verdict", status: 500, body: { error: "down" } },
    { it: "success with an error's status", status: 500, body: { success: true, isValid: true, transaction: "0x01" } },
    { it: "success without a transaction", status: 200, body: { success: true } },
    { it: "a text for a verdict", status: 200, body: { success: "true", isValid: "true" } },
    { it: "a list", status: 200, body: [] },
    { it: "no JSON", status: 200, body: new Uint8Array([0xff]) },
    {
      it: "a verdict that is there twice",
      status: 200,
      body: new TextEncoder().encode('{"success":false,"success":true}'),
    },
    { it: "nothing", status: 204, body: new Uint8Array() },
    { it: "a redirect", status: 302, body: {} },
  ])("$it", async ({ status, body }) => {
    await expect(facilitator(status, body).settle(PAYLOAD, TERMS)).rejects.toThrow(FacilitatorSilent);
    if (body instanceof Uint8Array || !("isValid" in (body as object)) || status !== 200)
      await expect(facilitator(status, body).verify(PAYLOAD, TERMS)).rejects.toThrow(FacilitatorSilent);
  });

  test("and so is a facilitator that cannot be reached", async () => {
    const egress: Egress = { send: async () => err(egressError("egress.timeout")) };
    const away = egressFacilitator(egress, "https://facilitator.example");
    await expect(away.settle(PAYLOAD, TERMS)).rejects.toThrow(FacilitatorSilent);
    await expect(away.verify(PAYLOAD, TERMS)).rejects.toThrow(FacilitatorSilent);
    await expect(away.getSupported()).rejects.toThrow(FacilitatorSilent);
  });
});
