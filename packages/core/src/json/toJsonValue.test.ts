import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonLimits } from "./parseJson.ts";
import { toJsonValue } from "./toJsonValue.ts";

const cycle: unknown[] = [];
cycle.push({ again: cycle });
/** Forty levels that refer to the next one twice: tiny in memory, a million million values as JSON. */
const bomb = Array.from({ length: 40 }).reduce<unknown>((inner) => [inner, inner], 0);

test.each([
  { it: "undefined", value: { a: [undefined] }, code: "json.not_a_value", path: "/a/0" },
  { it: "a function", value: { toJSON: () => 1 }, code: "json.not_a_value", path: "/toJSON" },
  { it: "a bigint", value: { "a/b": 1n }, code: "json.not_a_value", path: "/a~1b" },
  { it: "a date", value: [new Date(0)], code: "json.not_a_value", path: "/0" },
  { it: "an object that inherits members", value: Object.create({ a: 1 }), code: "json.not_a_value", path: "" },
  { it: "not a number", value: [Number.NaN], code: "json.number_out_of_range", path: "/0" },
  { it: "a lone surrogate", value: { a: "\ud800" }, code: "json.lone_surrogate", path: "/a" },
  { it: "a lone surrogate in a name", value: { b: { "\ud800": 1 } }, code: "json.lone_surrogate", path: "/b/\ud800" },
  { it: "a cycle", value: cycle, code: "json.too_deep" },
  { it: "a value that repeats itself without end", value: bomb, code: "json.too_large" },
  { it: "a string over the limit", value: "a".repeat(jsonLimits.bytes), code: "json.too_large", path: "" },
])("refuses $it", ({ it: _, value, ...error }) => {
  expect(toJsonValue(value, jsonLimits)).toMatchObject({ ok: false, error });
});

test("a limit that is not a number lets nothing through", () => {
  expect(toJsonValue([], { bytes: Number.NaN, depth: 1 })).toMatchObject({ error: { code: "json.too_large" } });
  expect(toJsonValue([], { bytes: 10, depth: Number.NaN })).toMatchObject({ error: { code: "json.too_deep" } });
});

test("gives an equal copy of every JSON value", () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      expect(toJsonValue(value, jsonLimits)).toEqual({ ok: true, value });
    }),
  );
});

test("keeps __proto__ as a member and reads no inherited one", () => {
  const value = JSON.parse('{"__proto__":{"a":1},"b":2}');
  const copy = toJsonValue(value, jsonLimits);
  expect(copy.ok && JSON.stringify(copy.value)).toBe('{"__proto__":{"a":1},"b":2}');
});

test("takes plain objects of another realm, and gives ones of this", () => {
  const copy = toJsonValue(runInNewContext("({ a: [1] })"), jsonLimits);
  expect(copy.ok && Object.getPrototypeOf(copy.value)).toBe(Object.prototype);
});

test("reads a member once, so that what is judged cannot change", () => {
  let reads = 0;
  const value = Object.defineProperty({}, "amount", { enumerable: true, get: () => ++reads });
  expect(toJsonValue(value, jsonLimits)).toEqual({ ok: true, value: { amount: 1 } });
  expect(reads).toBe(1);
});
