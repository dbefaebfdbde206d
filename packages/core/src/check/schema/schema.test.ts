import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../json/value.ts";
import { SCHEMA_BOUNDS } from "./bounds.ts";
import { createSchemaCache } from "./cache.ts";
import { type CompiledSchema, compileSchema, compileUnguarded } from "./compile.ts";
import { judgeSchema, schemaFindings } from "./judge.ts";

async function compiled(schema: unknown): Promise<CompiledSchema> {
  const result = await compileSchema(schema as JsonValue);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

async function passes(schema: unknown, value: unknown): Promise<boolean> {
  const judged = judgeSchema(await compiled(schema), value as JsonValue);
  if (!judged.ok) throw new Error(judged.error.code);
  return judged.value.valid;
}

const META = "https://json-schema.org/draft/2020-12/schema";

describe("one caller's schema does not reach another's", () => {
  test("a schema of schemas of one's own, brought first, lets nothing through for others", async () => {
    // Before anything else is compiled: what the library takes for the schema of schemas is decided now.
    const lax = { $id: META, $ref: "#/$defs/any", $defs: { any: true } };
    await compileUnguarded({ type: 5 } as never, SCHEMA_BOUNDS, { [META]: lax });
    expect(await compileSchema({ type: 5 })).toMatchObject({ ok: false, error: { code: "schema.malformed" } });
  });

  test.each([
    { it: "itself", wrap: (attack: unknown) => attack },
    { it: "inside const", wrap: (attack: unknown) => ({ const: attack }) },
    { it: "inside examples", wrap: (attack: unknown) => ({ examples: [{ deep: attack }] }) },
    { it: "under an unknown keyword", wrap: (attack: unknown) => ({ "x-any": attack }) },
    { it: "as properties", wrap: (attack: unknown) => ({ properties: attack }) },
  ])("a vocabulary that switches checks off is refused, and they stay on: $it", async ({ wrap }) => {
    const attack = { $id: META, $vocabulary: { "https://json-schema.org/draft/2020-12/vocab/core": true } };
    expect(await compileSchema(wrap(attack) as JsonValue)).toMatchObject({
      ok: false,
      error: { code: "schema.unsupported" },
    });
    expect(await passes({ type: "string" }, 5)).toBe(false);
  });

  test("the same id with another content is another schema", async () => {
    const first = await compiled({ $id: "https://example.com/a", type: "string" });
    const second = await compiled({ $id: "https://example.com/a", type: "number" });
    expect(judgeSchema(first, 5)).toMatchObject({ ok: true, value: { valid: false } });
    expect(judgeSchema(second, 5)).toMatchObject({ ok: true, value: { valid: true } });
    expect(await compileSchema({ $ref: "https://example.com/a" })).toMatchObject({
      ok: false,
      error: { code: "schema.unresolved" },
    });
  });

  test("documents that are given can be referred to, and are held to the same rules", async () => {
    const documents = { "https://example.com/money": { type: "string", pattern: "^[0-9]+$" } };
    const result = await compileSchema({ $ref: "https://example.com/money" }, SCHEMA_BOUNDS, documents);
    if (!result.ok) throw new Error(result.error.code);
    expect(judgeSchema(result.value, "12")).toMatchObject({ value: { valid: true } });
    expect(judgeSchema(result.value, "x")).toMatchObject({ value: { valid: false } });
    const bad = { "https://example.com/money": { $vocabulary: {} } };
    expect((await compileSchema(true, SCHEMA_BOUNDS, bad)).ok).toBe(false);
  });
});

describe("nothing is retrieved", () => {
  test.each([
    "http://127.0.0.1:1/x",
    "https://example.com/x",
    "file:///etc/passwd",
    "//example.com/x",
    "data:application/json,true",
    "HTTPS://example.com/x",
    "x.json",
    "#/nowhere",
    "#nowhere",
    "#toString",
    "#/constructor",
  ])("for %s", async ($ref) => {
    const result = await compileSchema({ properties: { a: { $ref } } });
    if (result.ok) expect(judgeSchema(result.value, { a: 1 }).ok).toBe(false);
    else expect(result.error.code).toMatch(/^schema\.(?:unresolved|unsupported|failed)$/);
  });
});

describe("where the library alone would be wrong", () => {
  test("a pattern beside additionalProperties does not backtrack", async () => {
    const schema = { patternProperties: { "^(a+)+$": true }, additionalProperties: false };
    expect(await passes(schema, { [`${"a".repeat(50_000)}!`]: 1 })).toBe(false);
    expect(await passes(schema, { aaa: 1 })).toBe(true);
  });

  test("names in additionalProperties are compared as they are", async () => {
    const schema = { properties: { "a.c": true, "(": true, __proto__x: true }, additionalProperties: false };
    expect(await passes(schema, { "a.c": 1, "(": 1 })).toBe(true);
    expect(await passes(schema, { abc: 1 })).toBe(false);
    expect(await passes(schema, { toString: 1 })).toBe(false);
    expect(await passes(schema, JSON.parse('{"__proto__": 1}'))).toBe(false);
  });

  test("cents are counted exactly", async () => {
    expect(await passes({ multipleOf: 0.01 }, 19.99)).toBe(true);
    expect(await passes({ multipleOf: 0.01 }, 0.00000005)).toBe(false);
  });

  test("what is inherited satisfies nothing", async () => {
    expect(await passes({ required: ["toString"] }, {})).toBe(false);
    expect(await passes({ required: ["__proto__"] }, {})).toBe(false);
    expect(await passes({ dependentRequired: { constructor: ["x"] } }, {})).toBe(true);
  });
});

describe("a judgement stops at its bounds", () => {
  const cheap = {
    ...SCHEMA_BOUNDS,
    steps: 1000,
    evaluationDepth: 50,
    patternSteps: 1000,
    data: { depth: 5, nodes: 100 },
  };
  test.each<{ it: string; schema: unknown; value: unknown; code: string }>([
    { it: "recursion on one value", schema: { allOf: [{ $ref: "#" }] }, value: 1, code: "schema.too_costly" },
    {
      it: "recursion that branches",
      schema: { anyOf: [{ $ref: "#" }, { $ref: "#" }] },
      value: 1,
      code: "schema.too_costly",
    },
    { it: "data that is too deep", schema: true, value: [[[[[[]]]]]], code: "schema.data_too_large" },
    { it: "data with too many values", schema: true, value: Array(100).fill(0), code: "schema.data_too_large" },
    {
      it: "a long text for its pattern",
      schema: { pattern: "(.*a){9}" },
      value: "x".repeat(1000),
      code: "schema.too_costly",
    },
    {
      it: "long names for their patterns",
      schema: { patternProperties: { "^(x+x+)+$": true } },
      value: { ["x".repeat(2000)]: 1 },
      code: "schema.too_costly",
    },
    {
      it: "many comparisons of a large value",
      schema: { allOf: Array(50).fill({ enum: [1] }) },
      value: Array(50).fill(0),
      code: "schema.too_costly",
    },
    {
      it: "comparing long texts",
      schema: { allOf: Array(9).fill({ const: 1 }) },
      value: "x".repeat(9000),
      code: "schema.too_costly",
    },
    {
      it: "many required members in many elements",
      schema: { items: { required: Array.from({ length: 90 }, (_, at) => `m${at}`) } },
      value: Array(50).fill({}),
      code: "schema.too_costly",
    },
  ])("at $it, without a verdict", async ({ schema, value, code }) => {
    const result = await compileSchema(schema as JsonValue, cheap);
    if (!result.ok) throw new Error(result.error.code);
    expect(judgeSchema(result.value, value as JsonValue)).toMatchObject({ ok: false, error: { code } });
    expect(schemaFindings(result.value, value as JsonValue, "/data")).toMatchObject([{ code, severity: "block" }]);
  });

  test("a schema of 10,000 nodes is compiled and judges", async () => {
    const properties = Object.fromEntries(Array.from({ length: 4900 }, (_, at) => [`p${at}`, { type: "string" }]));
    expect(await passes({ properties }, { p7: 7 })).toBe(false);
  });

  test("a schema with too many instructions of patterns is refused", async () => {
    const anyOf = Array.from({ length: 60 }, (_, at) => ({ pattern: `a{${900 + at}}` }));
    expect(await compileSchema({ anyOf })).toMatchObject({
      ok: false,
      error: { code: "schema.pattern_too_large" },
    });
  });
});

describe("a pattern that is refused", () => {
  test.each([
    ["(", "schema.pattern_malformed"],
    ["(?=a)", "schema.pattern_unsupported"],
    ["(?:a{100}){200}", "schema.pattern_too_large"],
  ])("%s, says where it is", async (pattern, code) => {
    expect(await compileSchema({ properties: { a: { pattern } } })).toMatchObject({
      ok: false,
      error: { code, path: "/properties/a/pattern" },
    });
    expect(await compileSchema({ items: { patternProperties: { [pattern]: true } } })).toMatchObject({
      ok: false,
      error: { code },
    });
  });
});

describe("what a judgement says", () => {
  test.each<{ it: string; schema: unknown; value: unknown; want: object[] }>([
    {
      it: "names the type that was asked",
      schema: { properties: { a: { type: ["string", "null"] } } },
      value: { a: 1 },
      want: [{ path: "/a", keyword: "type", message: "the value has another type", expected: "string, null" }],
    },
    {
      it: "names the members that are missing",
      schema: { items: { required: ["a", "b", "toString"] } },
      value: [{ a: 1 }],
      want: [{ path: "/0", keyword: "required", message: "a required member is missing", expected: "b, toString" }],
    },
    {
      it: "names a bound",
      schema: { properties: { "a/b": { maximum: 5 } } },
      value: { "a/b": 7 },
      want: [{ path: "/a~1b", keyword: "maximum", message: "the number is too large", expected: "5" }],
    },
    {
      it: "points at a member that is too many",
      schema: { properties: {}, additionalProperties: false },
      value: { "é %": 1 },
      want: [{ path: "/é %", keyword: "additionalProperties", message: "no such member is allowed" }],
    },
    {
      it: "says that nothing is allowed",
      schema: { properties: { a: false } },
      value: { a: 1 },
      want: [{ path: "/a", keyword: "false", message: "no value is allowed here" }],
    },
  ])("$it", async ({ schema, value, want }) => {
    expect(judgeSchema(await compiled(schema), value as JsonValue)).toEqual({
      ok: true,
      value: { valid: false, violations: want, more: 0 },
    });
  });

  test("lists a hundred violations and counts the rest", async () => {
    const judged = judgeSchema(await compiled({ items: { type: "string" } }), Array(150).fill(0));
    expect(judged).toMatchObject({ ok: true, value: { more: 50 } });
    expect(schemaFindings(await compiled({ items: { type: "string" } }), Array(150).fill(0), "/data")).toHaveLength(
      101,
    );
  });

  test("becomes findings that block and point into the ask", async () => {
    expect(schemaFindings(await compiled({ required: ["a"] }), {}, "/material/data")).toEqual([
      {
        check: "schema",
        code: "schema.violation",
        severity: "block",
        path: "/material/data",
        message: "a required member is missing",
        expected: "a",
        retry: "changed",
      },
    ]);
  });

  test("holds no value of the data, and no secret that is a name in it", async () => {
    const token = `ghp_${"Zq3".repeat(4)}${"v8Kx".repeat(6)}`;
    const schema = { additionalProperties: { type: "number", const: 1, enum: [2], pattern: "x", maxLength: 1 } };
    const text = JSON.stringify(judgeSchema(await compiled(schema), { a: `see ${token}`, [token]: "secret value" }));
    expect(text).not.toContain(token);
    expect(text).not.toContain("secret value");
  });
});

describe("the cache of one caller", () => {
  test("compiles an equal schema once, whatever the order of its members", async () => {
    const cache = createSchemaCache(2);
    const first = await cache.compile({ type: "string", minLength: 1 });
    expect(await cache.compile({ minLength: 1, type: "string" })).toBe(first);
    expect(await cache.compile({ minLength: 2, type: "string" })).not.toBe(first);
  });

  test("forgets what was not asked for the longest", async () => {
    const cache = createSchemaCache(2);
    const first = await cache.compile({ const: 1 });
    const second = await cache.compile({ const: 2 });
    await cache.compile({ const: 1 });
    await cache.compile({ const: 3 });
    expect(await cache.compile({ const: 1 })).toBe(first);
    expect(await cache.compile({ const: 2 })).not.toBe(second);
  });

  test("refuses as the compiler does", async () => {
    const cache = createSchemaCache(2);
    expect(await cache.compile({ $vocabulary: {} })).toMatchObject({
      ok: false,
      error: { code: "schema.unsupported" },
    });
    expect(await cache.compile({ type: 5 })).toMatchObject({ ok: false, error: { code: "schema.malformed" } });
    expect((await cache.compile({ const: "\ud800" })).ok).toBe(true);
  });
});

describe("any schema and any data", () => {
  const name = fc.constantFrom(
    ...[
      "type",
      "properties",
      "items",
      "anyOf",
      "not",
      "$ref",
      "$id",
      "$anchor",
      "$dynamicRef",
      "$dynamicAnchor",
      "const",
      "enum",
    ],
    ...[
      "pattern",
      "patternProperties",
      "additionalProperties",
      "unevaluatedProperties",
      "required",
      "multipleOf",
      "undefined",
    ],
    ...["$schema", "$defs", "contains", "uniqueItems", "if", "then", "default", "a", "__proto__", "toString"],
  );
  const leaf = fc.oneof(
    fc.constantFrom<JsonValue>(
      "string",
      "object",
      "#",
      "#a",
      "#/$defs/a",
      "a",
      "^a+$",
      "(",
      "https://x.example/",
      1,
      0,
      -1,
    ),
    fc.constantFrom<JsonValue>(0.1, true, false, null, ["a"], ["string"]),
  );
  const { schema } = fc.letrec<{ schema: JsonValue }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 5 },
      leaf,
      fc.array(tie("schema"), { maxLength: 3 }),
      fc.array(fc.tuple(name, tie("schema")), { maxLength: 4 }).map((all) => Object.fromEntries(all)),
    ),
  }));
  const tight = { ...SCHEMA_BOUNDS, steps: 20_000, evaluationDepth: 100 };

  test("give a verdict or a code, and never throw", async () => {
    await fc.assert(
      fc.asyncProperty(schema, fc.jsonValue(), schema, async (one, data, other) => {
        const result = await compileSchema(one, tight);
        for (const value of [data as JsonValue, other]) {
          if (!result.ok) continue;
          const judged = judgeSchema(result.value, value);
          if (judged.ok) expect(judged.value.valid).toBe(judged.value.violations.length === 0);
        }
      }),
      { numRuns: 400 },
    );
  });
});
