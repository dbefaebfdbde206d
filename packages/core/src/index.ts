export type { Finding, Retry, Severity, Verdict } from "./decision/finding.ts";
export type { JsonObject, JsonValue } from "./json/value.ts";
export { err, ok, type Result } from "./result.ts";
export {
  type CleanedRows,
  cleanRows,
  type NumericRange,
  type RowContract,
  type RowError,
  type RowIssue,
  type RowRules,
} from "./rows/cleanRows.ts";
