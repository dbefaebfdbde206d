import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sharedSuite } from "../testing.ts";
import { NumberText } from "./numberText.ts";
import { type JsonLimits, jsonLimits, parseJson } from "./parseJson.ts";
import { loneSurrogateAt } from "./utf8.ts";
import type { ExactJson } from "./value.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const limits: JsonLimits = { bytes: 4_194_304, depth: 128 };
const outcome = (input: Uint8Array | string, numbers: "plain" | "rounded" = "plain"): unknown => {
  const result = parseJson(input, limits, numbers);
  return result.ok ? result.value : result.error.code;
};
const fault = (input: Uint8Array | string, narrower: Partial<JsonLimits> = {}) => {
  const result = parseJson(input, { ...jsonLimits, ...narrower }, "plain");
  if (result.ok) throw new Error("was accepted");
  return result.error;
};

describe("strict JSON", () => {
  test.each([
    {
      it: "a member that occurs twice",
      text: '{"a":[{"b/c":1,"b\\/c":2}]}',
      code: "json.duplicate_member",
      path: "/a/0/b~1c",
      offset: 15,
    },
    {
      it: "a repeated __proto__",
      text: '{"__proto__":1,"__proto__":2}',
      code: "json.duplicate_member",
      path: "/__proto__",
      offset: 15,
    },
    {
      it: "a repeated constructor",
      text: '{"constructor":1,"constructor":2}',
      code: "json.duplicate_member",
      path: "/constructor",
      offset: 17,
    },
    { it: "a lone surrogate", text: '["é","\\ud83dx"]', code: "json.lone_surrogate", path: "/1", offset: 6 },
    { it: "a lone surrogate in a name", text: '{"\\udc00":1}', code: "json.lone_surrogate", path: "", offset: 1 },
    {
      it: "a number with more digits than a double holds",
      text: '{"amount":9007199254740993}',
      code: "json.number_lossy",
      path: "/amount",
      offset: 10,
    },
    { it: "a number beyond every double", text: "[1e400]", code: "json.number_out_of_range", path: "/0", offset: 1 },
    { it: "a byte order mark", text: "\ufeff{}", code: "json.bom", path: "", offset: 0 },
    { it: "a second value", text: "{} {}", code: "json.syntax", path: "", offset: 3 },
    { it: "a text that ends too early", text: '{"a":[1,', code: "json.syntax", path: "/a/1", offset: 8 },
    { it: "a missing colon", text: '{"a" 1}', code: "json.syntax", path: "", offset: 5 },
    { it: "a control character in a string", text: '["a\u0001"]', code: "json.syntax", path: "/0", offset: 3 },
    { it: "a word that is not JSON", text: "[NaN]", code: "json.syntax", path: "/0", offset: 1 },
    { it: "an empty text", text: "", code: "json.syntax", path: "", offset: 0 },
  ])("refuses $it, and says where", ({ text, code, path, offset }) => {
    expect(fault(bytes(text))).toMatchObject({ code, path, offset });
    expect(fault(text)).toMatchObject({ code, path, offset });
  });

  test("refuses a string of the host with half a pair, even beside an escape that would complete it", () => {
    expect(fault('"\ud83d"').code).toBe("json.lone_surrogate");
    expect(fault('"\ud83d\\ude00"').code).toBe("json.lone_surrogate");
    expect(outcome('"\ud83d\ude00"')).toBe("\u{1f600}");
  });

  test.each([
    { it: "overlong", raw: [0xc0, 0x80] },
    { it: "overlong in three", raw: [0xe0, 0x9f, 0xbf] },
    { it: "a surrogate", raw: [0xed, 0xa0, 0x80] },
    { it: "above U+10FFFF", raw: [0xf4, 0x90, 0x80, 0x80] },
    { it: "cut short", raw: [0xe2, 0x82] },
    { it: "a stray continuation", raw: [0x80] },
    { it: "never a byte of UTF-8", raw: [0xff] },
  ])("refuses UTF-8 that is $it", ({ raw }) => {
    expect(fault(new Uint8Array([0x22, ...raw, 0x22])).code).toBe("json.not_utf8");
  });

  test("lets a text of exactly the limit through and refuses one byte more", () => {
    const text = JSON.stringify("é".repeat(20));
    expect(parseJson(bytes(text), { bytes: 42, depth: 1 }, "plain").ok).toBe(true);
    expect(parseJson(text, { bytes: 42, depth: 1 }, "plain").ok).toBe(true);
    expect(fault(bytes(text), { bytes: 41 }).code).toBe("json.too_large");
    expect(fault(text, { bytes: 41 }).code).toBe("json.too_large");
  });

  test.each([
    { open: "[", close: "]" },
    { open: '{"a":', close: "}" },
  ])("counts levels of $open: at the limit passes, one more is refused", ({ open, close }) => {
    const nested = (levels: number): string =>
      `${open.repeat(levels)}${open === "[" ? "" : "1"}${close.repeat(levels)}`;
    expect(parseJson(nested(64), { bytes: 9999, depth: 64 }, "plain").ok).toBe(true);
    expect(fault(nested(65), { depth: 64 })).toMatchObject({ code: "json.too_deep", expected: "at most 64 levels" });
    expect(parseJson(nested(128), jsonLimits, "plain").ok).toBe(true);
    expect(fault(nested(129)).code).toBe("json.too_deep");
  });

  test.each([
    { it: "a megabyte of brackets", text: "[".repeat(1_000_000), code: "json.too_deep" },
    { it: "a megabyte of objects", text: '{"":'.repeat(250_000), code: "json.too_deep" },
    { it: "a megabyte of one number", text: "1".repeat(1_000_000), code: "json.number_out_of_range" },
    { it: "a megabyte of fraction", text: `0.${"1".repeat(1_000_000)}`, code: "json.number_lossy" },
    { it: "a megabyte of minus signs", text: "-".repeat(1_000_000), code: "json.syntax" },
    { it: "a megabyte of open string", text: `"${"a".repeat(1_000_000)}`, code: "json.syntax" },
    { it: "a megabyte of backslashes", text: `"${"\\".repeat(1_000_000)}`, code: "json.syntax" },
    { it: "a megabyte of white space", text: " ".repeat(1_000_000), code: "json.syntax" },
    { it: "an enormous exponent", text: `1e-${"9".repeat(100_000)}`, code: "json.number_lossy" },
  ])("refuses $it without falling over, also when it is told to go infinitely deep", ({ text, code }) => {
    expect(fault(text).code).toBe(code);
    expect(fault(text, { depth: Number.POSITIVE_INFINITY }).code).toBe(code);
  });

  test("lets nothing through when a limit is not a number", () => {
    expect(fault("[]", { bytes: Number.NaN }).code).toBe("json.too_large");
    expect(fault(bytes("[]"), { bytes: Number.NaN }).code).toBe("json.too_large");
    expect(fault("[]", { depth: Number.NaN }).code).toBe("json.too_deep");
  });

  test("leaves a path out when the sender made it absurdly long", () => {
    const error = fault(`{"${"k".repeat(5000)}":`);
    expect(error).toMatchObject({ code: "json.syntax", offset: 5004 });
    expect(error.path).toBeUndefined();
  });

  test("quotes nothing of what it read", () => {
    expect(JSON.stringify(fault('{"a":sk-secret-value}'))).not.toContain("secret");
  });

  test("keeps __proto__ and its friends as members of their own", () => {
    const text = '{"__proto__":{"polluted":1},"constructor":2,"toString":3,"hasOwnProperty":4}';
    const value = outcome(text) as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(["__proto__", "constructor", "toString", "hasOwnProperty"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(value, "__proto__")?.value).toEqual({ polluted: 1 });
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(JSON.stringify(value)).toBe(text);
  });
});

describe("numbers", () => {
  const exact = (text: string): ExactJson => {
    const result = parseJson(text, jsonLimits, "exact");
    if (!result.ok) throw new Error(result.error.code);
    return result.value;
  };

  test.each([
    "1",
    "0",
    "-1",
    "123456789012345",
    "-999999999999999",
    "1234567890123456",
    "0.1",
    "25.5",
    "1e+21",
    "1e-7",
  ])("%s in its shortest spelling stays a double in every mode", (text) => {
    expect(exact(text)).toBe(Number(text));
    expect(outcome(text)).toBe(Number(text));
    expect(outcome(text, "rounded")).toBe(Number(text));
  });

  test.each(["1.0", "-0", "-0.0", "1e2", "1E+2", "1.10", "100000000000000000000e1", "0e999999999999", "1e21", "0.00"])(
    "%s is kept as written in exact mode and is its double in the others",
    (text) => {
      expect(exact(text)).toEqual(new NumberText(text));
      expect(outcome(text)).toBe(Number(text));
      expect(outcome(text, "rounded")).toBe(Number(text));
    },
  );

  test.each(["9007199254740993", "0.30000000000000000001", "1e-400", "4.9e-325", "123456789012345678901234567890"])(
    "%s is refused where it would be changed, kept in exact mode, rounded where RFC 8785 rounds",
    (text) => {
      expect(outcome(text)).toBe("json.number_lossy");
      expect(exact(text)).toEqual(new NumberText(text));
      expect(outcome(text, "rounded")).toBe(Number(text));
    },
  );

  test.each(["1e400", "-1e400", "[1.5e309]"])("%s is refused in every mode", (text) => {
    for (const mode of ["plain", "rounded", "exact"] as const) {
      const result = mode === "exact" ? parseJson(text, limits, mode) : parseJson(text, limits, mode);
      expect(result).toMatchObject({ ok: false, error: { code: "json.number_out_of_range" } });
    }
  });

  test("an integer beyond every double keeps its digits in exact mode only", () => {
    const digits = "9".repeat(400);
    expect(exact(digits)).toEqual(new NumberText(digits));
    expect(outcome(digits)).toBe("json.number_out_of_range");
    expect(outcome(digits, "rounded")).toBe("json.number_out_of_range");
  });

  test("lossy is what differs from the shortest decimal of the double, whatever the spelling", () => {
    const digits = fc.stringMatching(/^-?(0|[1-9][0-9]{0,19})(\.[0-9]{1,20})?(e[+-]?[0-9]{1,3})?$/);
    /** The obvious way: both decimals as fractions of big integers. */
    const same = (a: string, b: string): boolean => {
      const scaled = (text: string): [bigint, number] => {
        const [mantissa = "", power = "0"] = text.toLowerCase().split("e");
        const [whole = "", fraction = ""] = mantissa.split(".");
        return [BigInt(whole + fraction), Number(power) - fraction.length];
      };
      const [left, i] = scaled(a);
      const [right, j] = scaled(b);
      const low = Math.min(i, j);
      return left * 10n ** BigInt(i - low) === right * 10n ** BigInt(j - low);
    };
    fc.assert(
      fc.property(digits, (text) => {
        const double = Number(text);
        const want = !Number.isFinite(double)
          ? "json.number_out_of_range"
          : same(text, String(double))
            ? double
            : "json.number_lossy";
        expect(outcome(text)).toBe(want);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("beside JSON.parse", () => {
  const anyText = fc.oneof(
    fc.json({ maxDepth: 6, noUnicodeString: false }),
    fc.string({
      unit: fc.constantFrom(...'{}[]:,"\\ \n\t-+.0123456789eEtrufalsn\u00e9\u2028\ud83d\ude00'),
      maxLength: 40,
    }),
  );

  test("whatever is accepted is what JSON.parse makes of it, and whatever JSON.parse refuses is refused", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const result = parseJson(text, limits, "rounded");
        let want: unknown;
        try {
          want = JSON.parse(text);
        } catch {
          expect(result.ok).toBe(false);
          return;
        }
        if (result.ok) expect(result.value).toEqual(want);
        else
          expect(["json.duplicate_member", "json.lone_surrogate", "json.number_out_of_range"]).toContain(
            result.error.code,
          );
      }),
      { numRuns: 5000 },
    );
  });

  test("reads back every value that JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value);
        expect(outcome(text)).toEqual(JSON.parse(text));
        expect(outcome(bytes(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  test("says where: the offset is one of the text, and bytes and string give the same answer", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        fc.pre(loneSurrogateAt(text) < 0);
        const fromText = parseJson(text, limits, "plain");
        expect(parseJson(bytes(text), limits, "plain")).toEqual(fromText);
        if (!fromText.ok) expect(fromText.error.offset).toBeLessThanOrEqual(bytes(text).length);
      }),
      { numRuns: 2000 },
    );
  });

  test("reads names again and again as they are, also where many share what they are remembered by", () => {
    const names = Array.from(
      { length: 3000 },
      (_, i) => [`k${i}`, `${"x".repeat(i % 40)}${i}`, `é${i}`][i % 3] as string,
    );
    for (let round = 0; round < 2; round += 1) {
      for (const name of names) expect(outcome(JSON.stringify({ [name]: 1 }))).toEqual({ [name]: 1 });
    }
  });

  test("never throws on bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (raw) => {
        expect(typeof parseJson(raw, limits, "plain").ok).toBe("boolean");
      }),
      { numRuns: 3000 },
    );
  });
});

