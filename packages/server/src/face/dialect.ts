import { type DialectTool, type Problem, problemOf } from "@countersign/api";
import type { ExactJson, JsonObject, Result } from "@countersign/core";
import type { PaymentRequired } from "@x402/core/types";
import type { Caller } from "../caller.ts";

/** One foreign interface: a set of tools, each served over HTTP and over MCP with the same answers. */
export interface Dialect {
  readonly name: string;
  readonly tools: readonly DialectTool[];
  /** `plain` refuses numbers that a double would change; `exact` hands them over as they were written. */
  readonly numbers: "plain" | "exact";
  /** `gone` gives a signal for when nobody waits for the answer any more. */
  answer(tool: string, input: ExactJson, caller: Caller, gone: Gone): Promise<Result<JsonObject, Problem>>;
  /** What is wrong with an input for this caller, found without answering it. Only a dialect that has this can be sold. */
  refusal?(tool: string, input: ExactJson, caller: Caller): Problem | null | Promise<Problem | null>;
  /** Where what is sold has a form of its own. */
  readonly sold?: SoldForm;
}

/** How a dialect takes payments and tells its price, beside what the payment protocol says. */
export interface SoldForm {
  /** A payment that came among the arguments (base64), and the arguments without it. */
  split(tool: string, input: ExactJson): { readonly input: ExactJson; readonly proof: string | null };
  /** The price as an answer of the tool; null where the protocol's own form is all there is. */
  terms(tool: string, challenge: PaymentRequired): JsonObject | null;
  /** What was paid for. An error says that the answer is owed, and is asked for again. */
  answer(tool: string, input: ExactJson, caller: Caller): Promise<Result<JsonObject, Problem>>;
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
