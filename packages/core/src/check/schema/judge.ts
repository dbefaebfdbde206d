import type { Finding } from "../../decision/finding.ts";
import { excessOf } from "../../json/measure.ts";
import type { JsonValue } from "../../json/value.ts";
import { err, ok, type Result } from "../../result.ts";
import type { SchemaError } from "./bounds.ts";
import { Budget, BudgetPassed } from "./budget.ts";
import type { Compiled, CompiledSchema } from "./compile.ts";
import { type OutputUnit, type SchemaViolation, violationOf } from "./violations.ts";

export interface SchemaReport {
  readonly valid: boolean;
  /** At most 100. */
  readonly violations: readonly SchemaViolation[];
  /** How many more there are. */
  readonly more: number;
}

const MAX_VIOLATIONS = 100;

/**
 * Judges data. Pure: no clock; what would take too long stops at a number of steps.
 * Fails with `schema.data_too_large`, `schema.too_costly` or `schema.failed`; then there is no verdict.
 */
export function judgeSchema(schema: CompiledSchema, value: JsonValue): Result<SchemaReport, SchemaError> {
  const { bounds, library, schema: compiled } = schema as unknown as Compiled;
  if (excessOf(value, bounds.data) !== undefined)
    return err({ code: "schema.data_too_large", path: "", message: "the data is too large to be judged by a schema" });
  const { experimental, instance } = library;
  try {
    const node = instance.fromJs(value as never);
    const run = (outputFormat: "FLAG" | "BASIC") =>
      experimental.interpret(compiled, node, { outputFormat, plugins: [new Budget(bounds)] });
    if (run("FLAG").valid) return ok({ valid: true, violations: [], more: 0 });
    // Once more, to say why: the usual case, data that fits, pays nothing for it.
    const { errors = [] } = run("BASIC") as { errors?: readonly OutputUnit[] };
    const asked = askedAt(compiled, errors.slice(0, MAX_VIOLATIONS));
    const violations = errors
      .slice(0, MAX_VIOLATIONS)
      .map((unit) => violationOf(unit, asked.get(unit.absoluteKeywordLocation), value));
    return ok({ valid: false, violations, more: errors.length - violations.length });
  } catch (cause) {
    if (cause instanceof BudgetPassed)
      return err({
        code: "schema.too_costly",
        path: "",
        message: "judging the data by the schema takes too many steps",
      });
    return err({ code: "schema.failed", path: "", message: "the data cannot be judged by the schema" });
  }
}

/** The values of the keywords that were not satisfied, out of the compiled form. */
function askedAt({ ast }: Compiled["schema"], errors: readonly OutputUnit[]): ReadonlyMap<string, unknown> {
  const wanted = new Set(errors.map((unit) => unit.absoluteKeywordLocation));
  const asked = new Map<string, unknown>();
  for (const keywords of Object.values(ast)) {
    if (!Array.isArray(keywords)) continue;
    for (const [, location, value] of keywords) if (wanted.has(location)) asked.set(location, value);
  }
  return asked;
}

/** A judgement as findings of a decision; no verdict is a finding that blocks. `at` is the data's pointer in the ask. */
export function schemaFindings(schema: CompiledSchema, value: JsonValue, at: string): readonly Finding[] {
  const judged = judgeSchema(schema, value);
  const finding = (code: string, path: string, message: string, expected?: string): Finding => ({
    check: "schema",
    code,
    severity: "block",
    path: at + path,
    message,
    ...(expected === undefined ? {} : { expected }),
    retry: "changed",
  });
  if (!judged.ok) return [finding(judged.error.code, "", judged.error.message)];
  const { violations, more } = judged.value;
  const findings = violations.map(({ path, message, expected }) =>
    finding("schema.violation", path, message, expected),
  );
  if (more > 0) findings.push(finding("schema.violation", "", `${more} more violations are not listed`));
  return findings;
}
