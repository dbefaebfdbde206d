import { generateKeyPairSync, sign, verify } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { assemble, receiptClaims, receiptHeader, type Statement, signingInput } from "./receipt.ts";

const digest = (char: string): string => `sha256:${char.repeat(64)}`;

const statement: Statement = {
  kind: "receipt",
  issuer: "https://gate.example",
  audience: "https://pay.example",
  tenant: "acme",
  subject: "shopper",
  id: "dec_0190",
  issuedAt: 1_800_000_000,
  verdict: "allow",
  actionDigest: digest("a"),
  policyDigest: digest("b"),
  recordHash: digest("c"),
};

const decoded = (part: string | undefined): unknown => JSON.parse(Buffer.from(part ?? "", "base64url").toString());

test("a receipt says who decided what for whom, for 300 seconds", () => {
  const jws = assemble(signingInput(receiptHeader("receipt", "r1"), receiptClaims(statement)), new Uint8Array(64));
  const [header, claims, signature] = jws.split(".");
  expect(decoded(header)).toEqual({ alg: "EdDSA", typ: "countersign-receipt+jwt", kid: "r1" });
  expect(decoded(claims)).toEqual({
    iss: "https://gate.example",
    aud: "https://pay.example",
    sub: "shopper",
    iat: 1_800_000_000,
    exp: 1_800_000_300,
    jti: "dec_0190",
    tenant: "acme",
    policy_origin: "operator",
    verdict: "allow",
    action_digest: digest("a"),
    policy_digest: digest("b"),
    record_hash: digest("c"),
  });
  expect(signature).toHaveLength(86);
});

test("advice says that its policy came from the caller, under a type of its own", () => {
  expect(receiptHeader("advice", "a1").typ).toBe("countersign-advice+jwt");
  expect(receiptClaims({ ...statement, kind: "advice" }).policy_origin).toBe("caller");
});

test("the same statement gives the same bytes, and any name survives them", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), (tenant, subject) => {
      const claims = receiptClaims({ ...statement, tenant, subject });
      const input = signingInput(receiptHeader("receipt", "r1"), claims);
      expect(input).toEqual(
        signingInput(receiptHeader("receipt", "r1"), receiptClaims({ ...statement, tenant, subject })),
      );
      expect(decoded(assemble(input, new Uint8Array(64)).split(".")[1])).toEqual(claims);
    }),
  );
});

test("what a signer signs is what stands before the last dot", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const input = signingInput(receiptHeader("receipt", "r1"), receiptClaims({ ...statement, tenant: "x".repeat(9000) }));
  const jws = assemble(input, sign(null, input, privateKey));
  const dot = jws.lastIndexOf(".");
  const signature = Buffer.from(jws.slice(dot + 1), "base64url");
  expect(verify(null, Buffer.from(jws.slice(0, dot)), publicKey, signature)).toBe(true);
});
