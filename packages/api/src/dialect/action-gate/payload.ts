import {
  encodeUtf8,
  isObject,
  type JsonObject,
  judgeSchema,
  redact,
  type SchemaCache,
  type SchemaViolation,
} from "@countersign/core";

export interface PayloadCheck {
  readonly code: "missing_payload" | "schema_violation" | null;
  readonly check: JsonObject;
}

export const SKIPPED_PAYLOAD: PayloadCheck = { code: null, check: { status: "skip", reason_codes: [] } };

export const MISSING_PAYLOAD: PayloadCheck = {
  code: "missing_payload",
  check: {
    status: "fail",
    reason_codes: ["missing_payload"],
    validation: { valid: false, errors: ["a schema needs a payload"] },
  },
};

/** More are counted and not listed. */
const MOST_ERRORS = 50;

/** Judges a payload by the whole of JSON Schema 2020-12. A schema that cannot be used satisfies nobody. */
export async function judgePayload(
  payload: JsonObject,
  schema: JsonObject,
  schemas: SchemaCache,
): Promise<PayloadCheck> {
  const { errors, count } = await errorsOf(payload, schema, schemas);
  const valid = count === 0;
  return {
    code: valid ? null : "schema_violation",
    check: {
      status: valid ? "pass" : "fail",
      reason_codes: valid ? [] : ["schema_violation"],
      bounds: { bytes: encodeUtf8(JSON.stringify(payload)).length, nodes: Object.keys(payload).length },
      validation: { valid, errors, error_count: count },
    },
  };
}

interface Errors {
  readonly errors: readonly string[];
  readonly count: number;
}

async function errorsOf(payload: JsonObject, schema: JsonObject, schemas: SchemaCache): Promise<Errors> {
  const compiled = await schemas.compile(schema);
  if (!compiled.ok) return { errors: [`schema: ${compiled.error.message}`], count: 1 };
  const judged = judgeSchema(compiled.value, payload);
  if (!judged.ok) return { errors: [`schema: ${judged.error.message}`], count: 1 };
  const { valid, violations, more } = judged.value;
  if (valid) return { errors: [], count: 0 };
  const errors = [...new Set(violations.flatMap((violation) => textsOf(violation, payload, schema)))];
  return { errors: errors.slice(0, MOST_ERRORS), count: errors.length + more };
}

/** In the published words where those have any: for fields at the top of the payload. */
function textsOf(
  { path, keyword, message, expected }: SchemaViolation,
  payload: JsonObject,
  schema: JsonObject,
): readonly string[] {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const name = fieldOf(path);
  if (keyword === "required" && path === "") {
    const required = Array.isArray(schema["required"]) ? schema["required"] : [];
    const missing = required.filter((one): one is string => typeof one === "string" && !Object.hasOwn(payload, one));
    if (missing.length > 0) return missing.map((one) => `missing required field ${named(one)}`);
  }
  if (keyword === "type" && name !== undefined && Object.hasOwn(properties, name)) {
    const rule = properties[name];
    const type = isObject(rule) ? rule["type"] : undefined;
    if (typeof type === "string") return [`field ${named(name)} expected type ${named(type)}`];
  }
  if (keyword === "additionalProperties" && name !== undefined && schema["additionalProperties"] === false) {
    return [`unexpected field ${named(name)} (additionalProperties: false)`];
  }
  const wanted = expected === undefined || expected === "" ? "" : ` (expected ${expected})`;
  return [`${path === "" ? "the payload" : path}: ${message}${wanted}`];
}

/** The one step of a JSON Pointer to a field at the top. */
function fieldOf(path: string): string | undefined {
  const step = /^[/]([^/]*)$/.exec(path)?.[1];
  return step?.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** A name of the sender's in quotes: inert, short, and without a secret. */
const named = (name: string): string => JSON.stringify(redact(name.slice(0, 120)));
