import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalize } from "../json/canonical.ts";
import { commitTo, commitToFields, hmacSha256, opensCommitment, SALT_LENGTH } from "./commitment.ts";
import { hex } from "./hex.ts";
import type { Sha256 } from "./merkle.ts";

const sha256: Sha256 = (bytes) => new Uint8Array(createHash("sha256").update(bytes).digest());
const salt = (fill: number): Uint8Array => new Uint8Array(SALT_LENGTH).fill(fill);

test("the pure HMAC is that of RFC 2104", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.uint8Array({ maxLength: 300 }), (key, message) => {
      expect(hex(hmacSha256(key, message, sha256))).toBe(createHmac("sha256", key).update(message).digest("hex"));
    }),
  );
});

test("a commitment opens with its value and salt only", () => {
  const commitment = commitTo({ to: "a", amount: "1" }, salt(1), sha256);
  expect(opensCommitment(commitment, { amount: "1", to: "a" }, salt(1), sha256)).toBe(true);
  expect(opensCommitment(commitment, { amount: "2", to: "a" }, salt(1), sha256)).toBe(false);
  expect(opensCommitment(commitment, { amount: "1", to: "a" }, salt(2), sha256)).toBe(false);
  expect(opensCommitment(commitment, { amount: "1", to: "a" }, new Uint8Array(0), sha256)).toBe(false);
});

test("a commitment is never the bare digest of what it hides", () => {
  const value = "guessable";
  const bare = createHash("sha256").update(canonicalize(value)).digest("hex");
  expect(commitTo(value, salt(0), sha256)).not.toContain(bare);
});

test("equal fields with salts of their own do not look equal", () => {
  const salts = new Map([
    ["a", salt(1)],
    ["b", salt(2)],
  ]);
  const { a, b } = commitToFields({ a: "same", b: "same" }, salts, sha256);
  expect(a).not.toBe(b);
});

test.each([0, 16, 31, 33])("a salt of %i bytes is not taken", (length) => {
  expect(() => commitTo("x", new Uint8Array(length), sha256)).toThrow("a salt has 32 bytes");
});

test("a field without a salt is not committed to", () => {
  expect(() => commitToFields({ a: 1 }, new Map(), sha256)).toThrow("a field has no salt");
});
