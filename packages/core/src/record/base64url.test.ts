import fc from "fast-check";
import { expect, test } from "vitest";
import { base64urlLength, decodeBase64url, encodeBase64url, writeBase64url } from "./base64url.ts";

test("encodes as the platform does, and reads back what it wrote", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const text = encodeBase64url(bytes);
      expect(text).toBe(Buffer.from(bytes).toString("base64url"));
      expect(decodeBase64url(text)).toEqual(bytes);
    }),
  );
});

test("writes a text into a place among other bytes as it encodes the text's bytes", () => {
  const ascii = fc.string({ unit: fc.integer({ min: 0, max: 127 }).map((code) => String.fromCharCode(code)) });
  fc.assert(
    fc.property(ascii, fc.nat(5), (text, at) => {
      const into = new Uint8Array(at + base64urlLength(text.length) + 2).fill(7);
      const end = writeBase64url(text, into, at);
      const want = Buffer.from(text, "latin1").toString("base64url");
      expect(Buffer.from(into).toString("latin1")).toBe(`${"\u0007".repeat(at)}${want}\u0007\u0007`);
      expect(end).toBe(at + want.length);
    }),
  );
});

test("knows one spelling of every value: what decodes encodes to the same text", () => {
  const almost = fc.string({ unit: fc.constantFrom(..."AQgwx-_09+/= \n\u00e9"), maxLength: 12 });
  fc.assert(
    fc.property(almost, (text) => {
      const bytes = decodeBase64url(text);
      if (bytes !== undefined) expect(encodeBase64url(bytes)).toBe(text);
    }),
  );
});

test.each([
  { it: "one character left over", text: "A" },
  { it: "padding", text: "AA==" },
  { it: "stray low bits in the last of two", text: "AB" },
  { it: "stray low bits in the last of three", text: "AAB" },
  { it: "the other alphabet's plus", text: "AAA+" },
  { it: "the other alphabet's slash", text: "AAA/" },
  { it: "white space", text: "AAAA\n" },
  { it: "a letter of another script", text: "AAA\u0410" },
  { it: "a null character", text: "AAA\0" },
])("refuses $it", ({ text }) => {
  expect(decodeBase64url(text)).toBeUndefined();
});
