import type { ExactJson } from "@countersign/core";
import type { FastifyInstance } from "fastify";
import { LOCAL } from "../caller.ts";
import type { Dialect } from "../face/dialect.ts";
import { send } from "../http/app.ts";

/** Every tool of a dialect at its own address: the body is the tool's arguments, the answer is the tool's. */
export function mountDialect(app: FastifyInstance, dialect: Dialect): void {
  for (const { name, http } of dialect.tools) {
    app.route({
      method: http.method,
      url: http.path,
      config: { numbers: dialect.numbers },
      handler: async (request, reply) => {
        const input = http.method === "GET" ? {} : ((request.body ?? undefined) as ExactJson | undefined);
        const answer = await dialect.answer(name, input ?? {}, LOCAL);
        if (!answer.ok) return send(reply, answer.error);
        return reply.header("content-type", "application/json").send(JSON.stringify(answer.value));
      },
    });
  }
}
