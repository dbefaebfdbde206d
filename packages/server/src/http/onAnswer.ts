import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** `route` is the route as declared, with the names of its parts; null where none fits the address. */
export type Answered = (request: FastifyRequest, reply: FastifyReply, route: string | null) => void;

/**
 * Tells of every answer once it is sent, of the routes that are declared from now on. The route is known by then: what the
 * framework gives for it (`routeOptions`) it makes anew at each request.
 */
export function onAnswer(app: FastifyInstance, answered: Answered): void {
  app.addHook("onRoute", (route) => {
    const own = route.onResponse === undefined ? [] : [route.onResponse].flat();
    route.onResponse = [
      ...own,
      (request, reply, done) => {
        answered(request, reply, route.url);
        done();
      },
    ];
  });
  app.addHook("onResponse", (request, reply, done) => {
    if (request.is404) answered(request, reply, null);
    done();
  });
}
