import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { looksLikePlaceholder, looksRandom } from "./randomness.ts";

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const drawn = (characters: string, length: number): string[] =>
  fc.sample(
    fc.array(fc.constantFrom(...characters), { minLength: length, maxLength: length }).map((all) => all.join("")),
    { numRuns: 2000, seed: 1 },
  );

describe("what was drawn at random", () => {
  test.each([
    { it: "32 letters and digits", characters: LOWER + LOWER.toUpperCase() + DIGITS, length: 32, least: 0.99 },
    { it: "40 characters of base64", characters: `${LOWER}${LOWER.toUpperCase()}${DIGITS}+/`, length: 40, least: 0.99 },
    { it: "32 hexadecimal digits", characters: `${DIGITS}abcdef`, length: 32, least: 0.99 },
    { it: "32 small letters and digits", characters: LOWER + DIGITS, length: 32, least: 0.97 },
    { it: "20 letters and digits", characters: LOWER + LOWER.toUpperCase() + DIGITS, length: 20, least: 0.95 },
  ])("is nearly always seen to be: $it", ({ characters, length, least }) => {
    const samples = drawn(characters, length);
    expect(samples.filter(looksRandom).length / samples.length).toBeGreaterThan(least);
    expect(samples.filter(looksLikePlaceholder)).toEqual([]);
  });
});

test.each([
  "",
  "authentication",
  "AbstractSingletonProxyFactoryBean",
  "toX25519PrivateKey",
  "Permit2Authorization",
  "risk-assessment-report-2026-final-v2",
  "getServerSideCredentialProvider",
  "00000000000000000000000000000000",
  "12345678901234567890",
  "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbb",
  "abcdefghijklmnopqrstuvwxyz0123456789",
])("%j was not", (text) => {
  expect(looksRandom(text)).toBe(false);
});

test.each([
  "sk-xxxxxxxxxxxxxxxx",
  "YOUR_API_KEY_HERE",
  "changeme",
  "[REDACTED]",
  "AKIAIOSFODNN7EXAMPLE",
  "abcdefgh",
  "********",
])("%j stands where a secret will be", (text) => {
  expect(looksLikePlaceholder(text)).toBe(true);
});
