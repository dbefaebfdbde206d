import { problemOf } from "@countersign/api";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Caller } from "../caller.ts";
import { send } from "../http/app.ts";
import type { Authenticator } from "./authenticator.ts";

const callers = new WeakMap<FastifyRequest, Caller>();

/** Every request of this scope comes from somebody, or is refused before its body is read. */
export function authenticated(scope: FastifyInstance, authenticator: Authenticator): void {
  scope.addHook("onRequest", async (request, reply) => {
    const known = await authenticator(request.headers.authorization, request.socket.remoteAddress);
    if (known.ok) callers.set(request, known.value);
    else await send(known.error.status === 401 ? reply.header("www-authenticate", "Bearer") : reply, known.error);
  });
}

/** Who sent a request of an authenticated scope. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  if (caller === undefined) throw new Error(problemOf("credential.missing").detail);
  return caller;
}
