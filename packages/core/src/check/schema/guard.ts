import { excessOf } from "../../json/measure.ts";
import { pointerOf } from "../../json/pointer.ts";
import type { JsonObject, JsonValue } from "../../json/value.ts";
import { err, ok, type Result } from "../../result.ts";
import type { SchemaBounds, SchemaError } from "./bounds.ts";

export const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Keywords whose values map names to schemas: a name there is no keyword. */
const MAPS = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);
/** Keywords whose values are data. */
const DATA = new Set(["const", "enum", "default", "examples"]);
/** What the library takes for an identifier wherever it stands, and takes out of data that is compared. */
const IDENTIFIERS = ["$id", "$anchor", "$dynamicAnchor"];

type Role = "schema" | "map" | "data";

/**
 * Refuses what a schema of a caller may not hold, before the library sees it: while it reads a document it defines
 * dialects and identifiers for the whole process, and it reads data as if it were schema.
 * - `$vocabulary`, a `$schema` that is not 2020-12, an `$id` under json-schema.org: they would switch checks off for
 *   everybody. At every depth, inside data too.
 * - Identifiers inside data: they would be taken out of it, and `const` would compare something else.
 * - References and anchors with names that every object inherits, which it would find where nobody put them.
 * - A string or flag under the name "undefined", which the library reads as an identifier of older drafts.
 */
export function guardSchema(schema: JsonValue, bounds: SchemaBounds): Result<JsonValue, SchemaError> {
  const excess = excessOf(schema, bounds.schema);
  if (excess !== undefined) return tooLarge(excess === "depth" ? "is nested too deeply" : "has too many values");
  let characters = 0;
  const open: { value: JsonValue; role: Role; path: readonly string[] }[] = [
    { value: schema, role: "schema", path: [] },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, role, path } = next;
    if (typeof value === "string") characters += value.length;
    if (characters > bounds.schemaCharacters) return tooLarge("has too long texts");
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) open.push({ value: item, role, path: [...path, String(index)] });
      continue;
    }
    const refusal = refusalOf(value as JsonObject, role);
    if (refusal !== undefined) return unsupported(refusal.reason, [...path, refusal.name]);
    for (const [name, member] of Object.entries(value)) {
      characters += name.length;
      open.push({ value: member, role: roleBelow(role, name), path: [...path, name] });
    }
  }
  return ok(schema);
}

function roleBelow(role: Role, name: string): Role {
  if (role === "data") return "data";
  if (role === "map") return "schema";
  return MAPS.has(name) ? "map" : DATA.has(name) ? "data" : "schema";
}

function refusalOf(object: JsonObject, role: Role): { name: string; reason: string } | undefined {
  const own = (name: string) => (Object.hasOwn(object, name) ? object[name] : undefined);
  // Also as a name of a property: with an $id beside it the library would take the properties for a document.
  if (own("$vocabulary") !== undefined) return { name: "$vocabulary", reason: "$vocabulary" };
  const dialect = own("$schema");
  if (typeof dialect === "string" && dialect !== DIALECT && dialect !== `${DIALECT}#`)
    return { name: "$schema", reason: "a $schema other than 2020-12" };
  const id = own("$id");
  if (typeof id === "string" && isReservedId(id)) return { name: "$id", reason: "an $id under json-schema.org" };
  const identifier = IDENTIFIERS.find((name) => typeof own(name) === "string");
  if (role === "data" && identifier !== undefined)
    return { name: identifier, reason: "an identifier inside const, enum, default or examples" };
  const inherited = ["$ref", "$dynamicRef", ...IDENTIFIERS].find((name) => namesInherited(own(name)));
  if (inherited !== undefined && role !== "data")
    return { name: inherited, reason: "a name that every object inherits" };
  const legacy = own("undefined");
  if (typeof legacy === "string" || (typeof legacy === "boolean" && role === "schema"))
    return { name: "undefined", reason: "a string or a flag under the name undefined" };
  return undefined;
}

/** "#toString", or "toString" itself: the library would find an anchor of that name in every document. */
const namesInherited = (value: JsonValue | undefined): boolean =>
  typeof value === "string" && decoded(value.slice(value.indexOf("#") + 1)) in Object.prototype;

/** In any spelling: letter case and percent-encoding are taken off. Hosts below it are somebody's tests. */
const isReservedId = (id: string): boolean => /(?<![\w.-])json-schema\.org/i.test(decoded(id));

const decoded = (text: string): string =>
  text.replaceAll(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));

const tooLarge = (what: string) => err({ code: "schema.too_large", path: "", message: `the schema ${what}` } as const);

const unsupported = (what: string, path: readonly string[]) =>
  err({
    code: "schema.unsupported",
    path: pointerOf(path),
    message: `the schema holds ${what}, which is not taken from callers`,
  } as const);
