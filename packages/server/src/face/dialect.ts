import { type DialectTool, type Problem, problemOf } from "@countersign/api";
import type { ExactJson, JsonObject, Result } from "@countersign/core";
import type { Caller } from "../caller.ts";

/** One foreign interface: a set of tools, each served over HTTP and over MCP with the same answers. */
export interface Dialect {
  readonly name: string;
  readonly tools: readonly DialectTool[];
  /** `plain` refuses numbers that a double would change; `exact` hands them over as they were written. */
  readonly numbers: "plain" | "exact";
  answer(tool: string, input: ExactJson, caller: Caller): Promise<Result<JsonObject, Problem>>;
  /** What is wrong with an input, found without answering it. Only a dialect that has this can be sold. */
  refusal?(tool: string, input: ExactJson): Problem | null;
}

/** Asks a dialect. What it throws is answered as a fault, and no text of it gets out. */
export async function ask(
  dialect: Dialect,
  tool: string,
  input: ExactJson,
  caller: Caller,
): Promise<Result<JsonObject, Problem>> {
  try {
    return await dialect.answer(tool, input, caller);
  } catch {
    return { ok: false, error: problemOf("internal") };
  }
}
