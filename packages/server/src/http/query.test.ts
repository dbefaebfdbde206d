import fc from "fast-check";
import { expect, test } from "vitest";
import { readQuery } from "./query.ts";

const SCHEMA = {
  properties: {
    wait: { type: "integer" },
    unclosed: { type: "boolean" },
    kinds: { type: "array", items: { type: "string" } },
    agent: { type: "string" },
  },
};

test.each([
  { it: "nothing", query: "", want: {} },
  { it: "an empty query", query: "?", want: {} },
  { it: "a number", query: "?wait=30", want: { wait: 30 } },
  { it: "a truth value", query: "?unclosed=true", want: { unclosed: true } },
  { it: "a list of one", query: "?kinds=decide", want: { kinds: ["decide"] } },
  { it: "a list of two", query: "?kinds=decide&kinds=redeem", want: { kinds: ["decide", "redeem"] } },
  { it: "text that looks like a number", query: "?agent=30", want: { agent: "30" } },
  { it: "what it does not know, as text", query: "?wiat=30", want: { wiat: "30" } },
  { it: "a number with a zero in front, as text", query: "?wait=030", want: { wait: "030" } },
  { it: "a number with a sign, as text", query: "?wait=-1", want: { wait: "-1" } },
  { it: "an exponent, as text", query: "?wait=1e3", want: { wait: "1e3" } },
  { it: "digits of another script, as text", query: "?wait=%D9%A3", want: { wait: "\u0663" } },
  { it: "a truth value in capitals, as text", query: "?unclosed=True", want: { unclosed: "True" } },
])("reads $it", ({ query, want }) => {
  expect(readQuery(`/v1/holds${query}`, SCHEMA)).toEqual({ ok: true, value: want });
});

test("keeps __proto__ as a member like any other", () => {
  const read = readQuery("/v1/holds?__proto__=x", SCHEMA);
  expect(read.ok && Object.keys(read.value)).toEqual(["__proto__"]);
});

test.each([
  { it: "a member that is there twice", query: "?wait=1&wait=2" },
  { it: "more members than any operation has", query: `?${Array.from({ length: 33 }, (_, i) => `a${i}=1`).join("&")}` },
])("refuses $it", ({ query }) => {
  expect(readQuery(`/v1/holds${query}`, SCHEMA)).toMatchObject({ ok: false, error: { code: "request.invalid" } });
});

test("never throws", () =>
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (query) => {
      readQuery(`/v1/holds?${query}`, SCHEMA);
    }),
  ));
