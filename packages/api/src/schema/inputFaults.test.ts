import { readdirSync, readFileSync } from "node:fs";
import { type ExactJson, type JsonValue, NumberText } from "@countersign/core";
import { sharedSuite } from "@countersign/core/testing";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type InputSchema, inputFaults } from "./inputFaults.ts";

const paths = (schema: InputSchema, input: ExactJson): string[] => inputFaults(schema, input).map(({ path }) => path);

describe("an input is refused where it is wrong", () => {
  const closed: InputSchema = {
    type: "object",
    properties: {
      name: { type: "string", minLength: 1, maxLength: 3 },
      tags: { type: "array", items: { type: "string" } },
    },
    required: ["name"],
    additionalProperties: false,
  };
  test.each<{ it: string; schema?: InputSchema; input: ExactJson; want: string[] }>([
    { it: "nothing is wrong", input: { name: "a", tags: ["x"] }, want: [] },
    { it: "a list for an object", input: [], want: [""] },
    { it: "nothing for an object", input: null, want: [""] },
    { it: "a member that is missing", input: {}, want: ["/name"] },
    { it: "a member that is only inherited", schema: { required: ["toString"] }, input: {}, want: ["/toString"] },
    { it: "an empty text", input: { name: "" }, want: ["/name"] },
    { it: "a text that is too long", input: { name: "abcd" }, want: ["/name"] },
    { it: "three characters of two units each", input: { name: "😀😀😀" }, want: [] },
    { it: "four characters of two units each", input: { name: "😀😀😀😀" }, want: ["/name"] },
    { it: "an item of another type", input: { name: "a", tags: ["x", 1, "y", null] }, want: ["/tags/1", "/tags/3"] },
    { it: "an unknown member", input: { name: "a", nmae: 1 }, want: ["/nmae"] },
    { it: "an unknown member whose name is not repeated", input: { name: "a", "<b>": 1 }, want: ["/*"] },
    { it: "an own member called __proto__", input: JSON.parse('{"name":"a","__proto__":1}'), want: ["/__proto__"] },
    { it: "a text for a number", schema: { type: "number" }, input: "1", want: [""] },
    { it: "a number as written for a number", schema: { type: "number" }, input: new NumberText("1.0"), want: [] },
    { it: "1.0 for an integer", schema: { type: "integer" }, input: new NumberText("1.0"), want: [] },
    { it: "1.5 for an integer", schema: { type: "integer" }, input: 1.5, want: [""] },
    { it: "a number as written for an object", schema: { type: "object" }, input: new NumberText("1.0"), want: [""] },
    { it: "a number below the least", schema: { minimum: 0 }, input: -0.5, want: [""] },
    { it: "negative zero, which is not below zero", schema: { minimum: 0 }, input: new NumberText("-0"), want: [] },
    { it: "a number above the most", schema: { maximum: 1 }, input: new NumberText("1.10"), want: [""] },
    {
      it: "a list that is too long, without a look at it",
      schema: { maxItems: 1, items: { type: "string" } },
      input: [1, 2],
      want: [""],
    },
    { it: "a list that is too short", schema: { minItems: 1 }, input: [], want: [""] },
    { it: "the string of a constant", schema: { const: 1 }, input: "1", want: [""] },
    { it: "a value outside a set", schema: { enum: ["a", null] }, input: "b", want: [""] },
    { it: "one of two types", schema: { type: ["string", "null"] }, input: null, want: [] },
    { it: "a form that does not fit", schema: { pattern: "^[a-z]+$" }, input: "a1", want: [""] },
  ])("$it", ({ schema = closed, input, want }) => {
    expect(paths(schema, input)).toEqual(want);
  });

  test("and says at most twenty things", () => {
    expect(inputFaults({ items: { type: "string" } }, Array(1000).fill(1))).toHaveLength(20);
  });

  test("and never repeats a value", () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const faults = inputFaults(closed, { name: secret, [secret]: secret, tags: secret });
    expect(JSON.stringify(faults)).not.toContain(secret);
  });
});

const anyJson = fc.jsonValue({ maxDepth: 3 });

/** Values that come near a schema, or fit it when nothing is to go wrong. */
function near(schema: InputSchema, goes: "wrong" | "right"): fc.Arbitrary<JsonValue> {
  const type = [schema.type ?? "object"].flat()[0];
  const pick = (good: readonly JsonValue[], bad: readonly JsonValue[]) =>
    fc.constantFrom(...good, ...(goes === "wrong" ? bad : []));
  const own = (): fc.Arbitrary<JsonValue> => {
    if (schema.enum !== undefined) return pick(schema.enum, ["other"]);
    if (schema.const !== undefined) return pick([schema.const], ["other"]);
    if (type === "string" && schema.pattern !== undefined && goes === "right") return pick(["mnm-abcd-1"], []);
    if (type === "string") return pick(["abcd/1"], ["", "a", "😀", "x".repeat(70), "mnm-abcd"]);
    if (type === "number" || type === "integer") return pick([0, 1], [-1, 0.5, 2, 1e9]);
    if (type === "boolean") return fc.boolean();
    if (type === "null") return fc.constant(null);
    if (type === "array") {
      return fc.array(near(schema.items ?? {}, goes), {
        minLength: goes === "right" ? (schema.minItems ?? 0) : 0,
        maxLength: 3,
      });
    }
    const names = Object.entries(schema.properties ?? {}).map(([name, below]) => [name, near(below, goes)] as const);
    const requiredKeys = (schema.required ?? []).filter((name) => names.some(([other]) => other === name));
    const known = fc.record(Object.fromEntries(names), { requiredKeys });
    if (goes === "right") return known as fc.Arbitrary<JsonValue>;
    const extra = fc.option(fc.constantFrom("extra", "toString", "__proto__"), { nil: undefined, freq: 6 });
    const rest =
      typeof schema.additionalProperties === "object" ? near(schema.additionalProperties, goes) : fc.constant(1);
    return fc.tuple(known, extra, rest).map(([object, name, value]) => {
      const all: [string, JsonValue][] = Object.entries(object);
      return Object.fromEntries(name === undefined ? all : [...all, [name, value]]) as JsonValue;
    });
  };
  if (goes === "right") return own();
  return fc.oneof({ weight: 12, arbitrary: own() }, { weight: 1, arbitrary: anyJson as fc.Arbitrary<JsonValue> });
}

sharedSuite("contracts", (folder) => {
  const files = readdirSync(folder).filter(
    (file) => file.includes(".") && !/README|examples|action-gate|card[.]protection/.test(file),
  );
  test.each(files)("%s: the same inputs pass as with a full validator", (file) => {
    const { inputSchema } = JSON.parse(readFileSync(`${folder}/${file}`, "utf8")) as { inputSchema: InputSchema };
    const full = new Ajv2020({ strict: false, ownProperties: true, validateFormats: false }).compile(inputSchema);
    let passed = 0;
    fc.assert(
      fc.property(fc.oneof(near(inputSchema, "wrong"), near(inputSchema, "right"), anyJson), (input) => {
        const passes = inputFaults(inputSchema, input as JsonValue).length === 0;
        expect(passes).toBe(full(input));
        passed += Number(passes);
      }),
      { numRuns: 300 },
    );
    expect(passed).toBeGreaterThan(0);
  });
});
