import type { ExactJson } from "@countersign/core";
import type { FastifyInstance } from "fastify";
import { authenticated, callerOf } from "../auth/authenticated.ts";
import type { Authenticator } from "../auth/authenticator.ts";
import { ask, type Dialect } from "../face/dialect.ts";
import { readBodies, send } from "../http/app.ts";

/**
 * Every tool of a dialect at its own address: the body, or for a GET what the address names, is the tool's arguments, and
 * the answer is the tool's.
 */
export function mountDialect(app: FastifyInstance, dialect: Dialect, authenticator: Authenticator): void {
  app.register(async (scope) => {
    authenticated(scope, authenticator);
    readBodies(scope, dialect.numbers);
    for (const { name, http } of dialect.tools) {
      scope.route({
        method: http.method,
        url: http.path.replace(/\{(\w+)\}/g, ":$1"),
        handler: async (request, reply) => {
          const input = http.method === "GET" ? request.params : request.body;
          const answer = await ask(dialect, name, (input ?? {}) as ExactJson, callerOf(request));
          if (!answer.ok) return send(reply, answer.error);
          return reply.header("content-type", "application/json").send(JSON.stringify(answer.value));
        },
      });
    }
  });
}
