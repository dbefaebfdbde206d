import { generateKeyPairSync, sign, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseJson } from "../json/parseJson.ts";
import type { ExactJson } from "../json/value.ts";
import { sharedSuite } from "../testing.ts";
import { decodeBase64url } from "./base64url.ts";
import { mandateActionDigest, mandateDigest, mandateReceiptBytes, signMandateReceipt } from "./mandateReceipt.ts";
import type { Signer } from "./signer.ts";

const exact = (text: string): ExactJson => {
  const read = parseJson(text, { bytes: 1_048_576, depth: 64 }, "exact");
  if (!read.ok) throw new Error(read.error.code);
  return read.value;
};

sharedSuite("contracts/mandate.examples.json", (file) => {
  const examples = exact(readFileSync(file, "utf8")) as unknown as {
    readonly check_action: readonly { readonly action: ExactJson; readonly mandate: ExactJson }[];
  };
  test.each([
    {
      example: 0,
      action: "f6044fb2f66d8bc4deba7619d4e507e84344533c6bc7e6bcb6b4f1184168b875",
      mandate: "bbb0acff653bd0c4c41b872cd38a52ea8b72069f013c903a5cd8e47fddd43b11",
    },
    {
      example: 1,
      action: "33e1d2ad55cd10279e09cfe586dc32164aab1fd1b4eeb0add182eafce483436f",
      mandate: "baf3c27db45b584977b0822090efd53bd7404e80f8cc9f991f4f2105fee59b47",
    },
  ])("example $example has the published digests", ({ example, action, mandate }) => {
    const asked = examples.check_action[example];
    expect(mandateActionDigest(asked?.action ?? null)).toBe(action);
    expect(mandateDigest(asked?.mandate ?? null)).toBe(mandate);
  });
});

test.each([
  ['{"b":1,"a":2}', '{"a":2,"b":1}', true],
  ['{"a":1.0}', '{"a":1}', false],
  ['{"a":-0}', '{"a":0}', true],
  ['{"a":1e16}', '{"a":10000000000000000.0}', true],
  ['{"a":"\\u00e9"}', '{"a":"é"}', true],
])("%s and %s have one digest: %s", (a, b, same) => {
  expect(mandateActionDigest(exact(a)) === mandateActionDigest(exact(b))).toBe(same);
});

describe("a receipt", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const signer: Signer = { kid: "k1", sign: async (bytes) => sign(null, bytes, privateKey) };
  const statement = {
    outcome: "permit",
    actionDigest: "a".repeat(64),
    mandateDigest: "b".repeat(64),
    issuedAt: { epochSeconds: 1_800_000_000, fraction: "" },
    clause: "é",
  } as const;

  test("binds for fifteen minutes and says what was decided", async () => {
    expect(await signMandateReceipt(statement, signer)).toEqual({
      type: "hanria-receipt-v1",
      kid: "k1",
      outcome: "permit",
      action_digest: "a".repeat(64),
      mandate_digest: "b".repeat(64),
      issued_at: "2027-01-15T08:00:00Z",
      not_after: "2027-01-15T08:15:00Z",
      clause: "é",
      signature: expect.stringMatching(/^[A-Za-z0-9_-]{86}$/),
    });
  });

  test("is signed over its type and its canonical form without the signature", async () => {
    const receipt = await signMandateReceipt(statement, signer);
    const bytes = mandateReceiptBytes(receipt);
    expect(new TextDecoder().decode(bytes)).toBe(
      `hanria-receipt-v1{"action_digest":"${"a".repeat(64)}","clause":"\\u00e9","issued_at":"2027-01-15T08:00:00Z","kid":"k1",` +
        `"mandate_digest":"${"b".repeat(64)}","not_after":"2027-01-15T08:15:00Z","outcome":"permit","type":"hanria-receipt-v1"}`,
    );
    const signature = decodeBase64url(receipt.signature);
    expect(verify(null, bytes, publicKey, signature as Uint8Array)).toBe(true);
    expect(verify(null, mandateReceiptBytes({ ...receipt, outcome: "deny" }), publicKey, signature as Uint8Array)).toBe(
      false,
    );
  });

  test("does not come to be when the key cannot be used", async () => {
    const broken: Signer = { kid: "k1", sign: () => Promise.reject(new Error("gone")) };
    await expect(signMandateReceipt(statement, broken)).rejects.toThrow("gone");
  });
});
