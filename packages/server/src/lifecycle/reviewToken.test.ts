import { generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createNodeSigner, publicBytes } from "../keys/nodeSigner.ts";
import { acceptsToken, issueToken, TOKEN_LIFETIME_MS, type TokenKeys } from "./reviewToken.ts";

const NOW = 1_800_000_000_000;
const keysOf = (): TokenKeys => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return { signer: () => createNodeSigner("k", privateKey), known: () => [publicBytes(publicKey)] };
};
const keys = keysOf();
const subject = { tenant: "acme", hold: "hold_1", version: 2, credential: "key_1" };
const token = await issueToken(subject, keys, NOW);

test("is taken for the hold as it was shown, by the credential that it was shown to, for ten minutes", async () => {
  expect(await acceptsToken(token, subject, keys, NOW)).toBe(true);
  expect(await acceptsToken(token, subject, keys, NOW + TOKEN_LIFETIME_MS - 1)).toBe(true);
  expect(await acceptsToken(token, subject, keys, NOW + TOKEN_LIFETIME_MS)).toBe(false);
});

test.each([
  { it: "another tenant", change: { tenant: "umbrella" } },
  { it: "another hold", change: { hold: "hold_2" } },
  { it: "another version", change: { version: 3 } },
  { it: "another credential", change: { credential: "key_2" } },
])("is not taken for $it", async ({ change }) => {
  expect(await acceptsToken(token, { ...subject, ...change }, keys, NOW)).toBe(false);
});

test("is taken while its key is known, across a rotation", async () => {
  const next = keysOf();
  const both = { ...next, known: () => [...next.known(), ...keys.known()] };
  expect(await acceptsToken(token, subject, both, NOW)).toBe(true);
  expect(await acceptsToken(token, subject, next, NOW)).toBe(false);
});

test("does not live longer because somebody wrote a later end", async () => {
  const [, signature] = token.split(".");
  for (const until of [NOW + 2 * TOKEN_LIFETIME_MS, Number.MAX_SAFE_INTEGER, NOW + TOKEN_LIFETIME_MS - 1])
    expect(await acceptsToken(`${until}.${signature}`, subject, keys, NOW)).toBe(false);
});

test("nothing else is taken, and nothing throws", () =>
  fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string(),
        fc.string().map((tail) => `${NOW + 1}.${tail}`),
      ),
      async (text) => {
        expect(await acceptsToken(text, subject, keys, NOW)).toBe(false);
      },
    ),
  ));
