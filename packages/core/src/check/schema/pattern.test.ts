import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import { preparePattern, translatePattern } from "./pattern.ts";

const prepared = (source: string) => {
  const result = preparePattern(source, RE2JS);
  if (!result.ok) throw new Error(result.error.code);
  return result.value;
};

/** Texts on which the meanings of the two syntaxes differ most easily. */
const TEXTS = [
  ..."abzABZ019_- \n\r\t\v\f\0.^$*+?()[]{}|/\\",
  ...[
    "",
    "a\n",
    "\na",
    "a\u2028b",
    "\u00a0",
    "\ufeff",
    "\u180e",
    "\u0085",
    "é",
    "ſ",
    "\u212a",
    "\u0130",
    "😀",
    "a😀b",
    "\u0661",
  ],
  ...["ab", "aab", "abab", "foo-bar", "2026-12-01", "x y", "[a]", "\u{10ffff}", "Ω", "漢", "\b"],
];

describe("a pattern means in linear time what ECMAScript says", () => {
  test.each([
    "^a$",
    "a|b",
    "^$",
    ".",
    "^.$",
    "\\s",
    "^\\S+$",
    "\\d",
    "\\D",
    "\\w+",
    "\\W",
    "\\bfoo\\b",
    "[\\s\\d]",
    "[^\\s]",
    "[\\S]",
    "[^\\S]",
    "[\\D]",
    "[a-z]",
    "[a-]",
    "[-a]",
    "[a\\-z]",
    "[a-b-c]",
    "[--a]",
    "[+--]",
    "[\\b]",
    "[\\]\\[]",
    "[[]",
    "[:alpha:]",
    "[&&a]",
    "[]",
    "[^]",
    "[.]",
    "[\\^a]",
    "\\.",
    "\\/",
    "\\$\\^",
    "\\0",
    "\\cJ",
    "\\x41",
    "\\u0041",
    "\\u{1F600}",
    "\\uD83D\\uDE00",
    "[\\uD83D\\uDE00-\\u{1F601}]",
    "^😀$",
    "[😀]",
    "\\p{L}",
    "^\\P{Lu}$",
    "\\p{Letter}",
    "\\p{Nd}",
    "\\p{gc=Uppercase_Letter}",
    "\\p{Script=Greek}",
    "\\p{sc=Han}",
    "[\\p{L}\\p{Nd}_]",
    "\\p{Any}",
    "[^\\p{Any}]",
    "(a)(b)",
    "(?:ab)+",
    "(?<name>a)b",
    "a{2}",
    "a{1,}b",
    "a{0,1}?b",
    "a*?b",
    "(a|)b",
    "^(?:\\d{4}-\\d{2}-\\d{2})$",
    "#|,|'|~|=|<|>|:|;|\"|%|&|!|@|`",
  ])("%s", (source) => {
    const ours = prepared(source);
    const theirs = new RegExp(source, "u");
    for (const text of TEXTS) expect([text, ours.test(text)]).toEqual([text, theirs.test(text)]);
  });

  test("whatever the pattern, where it is taken", () => {
    const single = fc.constantFrom(
      ...[
        "a",
        "b",
        "0",
        "_",
        "-",
        ".",
        "\\s",
        "\\S",
        "\\d",
        "\\w",
        "\\b",
        "^",
        "$",
        "[a-z]",
        "[^a]",
        "[\\s\\-]",
        "\\n",
        "é",
        "😀",
      ],
    );
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { maxDepth: 4 },
        single,
        fc.tuple(tie("pattern"), tie("pattern")).map(([left, right]) => left + right),
        fc.tuple(tie("pattern"), tie("pattern")).map(([left, right]) => `(?:${left}|${right})`),
        fc
          .tuple(tie("pattern"), fc.constantFrom("*", "+", "?", "{2}", "{0,3}", "{1,}", "*?"))
          .map(([inner, times]) => `(?:${inner})${times}`),
      ),
    }));
    const text = fc.string({
      unit: fc.constantFrom("a", "b", "0", "_", "-", " ", "\n", "é", "😀", "z"),
      maxLength: 12,
    });
    fc.assert(
      fc.property(pattern, fc.array(text, { maxLength: 8 }), (source, texts) => {
        const ours = prepared(source);
        const theirs = new RegExp(source, "u");
        for (const each of texts) expect(ours.test(each)).toBe(theirs.test(each));
      }),
      { numRuns: 500 },
    );
  });
});

describe("a pattern is refused", () => {
  test.each([
    ["(", "pattern.malformed"],
    ["[z-a]", "pattern.malformed"],
    ["a{2,1}", "pattern.malformed"],
    ["\\-", "pattern.malformed"],
    ["\\p{Nonsense}", "pattern.malformed"],
    ["(?=a)", "pattern.unsupported"],
    ["(?!a)", "pattern.unsupported"],
    ["(?<=a)b", "pattern.unsupported"],
    ["(?<!a)b", "pattern.unsupported"],
    ["(a)\\1", "pattern.unsupported"],
    ["(?<n>a)\\k<n>", "pattern.unsupported"],
    ["\\p{Script_Extensions=Greek}", "pattern.unsupported"],
    ["\\p{Emoji}", "pattern.unsupported"],
    ["a{1001}", "pattern.unsupported"],
    ["(?:a{100}){100}", "pattern.too_large"],
    [`${"x{1000}".repeat(20)}`, "pattern.too_large"],
    ["a".repeat(5000), "pattern.too_large"],
  ])("%s with %s", (source, code) => {
    expect(translatePattern(source)).toMatchObject({ ok: false, error: { code } });
  });

  test("or translated, and never throws", () => {
    const piece = fc.constantFrom(
      ..."ab0-^$.*+?()[]{}|\\,:=!<>dDsSwWbBpPkxuc1".split(""),
      "\\p{L}",
      "\\u{41}",
      "{2}",
      "(?:",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.array(piece).map((all) => all.join("")),
        ),
        (source) => {
          const result = preparePattern(source, RE2JS);
          if (result.ok) result.value.test("ab0");
        },
      ),
      { numRuns: 1000 },
    );
  });
});