/** Members that occur twice are refused here on purpose: RFC 7493, and a limit must not be overridden further on. */
const refusedOnPurpose = ["y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"];

/** The grammar leaves these open; this is what we do. */
const open: Readonly<Record<string, string>> = {
  "i_number_double_huge_neg_exp.json": "json.number_lossy",
  "i_number_huge_exp.json": "json.number_out_of_range",
  "i_number_neg_int_huge_exp.json": "json.number_out_of_range",
  "i_number_pos_double_huge_exp.json": "json.number_out_of_range",
  "i_number_real_neg_overflow.json": "json.number_out_of_range",
  "i_number_real_pos_overflow.json": "json.number_out_of_range",
  "i_number_real_underflow.json": "json.number_lossy",
  "i_number_too_big_neg_int.json": "json.number_lossy",
  "i_number_too_big_pos_int.json": "accepted",
  "i_number_very_big_negative_int.json": "json.number_lossy",
  "i_object_key_lone_2nd_surrogate.json": "json.lone_surrogate",
  "i_string_1st_surrogate_but_2nd_missing.json": "json.lone_surrogate",
  "i_string_1st_valid_surrogate_2nd_invalid.json": "json.lone_surrogate",
  "i_string_UTF-16LE_with_BOM.json": "json.not_utf8",
  "i_string_UTF-8_invalid_sequence.json": "json.not_utf8",
  "i_string_UTF8_surrogate_U+D800.json": "json.not_utf8",
  "i_string_incomplete_surrogate_and_escape_valid.json": "json.lone_surrogate",
  "i_string_incomplete_surrogate_pair.json": "json.lone_surrogate",
  "i_string_incomplete_surrogates_escape_valid.json": "json.lone_surrogate",
  "i_string_invalid_lonely_surrogate.json": "json.lone_surrogate",
  "i_string_invalid_surrogate.json": "json.lone_surrogate",
  "i_string_invalid_utf-8.json": "json.not_utf8",
  "i_string_inverted_surrogates_U+1D11E.json": "json.lone_surrogate",
  "i_string_iso_latin_1.json": "json.not_utf8",
  "i_string_lone_second_surrogate.json": "json.lone_surrogate",
  "i_string_lone_utf8_continuation_byte.json": "json.not_utf8",
  "i_string_not_in_unicode_range.json": "json.not_utf8",
  "i_string_overlong_sequence_2_bytes.json": "json.not_utf8",
  "i_string_overlong_sequence_6_bytes.json": "json.not_utf8",
  "i_string_overlong_sequence_6_bytes_null.json": "json.not_utf8",
  "i_string_truncated-utf-8.json": "json.not_utf8",
  "i_string_utf16BE_no_BOM.json": "json.not_utf8",
  "i_string_utf16LE_no_BOM.json": "json.not_utf8",
  "i_structure_500_nested_arrays.json": "json.too_deep",
  "i_structure_UTF-8_BOM_empty_object.json": "json.bom",
};

