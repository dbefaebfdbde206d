import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pointerOf } from "../../json/pointer.ts";
import type { JsonValue } from "../../json/value.ts";
import { FIELD_CODES, type FieldContract, type FieldRule, prepareFields } from "./fields.ts";

const judge = (data: unknown, fields: FieldContract["fields"], extra: FieldContract["extra"] = "allowed") =>
  prepareFields({ fields, extra })
    .judge(data as JsonValue)
    .map(({ code, field }) => `${code.slice("fields.".length)} ${field}`.trim());

describe("one field", () => {
  test.each<{ it: string; rule: FieldRule; passes: unknown[]; fails: [unknown, string][] }>([
    {
      it: "required rejects null and empty, and neither 0 nor false",
      rule: { required: true },
      passes: [0, false, " ", [], {}],
      fails: [
        [null, "required"],
        ["", "required"],
      ],
    },
    {
      it: "optional skips everything for null and empty",
      rule: { type: "integer", min: 5, enum: [7] },
      passes: [null, "", 7],
      fails: [
        [0, "below_min"],
        [8, "not_in_enum"],
        [false, "type_mismatch"],
      ],
    },
    { it: "string takes no number", rule: { type: "string" }, passes: ["5"], fails: [[5, "type_mismatch"]] },
    {
      it: "number takes no numeric string",
      rule: { type: "number" },
      passes: [0, -1.5, 1e300],
      fails: [
        ["5", "type_mismatch"],
        [true, "type_mismatch"],
        [[], "type_mismatch"],
      ],
    },
    {
      it: "integer takes 1.0, 1e2 and large whole numbers",
      rule: { type: "integer" },
      passes: [JSON.parse("1.0"), JSON.parse("1e2"), 1e300, -0],
      fails: [
        [1.5, "type_mismatch"],
        ["1", "type_mismatch"],
      ],
    },
    {
      it: "boolean takes neither 0 nor text",
      rule: { type: "boolean" },
      passes: [true, false],
      fails: [
        [0, "type_mismatch"],
        ["false", "type_mismatch"],
      ],
    },
    { it: "array takes no object", rule: { type: "array" }, passes: [[]], fails: [[{}, "type_mismatch"]] },
    { it: "object takes no array", rule: { type: "object" }, passes: [{}], fails: [[[], "type_mismatch"]] },
    {
      it: "bounds are inclusive and of numbers only",
      rule: { min: 1, max: 3 },
      passes: [1, 3, "0", "9", [], {}],
      fails: [
        [0.999, "below_min"],
        [3.001, "above_max"],
      ],
    },
    {
      it: "an enum converts nothing",
      rule: { enum: [1, "a", true, null] },
      passes: [1, "a", true, null],
      fails: [
        ["1", "not_in_enum"],
        ["true", "not_in_enum"],
        [[1], "not_in_enum"],
        [{}, "not_in_enum"],
      ],
    },
    { it: "an empty enum lets nothing through", rule: { enum: [] }, passes: [null], fails: [[1, "not_in_enum"]] },
  ])("$it", ({ rule, passes, fails }) => {
    for (const value of passes) expect(judge({ f: value }, { f: rule }), JSON.stringify(value)).toEqual([]);
    for (const [value, code] of fails) expect(judge({ f: value }, { f: rule })).toContain(`${code} f`);
  });

  test("is told everything that is wrong with it", () => {
    expect(judge({ f: 1.5 }, { f: { type: "integer", min: 2, enum: [3] } })).toEqual([
      "type_mismatch f",
      "below_min f",
      "not_in_enum f",
    ]);
  });
});

