import { canonicalize, NotJsonError } from "../../json/canonical.ts";
import type { JsonValue } from "../../json/value.ts";
import { type HexSha256, sha256Hex } from "../../record/hexSha256.ts";
import type { Result } from "../../result.ts";
import { SCHEMA_BOUNDS, type SchemaBounds, type SchemaError } from "./bounds.ts";
import { type CompiledSchema, compileSchema } from "./compile.ts";
import { guardSchema } from "./guard.ts";

/** The compiled schemas of one caller. */
export interface SchemaCache {
  /** As `compileSchema`, once for each schema while it is kept; refusals are kept too. */
  compile(schema: JsonValue): Promise<Result<CompiledSchema, SchemaError>>;
}

/**
 * Keeps the last `most` compiled schemas by the digest of their canonical bytes. One for each caller: nothing of a
 * schema is ever shared between two caches, not even an equal one.
 */
export function createSchemaCache(
  most: number,
  bounds: SchemaBounds = SCHEMA_BOUNDS,
  sha256: HexSha256 = sha256Hex,
): SchemaCache {
  const kept = new Map<string, Promise<Result<CompiledSchema, SchemaError>>>();
  return {
    async compile(schema) {
      // Before the digest, which is made of the whole schema whatever its size.
      const guarded = guardSchema(schema, bounds);
      if (!guarded.ok) return guarded;
      const text = canonicalText(schema);
      if (text === undefined) return compileSchema(schema, bounds);
      const digest = sha256(text);
      const found = kept.get(digest);
      const compiling = found ?? compileSchema(schema, bounds);
      // Last in the order of the map: the first is the one not asked for the longest.
      kept.delete(digest);
      kept.set(digest, compiling);
      for (const oldest of kept.keys()) {
        if (kept.size <= most) break;
        kept.delete(oldest);
      }
      return compiling;
    },
  };
}

/** A schema that has no canonical bytes is compiled, or refused, each time anew. */
function canonicalText(schema: JsonValue): string | undefined {
  try {
    return canonicalize(schema);
  } catch (cause) {
    if (cause instanceof NotJsonError) return undefined;
    throw cause;
  }
}
