import { problemOf } from "@countersign/api";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Caller } from "../caller.ts";
import { send } from "../http/app.ts";
import type { Authenticator } from "./authenticator.ts";

const callers = new WeakMap<FastifyRequest, Caller>();

/** Every request of this scope comes from somebody, or is refused before its body is read. */
export function authenticated(scope: FastifyInstance, authenticator: Authenticator): void {
  scope.addHook("onRequest", async (request, reply) => {
    const known = await authenticator(request.headers.authorization, addressOf(request));
    if (known.ok) callers.set(request, known.value);
    else await send(known.error.status === 401 ? reply.header("www-authenticate", "Bearer") : reply, known.error);
  });
}

const RELAYED = ["forwarded", "x-forwarded-for", "x-real-ip"] as const;

/** Where a request comes from; unknown where a proxy has brought it. That is on this machine, and who it speaks for is not. */
const addressOf = ({ headers, socket }: FastifyRequest): string | undefined =>
  RELAYED.some((name) => headers[name] !== undefined) ? undefined : socket.remoteAddress;

/** Who sent a request of an authenticated scope. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  if (caller === undefined) throw new Error(problemOf("credential.missing").detail);
  return caller;
}
