import type { CompiledSchema as LibrarySchema } from "@hyperjump/json-schema/experimental";
import type { JsonValue } from "../../json/value.ts";
import { err, ok, type Result } from "../../result.ts";
import { SCHEMA_BOUNDS, type SchemaBounds, type SchemaError } from "./bounds.ts";
import { DIALECT, guardSchema } from "./guard.ts";
import { type Library, PatternRefused } from "./keywords.ts";
import { cacheOf, forgetUnknownKeywords, loadLibrary } from "./library.ts";

declare const known: unique symbol;

/** A schema ready to judge with, for as long as the process lives. Made by `compileSchema`. */
export interface CompiledSchema {
  readonly bounds: SchemaBounds;
  readonly [known]: true;
}

/** What is behind a compiled schema; for the judge only. */
export interface Compiled {
  readonly bounds: SchemaBounds;
  readonly library: Library;
  readonly schema: LibrarySchema;
}

const BASE = "https://schema.invalid/";

/**
 * Compiles a schema of JSON Schema 2020-12. `documents` are further schemas, by their absolute URI, that it may refer
 * to; nothing is ever retrieved, and two callers' identifiers never meet. Formats are annotations.
 * Fails with a code for what it refuses, and with `schema.failed` for any other fault. Compiling is asynchronous and
 * belongs to gathering; judging is not.
 */
export async function compileSchema(
  schema: JsonValue,
  bounds: SchemaBounds = SCHEMA_BOUNDS,
  documents: Readonly<Record<string, JsonValue>> = {},
): Promise<Result<CompiledSchema, SchemaError>> {
  for (const document of [schema, ...Object.values(documents)]) {
    const guarded = guardSchema(document, bounds);
    if (!guarded.ok) return guarded;
  }
  return compileUnguarded(schema, bounds, documents);
}

/** Without the rules for callers: for the conformance suite, which defines vocabularies of its own. */
export async function compileUnguarded(
  schema: JsonValue,
  bounds: SchemaBounds,
  documents: Readonly<Record<string, JsonValue>>,
): Promise<Result<CompiledSchema, SchemaError>> {
  const library = await loadLibrary();
  try {
    const cache: Record<string, unknown> = {};
    for (const [uri, document] of Object.entries(documents)) cache[uri] = build(library, document, uri);
    const root = build(library, schema, BASE);
    cache[root.baseUri] = root;
    const compiled = await library.experimental.compile(
      await library.experimental.getSchema(root.baseUri, cacheOf(cache)),
    );
    forgetUnknownKeywords(library, compiled);
    return ok({ bounds, library, schema: compiled } satisfies Compiled as unknown as CompiledSchema);
  } catch (cause) {
    return err(refusalOf(cause));
  }
}

/** The library takes objects and flags; anything else is none of its business. */
function build({ experimental }: Library, schema: JsonValue, uri: string) {
  if (typeof schema !== "boolean" && (typeof schema !== "object" || schema === null || Array.isArray(schema)))
    throw new NoSchema();
  return experimental.buildSchemaDocument(schema as never, uri, DIALECT);
}

class NoSchema extends Error {}

function refusalOf(cause: unknown): SchemaError {
  if (cause instanceof PatternRefused) return { code: cause.code, path: cause.path, message: cause.message };
  if (cause instanceof NoSchema || nameOf(cause) === "InvalidSchemaError")
    return { code: "schema.malformed", path: "", message: "this is no schema of JSON Schema 2020-12" };
  if (nameOf(cause) === "RetrievalError" || /^No (?:such anchor|schema found)/.test(messageOf(cause)))
    return { code: "schema.unresolved", path: "", message: "a reference leads to no schema that was given" };
  return { code: "schema.failed", path: "", message: "the schema cannot be compiled" };
}

const nameOf = (cause: unknown): string => (cause instanceof Error ? cause.constructor.name : "");
const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : "");
