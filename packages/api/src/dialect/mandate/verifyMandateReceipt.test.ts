import { generateKeyPairSync, sign } from "node:crypto";
import {
  addSeconds,
  encodeBase64url,
  type Instant,
  type JsonObject,
  type JsonValue,
  type MandateReceipt,
  type MandateStatement,
  mandateReceiptBytes,
  parseInstant,
  type Signer,
  signMandateReceipt,
} from "@countersign/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { writeMandateKeys } from "../../receipt/keySet.ts";
import {
  type ExpectedMandateReceipt,
  type MandateKeys,
  readMandateKeys,
  verifyMandateReceipt,
} from "./verifyMandateReceipt.ts";

const at = (text: string): Instant => {
  const read = parseInstant(text);
  if (!read.ok) throw new Error(read.error.code);
  return read.value;
};
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const bytes = new Uint8Array(Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url"));
const signer: Signer = { kid: "k1", sign: async (message) => sign(null, message, privateKey) };
const published = writeMandateKeys([
  { kid: "k1", bytes, notBefore: "2026-01-01T00:00:00Z", notAfter: null },
  { kid: "old", bytes, notBefore: "2025-01-01T00:00:00Z", notAfter: "2026-01-01T00:00:00Z" },
]);
const keysOf = (document: JsonValue): MandateKeys => {
  const read = readMandateKeys(document);
  if (!read.ok) throw new Error(read.error.code);
  return read.value;
};

const ISSUED = at("2026-05-01T12:00:00Z");
const STATEMENT: MandateStatement = {
  outcome: "permit",
  actionDigest: "a".repeat(64),
  mandateDigest: "b".repeat(64),
  issuedAt: ISSUED,
  clause: "c",
  mandateRef: "m",
};
const EXPECTED: ExpectedMandateReceipt = {
  keys: keysOf(published),
  actionDigest: STATEMENT.actionDigest,
  mandateDigest: STATEMENT.mandateDigest,
  outcome: "permit",
  now: ISSUED,
  clockSkew: 0,
};
const plain = (receipt: MandateReceipt) => ({ ...receipt }) as unknown as JsonObject;
const verified = async (receipt: JsonValue, expected: Partial<ExpectedMandateReceipt> = {}) => {
  const result = await verifyMandateReceipt(receipt, { ...EXPECTED, ...expected });
  return result.ok ? "ok" : result.error.code;
};

test("a receipt verifies with the published key list", async () => {
  expect(await verified(plain(await signMandateReceipt(STATEMENT, signer)))).toBe("ok");
});

test.each<{ it: string; expected: Partial<ExpectedMandateReceipt>; want: string }>([
  { it: "in its last second", expected: { now: addSeconds(ISSUED, 899) }, want: "ok" },
  { it: "at its end", expected: { now: addSeconds(ISSUED, 900) }, want: "receipt.expired" },
  { it: "at its end on a slow clock", expected: { now: addSeconds(ISSUED, 900), clockSkew: 1 }, want: "ok" },
  { it: "before it was made", expected: { now: addSeconds(ISSUED, -1) }, want: "receipt.not_yet_valid" },
  { it: "before it was made on a fast clock", expected: { now: addSeconds(ISSUED, -1), clockSkew: 1 }, want: "ok" },
  { it: "for another request", expected: { actionDigest: "c".repeat(64) }, want: "receipt.action_other" },
  { it: "under another mandate", expected: { mandateDigest: "c".repeat(64) }, want: "receipt.origin_other" },
  { it: "with no key", expected: { keys: new Map() }, want: "receipt.key_unknown" },
  { it: "with a skew that is none", expected: { clockSkew: Number.NaN }, want: "receipt.expectation_malformed" },
])("a receipt $it: $want", async ({ expected, want }) => {
  expect(await verified(plain(await signMandateReceipt(STATEMENT, signer)), expected)).toBe(want);
});

test("a denial is no permit, and can be read", async () => {
  const denied = plain(await signMandateReceipt({ ...STATEMENT, outcome: "deny" }, signer));
  expect(await verified(denied)).toBe("receipt.verdict_refused");
  expect(await verified(denied, { outcome: "any" })).toBe("ok");
});

test("a key signs only while it is in use", async () => {
  const old: Signer = { ...signer, kid: "old" };
  expect(await verified(plain(await signMandateReceipt(STATEMENT, old)))).toBe("receipt.key_unknown");
  const before = { ...STATEMENT, issuedAt: at("2025-12-31T23:59:59Z") };
  expect(await verified(plain(await signMandateReceipt(before, old)), { now: before.issuedAt })).toBe("ok");
  const end = { ...STATEMENT, issuedAt: at("2026-01-01T00:00:00Z") };
  expect(await verified(plain(await signMandateReceipt(end, old)), { now: end.issuedAt })).toBe("receipt.key_unknown");
});

test("a signer cannot make a receipt that lives longer", async () => {
  const receipt = await signMandateReceipt(STATEMENT, signer);
  const { signature: _, ...unsigned } = { ...receipt, not_after: "2027-01-01T00:00:00Z" };
  const longer = { ...unsigned, signature: encodeBase64url(await signer.sign(mandateReceiptBytes(unsigned))) };
  expect(await verified(longer as unknown as JsonObject)).toBe("receipt.lifetime_refused");
});

test("no member can be changed, added or taken away", async () => {
  const receipt = plain(await signMandateReceipt(STATEMENT, signer));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.keys(receipt)), fc.string(), async (name, value) => {
      fc.pre(receipt[name] !== value);
      expect(await verified({ ...receipt, [name]: value })).not.toBe("ok");
      const { [name]: _, ...without } = receipt;
      expect(await verified(without)).not.toBe("ok");
      expect(await verified({ ...receipt, [`${name}x`]: value })).toBe("receipt.malformed");
    }),
  );
});

test.each([null, 1, "x", [], {}])("%j is no receipt", async (receipt) => {
  expect(await verified(receipt)).toBe("receipt.malformed");
});

describe("a key list is refused", () => {
  const [key] = (published as { readonly keys: readonly JsonObject[] }).keys as [JsonObject];
  test.each<{ it: string; document: JsonValue }>([
    { it: "without keys", document: {} },
    { it: "that is a list", document: [key] },
    { it: "with a key for another algorithm", document: { keys: [{ ...key, algorithm: "RS256" }] } },
    {
      it: "with a key of low order",
      document: { keys: [{ ...key, public_key: encodeBase64url(new Uint8Array(32)) }] },
    },
    { it: "with a key of another length", document: { keys: [{ ...key, public_key: "AA" }] } },
    { it: "with a key without a beginning", document: { keys: [{ ...key, not_before: null }] } },
    {
      it: "with a key whose end is not said",
      document: { keys: [Object.fromEntries(Object.entries(key).filter(([name]) => name !== "not_after"))] },
    },
    { it: "with two keys of one name", document: { keys: [key, key] } },
    { it: "with a key without a name", document: { keys: [{ ...key, kid: "" }] } },
    { it: "with too many keys", document: { keys: Array.from({ length: 101 }, (_, i) => ({ ...key, kid: `k${i}` })) } },
  ])("$it", ({ document }) => {
    expect(readMandateKeys(document)).toMatchObject({ ok: false, error: { code: "receipt.keys_malformed" } });
  });
});
