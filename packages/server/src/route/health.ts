import type { FastifyInstance } from "fastify";

/** Whether the gate could decide now: null when it can, else a code that says what is missing. */
export type Readiness = () => Promise<string | null>;

/** `/healthz`: the process answers. `/readyz`: it could decide. Neither says more to a stranger. */
export function mountHealth(app: FastifyInstance, readiness: Readiness): void {
  app.get("/healthz", (_, reply) => reply.header("content-type", "application/json").send('{"status":"ok"}'));
  app.get("/readyz", async (_, reply) => {
    const missing = await readiness();
    const body = JSON.stringify(missing === null ? { status: "ready" } : { status: "not_ready", missing });
    return reply
      .code(missing === null ? 200 : 503)
      .header("content-type", "application/json")
      .send(body);
  });
}
