import { type Problem, problemOf } from "@countersign/api";
import { type ExactJson, err, isObject, type JsonValue, ok, parseJson, type Result, toPlain } from "@countersign/core";
import type { PaymentPayload, PaymentRequirements } from "@x402/core/types";

/** A payment as it came: an EIP-3009 authorization, what it says it is for, and the terms it says it accepted. */
export interface Payment {
  readonly resource: string;
  readonly accepted: PaymentRequirements;
  readonly authorization: Authorization;
  /** Hex; its length depends on the payer's wallet. */
  readonly signature: string;
}

/** Hex in lower case, numbers as digits: two spellings of one authorization are one. */
export interface Authorization {
  readonly from: `0x${string}`;
  readonly to: `0x${string}`;
  readonly value: string;
  readonly validAfter: string;
  readonly validBefore: string;
  readonly nonce: `0x${string}`;
}

const LIMITS = { bytes: 64 * 1024, depth: 16 };
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The header `PAYMENT-SIGNATURE`: base64 of JSON. Two of them arrive joined by a comma, which is no base64. */
export async function readPaymentHeader(header: string): Promise<Result<Payment, Problem>> {
  if (header === "" || !BASE64.test(header)) return malformed("the header is not base64");
  const read = parseJson(new Uint8Array(Buffer.from(header, "base64")), LIMITS, "plain");
  return read.ok ? readPayment(read.value) : malformed("the header does not hold JSON");
}

/** The member `x402/payment` of a call's `_meta`: the same as an object. */
export async function readPaymentMeta(value: ExactJson): Promise<Result<Payment, Problem>> {
  const read = toPlain(value);
  return read.ok ? readPayment(read.value) : malformed("a number in it says more than a double holds");
}

async function readPayment(value: JsonValue): Promise<Result<Payment, Problem>> {
  const { PaymentPayloadV2Schema } = await import("@x402/core/schemas");
  const parsed = PaymentPayloadV2Schema.safeParse(value);
  if (!parsed.success) return malformed("it is not an x402 payment of version 2");
  const { resource, accepted } = parsed.data as PaymentPayload;
  if (resource === undefined) return malformed("it does not name the resource it is for");
  // Looked at as our own reader made it: a copy could have lost members.
  const exact = isObject(value) ? readExact(value["payload"] ?? null) : null;
  if (exact === null) return malformed("its payload is not a signed EIP-3009 authorization");
  return ok({ resource: resource.url, accepted, ...exact });
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const HASH = /^0x[0-9a-fA-F]{64}$/;
const DIGITS = /^(?:0|[1-9][0-9]{0,77})$/;
const SIGNATURE = /^0x(?:[0-9a-fA-F]{2}){65,8192}$/;
const AUTHORIZATION = {
  from: ADDRESS,
  to: ADDRESS,
  value: DIGITS,
  validAfter: DIGITS,
  validBefore: DIGITS,
  nonce: HASH,
};

/** No other members: a facilitator could take one for another way of paying than the one that was reserved. */
function readExact(payload: JsonValue): Pick<Payment, "authorization" | "signature"> | null {
  if (!isObject(payload) || !hasExactly(payload, ["signature", "authorization"])) return null;
  const { signature, authorization } = payload;
  if (typeof signature !== "string" || !SIGNATURE.test(signature)) return null;
  if (!isObject(authorization) || !hasExactly(authorization, Object.keys(AUTHORIZATION))) return null;
  const members = Object.entries(AUTHORIZATION).map(([name, form]) => {
    const text = authorization[name];
    return typeof text === "string" && form.test(text) ? ([name, text.toLowerCase()] as const) : null;
  });
  if (members.includes(null)) return null;
  return {
    signature: signature.toLowerCase(),
    authorization: Object.fromEntries(members as (readonly [string, string])[]) as unknown as Authorization,
  };
}

const hasExactly = (value: object, names: readonly string[]): boolean =>
  Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name));

const malformed = (message: string): Result<never, Problem> => err(problemOf({ code: "payment.malformed", message }));
