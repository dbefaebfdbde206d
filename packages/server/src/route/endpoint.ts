import { type Problem, problemOf } from "@countersign/api";
import { err, type JsonObject, type JsonValue, type KeyScope, ok, type Result } from "@countersign/core";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { authenticated, callerOf } from "../auth/authenticated.ts";
import type { Authenticator } from "../auth/authenticator.ts";
import type { Caller } from "../caller.ts";
import { BODY_LIMIT, readBodies, readYamlBodies, refuseOtherBodies, send } from "../http/app.ts";
import { readQuery } from "../http/query.ts";
import type { Operation } from "./operation.ts";

/** What a request says of the state that it changes. */
export type Condition = { readonly kind: "create" } | { readonly kind: "replace"; readonly digest: string };

export interface EndpointRequest {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly query: JsonObject;
  /** `If-Match` or `If-None-Match: *`; null where neither is there. */
  readonly condition: Condition | null;
  readonly idempotencyKey: string | null;
  readonly body: JsonValue | undefined;
  header(name: string): string | undefined;
}

export interface EndpointAnswer {
  readonly status?: number;
  readonly body: JsonObject;
  /** A digest, sent as the entity tag. */
  readonly etag?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One address that takes a document, answers with an entity tag, or has a form of its own. */
export interface Endpoint {
  readonly operation: Operation;
  /** A credential with one of these may; any credential where there are none; nobody has to show one where it is null. */
  readonly needs: readonly KeyScope[] | null;
  /** Bodies are JSON; or YAML as well. Bytes, 1 MiB where nothing is said. */
  readonly body?: { readonly yaml: boolean; readonly limit: number };
  /** Whether every answer carries the `X-Request-ID` of its request, where that is fit to stand in a header. */
  readonly echoesRequestId?: boolean;
  /** The status for a body of another type; 415 where nothing is said. */
  readonly otherBodies?: 400;
  answer(request: EndpointRequest): Promise<Result<EndpointAnswer, Problem>>;
}

export function mountEndpoints(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  authenticator: Authenticator,
): void {
  for (const endpoint of endpoints) {
    app.register(async (scope) => {
      const { needs, body, echoesRequestId, otherBodies } = endpoint;
      if (echoesRequestId === true)
        scope.addHook("onRequest", async ({ headers }, reply) => {
          const id = headers["x-request-id"];
          if (typeof id === "string" && /^[\x21-\x7e]{1,128}$/.test(id)) reply.header("x-request-id", id);
        });
      if (needs !== null) authenticated(scope, authenticator);
      if (needs !== null && needs.length > 0) {
        // A body of megabytes is not read for somebody who may not send it.
        scope.addHook("onRequest", async (request, reply) => {
          if (!needs.some((one) => callerOf(request).scopes.has(one))) await send(reply, problemOf("credential.scope"));
        });
      }
      readBodies(scope, "plain", body?.limit ?? BODY_LIMIT);
      if (body?.yaml === true) readYamlBodies(scope, body.limit);
      if (otherBodies !== undefined) refuseOtherBodies(scope, otherBodies);
      scope.route({
        method: endpoint.operation.method,
        url: endpoint.operation.path.replace(/\{(\w+)\}/g, ":$1"),
        handler: (request, reply) => answer(endpoint, request, reply),
      });
    });
  }
}

/** A request without a caller asks for what everybody may read. */
const NOBODY: Caller = {
  tenant: "",
  credential: "nobody",
  scopes: new Set(),
  holder: { kind: "enforcer", id: "nobody", agents: [] },
};

async function answer(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { needs, operation } = endpoint;
  const caller = needs === null ? NOBODY : callerOf(request);
  // Of what is only read, nothing is conditional: a cache that asks with the tag it has gets the whole answer.
  const condition = operation.method === "GET" ? ok(null) : readCondition(request.headers);
  if (!condition.ok) return send(reply, condition.error);
  const query = readQuery(request.url, operation.input ?? {});
  if (!query.ok) return send(reply, query.error);
  const header = (name: string): string | undefined => {
    const value = request.headers[name];
    return typeof value === "string" ? value : undefined;
  };
  try {
    const answered = await endpoint.answer({
      caller,
      params: request.params as Readonly<Record<string, string>>,
      query: query.value,
      condition: condition.value,
      idempotencyKey: header("idempotency-key") ?? null,
      body: request.body as JsonValue | undefined,
      header,
    });
    if (!answered.ok) return send(reply, answered.error);
    const { status = 200, body, etag, headers = {} } = answered.value;
    if (etag !== undefined) reply.header("etag", `"${etag}"`);
    return reply.code(status).headers(headers).header("content-type", "application/json").send(JSON.stringify(body));
  } catch {
    return send(reply, problemOf("internal"));
  }
}

const TAG = /^"(sha256:[0-9a-f]{64})"$/;

/** One strong tag of ours, or the star of `If-None-Match`; everything else would be guessed at. */
function readCondition(headers: FastifyRequest["headers"]): Result<Condition | null, Problem> {
  const match = headers["if-match"];
  const none = headers["if-none-match"];
  if (match === undefined && none === undefined) return ok(null);
  if (match !== undefined && none !== undefined) return malformed("only one of If-Match and If-None-Match can hold");
  if (none !== undefined) {
    return none === "*" ? ok({ kind: "create" }) : malformed("If-None-Match is * here, to create", "*");
  }
  const [, digest] = TAG.exec(String(match)) ?? [];
  return digest === undefined
    ? malformed("If-Match is one entity tag of this gate", '"sha256:" and 64 hex digits, in quotes')
    : ok({ kind: "replace", digest });
}

const malformed = (message: string, expected?: string): Result<never, Problem> =>
  err(problemOf({ code: "precondition.malformed", message, ...(expected === undefined ? {} : { expected }) }));

/** What a change has to say of the version it replaces. */
export function demandCondition({ condition }: EndpointRequest): Result<string | null, Problem> {
  if (condition === null)
    return err(
      problemOf({
        code: "precondition.missing",
        message: "say which version this replaces",
        expected: 'If-Match: "sha256:…" of the version, or If-None-Match: * to create',
      }),
    );
  return ok(condition.kind === "create" ? null : condition.digest);
}
