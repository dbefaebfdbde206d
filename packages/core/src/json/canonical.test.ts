import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import reference from "canonicalize";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sharedSuite } from "../testing.ts";
import { canonicalize, NotJsonError } from "./canonical.ts";
import { jsonLimits, parseJson } from "./parseJson.ts";

/** The obvious way, for values that are JSON: sort a copy, and let the engine write every string and number. */
const plainly = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(plainly).join(",")}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${plainly(member)}`).join(",")}}`;
};

/** As `canonical` and `digest` read a text that they are asked about on its own. */
const canonicalText = (text: string | Uint8Array): string | undefined => {
  const read = parseJson(text, { ...jsonLimits, bytes: 4_194_304 }, "rounded");
  if (!read.ok) return undefined;
  const canonical = canonicalize(read.value);
  expect(plainly(read.value)).toBe(canonical);
  return canonical;
};

describe("canonical JSON", () => {
  test.each([
    {
      it: "members by UTF-16 units, not by code points",
      value: { "\ufb33": 1, "\u{1f600}": 2, a: 3 },
      want: '{"a":3,"\u{1f600}":2,"\ufb33":1}',
    },
    { it: "array indexes as the strings they are", value: { 10: 1, 9: 2, 1: 3 }, want: '{"1":3,"10":1,"9":2}' },
    {
      it: "an index that the engine moves, far inside",
      value: { b: [{ z: 1, 10: 2, 9: 3 }], a: 0 },
      want: '{"a":0,"b":[{"10":2,"9":3,"z":1}]}',
    },
    { it: "minus zero as zero", value: [-0], want: "[0]" },
    {
      it: "an own __proto__",
      value: JSON.parse('{"b":1,"__proto__":{"z":1,"a":2}}'),
      want: '{"__proto__":{"a":2,"z":1},"b":1}',
    },
    { it: "a member named toJSON", value: { toJSON: "x", a: 1 }, want: '{"a":1,"toJSON":"x"}' },
    {
      it: "an object without a prototype",
      value: Object.assign(Object.create(null), { b: 1, a: 2 }),
      want: '{"a":2,"b":1}',
    },
    {
      it: "text that only looks like a lone surrogate",
      value: { b: "\\ud800", a: "\\" },
      want: '{"a":"\\\\","b":"\\\\ud800"}',
    },
    {
      it: "control characters",
      value: "\u0000\u001f\b\t\n\f\r\u007f\u2028/",
      want: '"\\u0000\\u001f\\b\\t\\n\\f\\r\u007f\u2028/"',
    },
  ])("writes $it", ({ value, want }) => {
    expect(canonicalize(value)).toBe(want);
    expect(plainly(value)).toBe(want);
  });

  const cycle: Record<string, unknown> = {};
  cycle["self"] = [cycle];
  // biome-ignore lint/suspicious/noSparseArray: a hole is what is refused
  const hole = [1, , 2];
  test.each([
    { it: "undefined", value: undefined },
    { it: "an undefined member", value: { a: undefined } },
    { it: "a hole in an array", value: hole },
    { it: "a function", value: { toJSON: () => 1 } },
    { it: "a symbol", value: Symbol("a") },
    { it: "a bigint", value: [1n] },
    { it: "not a number", value: { a: Number.NaN } },
    { it: "an infinity", value: Number.NEGATIVE_INFINITY },
    { it: "a date", value: new Date(0) },
    { it: "a map", value: new Map() },
    { it: "an object that inherits members", value: Object.create({ a: 1 }) },
    { it: "a boxed string", value: new String("a") },
    { it: "a lone surrogate", value: ["a\ud800"] },
    { it: "a lone surrogate in a name", value: { "\udfff": 1 } },
    { it: "a lone surrogate behind a backslash", value: "\\\udc00" },
    { it: "a cycle", value: cycle },
    { it: "1,001 levels", value: JSON.parse("[".repeat(1001) + "]".repeat(1001)) },
  ])("refuses $it", ({ value }) => {
    expect(() => canonicalize(value)).toThrow(NotJsonError);
  });

  test("holds 1,000 levels", () => {
    const text = "[".repeat(1000) + "]".repeat(1000);
    expect(canonicalize(JSON.parse(text))).toBe(text);
  });

  const key = fc.oneof(
    fc.constantFrom(
      "a",
      "b",
      "aa",
      "",
      "10",
      "9",
      "01",
      "1",
      "4294967295",
      "4294967294",
      "__proto__",
      "toJSON",
      "\ufb33",
      "\u{1f600}",
    ),
    fc.string({ unit: "binary", maxLength: 6 }),
  );
  const { anyJson } = fc.letrec((tie) => ({
    anyJson: fc.oneof(
      { maxDepth: 5 },
      fc.constant(null),
      fc.boolean(),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.array(tie("anyJson"), { maxLength: 5 }),
      fc.array(fc.tuple(key, tie("anyJson")), { maxLength: 24 }).map((members) => Object.fromEntries(members)),
    ),
  }));

  test("is the same by the fast way, by the obvious way and by the published package", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const text = canonicalize(value);
        expect(plainly(value)).toBe(text);
        expect(reference(value)).toBe(text);
      }),
      { numRuns: 3000 },
    );
  });

  test("reads back as the same value, has one spelling, and does not depend on the order of members", () => {
    const shuffled = (value: unknown): unknown => {
      if (typeof value !== "object" || value === null) return value;
      if (Array.isArray(value)) return value.map(shuffled);
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, member]) => [name, shuffled(member)]),
      );
    };
    fc.assert(
      fc.property(anyJson, (value) => {
        const text = canonicalize(value);
        const back = parseJson(text, jsonLimits, "plain");
        expect(back.ok && canonicalize(back.value)).toBe(text);
        expect(canonicalize(shuffled(value))).toBe(text);
      }),
    );
  });

  test("does not change what it is given", () => {
    const value = { b: [{ d: 1, c: 2 }], a: 1 };
    canonicalize(value);
    expect(JSON.stringify(value)).toBe('{"b":[{"d":1,"c":2}],"a":1}');
  });
});

