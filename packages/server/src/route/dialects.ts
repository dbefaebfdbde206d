import { type DialectTool, invalid, type Problem, problemOf } from "@countersign/api";
import { type ExactJson, err, isExactObject, type JsonObject, ok, type Result } from "@countersign/core";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { authenticated, callerOf } from "../auth/authenticated.ts";
import type { Authenticator } from "../auth/authenticator.ts";
import { ask, type Dialect } from "../face/dialect.ts";
import { orStranger, paymentOf, purchaseOf } from "../face/purchase.ts";
import { readBodies, send } from "../http/app.ts";
import { readQuery } from "../http/query.ts";
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

function mountTool(scope: FastifyInstance, dialect: Dialect, tool: DialectTool): void {
  scope.route({
    method: tool.http.method,
    url: tool.http.path.replace(/\{(\w+)\}/g, ":$1"),
    handler: async (request, reply) => {
      const input = inputOf(request, tool);
      if (!input.ok) return send(reply, input.error);
      const answer = await ask(dialect, tool.name, input.value, callerOf(request), () => goneSignal(reply));
      if (!answer.ok) return send(reply, answer.error);
      return reply.header("content-type", "application/json").send(JSON.stringify(answer.value));
    },
  });
}

function mountSoldTool(scope: FastifyInstance, dialect: Dialect, { name, http }: DialectTool, till: Till): void {
  scope.post(http.path, async (request, reply) => {
    const header = request.headers["payment-signature"];
    const body = bodyOf(request);
    const { input, proof } = dialect.sold?.split(name, body) ?? { input: body, proof: null };
    const payment = await paymentOf(header === undefined ? null : () => readPaymentHeader(String(header)), proof);
    const sale = await till.sell(purchaseOf(dialect, name, input, callerOf(request), "http", payment));
    return sendSale(reply, sale, (challenge) => dialect.sold?.terms(name, challenge) ?? null);
  });
}

/** No body asks with no arguments. A body that is null is a value like others, and no object. */
const bodyOf = ({ body }: FastifyRequest): ExactJson => (body === undefined ? {} : (body as ExactJson));

/** The body, or the query of a GET, with what the address names. Nothing can be said in two places. */
function inputOf(request: FastifyRequest, { http, inputSchema }: DialectTool): Result<ExactJson, Problem> {
  const named = http.path.includes("{") ? (request.params as Readonly<Record<string, string>>) : undefined;
  const rest = http.method === "GET" ? readQuery(request.url, inputSchema) : withKey(request, inputSchema);
  if (named === undefined || !rest.ok) return rest;
  if (!isExactObject(rest.value)) return err(problemOf("request.invalid"));
  const twice = Object.keys(named).find((name) => Object.hasOwn(rest.value as object, name));
  if (twice !== undefined) return err(invalid([{ path: `/${twice}`, message: "the address names this already" }]));
  return ok({ ...rest.value, ...named });
}

/** The header `Idempotency-Key` says what the member does, for tools that have it. */
function withKey(request: FastifyRequest, { properties }: JsonObject): Result<ExactJson, Problem> {
  const body = bodyOf(request);
  const key = request.headers["idempotency-key"];
  const takes = Object.hasOwn(properties as object, MEMBER);
  if (typeof key !== "string" || !takes || !isExactObject(body)) return ok(body);
  if (!Object.hasOwn(body, MEMBER)) return ok({ ...body, [MEMBER]: key });
  if (body[MEMBER] === key) return ok(body);
  return err(invalid([{ path: `/${MEMBER}`, message: "the header Idempotency-Key says something else" }]));
}

const MEMBER = "idempotency_key";

/** Aborts when the connection is closed before the answer was sent. */
function goneSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once("close", () => controller.abort());
  return controller.signal;
}
