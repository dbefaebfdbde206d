import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeBase64url, encodeBase64url } from "./base64url.ts";

test("encodes as the platform does, and reads back what it wrote", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const text = encodeBase64url(bytes);
      expect(text).toBe(Buffer.from(bytes).toString("base64url"));
      expect(decodeBase64url(text)).toEqual(bytes);
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
