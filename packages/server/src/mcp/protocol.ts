import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { Caller } from "../caller.ts";
import type { Tool, ToolCall } from "./tool.ts";

export interface Implementation {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

const INSTRUCTIONS =
  "Ask before you act. Send what you are about to do; continue only on the answer that allows it, and treat every error as a refusal.";

/** Who sent a request, and what it calls. */
export interface InHand {
  readonly caller: Caller;
  readonly call: ToolCall | undefined;
}

/**
 * The low-level server over a fixed list of tools, which go out as they are. The SDK judges neither arguments nor
 * results here: each tool validates its input itself and answers bad input in its own words.
 */
export function createProtocol(
  info: Implementation,
  tools: readonly Tool[],
  inHand: (requestId: string | number) => InHand | undefined,
): Server {
  const byName = new Map(tools.flatMap((tool) => [tool.name, ...tool.aliases].map((name) => [name, tool] as const)));
  const listed = tools.map(({ name, title, description, annotations, inputSchema, outputSchema }) => ({
    name,
    title,
    description,
    annotations,
    inputSchema,
    outputSchema,
  }));
  const server = new Server(info, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  server.setRequestHandler("tools/list", () => ({ tools: listed }) as never);
  server.setRequestHandler("tools/call", async (request, context) => {
    const tool = byName.get(request.params.name);
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "there is no tool of this name");
    const held = inHand(context.mcpReq.id);
    if (held?.call === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "arguments has to be an object");
    const answer = await tool.call(held.call, held.caller);
    const meta = answer.meta === undefined ? {} : { _meta: answer.meta as { [key: string]: unknown } };
    if ("refused" in answer) return { content: [{ type: "text", text: answer.refused }], isError: true, ...meta };
    return {
      ...meta,
      content: [{ type: "text", text: JSON.stringify(answer.structured) }],
      structuredContent: answer.structured as { [key: string]: unknown },
    };
  });
  return server;
}
