import type { JsonBounds } from "../../json/measure.ts";

/** How much a schema and a judgement may take. Time is counted in steps, so that a judgement can be replayed. */
export interface SchemaBounds {
  /** The schema. */
  readonly schema: JsonBounds;
  /** Characters of the schema's strings and names in all. */
  readonly schemaCharacters: number;
  /** The data. */
  readonly data: JsonBounds;
  /** Schemas within schemas while judging: recursion by reference counts, also where the data does not go deeper. */
  readonly evaluationDepth: number;
  /** Keywords applied, each by what it looks at: members, elements, characters. */
  readonly steps: number;
  /** Characters matched times instructions of the pattern. */
  readonly patternSteps: number;
}

export const SCHEMA_BOUNDS: SchemaBounds = {
  schema: { depth: 128, nodes: 20_000 },
  schemaCharacters: 1 << 20,
  data: { depth: 128, nodes: 500_000 },
  evaluationDepth: 600,
  steps: 2_000_000,
  patternSteps: 20_000_000,
};

export type SchemaErrorCode =
  | "schema.malformed"
  | "schema.unsupported"
  | "schema.unresolved"
  | "schema.too_large"
  | "schema.pattern_malformed"
  | "schema.pattern_unsupported"
  | "schema.pattern_too_large"
  | "schema.data_too_large"
  | "schema.too_costly"
  | "schema.failed";

/** Why a schema was not compiled, or data not judged. Never a verdict on the data: what cannot be judged blocks. */
export interface SchemaError {
  readonly code: SchemaErrorCode;
  /** JSON Pointer into the schema, or for `schema.data_too_large` into the data. */
  readonly path: string;
  readonly message: string;
}