describe("the path to a field", () => {
  const required = { required: true };
  test.each<{ it: string; data: unknown; field: string; found: boolean }>([
    { it: "goes through objects", data: { a: { b: 1 } }, field: "a.b", found: true },
    { it: "goes through arrays by index", data: { a: [0, { b: 1 }] }, field: "a.1.b", found: true },
    { it: "reads a digit as a name in an object", data: { a: { "0": 1 } }, field: "a.0", found: true },
    { it: "knows no index with a leading zero", data: { a: [1, 1] }, field: "a.01", found: false },
    { it: "knows no negative index", data: { a: [1] }, field: "a.-1", found: false },
    { it: "knows no index past the end", data: { a: [1] }, field: "a.1", found: false },
    { it: "knows no index that is no number", data: { a: [1] }, field: "a.length", found: false },
    { it: "knows no index in another script's digits", data: { a: [1, 2] }, field: "a.\u0661", found: false },
    { it: "does not look into text", data: { a: "xyz" }, field: "a.0", found: false },
    { it: "does not see a literal dotted name", data: { "a.b": 1 }, field: "a.b", found: false },
    { it: "reads an empty segment as the empty name", data: { a: { "": { b: 1 } } }, field: "a..b", found: true },
    { it: "reads an empty key as the empty name", data: { "": 1 }, field: "", found: true },
    { it: "does not see what is inherited", data: {}, field: "toString", found: false },
    { it: "does not see the prototype", data: {}, field: "__proto__", found: false },
    { it: "does not walk through the prototype", data: {}, field: "constructor.name", found: false },
    { it: "sees an own __proto__", data: JSON.parse('{"__proto__": 1}'), field: "__proto__", found: true },
  ])("$it", ({ data, field, found }) => {
    expect(judge(data, { [field]: required })).toEqual(found ? [] : [`required ${field}`.trim()]);
  });

  test("does not see what somebody put on every object of the process", () => {
    const planted = Object.prototype as unknown as Record<string, unknown>;
    const prepared = prepareFields({ fields: { planted: required }, extra: "allowed" });
    planted["planted"] = "x";
    try {
      expect(prepared.judge({})).toHaveLength(1);
      expect(prepareFields({ fields: { planted: required }, extra: "allowed" }).judge({})).toHaveLength(1);
    } finally {
      delete planted["planted"];
    }
  });

  test("does not see what an object got from another", () => {
    expect(judge(Object.create({ a: 1 }), { a: required })).toEqual(["required a"]);
    expect(judge(Object.assign(Object.create(null), { a: 1 }), { a: required })).toEqual([]);
  });

  test("gives the pointer beside the key", () => {
    const [finding] = prepareFields({ fields: { "a.0.b/c": required }, extra: "allowed" }).judge({});
    expect(finding).toMatchObject({ check: "fields", severity: "block", field: "a.0.b/c", path: "/a/0/b~1c" });
  });

  test("costs no stack and no square of its length", () => {
    const field = "a.".repeat(200_000);
    expect(judge({ a: { a: 1 } }, { [field]: required })).toEqual([`required ${field}`]);
  });
});

describe("the contract as a whole", () => {
  test("lists what fails in its own order, shared prefixes or not", () => {
    const required = { required: true };
    const fields = { "a.b": required, z: required, "a.c": required, a: { type: "string" } as const };
    expect(judge({ a: {} }, fields)).toEqual(["required a.b", "required z", "required a.c", "type_mismatch a"]);
  });

  test("refuses members it does not name, by their names as written", () => {
    const fields = { "a.b": {}, c: {} };
    expect(judge({ "a.b": 1, c: 1 }, fields, "refused")).toEqual([]);
    expect(judge({ a: { b: 1 }, c: 1 }, fields, "refused")).toEqual(["unexpected a"]);
    expect(judge(JSON.parse('{"__proto__": 1, "toString": 1}'), fields, "refused")).toEqual([
      "unexpected __proto__",
      "unexpected toString",
    ]);
    expect(judge({ d: 1 }, fields, "allowed")).toEqual([]);
  });

  test("gives an unexpected name with a dot a pointer of one segment", () => {
    const [finding] = prepareFields({ fields: {}, extra: "refused" }).judge({ "a.b": 1 });
    expect(finding).toMatchObject({ field: "a.b", path: "/a.b" });
  });

  test("counts what it does not list, so that a flood of names stays small", () => {
    const data = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, 1]));
    const found = prepareFields({ fields: {}, extra: "refused" }).judge(data);
    expect(found).toHaveLength(1001);
    expect(found.at(-1)?.message).toBe("4000 more fields are not in the contract");
  });

  test("blocks data that is no object, even with nothing required", () => {
    for (const data of [null, 1, "x", true, []]) expect(judge(data, {})).toEqual(["type_mismatch"]);
  });

  test("has codes that are pinned, because dialects map them one to one", () => {
    expect(FIELD_CODES).toEqual([
      "fields.required",
      "fields.type_mismatch",
      "fields.below_min",
      "fields.above_max",
      "fields.not_in_enum",
      "fields.unexpected",
    ]);
  });
});

