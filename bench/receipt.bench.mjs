// What a receipt costs beside the one Ed25519 signature in it, made and verified. The rest is base64url, JSON and the
// strict checks of encodings and claims.
import { generateKeyPairSync, sign, verify } from "node:crypto";
import { readJwks, verifyReceipt, writeJwks } from "@countersign/api";
import { assemble, decodeBase64url, receiptClaims, receiptHeader, signingInput } from "@countersign/core";
import { createNodeSigner } from "@countersign/server";
import { compare } from "./harness.mjs";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const signer = createNodeSigner("receipts-1", privateKey);
const keys = readJwks(writeJwks([{ kid: signer.kid, bytes: decodeBase64url(publicKey.export({ format: "jwk" }).x) }]));
const digest = (letter) => `sha256:${letter.repeat(64)}`;

const statement = {
  kind: "receipt",
  issuer: "https://gate.example",
  audience: "https://pay.example",
  tenant: "acme",
  subject: "shopper",
  id: "dec_01890000-0000-7000-8000-000000000000",
  issuedAt: 1_800_000_000,
  verdict: "allow",
  actionDigest: digest("a"),
  policyDigest: digest("b"),
  recordHash: digest("c"),
};

async function makeReceipt() {
  const input = signingInput(receiptHeader("receipt", signer.kid), receiptClaims(statement));
  return assemble(input, await signer.sign(input));
}

const bytes = signingInput(receiptHeader("receipt", signer.kid), receiptClaims(statement));
await compare({
  name: "a receipt made, beside one bare signature",
  contenders: { "whole receipt": makeReceipt, "node:crypto sign": () => sign(null, bytes, privateKey) },
  ratio: ["whole receipt", "node:crypto sign"],
  floor: 0.6,
});

const receipt = await makeReceipt();
const signature = sign(null, bytes, privateKey);
const expected = {
  keys: keys.value,
  issuer: statement.issuer,
  audience: statement.audience,
  tenant: statement.tenant,
  subject: statement.subject,
  actionDigest: statement.actionDigest,
  verdict: "allow",
  now: statement.issuedAt + 1,
  clockSkew: 5,
  replay: "accepted",
};
const verified = await verifyReceipt(receipt, expected);
if (!verified.ok) throw new Error(verified.error.code);
await compare({
  name: "a receipt verified, beside one bare verification",
  contenders: {
    verifyReceipt: () => verifyReceipt(receipt, expected),
    "node:crypto verify": () => verify(null, bytes, publicKey, signature),
  },
  ratio: ["verifyReceipt", "node:crypto verify"],
  floor: 0.6,
});
