import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../json/value.ts";
import { sharedSuite } from "../testing.ts";
import { cleanRows, type RowContract, type RowIssue, type RowRules } from "./cleanRows.ts";

const firewall: RowRules = { duplicates: "same-key", notANumber: "skip", blank: "empty" };
const strict: RowRules = { duplicates: "same-row", notANumber: "issue", blank: "whitespace" };
const contract: RowContract = {
  primaryKey: "id",
  requiredFields: [],
  numericRanges: [],
  strings: "keep",
  duplicateRows: "keep",
  maxRows: 500,
};

const clean = (rows: readonly JsonValue[], change: Partial<RowContract>, rules: RowRules) => {
  const result = cleanRows(rows, { ...contract, ...change }, rules);
  if (!result.ok) throw new Error(result.error.code);
  return result.value;
};

describe("cleaning rows as the firewall tools do", () => {
  const drop = { duplicateRows: "drop" } as const;
  const trim = { strings: "trim" } as const;
  test.each<{
    it: string;
    rows: JsonValue[];
    change: Partial<RowContract>;
    issues: RowIssue[];
    kept: number[];
  }>([
    {
      it: "drops a later row with the same key, whatever else it holds, and says so",
      rows: [
        { id: 1, v: 1 },
        { id: 1, v: 2 },
      ],
      change: drop,
      issues: [{ code: "rows.duplicate", row: 1, field: "id", sameAs: 0 }],
      kept: [0],
    },
    {
      it: "flags a duplicate key and keeps the row when it was not asked to drop",
      rows: [{ id: 1 }, { id: 1 }],
      change: {},
      issues: [{ code: "rows.duplicate", row: 1, field: "id", sameAs: 0 }],
      kept: [0, 1],
    },
    {
      it: "tells 1 from its text",
      rows: [{ id: 1 }, { id: "1" }],
      change: drop,
      issues: [],
      kept: [0, 1],
    },
    {
      it: "compares object keys by their text, member order included",
      rows: [{ id: { a: 1, b: 2 } }, { id: { b: 2, a: 1 } }, { id: { a: 1, b: 2 } }],
      change: drop,
      issues: [{ code: "rows.duplicate", row: 2, field: "id", sameAs: 0 }],
      kept: [0, 1],
    },
    {
      it: "trims before it looks for duplicates",
      rows: [{ id: "a" }, { id: " a\t" }],
      change: { ...drop, ...trim },
      issues: [{ code: "rows.duplicate", row: 1, field: "id", sameAs: 0 }],
      kept: [0],
    },
    {
      it: "does not check a row that it drops",
      rows: [{ id: 1, v: "x" }, { id: 1 }],
      change: { ...drop, requiredFields: ["v"] },
      issues: [{ code: "rows.duplicate", row: 1, field: "id", sameAs: 0 }],
      kept: [0],
    },
    {
      it: "keeps and flags rows without a key, which are never duplicates of one another",
      rows: [{ id: null }, {}, { id: "" }],
      change: drop,
      issues: [0, 1, 2].map((row) => ({ code: "rows.key_missing", row, field: "id" })),
      kept: [0, 1, 2],
    },
    {
      it: "takes white space for a value",
      rows: [{ id: " ", v: " " }],
      change: { requiredFields: ["v"] },
      issues: [],
      kept: [0],
    },
    {
      it: "rejects missing, null and empty where a field is required, and neither 0 nor false",
      rows: [{ id: 1 }, { id: 2, v: null }, { id: 3, v: "" }, { id: 4, v: 0 }, { id: 5, v: false }],
      change: { requiredFields: ["v", "v"] },
      issues: [0, 1, 2].map((row) => ({ code: "rows.required", row, field: "v" })),
      kept: [0, 1, 2, 3, 4],
    },
    {
      it: "ranges numbers only, with both bounds inclusive",
      rows: [
        { id: 1, v: 1 },
        { id: 2, v: 3 },
        { id: 3, v: 0 },
        { id: 4, v: 4 },
        { id: 5, v: "9" },
        { id: 6, v: null },
        { id: 7 },
      ],
      change: { numericRanges: [{ field: "v", min: 1, max: 3 }] },
      issues: [
        { code: "rows.below_min", row: 2, field: "v", min: 1 },
        { code: "rows.above_max", row: 3, field: "v", max: 3 },
      ],
      kept: [0, 1, 2, 3, 4, 5, 6],
    },
    {
      it: "says both when nothing can fit between the bounds",
      rows: [{ id: 1, v: 5 }],
      change: { numericRanges: [{ field: "v", min: 9, max: 1 }] },
      issues: [
        { code: "rows.below_min", row: 0, field: "v", min: 9 },
        { code: "rows.above_max", row: 0, field: "v", max: 1 },
      ],
      kept: [0],
    },
    {
      it: "never finds a member that is only inherited",
      rows: [{ id: 1 }],
      change: { primaryKey: "constructor", requiredFields: ["toString", "__proto__"] },
      issues: [
        { code: "rows.key_missing", row: 0, field: "constructor" },
        { code: "rows.required", row: 0, field: "toString" },
        { code: "rows.required", row: 0, field: "__proto__" },
      ],
      kept: [0],
    },
  ])("$it", ({ rows, change, issues, kept }) => {
    const result = clean(rows, change, firewall);
    expect(result.issues).toEqual(issues);
    expect(result.kept).toEqual(kept);
  });

  test("trims strings at the top of a row and nothing else", () => {
    const result = clean([{ " id ": " a b ", v: [" x "], w: { y: " z " } }], trim, firewall);
    expect(result.rows).toEqual([{ " id ": "a b", v: [" x "], w: { y: " z " } }]);
  });

  test("keeps a member called __proto__ as data while trimming", () => {
    const row = JSON.parse('{"id": 1, "__proto__": " x "}');
    const [cleaned] = clean([row], trim, firewall).rows;
    expect(JSON.stringify(cleaned)).toBe('{"id":1,"__proto__":"x"}');
    expect(Object.getPrototypeOf(cleaned)).toBe(Object.prototype);
  });

  test("cleans nothing when one row is no object", () => {
    for (const bad of [null, 1, "x", true, [], [{}]] as JsonValue[]) {
      const result = cleanRows([{ id: 1 }, bad], contract, firewall);
      expect(result).toMatchObject({ ok: false, error: { code: "rows.not_an_object", path: "/1" } });
    }
  });

  test("refuses one row above the bound and takes exactly the bound", () => {
    const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));
    expect(cleanRows(rows(500), contract, firewall).ok).toBe(true);
    expect(cleanRows(rows(501), contract, firewall)).toMatchObject({ ok: false, error: { code: "rows.too_many" } });
  });

  test("refuses a row too deep to compare instead of running out of stack", () => {
    let deep: JsonValue = 1;
    for (let i = 0; i < 100_000; i += 1) deep = { id: deep };
    expect(cleanRows([deep], contract, strict)).toMatchObject({ ok: false, error: { code: "rows.too_large" } });
  });
});

