import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { parseYaml } from "./yaml.ts";

const documentOf = (text: string): unknown => {
  const read = parseYaml(text);
  if (!read.ok) throw new Error(`${read.error.code} ${read.error.path}`);
  return read.value;
};

const anyJson = fc.jsonValue({ stringUnit: "grapheme" }).map((value) => JSON.parse(JSON.stringify(value)));

describe("a document", () => {
  test("that is JSON means what it means as JSON", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(documentOf(JSON.stringify(value))).toEqual(value);
      }),
    );
  });

  test("that another program wrote as YAML means what was written", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        // Aliases are how YAML repeats itself; we are told everything twice.
        expect(documentOf(stringify(value, { aliasDuplicateObjects: false }))).toEqual(value);
      }),
    );
  });

  test("of any characters is read or refused in words of our own, and nothing throws", () => {
    const odd = fc.constantFrom(
      "&a ",
      "*a",
      "!!str ",
      "!x ",
      "- ",
      "? ",
      ": ",
      "{",
      "}",
      "[",
      "]",
      "'",
      '"',
      "|\n",
      ">",
      "\n",
      "  ",
      "\t",
      "#",
      "%YAML 1.1\n",
      "---\n",
      "...\n",
      "<<: ",
      "a",
      "é",
      "\u0000",
      "\ufeff",
      "1",
      "0x1",
      ".inf",
      "yes",
      "~",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(odd, fc.string({ maxLength: 3 })), { maxLength: 30 }), (pieces) => {
        const read = parseYaml(pieces.join(""));
        if (!read.ok) expect(read.error.code).toMatch(/^yaml[.](?:malformed|refused|too_deep)$/);
      }),
      { numRuns: 2000 },
    );
  });
});

test.each([
  {
    it: "a key called __proto__ is a key like any other",
    text: "__proto__: {a: 1}",
    want: JSON.parse('{"__proto__":{"a":1}}'),
  },
  { it: "yes and no are words", text: "[yes, no, on, off]", want: ["yes", "no", "on", "off"] },
  { it: "a date is text", text: "2027-01-31", want: "2027-01-31" },
  { it: "a number in quotes is text", text: "'1.50'", want: "1.50" },
  { it: "nothing is null", text: "a:\nb: ~\nc: null", want: { a: null, b: null, c: null } },
  { it: "a merge key is a key like any other", text: "<<: {a: 1}", want: { "<<": { a: 1 } } },
])("$it", ({ text, want }) => {
  expect(documentOf(text)).toEqual(want);
  expect(Object.getPrototypeOf(documentOf(text) ?? {})).not.toEqual({ a: 1 });
});

test("as many keys as fit into a document are read, and one that comes twice is found among them", () => {
  const keys = Array.from({ length: 60_000 }, (_, at) => `k${at}: ${at}`);
  expect(Object.keys(documentOf(keys.join("\n")) as object)).toHaveLength(60_000);
  expect(parseYaml([...keys, "k7: 1"].join("\n"))).toEqual({
    ok: false,
    error: { code: "yaml.malformed", message: "a key is there twice", path: "line 60001, column 1" },
  });
});

test.each(['a: "\\ud800"', '"\\udc00": 1', '- "\\udc00\\ud800"'])(
  "%s holds half a character and is refused",
  (text) => {
    expect(parseYaml(text)).toMatchObject({ ok: false, error: { code: "yaml.refused" } });
  },
);

test.each([
  "1_000",
  "0o17",
  "0x1F",
  "+1",
  ".5",
  "5.",
  "1e400",
  "12345678901234567890",
  "-.inf",
  ".nan",
  "0.1000000000000000055",
])("%s is no number that JSON has and a double holds", (text) => {
  const read = parseYaml(text);
  // What YAML does not take for a number at all is text, and no rule takes text for a number.
  if (read.ok) expect(read.value).toBe(text);
  else expect(read.error.code).toBe("yaml.refused");
});
