import type { DialectTool } from "@countersign/api";
import type { ExactJson } from "@countersign/core";
import type { FastifyInstance } from "fastify";
import { authenticated, callerOf } from "../auth/authenticated.ts";
import type { Authenticator } from "../auth/authenticator.ts";
import { ask, type Dialect } from "../face/dialect.ts";
import { orStranger, purchaseOf } from "../face/purchase.ts";
import { readBodies, send } from "../http/app.ts";
import { readPaymentHeader } from "../payment/payload.ts";
import { sendSale } from "../payment/present.ts";
import type { Till } from "../payment/till.ts";

/**
 * Every tool of a dialect at its own address: the body, or for a GET what the address names, is the tool's arguments, and
 * the answer is the tool's. One that is sold asks for its price, and for no credential.
 */
export function mountDialect(
  app: FastifyInstance,
  dialect: Dialect,
  authenticator: Authenticator,
  till: Till | null,
): void {
  const sold = (tool: DialectTool): boolean => till?.sells(tool.name) === true;
  app.register(async (scope) => {
    authenticated(scope, authenticator);
    readBodies(scope, dialect.numbers);
    for (const tool of dialect.tools.filter((one) => !sold(one))) mountTool(scope, dialect, tool);
  });
  if (till === null) return;
  app.register(async (scope) => {
    authenticated(scope, orStranger(authenticator));
    readBodies(scope, dialect.numbers);
    for (const tool of dialect.tools.filter(sold)) mountSoldTool(scope, dialect, tool, till);
  });
}

function mountTool(scope: FastifyInstance, dialect: Dialect, { name, http }: DialectTool): void {
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

function mountSoldTool(scope: FastifyInstance, dialect: Dialect, { name, http }: DialectTool, till: Till): void {
  scope.post(http.path, async (request, reply) => {
    const header = request.headers["payment-signature"];
    const payment = header === undefined ? null : await readPaymentHeader(String(header));
    const input = (request.body ?? {}) as ExactJson;
    return sendSale(reply, await till.sell(purchaseOf(dialect, name, input, callerOf(request), "http", payment)));
  });
}
