import { type DialectTool, type Problem, problemOf } from "@countersign/api";
import type { ExactJson, JsonObject, Result } from "@countersign/core";
import type { Caller } from "../caller.ts";

/** One foreign interface: a set of tools, each served over HTTP and over MCP with the same answers. */
export interface Dialect {
  readonly name: string;
  readonly tools: readonly DialectTool[];
  /** `plain` refuses numbers that a double would change; `exact` hands them over as they were written. */
  readonly numbers: "plain" | "exact";
  /** `gone` gives a signal for when nobody waits for the answer any more. */
  answer(tool: string, input: ExactJson, caller: Caller, gone: Gone): Promise<Result<JsonObject, Problem>>;
  /** What is wrong with an input, found without answering it. Only a dialect that has this can be sold. */
  refusal?(tool: string, input: ExactJson): Problem | null;
}

/** Made when it is asked for: hardly any answer takes long enough to look. */
export type Gone = () => AbortSignal;

const stays: Gone = () => new AbortController().signal;

/** Asks a dialect. What it throws is answered as a fault, and no text of it gets out. */
export async function ask(
  dialect: Dialect,
  tool: string,
  input: ExactJson,
  caller: Caller,
  gone: Gone = stays,
): Promise<Result<JsonObject, Problem>> {
  try {
    return await dialect.answer(tool, input, caller, gone);
  } catch {
    return { ok: false, error: problemOf("internal") };
  }
}
