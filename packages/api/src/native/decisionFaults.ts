import type { JsonValue } from "@countersign/core";
import type { Fault } from "../problem.ts";
import { decisionRequestSchema } from "./schema.ts";
import { zodFaults } from "./zodFaults.ts";

/**
 * What `decisionRequestSchema` refuses of a body; null when it takes it. In a file of its own, so that a program which is
 * started for one decision loads the library of schemas only when there is something to refuse.
 */
export function decisionFaults(body: JsonValue): readonly [Fault, ...Fault[]] | null {
  const parsed = decisionRequestSchema.safeParse(body);
  return parsed.success ? null : zodFaults(decisionRequestSchema, body, parsed.error);
}
