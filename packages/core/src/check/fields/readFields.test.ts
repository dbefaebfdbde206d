import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../json/value.ts";
import { prepareFields } from "./fields.ts";
import { readFields } from "./readFields.ts";

describe("reading a data contract", () => {
  test("takes every member a rule can have", () => {
    const fields = { "a.b": { type: "integer", required: true, min: 0, max: 9.5, enum: [1, "x", true, null] }, c: {} };
    expect(readFields(fields)).toEqual({ ok: true, value: fields });
  });

  test.each([
    { it: "a list for the contract", fields: [], path: "" },
    { it: "a rule that is no object", fields: { a: true }, path: "/a" },
    { it: "a rule that is a list", fields: { a: [] }, path: "/a" },
    { it: "an unknown type", fields: { a: { type: "float" } }, path: "/a/type" },
    { it: "a list of types", fields: { a: { type: ["string"] } }, path: "/a/type" },
    { it: "required as text", fields: { a: { required: "true" } }, path: "/a/required" },
    { it: "a bound as text", fields: { a: { min: "1" } }, path: "/a/min" },
    { it: "a null bound", fields: { a: { max: null } }, path: "/a/max" },
    { it: "an enum of objects", fields: { a: { enum: [{}] } }, path: "/a/enum" },
    { it: "a misspelt member", fields: { a: { Required: true } }, path: "/a/Required" },
    { it: "an inherited name", fields: { "a/b": { toString: 1 } }, path: "/a~1b/toString" },
    { it: "a member called __proto__", fields: JSON.parse('{"a": {"__proto__": {}}}'), path: "/a/__proto__" },
  ])("refuses $it and says where", ({ fields, path }) => {
    expect(readFields(fields as JsonValue)).toMatchObject({
      ok: false,
      error: { code: "fields.contract_malformed", path },
    });
  });

  test("never throws, and what it takes can be prepared and judged", () => {
    const rule = fc.dictionary(fc.constantFrom("type", "required", "min", "max", "enum", "x"), fc.jsonValue());
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), rule)), fc.jsonValue(), (raw, data) => {
        const read = readFields(raw as JsonValue);
        if (read.ok) prepareFields({ fields: read.value, extra: "refused" }).judge(data as JsonValue);
      }),
    );
  });
});
