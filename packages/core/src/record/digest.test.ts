import { createHash, hash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { NotJsonError } from "../json/canonical.ts";
import { mandateForm } from "../json/mandateForm.ts";
import { digest, parseDigest } from "./digest.ts";
import { sha256Hex } from "./hexSha256.ts";

const nodeSha256 = (input: Uint8Array | string): string => hash("sha256", input, "hex");

test("a digest is SHA-256 over the tag, a line feed and the canonical bytes", () => {
  const want = createHash("sha256").update('countersign-action-v1\n{"a":"é","b":1}').digest("hex");
  expect(digest("countersign-action-v1", { b: 1, a: "é" })).toBe(`sha256:${want}`);
});

test("the same value under another tag has another digest", () => {
  const value = { kind: "transaction" };
  const digests = (["action", "policy", "facts", "record"] as const).map((of) => digest(`countersign-${of}-v1`, value));
  expect(new Set(digests).size).toBe(4);
});

test("members in another order give the same digest, another value gives another", () => {
  const tag = "countersign-action-v1";
  expect(digest(tag, { a: 1, b: [2] })).toBe(digest(tag, { b: [2], a: 1 }));
  expect(digest(tag, { a: 1, b: [2] })).not.toBe(digest(tag, { a: 1, b: ["2"] }));
});

test("what is not JSON has no digest", () => {
  expect(() => digest("countersign-record-v1", { at: new Date(0) })).toThrow(NotJsonError);
  expect(() => digest("countersign-record-v1", { a: undefined })).toThrow(NotJsonError);
});

test("the pure hash and the runtime's cannot be told apart", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.uint8Array({ maxLength: 300 })), (input) => {
      expect(sha256Hex(input)).toBe(nodeSha256(input));
    }),
  );
  expect(digest("countersign-facts-v1", ["x"], nodeSha256)).toBe(digest("countersign-facts-v1", ["x"]));
});

test.each([
  [`sha256:${"0".repeat(64)}`, true],
  [`sha256:${"0".repeat(63)}`, false],
  [`sha256:${"A".repeat(64)}`, false],
  [`sha256:${"0".repeat(64)}\n`, false],
  ["0".repeat(64), false],
  [null, false],
])("%j is a digest: %s", (text, want) => {
  expect(parseDigest(text)).toBe(want ? text : undefined);
});

test("the mandate dialect's digest is the hash of its tag and its own form, without a line feed", () => {
  const want = createHash("sha256").update('hanria-action-v1{"a":"\\u00e9"}').digest("hex");
  expect(sha256Hex(`hanria-action-v1${mandateForm({ a: "é" })}`)).toBe(want);
});