const anyField = fc.constantFrom("id", "v", "n", "__proto__", "toString");
const anyRow = fc
  .array(
    fc.tuple(
      anyField,
      fc.oneof(fc.constantFrom<JsonValue>(null, "", " ", " a", "a", 1, "1", 0, false), fc.jsonValue()),
    ),
  )
  .map((members) => Object.fromEntries(members) as JsonObject);
const anyContract = fc.record({
  primaryKey: anyField,
  requiredFields: fc.array(anyField, { maxLength: 3 }),
  numericRanges: fc.array(fc.record({ field: anyField, min: fc.integer(), max: fc.integer() }), { maxLength: 2 }),
  strings: fc.constantFrom("trim" as const, "keep" as const),
  duplicateRows: fc.constantFrom("drop" as const, "keep" as const),
  maxRows: fc.constant(500),
});
const anyRules = fc.record<RowRules>({
  duplicates: fc.constantFrom("same-key", "same-row"),
  notANumber: fc.constantFrom("skip", "issue"),
  blank: fc.constantFrom("empty", "whitespace"),
});

describe("cleaning any rows", () => {
  test("changes no row that came in, and keeps every row unless it says that it is a duplicate", () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 8 }), anyContract, anyRules, (rows, wanted, rules) => {
        const before = JSON.stringify(rows);
        const { kept, rows: cleaned, issues } = clean(rows, wanted, rules);
        expect(JSON.stringify(rows)).toBe(before);
        const duplicates = new Set(issues.filter(({ code }) => code === "rows.duplicate").map(({ row }) => row));
        const expected = rows
          .map((_, row) => row)
          .filter((row) => wanted.duplicateRows === "keep" || !duplicates.has(row));
        expect(kept).toEqual(expected);
        expect(cleaned).toHaveLength(kept.length);
      }),
    );
  });

  test("finds nothing more to drop in what it has cleaned", () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 8 }), anyContract, anyRules, (rows, wanted, rules) => {
        const once = clean(rows, { ...wanted, duplicateRows: "drop" }, rules);
        const twice = clean(once.rows, { ...wanted, duplicateRows: "drop" }, rules);
        expect(twice.rows).toEqual(once.rows);
      }),
    );
  });

  test("never throws, whatever it is given for rows", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 6 }), anyContract, anyRules, (rows, wanted, rules) => {
        cleanRows(rows as JsonValue[], wanted, rules);
      }),
    );
  });
});

