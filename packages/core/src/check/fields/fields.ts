import type { Finding } from "../../decision/finding.ts";
import { pointerOf } from "../../json/pointer.ts";
import { isObject, type JsonObject, type JsonValue } from "../../json/value.ts";

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
 * Lays a contract out as a table, so that each object on the way to a field is looked at once a judgement; no code is
 * generated. Total: any contract of this type can be prepared and any JSON value judged.
 */
export function prepareFields({ fields, extra }: FieldContract): PreparedFields {
  const entries = Object.entries(fields);
  const places = layOut(entries.map(([field, rule], order) => [field.split("."), ruleOf(field, rule, order)]));
  const known = new Set(Object.keys(fields));
  return {
    checked: entries.length,
    judge(data) {
      if (!isObject(data)) return [NOT_AN_OBJECT];
      const failures: Failure[] = [];
      walk(places, data, failures);
      const extras = extra === "refused" ? unexpected(data, known) : [];
      if (failures.length === 0) return extras;
      failures.sort((a, b) => a.rule.order - b.rule.order);
      return [...failures.map(({ rule, code }) => FINDING[code](rule)), ...extras];
    },
  };
}

/** A field's rule with every absent member said. */
interface Rule {
  readonly field: string;
  /** Its place in the contract, which is the order of findings. */
  readonly order: number;
  readonly type: FieldType | undefined;
  readonly required: boolean;
  readonly min: number;
  readonly max: number;
  readonly allowed: ReadonlySet<JsonValue> | undefined;
}

interface Failure {
  readonly rule: Rule;
  readonly code: Exclude<FieldCode, "fields.unexpected">;
}

const ruleOf = (field: string, { type, required, min, max, enum: allowed }: FieldRule, order: number): Rule => ({
  field,
  order,
  type,
  required: required ?? false,
  min: min ?? Number.NEGATIVE_INFINITY,
  max: max ?? Number.POSITIVE_INFINITY,
  allowed: allowed === undefined ? undefined : new Set<JsonValue>(allowed),
});

/** One array or object on the way to fields, and what is read from it. `places[0]` is the data. */
interface Place {
  readonly members: Member[];
}

interface Member {
  readonly segment: string;
  /** The segment as an array index, or -1. */
  readonly index: number;
  /** No plain object has such a member without owning it. */
  readonly neverInherited: boolean;
  rule: Rule | undefined;
  /** Where in `places` the member's own members are, or 0 when no field lies below it. */
  place: number;
}

function layOut(fields: readonly (readonly [segments: readonly string[], rule: Rule])[]): readonly Place[] {
  const places: Place[] = [{ members: [] }];
  const names: Map<string, Member>[] = [new Map()];
  for (const [segments, rule] of fields) {
    let at = 0;
    for (let depth = 0; depth < segments.length; depth += 1) {
      const segment = segments[depth] ?? "";
      let member = names[at]?.get(segment);
      if (member === undefined) {
        member = {
          segment,
          index: /^(?:0|[1-9]\d*)$/.test(segment) ? Number(segment) : -1,
          neverInherited: !(segment in Object.prototype),
          rule: undefined,
          place: 0,
        };
        names[at]?.set(segment, member);
        places[at]?.members.push(member);
      }
      if (depth === segments.length - 1) {
        member.rule = rule;
      } else {
        if (member.place === 0) {
          member.place = places.push({ members: [] }) - 1;
          names.push(new Map());
        }
        at = member.place;
      }
    }
  }
  return places;
}

