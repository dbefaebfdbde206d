import { excessOf } from "../json/measure.ts";
import type { JsonObject, JsonValue } from "../json/value.ts";
import { err, ok, type Result } from "../result.ts";

/** What the caller wants of its rows. Every member is said: a setting left out would be a check left out. */
export interface RowContract {
  /** The member that names a row. */
  readonly primaryKey: string;
  readonly requiredFields: readonly string[];
  /** Inclusive bounds; a bound left out does not bind. */
  readonly numericRanges: readonly NumericRange[];
  readonly strings: "trim" | "keep";
  /** A duplicate is an issue either way; `drop` also takes it out of the rows. */
  readonly duplicateRows: "drop" | "keep";
  /** More rows than this are refused whole. */
  readonly maxRows: number;
}

export interface NumericRange {
  readonly field: string;
  readonly min?: number;
  readonly max?: number;
}

/** Where two interfaces differ in a rule. */
export interface RowRules {
  /** `same-key`: a later row with an equal key is the duplicate. `same-row`: only an equal row is, an equal key is a conflict. */
  readonly duplicates: "same-key" | "same-row";
  /** A value in a ranged field that is there and no number. */
  readonly notANumber: "skip" | "issue";
  /** Which strings count as no value: `""` alone, or white space too. */
  readonly blank: "empty" | "whitespace";
}

/** `row` is the index in the rows that came in. */
export type RowIssue =
  | { readonly code: "rows.duplicate"; readonly row: number; readonly field: string; readonly sameAs: number }
  | { readonly code: "rows.key_conflict"; readonly row: number; readonly field: string; readonly sameAs: number }
  | { readonly code: "rows.key_missing"; readonly row: number; readonly field: string }
  | { readonly code: "rows.required"; readonly row: number; readonly field: string }
  | { readonly code: "rows.not_a_number"; readonly row: number; readonly field: string }
  | { readonly code: "rows.below_min"; readonly row: number; readonly field: string; readonly min: number }
  | { readonly code: "rows.above_max"; readonly row: number; readonly field: string; readonly max: number };

export interface CleanedRows {
  readonly rows: readonly JsonObject[];
  /** For each cleaned row the index it came in with. */
  readonly kept: readonly number[];
  /** In row order; within a row key first, then required fields, then ranges, as the contract lists them. */
  readonly issues: readonly RowIssue[];
}

export interface RowError {
  readonly code: "rows.too_many" | "rows.not_an_object" | "rows.too_large";
  /** JSON Pointer below the rows. */
  readonly path: string;
  readonly message: string;
}

/** Rows are compared by their text; deeper than this the writer of that text could run out of stack. */
const ROW_BOUNDS = { depth: 512, nodes: 1_000_000 };

/**
 * Trims, finds duplicates, then checks what is left: a dropped row is not checked.
 * The rows that came in are never changed; rows that need no change are handed on as they are.
 * Fails with `rows.too_many`, `rows.not_an_object` or `rows.too_large`, and then cleans nothing.
 */
export function cleanRows(
  rows: readonly JsonValue[],
  contract: RowContract,
  rules: RowRules,
): Result<CleanedRows, RowError> {
  if (rows.length > contract.maxRows)
    return err({ code: "rows.too_many", path: "", message: `at most ${contract.maxRows} rows are cleaned at once` });
  const required = [...new Set(contract.requiredFields)];
  const firstWithKey = new Map<string, number>();
  const firstWithText = new Map<string, number>();
  const kept: number[] = [];
  const cleaned: JsonObject[] = [];
  const issues: RowIssue[] = [];

  for (const [row, raw] of rows.entries()) {
    if (!isObject(raw)) return err({ code: "rows.not_an_object", path: `/${row}`, message: "a row must be an object" });
    if (excessOf(raw, ROW_BOUNDS) !== undefined)
      return err({
        code: "rows.too_large",
        path: `/${row}`,
        message: "a row has at most 512 levels and 1000000 values",
      });
    const value = contract.strings === "trim" ? trimmed(raw) : raw;
    const field = contract.primaryKey;
    const key = own(value, field);
    const keyText = isMissing(key, rules.blank) ? undefined : keyTextOf(key, rules.duplicates);
    const sameKey = keyText === undefined ? undefined : remember(firstWithKey, keyText, row);
    const sameRow = rules.duplicates === "same-row" ? remember(firstWithText, textOf(value), row) : sameKey;
    if (sameRow !== undefined) {
      issues.push({ code: "rows.duplicate", row, field, sameAs: sameRow });
      if (contract.duplicateRows === "drop") continue;
    } else if (sameKey !== undefined) {
      issues.push({ code: "rows.key_conflict", row, field, sameAs: sameKey });
    }
    if (keyText === undefined) issues.push({ code: "rows.key_missing", row, field });
    for (const name of required) {
      if (isMissing(own(value, name), rules.blank)) issues.push({ code: "rows.required", row, field: name });
    }
    for (const range of contract.numericRanges) issues.push(...rangeIssues(row, own(value, range.field), range, rules));
    kept.push(row);
    cleaned.push(value);
  }
  return ok({ rows: cleaned, kept, issues });
}

function rangeIssues(row: number, value: JsonValue | undefined, range: NumericRange, rules: RowRules): RowIssue[] {
  const { field, min, max } = range;
  if (value === undefined || value === null) return [];
  if (typeof value !== "number" || !Number.isFinite(value))
    return rules.notANumber === "issue" ? [{ code: "rows.not_a_number", row, field }] : [];
  const issues: RowIssue[] = [];
  if (min !== undefined && value < min) issues.push({ code: "rows.below_min", row, field, min });
  if (max !== undefined && value > max) issues.push({ code: "rows.above_max", row, field, max });
  return issues;
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const own = (row: JsonObject, field: string): JsonValue | undefined =>
  Object.hasOwn(row, field) ? row[field] : undefined;

function isMissing(value: JsonValue | undefined, blank: RowRules["blank"]): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === "string" && (blank === "whitespace" ? value.trim() : value) === "";
}

/** The row that came first with this text, or undefined when `row` is it. */
function remember(seen: Map<string, number>, text: string, row: number): number | undefined {
  const first = seen.get(text);
  if (first === undefined) seen.set(text, row);
  return first;
}

/** With `same-key` keys are compared by their JSON serialisation as it stands, member order included. */
const keyTextOf = (key: JsonValue | undefined, duplicates: RowRules["duplicates"]): string =>
  duplicates === "same-key" ? JSON.stringify(key) : textOf(key ?? null);

/** Equal exactly for equal JSON values, whatever the order of members. */
function textOf(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`).join()}}`;
}

// `fromEntries` defines members, so that one called `__proto__` stays data.
const trimmed = (row: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === "string" ? value.trim() : value]),
  );
