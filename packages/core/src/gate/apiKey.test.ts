import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ok } from "../result.ts";
import { nodeSha256 } from "../testing.ts";
import { authenticate, formatApiKey, hashSecret, SECRET_LENGTH } from "./apiKey.ts";
import type { StoredKey } from "./ports.ts";

const secret = new Uint8Array(randomBytes(SECRET_LENGTH));
const id = "key_0194f3c2-1111-7222-8333-444455556666";
const presented = formatApiKey("acme", id, secret);
const stored: StoredKey = {
  id,
  hash: hashSecret(secret, nodeSha256),
  name: "shopper",
  scopes: ["decide", "a-scope-of-tomorrow"],
  holder: { kind: "agent", agent: "shopper" },
  createdAt: 0,
  expiresAt: null,
  revokedAt: null,
};
const holding = (key: StoredKey, tenant = "acme", logTime = 0) => ({
  key: async (of: string, wanted: string) => ok(of === tenant && wanted === key.id ? key : null),
  now: async () => ok(logTime),
});
const now = 1000;

describe("an api key", () => {
  test("says who holds it, in which tenant, and what it may do", async () => {
    expect(await authenticate(presented, holding(stored), now, nodeSha256)).toEqual({
      ok: true,
      value: { tenant: "acme", credential: id, scopes: ["decide"], holder: stored.holder },
    });
  });

  test("is stored as a hash that does not hold the secret", () => {
    expect(stored.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(stored.hash).not.toContain(Buffer.from(secret).toString("hex").slice(0, 16));
  });

  const other = formatApiKey("acme", id, new Uint8Array(SECRET_LENGTH));
  test.each([
    { it: "nothing", text: "" },
    { it: "a secret of another key", text: other },
    { it: "an id that is not there", text: presented.replace("6666", "6667") },
    { it: "another tenant", text: presented.replace("acme", "acne") },
    { it: "upper case", text: presented.toUpperCase() },
    { it: "a space at the end", text: `${presented} ` },
    { it: "a line feed at the end", text: `${presented}\n` },
    { it: "its end cut off", text: presented.slice(0, -1) },
    { it: "a path in the tenant", text: presented.replace("acme", "../acme") },
    {
      it: "the stand-in for unknown keys",
      text: formatApiKey("none", "key_00000000-0000-0000-0000-000000000000", new Uint8Array(32)),
    },
  ])("with $it is refused, and the refusal does not say why", async ({ text }) => {
    expect(await authenticate(text, holding(stored), now, nodeSha256)).toEqual({
      ok: false,
      error: { code: "key.refused", message: "the key is not valid" },
    });
  });

  test.each([
    { it: "revoked", key: { ...stored, revokedAt: 1 } },
    { it: "expired this very millisecond", key: { ...stored, expiresAt: now } },
  ])("that is $it is refused in the same words", async ({ key }) => {
    expect(await authenticate(presented, holding(key), now, nodeSha256)).toEqual(
      await authenticate("", holding(stored), now, nodeSha256),
    );
  });

  test("is good until its last millisecond", async () => {
    const key = { ...stored, expiresAt: now + 1 };
    // The log has seen a later time than the clock says now: the clock was set back.
    expect(await authenticate(presented, holding(key, "acme", now + 1), now, nodeSha256)).toMatchObject({
      error: { code: "key.refused" },
    });
    expect((await authenticate(presented, holding(key), now, nodeSha256)).ok).toBe(true);
  });

  test("is not accepted when the store cannot be asked", async () => {
    const error = { code: "store.unavailable", message: "the database cannot be reached" } as const;
    const keys = { ...holding(stored), key: async () => ({ ok: false, error }) as const };
    expect(await authenticate(presented, keys, now, nodeSha256)).toEqual({ ok: false, error });
  });

  test("of any text from outside is refused and never throws", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.string().map((text) => `csk_${text}`),
        ),
        async (text) => {
          expect((await authenticate(text, holding(stored), now, nodeSha256)).ok).toBe(false);
        },
      ),
    );
  });

  test.each([
    { tenant: "Acme", key: id },
    { tenant: "a_b", key: id },
    { tenant: "acme", key: "key_1" },
  ])("is not made for $tenant and $key", ({ tenant, key }) => {
    expect(() => formatApiKey(tenant, key, secret)).toThrow();
  });
});
