import type { Finding } from "../../decision/finding.ts";
import { pointerOf } from "../../json/pointer.ts";
import type { JsonObject, JsonValue } from "../../json/value.ts";

export type FieldType = "string" | "number" | "integer" | "boolean" | "array" | "object";

/** What is asked of one field. A field that is missing, null or "" is asked only whether it is required. */
export interface FieldRule {
  readonly type?: FieldType;
  readonly required?: boolean;
  /** Inclusive, and of numbers only: a numeric string is neither converted nor refused. */
  readonly min?: number;
  readonly max?: number;
  /** Compared without conversion: 1 is not "1". */
  readonly enum?: readonly (string | number | boolean | null)[];
}

/**
 * A data contract. Keys are dot paths: split on ".", each segment an own member of an object, or `0` or `[1-9]\d*` in an
 * array. There is no way to name a member whose own name holds a dot.
 */
export interface FieldContract {
  readonly fields: Readonly<Record<string, FieldRule>>;
  /** `refused` compares the data's top-level keys with the contract's keys as they are written, dots and all. */
  readonly extra: "allowed" | "refused";
}

/** Public and stable: codes are added, never changed. */
export const FIELD_CODES = [
  "fields.required",
  "fields.type_mismatch",
  "fields.below_min",
  "fields.above_max",
  "fields.not_in_enum",
  "fields.unexpected",
] as const;

export type FieldCode = (typeof FIELD_CODES)[number];

export interface FieldFinding extends Finding {
  readonly check: "fields";
  readonly code: FieldCode;
  readonly severity: "block";
  /** The contract's key as written, or for `fields.unexpected` the data's; "" is the data as a whole. */
  readonly field: string;
}

export interface PreparedFields {
  /** How many field rules each judgement evaluates. */
  readonly checked: number;
  /** All that fails, in the contract's order, then what is unexpected. Empty is a pass. */
  judge(data: JsonValue): readonly FieldFinding[];
}

/** More unexpected members than this are counted and not listed: an answer must not outgrow its question by far. */
const MAX_UNEXPECTED = 1000;

/**
 * Turns a contract into closures: no code generation, and each shared prefix is walked once a judgement.
 * Total: any contract of this type can be prepared and any JSON value judged.
 */
export function prepareFields({ fields, extra }: FieldContract): PreparedFields {
  const entries = Object.entries(fields);
  const steps: Step[] = [];
  const root: Prefix = { slot: 0, next: new Map() };
  for (const [field, rule] of entries) addSteps(steps, root, field, ruleOf(field, rule));
  const known = new Set(Object.keys(fields));
  return {
    checked: entries.length,
    judge(data) {
      if (!isObject(data)) return [NOT_AN_OBJECT];
      const found: FieldFinding[] = [];
      const values: (JsonValue | undefined)[] = [data];
      for (const step of steps) {
        const value = member(values[step.from], step);
        values[step.to] = value;
        step.rule?.(value, found);
      }
      if (extra === "refused") addUnexpected(data, known, found);
      return found;
    },
  };
}

/** Reads one segment out of slot `from` into slot `to`; slot 0 is the data. */
interface Step {
  readonly from: number;
  readonly to: number;
  readonly segment: string;
  /** The segment as an array index, or -1. */
  readonly index: number;
  readonly rule: Rule | undefined;
}

type Rule = (value: JsonValue | undefined, found: FieldFinding[]) => void;

/** A prefix of some key, and where its value is kept. */
interface Prefix {
  readonly slot: number;
  readonly next: Map<string, Prefix>;
}

/** Prefixes that earlier fields already read keep their slot; the last segment is read again to carry this rule. */
function addSteps(steps: Step[], root: Prefix, field: string, rule: Rule): void {
  const segments = field.split(".");
  let prefix = root;
  for (const [at, segment] of segments.entries()) {
    const known = prefix.next.get(segment);
    // At most one slot a step, so the next number is free.
    const here = known ?? { slot: steps.length + 1, next: new Map() };
    const last = at === segments.length - 1;
    if (known === undefined) prefix.next.set(segment, here);
    if (known === undefined || last)
      steps.push({
        from: prefix.slot,
        to: here.slot,
        segment,
        index: indexOf(segment),
        rule: last ? rule : undefined,
      });
    prefix = here;
  }
}

const indexOf = (segment: string): number => (/^(?:0|[1-9]\d*)$/.test(segment) ? Number(segment) : -1);

function member(value: JsonValue | undefined, { segment, index }: Step): JsonValue | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) return index >= 0 && index < value.length ? value[index] : undefined;
  return Object.hasOwn(value, segment) ? (value as JsonObject)[segment] : undefined;
}

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const IS: Record<FieldType, (value: JsonValue) => boolean> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  // 1.0 and 1e2 are integers: JSON has one kind of number.
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  array: (value) => Array.isArray(value),
  object: isObject,
};

function ruleOf(field: string, rule: FieldRule): Rule {
  const { type, required = false } = rule;
  const is = type === undefined ? undefined : IS[type];
  const min = rule.min ?? Number.NEGATIVE_INFINITY;
  const max = rule.max ?? Number.POSITIVE_INFINITY;
  const allowed = rule.enum === undefined ? undefined : new Set<JsonValue>(rule.enum);
  return (value, found) => {
    if (value === undefined || value === null || value === "") {
      if (required) found.push(finding("fields.required", field, "a required field is missing, null or empty"));
      return;
    }
    if (is !== undefined && !is(value))
      found.push(finding("fields.type_mismatch", field, "the field has another type", type));
    if (typeof value === "number") {
      if (value < min) found.push(finding("fields.below_min", field, "the number is below the minimum", `>= ${min}`));
      if (value > max) found.push(finding("fields.above_max", field, "the number is above the maximum", `<= ${max}`));
    }
    if (allowed !== undefined && !allowed.has(value))
      found.push(finding("fields.not_in_enum", field, "the value is not one of those allowed"));
  };
}

function addUnexpected(data: JsonObject, known: ReadonlySet<string>, found: FieldFinding[]): void {
  let count = 0;
  for (const key of Object.keys(data)) {
    if (known.has(key)) continue;
    count += 1;
    if (count > MAX_UNEXPECTED) continue;
    found.push({ ...finding("fields.unexpected", key, "the contract names no such field"), path: pointerOf([key]) });
  }
  if (count > MAX_UNEXPECTED)
    found.push({
      ...finding("fields.unexpected", "", `${count - MAX_UNEXPECTED} more fields are not in the contract`),
      path: "",
    });
}

const NOT_AN_OBJECT: FieldFinding = {
  ...finding("fields.type_mismatch", "", "the data must be an object", "object"),
  path: "",
};

function finding(code: FieldCode, field: string, message: string, expected?: string): FieldFinding {
  const path = pointerOf(field.split("."));
  const base = { check: "fields", code, severity: "block", field, path, message, retry: "changed" } as const;
  return expected === undefined ? base : { ...base, expected };
}