describe("any contract on any data", () => {
  const segment = fc.constantFrom("a", "b", "0", "1", "", "toString", "__proto__");
  const key = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("."));
  const scalar = fc.oneof(fc.constantFrom("", "a", 0, 1, 2.5, true, null), fc.double({ noNaN: true }));
  const rule: fc.Arbitrary<FieldRule> = fc.record(
    {
      type: fc.constantFrom("string", "number", "integer", "boolean", "array", "object"),
      required: fc.boolean(),
      min: fc.integer({ min: -2, max: 3 }),
      max: fc.integer({ min: -2, max: 3 }),
      enum: fc.array(scalar, { maxLength: 3 }),
    },
    { requiredKeys: [] },
  );
  const contract: fc.Arbitrary<FieldContract> = fc.record({
    fields: fc.dictionary(key, rule, { maxKeys: 6 }),
    extra: fc.constantFrom("allowed", "refused"),
  });
  const { data } = fc.letrec<{ data: JsonValue }>((tie) => ({
    data: fc.oneof(
      { maxDepth: 4 },
      scalar,
      fc.array(tie("data"), { maxLength: 3 }),
      fc
        .array(fc.tuple(fc.oneof(segment, key), tie("data")), { maxLength: 4 })
        .map((members) => Object.fromEntries(members)),
    ),
  }));

  /** Each field by itself, from the root, straight from the words of the contract. */
  function obvious(value: JsonValue, { fields, extra }: FieldContract): string[] {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return ["fields.type_mismatch "];
    const found: string[] = [];
    for (const [field, { type, required, min, max, enum: allowed }] of Object.entries(fields)) {
      let at: unknown = value;
      for (const part of field.split(".")) {
        const isIndex = !Array.isArray(at) || part === "0" || /^[1-9][0-9]*$/.test(part);
        at = typeof at === "object" && at !== null && isIndex && Object.hasOwn(at, part) ? Reflect.get(at, part) : null;
      }
      if (at === null || at === "") {
        if (required === true) found.push(`fields.required ${field}`);
        continue;
      }
      const actual = Array.isArray(at) ? "array" : typeof at;
      const fits = type === undefined || actual === type || (type === "integer" && Number.isInteger(at));
      if (!fits) found.push(`fields.type_mismatch ${field}`);
      if (typeof at === "number" && min !== undefined && at < min) found.push(`fields.below_min ${field}`);
      if (typeof at === "number" && max !== undefined && at > max) found.push(`fields.above_max ${field}`);
      if (allowed !== undefined && !allowed.some((item) => item === at)) found.push(`fields.not_in_enum ${field}`);
    }
    if (extra === "refused")
      for (const name of Object.keys(value))
        if (!Object.keys(fields).includes(name)) found.push(`fields.unexpected ${name}`);
    return found;
  }

  test("the prepared form and the obvious loop cannot be told apart", () => {
    fc.assert(
      fc.property(contract, data, (wanted, value) => {
        const found = prepareFields(wanted).judge(value);
        expect(found.map(({ code, field }) => `${code} ${field}`)).toEqual(obvious(value, wanted));
      }),
      { numRuns: 1000 },
    );
  });

  test("an unexpected or missing field never names a value", () => {
    fc.assert(
      fc.property(contract, fc.uuid(), (wanted, secret) => {
        const value = Object.fromEntries(Object.keys(wanted.fields).map((name) => [name.split(".")[0], secret]));
        expect(JSON.stringify(prepareFields(wanted).judge(value))).not.toContain(secret);
      }),
    );
  });

  test("each finding points where its field is", () => {
    fc.assert(
      fc.property(contract, (wanted) => {
        for (const { field, path } of prepareFields(wanted).judge({})) expect(path).toBe(pointerOf(field.split(".")));
      }),
    );
  });
});
