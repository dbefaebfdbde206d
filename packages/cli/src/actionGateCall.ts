import { actionGate, type Problem } from "@countersign/api";
import { createSchemaCache, type Instant, type JsonObject, type JsonValue, type Result } from "@countersign/core";
import { hexSha256 } from "./hexSha256.ts";

/** In a file of its own, since what reads JSON Schemas is large. Nothing is recorded here, and so nothing is signed. */
export const callActionGate = (input: JsonValue, now: Instant): Promise<Result<JsonObject, Problem>> =>
  actionGate(input, {
    now,
    signals: "published-and-own",
    sha256: hexSha256,
    schemas: createSchemaCache(1),
    advise: null,
  });
