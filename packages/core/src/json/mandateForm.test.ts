import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalize, NotJsonError } from "./canonical.ts";
import { byCodePoint, mandateForm, mandateNumber } from "./mandateForm.ts";
import { jsonLimits, parseJson } from "./parseJson.ts";
import { toDoubles } from "./toDoubles.ts";

const form = (text: string): string => {
  const read = parseJson(text, jsonLimits, "exact");
  if (!read.ok) throw new Error(read.error.code);
  return mandateForm(read.value);
};

describe("the mandate dialect's canonical form", () => {
  // What Python 3.11 prints for the same texts.
  test.each([
    ["0", "0"],
    ["-0", "0"],
    ["-7", "-7"],
    ["9007199254740993", "9007199254740993"],
    ["100000000000000000000000", "100000000000000000000000"],
    ["1.0", "1.0"],
    ["-0.0", "-0.0"],
    ["0.0", "0.0"],
    ["1.10", "1.1"],
    ["25.50", "25.5"],
    ["1e2", "100.0"],
    ["1E+2", "100.0"],
    ["1e15", "1000000000000000.0"],
    ["9999999999999998.0", "9999999999999998.0"],
    ["1e16", "1e+16"],
    ["12345678901234567.0", "1.2345678901234568e+16"],
    ["123456789012345680.0", "1.2345678901234568e+17"],
    ["1e21", "1e+21"],
    ["1e+21", "1e+21"],
    ["1.5e300", "1.5e+300"],
    ["0.001", "0.001"],
    ["0.0001", "0.0001"],
    ["0.00012", "0.00012"],
    ["0.00001", "1e-05"],
    ["0.000012", "1.2e-05"],
    ["1e-7", "1e-07"],
    ["1.25e-10", "1.25e-10"],
    ["5e-324", "5e-324"],
    ["1e-400", "0.0"],
    ["-1e-400", "-0.0"],
    ["0.1000000000000000055511151231257827", "0.1"],
    ["1.7976931348623157e308", "1.7976931348623157e+308"],
    ["123.456", "123.456"],
  ])("prints the number %s as %s", (text, want) => {
    expect(mandateNumber(text)).toBe(want);
    expect(form(`[${text}]`)).toBe(`[${want}]`);
  });

  test.each([
    {
      it: "members by code point",
      text: '{"\\ud83d\\ude00":1,"\\ufb33":2,"b":3,"B":4,"":5}',
      want: '{"":5,"B":4,"b":3,"\\ufb33":2,"\\ud83d\\ude00":1}',
    },
    {
      it: "everything but printable ASCII as an escape",
      text: '"é\u007f€\u{1f600}\\u0001\\n\\/\\"\\\\"',
      want: '"\\u00e9\\u007f\\u20ac\\ud83d\\ude00\\u0001\\n/\\"\\\\"',
    },
    { it: "no spaces", text: ' { "a" : [ 1 , true , null ] } ', want: '{"a":[1,true,null]}' },
    { it: "an own __proto__", text: '{"b":1,"__proto__":{}}', want: '{"__proto__":{},"b":1}' },
  ])("writes $it", ({ text, want }) => {
    expect(form(text)).toBe(want);
  });

  test.each([
    { it: "a lone surrogate", value: "\ud800" },
    { it: "an infinity", value: Number.POSITIVE_INFINITY },
    { it: "a date", value: new Date(0) as never },
    { it: "undefined", value: [undefined] as never },
    { it: "1,001 levels", value: JSON.parse("[".repeat(1001) + "]".repeat(1001)) },
  ])("refuses $it", ({ value }) => {
    expect(() => mandateForm(value)).toThrow(NotJsonError);
  });

  test("is ASCII, reads back as the same value, and prints every double so that it is read as the same double", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const text = mandateForm(value as never);
        expect(text).toMatch(/^[\u0020-\u007e]*$/);
        expect(canonicalize(JSON.parse(text))).toBe(canonicalize(value));
        expect(form(text)).toBe(text);
      }),
    );
  });

  test("sorts as arrays of code points would", () => {
    const text = fc.string({ unit: "binary", maxLength: 5 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [left, right] = [Array.from(a, (c) => c.codePointAt(0)!), Array.from(b, (c) => c.codePointAt(0)!)];
        const at = left.findIndex((point, i) => point !== right[i]);
        const want = at < 0 ? left.length - right.length : left[at]! - (right[at] ?? -1);
        expect(Math.sign(byCodePoint(a, b))).toBe(Math.sign(want));
      }),
      { numRuns: 3000 },
    );
  });

  test("gives the doubles of what was read exactly, members of every name included", () => {
    const read = parseJson('{"__proto__":[1.0,-0,"x"],"b":{"c":1e2}}', jsonLimits, "exact");
    const value = read.ok ? toDoubles(read.value) : null;
    expect(JSON.stringify(value)).toBe('{"__proto__":[1,0,"x"],"b":{"c":100}}');
  });
});
