import type { JsonValue } from "../json/value.ts";
import { ok, type Result } from "../result.ts";
import { composeParts } from "./compose.ts";
import type { EffectivePolicy, Scope } from "./effective.ts";
import type { PolicyProblem } from "./problem.ts";
import { readPart } from "./readPart.ts";

/** Reads the document of one scope and makes it ready to decide by, as if no other scope had written anything. */
export function readPolicy(document: JsonValue, scope: Scope): Result<EffectivePolicy, readonly PolicyProblem[]> {
  const part = readPart(document, scope);
  return part.ok ? ok(composeParts([part.value])) : part;
}