interface RowCase {
  readonly id: string;
  readonly why: string;
  readonly rows: JsonObject[];
  readonly options: {
    readonly primary_key?: string;
    readonly required_fields?: string[];
    readonly numeric_ranges?: RowContract["numericRanges"];
    readonly trim_strings?: boolean;
    readonly remove_duplicates?: boolean;
  };
  readonly expect: Record<string, unknown>;
}

/** The suite's facts, made from our issues. */
function factsOf({ issues, kept, rows }: ReturnType<typeof clean>): Record<string, unknown> {
  const of = (...codes: RowIssue["code"][]) => issues.filter((issue) => codes.includes(issue.code));
  const first = (issue: RowIssue) => ("sameAs" in issue ? issue.sameAs : undefined);
  // One fact a field, where we say each bound that was passed.
  const ranges = new Map(
    of("rows.not_a_number", "rows.below_min", "rows.above_max").map(({ row, field, code }) => [
      `${row} ${field}`,
      { row, field, why: code === "rows.not_a_number" ? "not a number" : "out of range" },
    ]),
  );
  return {
    kept_rows: kept,
    cleaned_rows: rows,
    exact_duplicates: of("rows.duplicate").map((issue) => ({ row: issue.row, same_as: first(issue) })),
    key_conflicts: of("rows.key_conflict").map((issue) => ({ row: issue.row, same_key_as: first(issue) })),
    key_blank: of("rows.key_missing").map(({ row }) => row),
    missing_required: of("rows.required").map(({ row, field }) => ({ row, field })),
    range_issues: [...ranges.values()],
  };
}

sharedSuite("conformance/rows", (folder) => {
  const cases: RowCase[] = readFileSync(join(folder, "own-rows.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

  test("is whole", () => expect(cases).toHaveLength(76));

  test.each(cases)("$id: $why", ({ rows, options, expect: want }) => {
    const result = clean(
      rows,
      {
        primaryKey: options.primary_key ?? "id",
        requiredFields: options.required_fields ?? [],
        numericRanges: options.numeric_ranges ?? [],
        strings: options.trim_strings ? "trim" : "keep",
        duplicateRows: options.remove_duplicates ? "drop" : "keep",
      },
      strict,
    );
    expect(factsOf(result)).toEqual(want);
  });
});
