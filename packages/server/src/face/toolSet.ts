import { type DialectTool, problemOf, problemText } from "@countersign/api";
import { toPlain } from "@countersign/core";
import type { Tool, ToolSet } from "../mcp/tool.ts";
import { readPaymentMeta } from "../payment/payload.ts";
import { toolAnswer } from "../payment/present.ts";
import type { Till } from "../payment/till.ts";
import { ask, type Dialect } from "./dialect.ts";
import { paymentOf, purchaseOf } from "./purchase.ts";

/** The tools of a dialect for MCP: a refusal is text, as the protocol has it. What is sold is paid for first. */
export function toolSet(dialect: Dialect, till: Till | null = null): ToolSet {
  const isAllSold = till !== null && dialect.tools.every(({ name }) => till.sells(name));
  return {
    name: dialect.name,
    callers: isAllSold ? "anybody" : "known",
    tools: dialect.tools.map((tool) => mcpTool(dialect, tool, till)),
  };
}

function mcpTool(dialect: Dialect, tool: DialectTool, till: Till | null): Tool {
  const { name, title, description, inputSchema, outputSchema, aliases } = tool;
  return {
    name,
    title,
    description,
    annotations: { ...tool.annotations },
    inputSchema,
    outputSchema,
    aliases,
    async call({ input, payment }, caller) {
      const read = dialect.numbers === "exact" ? { ok: true as const, value: input } : toPlain(input);
      if (!read.ok) return { refused: problemText(problemOf(read.error)) };
      if (till?.sells(name) === true) {
        const { input: asked, proof } = dialect.sold?.split(name, read.value) ?? { input: read.value, proof: null };
        const shown = await paymentOf(payment === undefined ? null : () => readPaymentMeta(payment), proof);
        const sale = await till.sell(purchaseOf(dialect, name, asked, caller, "mcp", shown));
        return toolAnswer(sale, (challenge) => dialect.sold?.terms(name, challenge) ?? null);
      }
      const answer = await ask(dialect, name, read.value, caller);
      return answer.ok ? { structured: answer.value } : { refused: problemText(answer.error) };
    },
  };
}
