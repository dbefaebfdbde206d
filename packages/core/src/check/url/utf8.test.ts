import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeUtf8, encodeUtf8 } from "./utf8.ts";

test("encodes as the platform does, lone surrogates included", () =>
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.constantFrom("", "\ud800", "\udc00x", "\ud83d\ude00"),
      (text, tail) => {
        expect([...encodeUtf8(text + tail)]).toEqual([...new TextEncoder().encode(text + tail)]);
      },
    ),
    { numRuns: 2000 },
  ));

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc
    .array(
      fc.constantFrom(0x41, 0x80, 0xbf, 0xc0, 0xc2, 0xe0, 0xa0, 0xed, 0x9f, 0xef, 0xbb, 0xf0, 0x90, 0xf4, 0x8f, 0xf5),
    )
    .map((list) => Uint8Array.from(list)),
);

test("decodes as the platform does, and knows what is malformed", () => {
  const lenient = new TextDecoder("utf-8", { ignoreBOM: true });
  fc.assert(
    fc.property(bytes, (input) => {
      const { text, wellFormed } = decodeUtf8(input);
      expect(text).toBe(lenient.decode(input));
      expect(wellFormed).toBe(isWellFormed(input));
    }),
    { numRuns: 5000 },
  );
});

function isWellFormed(input: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(input);
    return true;
  } catch {
    return false;
  }
}

test("decodes more than fits one call of fromCharCode", () => {
  const text = "\u00e9\u{1f600}".repeat(100_000);
  expect(decodeUtf8(encodeUtf8(text)).text).toBe(text);
});
