import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../json/value.ts";
import { findCredentialHints } from "./hints.ts";

const at = (value: unknown) => findCredentialHints(value as JsonValue, "action");

describe("the published rule of names", () => {
  test.each([
    { it: "a word of the vocabulary", value: { token: 1 }, want: ["action.token"] },
    { it: "a word inside another", value: { design: "x", author: "y" }, want: ["action.author", "action.design"] },
    { it: "any letter case, and a dash for an underscore", value: { "Api-Key": 1 }, want: ["action.Api-Key"] },
    { it: "an empty value too", value: { password: "" }, want: ["action.password"] },
    { it: "elements by [n]", value: { a: [{}, { b: { otp: 1 } }] }, want: ["action.a[1].b.otp"] },
    { it: "what lies below a hit too", value: { auth: { token: "" } }, want: ["action.auth", "action.auth.token"] },
    { it: "nothing else", value: { amount: { value: "1", currency: "EUR" }, note: "x" }, want: [] },
  ])("hits $it", ({ value, want }) => {
    expect(at(value)).toEqual(want);
  });

  test("sorts paths by code point", () => {
    expect(at({ "\u{1f511}sig": 1, "\uffe5sig": 1, asig: 1 })).toEqual([
      "action.asig",
      "action.\uffe5sig",
      "action.\u{1f511}sig",
    ]);
  });
});

describe("the published rule of values", () => {
  const long = "a1B2c3D4e5F6g7H8i9J0k1L2";
  test.each([
    `Bearer ${long}`,
    `BEARER\u001c${long}`,
    `basic ${long}`,
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN CERTIFICATE",
    "-----BEGIN OPENSSH PRIVATE KEY-----",
    `eyJ${long}.${long}.x`,
    `-eyJ-eyJ${long}.${long}.x`,
    "AKIA0123456789ABCDEF",
    `ghs_${long}`,
    `github_pat_${long}`,
    `sk-${long}`,
    `xoxb-${long}`,
    `AIza${long}${long}`,
    `01234567-89ab-cdef-0123-456789abcdef:${long}`,
    "password=x",
    "Token : x",
    "set-cookie:\u0085x",
    "the sig: blue",
  ])("hits %j", (text) => {
    expect(at({ a: text })).toEqual(["action.a"]);
  });

  test.each([
    "bearer short",
    "a password is needed",
    "password=",
    "token: \n",
    "eyJabc.def.ghi",
    `eyJ${long}.${long}`,
    `eyJ${long}.short.x`,
    "sk-short",
    "AKIA0123456789ABCDEFG",
  ])("lets %j pass", (text) => {
    expect(at({ a: text })).toEqual([]);
  });

  test("takes no square of the length on long runs", () => {
    const length = 1 << 20;
    for (const text of ["eyJ-".repeat(length / 4), "auth ".repeat(length / 5), `auth${" ".repeat(length)}`])
      expect(at({ a: text })).toEqual([]);
  });
});

describe("any value", () => {
  test("is judged without a fault, and no value appears", () => {
    const secret = "password=Zx9";
    fc.assert(
      fc.property(fc.jsonValue(), (raw) => {
        const paths = at({ a: raw, b: secret });
        expect(paths).toContain("action.b");
        expect(paths.join()).not.toContain(secret);
      }),
    );
  });

  test("that is too deep to search is a hit", () => {
    let deep: JsonValue = 1;
    for (let i = 0; i < 5000; i += 1) deep = [deep];
    expect(at(deep)).toEqual(["action"]);
  });
});
