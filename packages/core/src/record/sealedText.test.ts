import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { nodeSha256 as sha256 } from "../testing/nodeSha256.ts";
import { openSealed, sealText } from "./sealedText.ts";

const bytes = (length: number) => new Uint8Array(randomBytes(length));

test("what was sealed is read by whoever has the secret, at its place, and by nobody else", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.string({ maxLength: 20 }), (text, place) => {
      const secret = bytes(32);
      const sealed = sealText(text, place, secret, bytes(16), sha256);
      expect(openSealed(sealed, place, secret, sha256)).toBe(text);
      expect(openSealed(sealed, `${place}x`, secret, sha256)).toBeUndefined();
      expect(openSealed(sealed, place, bytes(32), sha256)).toBeUndefined();
    }),
    { numRuns: 50 },
  );
});

test("the same text is sealed differently each time, so that nobody sees that it is the same", () => {
  const secret = bytes(32);
  expect(sealText("a", "p", secret, bytes(16), sha256)).not.toBe(sealText("a", "p", secret, bytes(16), sha256));
});

test("no byte of it is changed unnoticed", () => {
  const secret = bytes(32);
  const sealed = Buffer.from(sealText("an amount", "p", secret, bytes(16), sha256), "base64url");
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(openSealed(changed.toString("base64url"), "p", secret, sha256)).toBeUndefined();
  }
});

test.each(["", "AA", "no base64url!", "A".repeat(64)])("what is no sealed text is not opened: %j", (text) => {
  expect(openSealed(text, "p", bytes(32), sha256)).toBeUndefined();
});
