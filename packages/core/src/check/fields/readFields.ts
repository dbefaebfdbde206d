import { pointerOf } from "../../json/pointer.ts";
import { isObject, type JsonValue } from "../../json/value.ts";
import { err, ok, type Result } from "../../result.ts";
import type { FieldContract, FieldRule, FieldType } from "./fields.ts";

export interface FieldContractError {
  readonly code: "fields.contract_malformed";
  /** JSON Pointer below the contract's fields. */
  readonly path: string;
  readonly message: string;
  readonly expected: string;
}

const TYPES: readonly string[] = ["string", "number", "integer", "boolean", "array", "object"] satisfies FieldType[];

const isScalar = (value: JsonValue): boolean => typeof value !== "object" || value === null;

/** What each member of a rule may be. A member that is not here is refused: a misspelt rule would check nothing. */
const MEMBERS: Record<keyof FieldRule, { readonly is: (value: JsonValue) => boolean; readonly expected: string }> = {
  type: { is: (value) => typeof value === "string" && TYPES.includes(value), expected: `one of ${TYPES.join(", ")}` },
  required: { is: (value) => typeof value === "boolean", expected: "true or false" },
  min: { is: (value) => typeof value === "number", expected: "a number" },
  max: { is: (value) => typeof value === "number", expected: "a number" },
  enum: {
    is: (value) => Array.isArray(value) && value.every(isScalar),
    expected: "a list of strings, numbers, booleans and null",
  },
};

/** Reads the fields of a contract that came as JSON. Fails at the first member that is not what it must be. */
export function readFields(value: JsonValue): Result<FieldContract["fields"], FieldContractError> {
  if (!isObject(value)) return malformed([], "an object of field rules");
  for (const [field, rule] of Object.entries(value)) {
    if (!isObject(rule)) return malformed([field], "an object");
    for (const [name, member] of Object.entries(rule)) {
      if (!Object.hasOwn(MEMBERS, name)) return malformed([field, name], `only ${Object.keys(MEMBERS).join(", ")}`);
      const { is, expected } = MEMBERS[name as keyof FieldRule];
      if (!is(member)) return malformed([field, name], expected);
    }
  }
  return ok(value as FieldContract["fields"]);
}

const malformed = (segments: readonly string[], expected: string) =>
  err({
    code: "fields.contract_malformed",
    path: pointerOf(segments),
    message: "the data contract cannot be read",
    expected,
  } as const);
