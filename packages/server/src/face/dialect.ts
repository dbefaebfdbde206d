import type { DialectTool, Problem } from "@countersign/api";
import { problemOf, problemText } from "@countersign/api";
import { type ExactJson, type JsonObject, type Result, toPlain } from "@countersign/core";
import type { Caller } from "../caller.ts";
import type { Tool, ToolSet } from "../mcp/tool.ts";

/** One foreign interface: a set of tools, each served over HTTP and over MCP with the same answers. */
export interface Dialect {
  readonly name: string;
  readonly tools: readonly DialectTool[];
  /** `plain` refuses numbers that a double would change; `exact` hands them over as they were written. */
  readonly numbers: "plain" | "exact";
  answer(tool: string, input: ExactJson, caller: Caller): Promise<Result<JsonObject, Problem>>;
}

/** The tools of a dialect for MCP: a refusal is text, as the protocol has it. */
export function toolSet(dialect: Dialect): ToolSet {
  return { name: dialect.name, tools: dialect.tools.map((tool) => mcpTool(dialect, tool)) };
}

function mcpTool(dialect: Dialect, tool: DialectTool): Tool {
  const { name, title, description, inputSchema, outputSchema, aliases } = tool;
  return {
    name,
    title,
    description,
    annotations: { ...tool.annotations },
    inputSchema,
    outputSchema,
    aliases,
    async call(input, caller) {
      const read = dialect.numbers === "exact" ? { ok: true as const, value: input } : toPlain(input);
      if (!read.ok) return { refused: problemText(problemOf(read.error)) };
      const answer = await ask(dialect, name, read.value, caller);
      return answer.ok ? { structured: answer.value } : { refused: problemText(answer.error) };
    },
  };
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
