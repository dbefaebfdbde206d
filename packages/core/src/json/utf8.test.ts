import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeUtf8, encodeUtf8, loneSurrogateAt, utf8Length } from "./utf8.ts";

const runtime = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const runtimeDecode = (bytes: Uint8Array): string | undefined => {
  try {
    return runtime.decode(bytes);
  } catch {
    return undefined;
  }
};

/** Bytes near the borders of what is allowed, among runs of ASCII of any alignment. */
const border = fc.constantFrom(
  ...[0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff],
);
const bytes = fc
  .array(
    fc.oneof(
      border.map((byte) => [byte]),
      fc.string({ unit: "binary", maxLength: 12 }).map((text) => [...Buffer.from(text)]),
    ),
  )
  .map((parts) => new Uint8Array(parts.flat()));

test("decodes and refuses as the runtime's strict decoder does", () => {
  fc.assert(
    fc.property(bytes, (input) => {
      expect(decodeUtf8(input)).toBe(runtimeDecode(input));
    }),
    { numRuns: 5000 },
  );
});

test("decodes every two-byte and three-byte beginning as the runtime does", () => {
  for (let lead = 0x80; lead <= 0xff; lead += 1) {
    for (let second = 0; second <= 0xff; second += 1) {
      for (const rest of [[], [0x80], [0xbf, 0x80], [0x80, 0x41]]) {
        const input = new Uint8Array([lead, second, ...rest]);
        if (decodeUtf8(input) !== runtimeDecode(input)) expect([...input]).toBe("decoded alike");
      }
    }
  }
});

test("reads a part of a larger buffer, and keeps a byte order mark", () => {
  const whole = new TextEncoder().encode("xx\ufeff{}yyyyyyyyyy");
  expect(decodeUtf8(whole.subarray(2, 7))).toBe("\ufeff{}");
});

test("encodes and measures as the runtime does", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const want = new TextEncoder().encode(text);
      expect(encodeUtf8(text)).toEqual(want);
      expect(utf8Length(text)).toBe(want.length);
      expect(decodeUtf8(want)).toBe(text);
    }),
  );
});

test.each(["\ud800", "a\udfffb", "\ude00\ud83d"])("encodes half a pair as the runtime does: %j", (text) => {
  expect(encodeUtf8(text)).toEqual(new TextEncoder().encode(text));
  expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
});

test("finds the first surrogate without its partner", () => {
  const units = fc.constantFrom("a", "\ud83d", "\ude00", "\ud83d\ude00", "\uffff");
  fc.assert(
    fc.property(fc.array(units, { maxLength: 6 }), (parts) => {
      const text = parts.join("");
      expect(loneSurrogateAt(text)).toBe(text.search(/\p{Surrogate}/u));
    }),
    { numRuns: 2000 },
  );
});
