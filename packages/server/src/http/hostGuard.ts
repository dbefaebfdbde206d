import type { FastifyRequest } from "fastify";

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

export type HostRefusal = "host.refused" | "origin.refused";

/**
 * A page in a browser must not reach the gate by a name that it rebinds to loopback: the Host has to be one of ours,
 * and an Origin, where there is one, too.
 */
export function hostGuard(allowed: { readonly hosts: readonly string[]; readonly origins: readonly string[] }) {
  let port = -1;
  let hosts = new Set<string>();
  let origins = new Set<string>();
  return (request: FastifyRequest): HostRefusal | null => {
    const listening = request.socket.localPort ?? 0;
    if (listening !== port) {
      port = listening;
      const own = LOOPBACK.map((name) => (port === 0 ? name : `${name}:${port}`));
      hosts = new Set([
        ...own,
        ...(port === 80 || port === 0 ? LOOPBACK : []),
        ...allowed.hosts.map((host) => host.toLowerCase()),
      ]);
      origins = new Set([
        ...own.map((host) => `http://${host}`),
        ...allowed.origins.map((origin) => origin.toLowerCase()),
      ]);
    }
    const host = request.headers.host;
    if (host === undefined || !(hosts.has(host) || hosts.has(host.toLowerCase()))) return "host.refused";
    const origin = request.headers.origin;
    return origin === undefined || origins.has(origin.toLowerCase()) ? null : "origin.refused";
  };
}