/** A place is laid out after the one that leads to it, so one pass without recursion reaches all of them. */
function walk(places: readonly Place[], data: JsonObject, failures: Failure[]): void {
  const holders = new Array<JsonValue | undefined>(places.length);
  const clean = prototypeIsClean();
  holders[0] = data;
  for (let at = 0; at < places.length; at += 1) {
    const members = places[at]?.members ?? [];
    const holder = holders[at];
    if (typeof holder !== "object" || holder === null) {
      for (const { rule } of members) if (rule?.required) failures.push({ rule, code: "fields.required" });
    } else if (Array.isArray(holder)) {
      for (const member of members) {
        const value = member.index >= 0 && member.index < holder.length ? holder[member.index] : undefined;
        visit(member, value, holders, failures);
      }
    } else {
      const object = holder as JsonObject;
      const plain = clean && isPlain(object);
      for (const member of members) {
        // The plain read is several times as fast as asking first, and cannot reach a prototype here.
        const owned = (plain && member.neverInherited) || Object.hasOwn(object, member.segment);
        visit(member, owned ? object[member.segment] : undefined, holders, failures);
      }
    }
  }
}

function visit(
  { place, rule }: Member,
  value: JsonValue | undefined,
  holders: (JsonValue | undefined)[],
  failures: Failure[],
): void {
  if (place !== 0) holders[place] = value;
  if (rule !== undefined) judgeField(rule, value, failures);
}

function isPlain(object: JsonObject): boolean {
  const prototype = Object.getPrototypeOf(object);
  return prototype === Object.prototype || prototype === null;
}

const EMPTY = {};

/** Whether somebody in this process has put enumerable members on all objects; then nothing is read without asking. */
function prototypeIsClean(): boolean {
  for (const _ in EMPTY) return false;
  return true;
}

function judgeField(rule: Rule, value: JsonValue | undefined, failures: Failure[]): void {
  if (value === undefined || value === null || value === "") {
    if (rule.required) failures.push({ rule, code: "fields.required" });
    return;
  }
  if (rule.type !== undefined && !isOfType(value, rule.type)) failures.push({ rule, code: "fields.type_mismatch" });
  if (typeof value === "number") {
    if (value < rule.min) failures.push({ rule, code: "fields.below_min" });
    if (value > rule.max) failures.push({ rule, code: "fields.above_max" });
  }
  if (rule.allowed !== undefined && !rule.allowed.has(value)) failures.push({ rule, code: "fields.not_in_enum" });
}

function isOfType(value: JsonValue, type: FieldType): boolean {
  switch (typeof value) {
    case "string":
      return type === "string";
    case "number":
      // 1.0 and 1e2 are integers: JSON has one kind of number.
      return type === "number" || (type === "integer" && Number.isInteger(value));
    case "boolean":
      return type === "boolean";
    default:
      return type === (Array.isArray(value) ? "array" : "object");
  }
}

function finding(code: FieldCode, field: string, path: string, message: string, expected?: string): FieldFinding {
  return expected === undefined
    ? { check: "fields", code, severity: "block", field, path, message, retry: "changed" }
    : { check: "fields", code, severity: "block", field, path, message, expected, retry: "changed" };
}

const of = (code: FieldCode, { field }: Rule, message: string, expected?: string): FieldFinding =>
  finding(code, field, pointerOf(field.split(".")), message, expected);

const FINDING: Record<Failure["code"], (rule: Rule) => FieldFinding> = {
  "fields.required": (rule) => of("fields.required", rule, "a required field is missing, null or empty"),
  "fields.type_mismatch": (rule) => of("fields.type_mismatch", rule, "the field has another type", rule.type),
  "fields.below_min": (rule) => of("fields.below_min", rule, "the number is below the minimum", `at least ${rule.min}`),
  "fields.above_max": (rule) => of("fields.above_max", rule, "the number is above the maximum", `at most ${rule.max}`),
  "fields.not_in_enum": (rule) => of("fields.not_in_enum", rule, "the value is not one of those allowed"),
};

const NOT_AN_OBJECT = finding("fields.type_mismatch", "", "", "the data must be an object", "object");

function unexpected(data: JsonObject, known: ReadonlySet<string>): FieldFinding[] {
  const names = Object.keys(data).filter((name) => !known.has(name));
  const found = names
    .slice(0, MAX_UNEXPECTED)
    .map((name) => finding("fields.unexpected", name, pointerOf([name]), "the contract names no such field"));
  const rest = names.length - found.length;
  if (rest > 0) found.push(finding("fields.unexpected", "", "", `${rest} more fields are not in the contract`));
  return found;
}