sharedSuite("conformance/jcs-rfc8785", (folder) => {
  test.each(readdirSync(join(folder, "cyberphone/input")))("writes %s as published", (name) => {
    const want = readFileSync(join(folder, "cyberphone/output", name), "utf8");
    expect(canonicalText(readFileSync(join(folder, "cyberphone/input", name)))).toBe(want);
    const hex = readFileSync(join(folder, "cyberphone/outhex", name.replace("json", "txt")), "utf8");
    expect(Buffer.from(want).toString("hex")).toBe(hex.replaceAll(/\s/g, ""));
  });

  const double = (hex: string): number => Buffer.from(hex.padStart(16, "0"), "hex").readDoubleBE();

  test("prints the published sequence of numbers", () => {
    const lines = readFileSync(join(folder, "numbers/es6-sequence-10000.txt"), "utf8").trimEnd().split("\n");
    expect(lines).toHaveLength(10_000);
    for (const line of lines) {
      const [hex = "", want] = line.split(",");
      expect(canonicalize(double(hex))).toBe(want);
    }
  });

  test("prints the home-made numbers", () => {
    const lines = readFileSync(join(folder, "numbers/own-numbers.jsonl"), "utf8").trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(11_000);
    for (const line of lines) {
      const { hex, expected } = JSON.parse(line) as { hex: string; expected: string };
      expect(canonicalize(double(hex))).toBe(expected);
      expect(canonicalText(expected)).toBe(expected);
    }
  });

  const rows = readFileSync(join(folder, "own-documents.jsonl"), "utf8").trimEnd().split("\n");
  test.each(
    rows.map(
      (row) => JSON.parse(row) as { id: string; input: string; canonical?: string; sha256?: string; why: string },
    ),
  )("$id: $why", ({ input, canonical, sha256 }) => {
    const text = canonicalText(input);
    expect(text).toBe(canonical);
    if (text !== undefined) expect(createHash("sha256").update(text).digest("hex")).toBe(sha256);
  });
});