/** Where parsers part: what we make of it. */
const transformed: Readonly<Record<string, string>> = {
  "number_-9223372036854775808.json": "json.number_lossy",
  "number_-9223372036854775809.json": "json.number_lossy",
  "number_1.0.json": "[1]",
  "number_1.000000000000000005.json": "json.number_lossy",
  "number_1000000000000000.json": "[1000000000000000]",
  "number_10000000000000000999.json": "json.number_lossy",
  "number_1e-999.json": "json.number_lossy",
  "number_1e6.json": "[1000000]",
  "number_9223372036854775807.json": "json.number_lossy",
  "number_9223372036854775808.json": "json.number_lossy",
  "object_key_nfc_nfd.json": '{"\u00e9":"NFC","e\u0301":"NFD"}',
  "object_key_nfd_nfc.json": '{"e\u0301":"NFD","\u00e9":"NFC"}',
  "object_same_key_different_values.json": "json.duplicate_member",
  "object_same_key_same_value.json": "json.duplicate_member",
  "object_same_key_unclear_values.json": "json.duplicate_member",
  "string_1_escaped_invalid_codepoint.json": "json.lone_surrogate",
  "string_1_invalid_codepoint.json": "json.not_utf8",
  "string_2_escaped_invalid_codepoints.json": "json.lone_surrogate",
  "string_2_invalid_codepoints.json": "json.not_utf8",
  "string_3_escaped_invalid_codepoints.json": "json.lone_surrogate",
  "string_3_invalid_codepoints.json": "json.not_utf8",
  "string_with_escaped_NULL.json": '["A\\u0000B"]',
};

