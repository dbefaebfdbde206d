import { invalid, type Problem } from "@countersign/api";
import { err, isObject, type JsonObject, type JsonValue, ok, type Result } from "@countersign/core";

const MOST = 32;

/**
 * The query of a request as an object, each member of the type that the schema gives it: numbers and truth values are
 * spelled one way, a list repeats its name, and nothing else stands twice. What does not fit is left as text for the
 * schema to refuse.
 */
export function readQuery(url: string, schema: JsonObject): Result<JsonObject, Problem> {
  const start = url.indexOf("?");
  if (start < 0) return ok({});
  const read = new Map<string, JsonValue>();
  let count = 0;
  for (const [name, text] of new URLSearchParams(url.slice(start + 1))) {
    count += 1;
    if (count > MOST) return err(invalid([{ path: "", message: `the query has more than ${MOST} members` }]));
    const type = typeOf(schema, name);
    const before = read.get(name);
    if (type === "array") read.set(name, [...((before as readonly JsonValue[] | undefined) ?? []), text]);
    else if (before !== undefined) return err(invalid([{ path: "", message: "a member of the query is there twice" }]));
    else read.set(name, readMember(text, type));
  }
  return ok(Object.fromEntries(read));
}

function typeOf(schema: JsonObject, name: string): JsonValue | undefined {
  const properties = schema["properties"];
  if (!isObject(properties) || !Object.hasOwn(properties, name)) return undefined;
  const member = properties[name];
  return isObject(member) ? member["type"] : undefined;
}

function readMember(text: string, type: JsonValue | undefined): JsonValue {
  if (type === "integer" && /^(?:0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}
