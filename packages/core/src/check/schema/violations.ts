import type { JsonObject, JsonValue } from "../../json/value.ts";
import { redact } from "../credentials/redact.ts";

/** One keyword that the data does not satisfy. Nothing in it is a value of the data. */
export interface SchemaViolation {
  /** JSON Pointer into the data; a name in it that looks like a secret is redacted, and a very long one is cut. */
  readonly path: string;
  readonly keyword: string;
  readonly message: string;
  /** What the schema asks, where that is short: types, bounds, the names of members that are missing. */
  readonly expected?: string;
}

/** How the library says it. */
export interface OutputUnit {
  readonly keyword: string;
  readonly absoluteKeywordLocation: string;
  readonly instanceLocation: string;
}

const MAX_PATH = 1000;
const MAX_NAMES = 20;

/** `asked` is the keyword's value in the schema, as the library compiled it. */
export function violationOf(unit: OutputUnit, asked: unknown, data: JsonValue): SchemaViolation {
  const keyword = keywordOf(unit);
  const pointer = decodeURI(unit.instanceLocation.slice(unit.instanceLocation.indexOf("#") + 1));
  const path = redact(pointer.length > MAX_PATH ? `${pointer.slice(0, MAX_PATH)}…` : pointer);
  const message = MESSAGES[keyword] ?? `the value does not satisfy ${keyword}`;
  const expected = expectedOf(keyword, asked, () => valueAt(data, pointer));
  return { path, keyword, message, ...(expected === undefined ? {} : { expected }) };
}

function expectedOf(keyword: string, asked: unknown, value: () => JsonValue | undefined): string | undefined {
  if (keyword === "required" && Array.isArray(asked)) {
    const there = value();
    const isObject = typeof there === "object" && there !== null;
    const missing = asked.filter((name) => !(isObject && Object.hasOwn(there, name)));
    return missing.slice(0, MAX_NAMES).map(String).join(", ");
  }
  if (keyword === "type") return Array.isArray(asked) ? asked.join(", ") : String(asked);
  return typeof asked === "number" && keyword in MESSAGES ? String(asked) : undefined;
}

function valueAt(data: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = data;
  for (const segment of pointer.split("/").slice(1)) {
    const name = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as JsonObject)[name];
  }
  return value;
}

/** A schema that is `false` refuses by itself; what it stands under says more. */
function keywordOf({ keyword, absoluteKeywordLocation }: OutputUnit): string {
  const name = keyword.slice(keyword.lastIndexOf("/") + 1);
  if (name !== "validate") return name;
  const place = absoluteKeywordLocation.slice(absoluteKeywordLocation.lastIndexOf("/") + 1);
  return /^(?:additionalProperties|unevaluatedProperties|unevaluatedItems|items|propertyNames)$/.test(place)
    ? place
    : "false";
}

const MESSAGES: Readonly<Record<string, string>> = {
  type: "the value has another type",
  required: "a required member is missing",
  additionalProperties: "no such member is allowed",
  unevaluatedProperties: "no such member is allowed",
  unevaluatedItems: "no such element is allowed",
  enum: "the value is not one of those allowed",
  const: "the value is not the one allowed",
  pattern: "the text does not match the pattern",
  minimum: "the number is too small",
  exclusiveMinimum: "the number is too small",
  maximum: "the number is too large",
  exclusiveMaximum: "the number is too large",
  multipleOf: "the number is not a multiple of the step",
  minLength: "the text is too short",
  maxLength: "the text is too long",
  minItems: "there are too few elements",
  maxItems: "there are too many elements",
  uniqueItems: "two elements are equal",
  minProperties: "there are too few members",
  maxProperties: "there are too many members",
  false: "no value is allowed here",
};
