import fc from "fast-check";
import { expect, test } from "vitest";
import { quoted } from "./quoted.ts";

test.each([
  ["plain text", "'plain text'"],
  ["it's", "'it\\'s'"],
  ["a\\b", "'a\\\\b'"],
  ["line\nbreak\u001b[31m", "'line\\u{a}break\\u{1b}[31m'"],
  ["\u202eevil\u200b", "'\\u{202e}evil\\u{200b}'"],
  ["\ud800", "'\\u{d800}'"],
  ["é ü 漢", "'é ü 漢'"],
])("%j becomes %s", (text, want) => {
  expect(quoted(text)).toBe(want);
});

test("a long text is cut, and never within a character", () => {
  expect(quoted("abcdef", 3)).toBe("'abc…'");
  expect(quoted("ab\u{1f600}c", 3)).toBe("'ab…'");
});

test("whatever is quoted stays on one line and inside its quotation marks", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(quoted(text)).toMatch(/^'(?:[^\p{C}\p{Zl}\p{Zp}\\']|\\\\|\\'|\\u\{[0-9a-f]+\})*'$/u);
    }),
  );
});
