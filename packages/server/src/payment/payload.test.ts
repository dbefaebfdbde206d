import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readPaymentHeader, readPaymentMeta } from "./payload.ts";

const NONCE = `0x${"ab".repeat(32)}`;
const AUTHORIZATION = {
  from: "0x00000000000000000000000000000000000000F1",
  to: "0x00000000000000000000000000000000000000aa",
  value: "10000",
  validAfter: "0",
  validBefore: "1800000060",
  nonce: NONCE,
};
const SIGNATURE = `0x${"1B".repeat(65)}`;
const PAYMENT = {
  x402Version: 2,
  resource: { url: "https://gate.example/api/judge" },
  accepted: {
    scheme: "exact",
    network: "eip155:4663",
    asset: "0x9a00000000000000000000000000000000000402",
    amount: "10000",
    payTo: "0x00000000000000000000000000000000000000aa",
    maxTimeoutSeconds: 60,
    extra: { name: "Pay Dollar", version: "1" },
  },
  payload: { signature: SIGNATURE, authorization: AUTHORIZATION },
};
const base64 = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64");

test("a payment is read, and two spellings of one authorization are one", async () => {
  const read = await readPaymentHeader(base64(PAYMENT));
  expect(read).toMatchObject({
    ok: true,
    value: {
      resource: "https://gate.example/api/judge",
      accepted: { amount: "10000" },
      authorization: { ...AUTHORIZATION, from: AUTHORIZATION.from.toLowerCase() },
      signature: SIGNATURE.toLowerCase(),
    },
  });
  expect(await readPaymentMeta(PAYMENT)).toEqual(read);
});

test("a smart wallet's longer signature is one too, and what payers add for others is left out", async () => {
  const payload = { signature: `0x${"00".repeat(800)}`, authorization: AUTHORIZATION };
  const read = await readPaymentHeader(base64({ ...PAYMENT, payload, extensions: { sponsor: { pays: true } } }));
  expect(read.ok && Object.keys(read.value).sort()).toEqual(["accepted", "authorization", "resource", "signature"]);
});

describe("what is no payment is refused in our words, as something to be paid", () => {
  const without = (name: string) => Object.fromEntries(Object.entries(PAYMENT).filter(([key]) => key !== name));
  const authorization = (change: object) => ({
    ...PAYMENT,
    payload: { signature: SIGNATURE, authorization: { ...AUTHORIZATION, ...change } },
  });
  test.each<{ it: string; header: string }>([
    { it: "nothing", header: "" },
    { it: "no base64", header: "{}" },
    { it: "two headers", header: `${base64(PAYMENT)}, ${base64(PAYMENT)}` },
    { it: "base64 for addresses", header: `${base64(PAYMENT).slice(0, -4)}e30_` },
    { it: "base64 of something else", header: base64("no JSON") },
    { it: "a member twice", header: base64(`{"x402Version":2,${JSON.stringify(PAYMENT).slice(1)}`) },
    { it: "too deep", header: base64(`${"[".repeat(99)}${"]".repeat(99)}`) },
    { it: "an empty object", header: base64({}) },
    { it: "null", header: base64(null) },
    { it: "the first version", header: base64({ ...PAYMENT, x402Version: 1 }) },
    { it: "no resource", header: base64(without("resource")) },
    { it: "no terms", header: base64(without("accepted")) },
    { it: "no payload", header: base64(without("payload")) },
    {
      it: "another way of paying beside it",
      header: base64({ ...PAYMENT, payload: { ...PAYMENT.payload, permit2Authorization: {} } }),
    },
    { it: "a member that is not signed", header: base64(authorization({ extra: "1" })) },
    { it: "hex for a value", header: base64(authorization({ value: "0x2710" })) },
    { it: "a number for a value", header: base64(authorization({ value: 10000 })) },
    { it: "a sign", header: base64(authorization({ value: "+10000" })) },
    { it: "a leading zero", header: base64(authorization({ value: "010000" })) },
    { it: "foreign digits", header: base64(authorization({ value: "１００００" })) },
    { it: "79 digits", header: base64(authorization({ validBefore: "1".repeat(79) })) },
    { it: "a short nonce", header: base64(authorization({ nonce: "0xab" })) },
    { it: "a nonce with a space", header: base64(authorization({ nonce: `${NONCE} ` })) },
    { it: "an address that is none", header: base64(authorization({ from: "alice" })) },
    { it: "a short signature", header: base64({ ...PAYMENT, payload: { ...PAYMENT.payload, signature: "0x00" } }) },
    {
      it: "an odd signature",
      header: base64({ ...PAYMENT, payload: { ...PAYMENT.payload, signature: `${SIGNATURE}0` } }),
    },
    { it: "an array for the payload", header: base64({ ...PAYMENT, payload: [] }) },
    { it: "prototypes", header: base64(JSON.stringify(PAYMENT).replace('"signature"', '"__proto__":{},"signature"')) },
  ])("$it", async ({ header }) => {
    const read = await readPaymentHeader(header);
    expect(read).toMatchObject({ ok: false, error: { code: "payment.malformed", status: 402 } });
  });

  test("and no text of it is repeated", async () => {
    const read = await readPaymentHeader(base64({ ...PAYMENT, payload: { "<script>secret-1234": 1 } }));
    expect(JSON.stringify(read)).not.toContain("secret-1234");
  });
});

test("whatever comes that is no payment is refused, and nothing is thrown", () =>
  fc.assert(
    fc.asyncProperty(fc.oneof(fc.json(), fc.base64String(), fc.string({ unit: "binary" })), async (text) => {
      expect(await readPaymentHeader(text)).toMatchObject({ ok: false, error: { code: "payment.malformed" } });
      expect(await readPaymentHeader(base64(text))).toMatchObject({ ok: false, error: { code: "payment.malformed" } });
    }),
    { numRuns: 300 },
  ));

test("one changed byte of a payment gives another payment or a refusal, and never a fault", () =>
  fc.assert(
    fc.asyncProperty(fc.nat(JSON.stringify(PAYMENT).length - 1), fc.nat(255), async (at, byte) => {
      const bytes = Buffer.from(JSON.stringify(PAYMENT));
      bytes[at] = byte;
      const read = await readPaymentHeader(bytes.toString("base64"));
      if (!read.ok) expect(read.error.code).toBe("payment.malformed");
      else expect(read.value.authorization.nonce).toMatch(/^0x[0-9a-f]{64}$/);
    }),
    { numRuns: 500 },
  ));
