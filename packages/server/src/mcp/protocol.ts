import type { ExactJson } from "@countersign/core";
import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { Caller } from "../caller.ts";
import type { Tool } from "./tool.ts";

export interface Implementation {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

const INSTRUCTIONS =
  "Ask before you act. Send what you are about to do; continue only on the answer that allows it, and treat every error as a refusal.";

/** Gives what our own reader made of the arguments of the request in hand. The SDK's copy drops members. */
export type Arguments = (requestId: string | number) => ExactJson | undefined;

/**
 * The low-level server over a fixed list of tools, which go out as they are. The SDK judges neither arguments nor
 * results here: each tool validates its input itself and answers bad input in its own words.
 */
export function createProtocol(
  info: Implementation,
  tools: readonly Tool[],
  caller: Caller,
  argumentsOf: Arguments,
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
    const input = argumentsOf(context.mcpReq.id);
    if (input === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "arguments has to be an object");
    const answer = await tool.call(input, caller);
    if ("refused" in answer) return { content: [{ type: "text", text: answer.refused }], isError: true };
    return {
      content: [{ type: "text", text: JSON.stringify(answer.structured) }],
      structuredContent: answer.structured as { [key: string]: unknown },
    };
  });
  return server;
}
