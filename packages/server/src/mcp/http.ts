import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage } from "node:http";
import { type Problem, problemText } from "@countersign/api";
import { type ExactJson, toDoubles } from "@countersign/core";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import type { FastifyInstance, FastifyReply } from "fastify";
import { authenticated, callerOf } from "../auth/authenticated.ts";
import type { Authenticator } from "../auth/authenticator.ts";
import { orStranger } from "../face/purchase.ts";
import { answerErrors, readBodies } from "../http/app.ts";
import type { Logger } from "../logger.ts";
import { callIn, INVALID_REQUEST, PARSE_ERROR, refusalText, refuseMessage } from "./message.ts";
import { createProtocol, type Implementation, type InHand } from "./protocol.ts";
import type { ToolSet } from "./tool.ts";

/** Node types `method` and `url` as possibly absent, for answers; a request that a server hands over has both. */
type NodeRequest = IncomingMessage & { method: string; url: string };

/** Serves every set at its own address, and all of them together at `/mcp`. */
export function mountMcp(
  app: FastifyInstance,
  info: Implementation,
  sets: readonly ToolSet[],
  authenticator: Authenticator,
  logger: Logger,
): void {
  const all: ToolSet = { name: "", callers: "known", tools: sets.flatMap((set) => set.tools) };
  for (const set of [all, ...sets]) {
    app.register(async (scope) => {
      authenticated(scope, set.callers === "anybody" ? orStranger(authenticator) : authenticator);
      readBodies(scope, "exact");
      answerErrors(scope, logger, refuse);
      mountSet(scope, info, set);
    });
  }
}

function mountSet(app: FastifyInstance, info: Implementation, set: ToolSet): void {
  const inHand = new AsyncLocalStorage<InHand>();
  const handler = createMcpHandler(() => createProtocol(info, set.tools, () => inHand.getStore()), {
    responseMode: "auto",
    keepAliveMs: 15_000,
  });
  const node = toNodeHandler(handler);
  app.addHook("onClose", () => handler.close());
  app.route({
    method: ["GET", "POST", "DELETE"],
    url: set.name === "" ? "/mcp" : `/mcp/${set.name}`,
    handler: async (request, reply) => {
      const message = request.body as ExactJson | undefined;
      if (request.method === "POST") {
        if (message === undefined)
          return answer(reply, 400, refusalText({ id: null, code: INVALID_REQUEST, message: "the body is empty" }));
        const refusal = refuseMessage(message);
        if (refusal !== null) return answer(reply, 400, refusalText(refusal));
      }
      reply.hijack();
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) reply.raw.setHeader(name, value);
      const held = { caller: callerOf(request), call: message === undefined ? undefined : callIn(message) };
      await inHand.run(held, () =>
        node(request.raw as NodeRequest, reply.raw, message === undefined ? undefined : toDoubles(message)),
      );
      return reply;
    },
  });
}

const answer = (reply: FastifyReply, status: number, body: string): FastifyReply =>
  reply.code(status).header("content-type", "application/json").send(body);

/** A body that our reader refused, in the shape that MCP clients read. */
function refuse(reply: FastifyReply, problem: Problem): FastifyReply {
  const unread = problem.code.startsWith("json.");
  return answer(
    reply,
    problem.status,
    refusalText({
      id: null,
      code: unread ? PARSE_ERROR : INVALID_REQUEST,
      message: problemText(problem),
    }),
  );
}