sharedSuite("conformance/json-parsing", (folder) => {
  const files = readdirSync(join(folder, "test_parsing"));
  const read = (name: string) => outcome(readFileSync(join(folder, "test_parsing", name)));
  const refused = (result: unknown): boolean => typeof result === "string" && result.startsWith("json.");

  test("accepts every y_ file but the two with a member twice", () => {
    const names = files.filter((name) => name.startsWith("y_"));
    expect(names.length).toBeGreaterThan(90);
    expect(names.filter((name) => refused(read(name)))).toEqual(refusedOnPurpose);
    expect(refusedOnPurpose.map(read)).toEqual(["json.duplicate_member", "json.duplicate_member"]);
  });

  test("refuses every n_ file", () => {
    const names = files.filter((name) => name.startsWith("n_"));
    expect(names.length).toBeGreaterThan(180);
    expect(names.filter((name) => !refused(read(name)))).toEqual([]);
  });

  test("does with every i_ file what is written down", () => {
    const names = files.filter((name) => name.startsWith("i_"));
    expect(Object.fromEntries(names.map((name) => [name, refused(read(name)) ? read(name) : "accepted"]))).toEqual(
      open,
    );
  });

  test("does with every file whose value differs between parsers what is written down", () => {
    const names = readdirSync(join(folder, "test_transform"));
    const values = names.map((name) => {
      const result = outcome(readFileSync(join(folder, "test_transform", name)));
      return [name, refused(result) ? result : JSON.stringify(result)];
    });
    expect(Object.fromEntries(values)).toEqual(transformed);
  });

  const rows = readFileSync(join(folder, "own-parsing.jsonl"), "utf8").trimEnd().split("\n");
  test.each(rows.map((row) => JSON.parse(row) as { id: string; text: string; expect: string; why: string }))(
    "$id $expect: $why",
    ({ text, expect: want }) => {
      for (const input of [text, bytes(text)]) {
        const result = parseJson(input, limits, "plain");
        expect(result.ok ? "accepted" : result.error.code).toEqual(
          want.startsWith("accept")
            ? "accepted"
            : want === "lossy"
              ? expect.stringMatching(/^json\.number_/)
              : expect.stringMatching(want === "reject-ijson" ? /^json\.lone_surrogate$/ : /^json\.(?!number)/),
        );
        if (want === "accept-safe" && result.ok) {
          expect(JSON.stringify(result.value)).toBe(text);
          expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
        }
      }
    },
  );
});
