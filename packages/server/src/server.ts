import type { JsonObject } from "@countersign/core";
import type { FastifyInstance } from "fastify";
import type { Authenticator } from "./auth/authenticator.ts";
import type { Dialect } from "./face/dialect.ts";
import { toolSet } from "./face/toolSet.ts";
import { createApp } from "./http/app.ts";
import { type EventsFace, mountEvents } from "./lifecycle/eventStream.ts";
import type { Logger } from "./logger.ts";
import { mountMcp } from "./mcp/http.ts";
import type { Implementation } from "./mcp/protocol.ts";
import type { Till } from "./payment/till.ts";
import { mountDialect } from "./route/dialects.ts";
import { type Endpoint, mountEndpoints } from "./route/endpoint.ts";
import { mountHealth, type Readiness } from "./route/health.ts";
import { mountMetrics } from "./route/metrics.ts";
import { dialectOperations, eventOperations, keyOperations, mountReference } from "./route/openapi.ts";
import { type KeyDocuments, mountKeys } from "./route/wellKnown.ts";

/** Everything a server is handed. It makes no adapter and reads no environment of its own. */
export interface ServerOptions {
  readonly version: string;
  readonly dialects: readonly Dialect[];
  /** What is served over HTTP and is no tool: holds, stops, the log. */
  readonly services?: readonly Dialect[];
  /** What has documents, conditions and answers of its own kind: policies, cards, AuthZEN. */
  readonly endpoints?: readonly Endpoint[];
  /** What happens, as a stream. */
  readonly events?: EventsFace;
  readonly keys: KeyDocuments;
  readonly authenticator: Authenticator;
  /** Sells the tools that have a price. Without it nothing is sold, and nothing asks for payment. */
  readonly till?: Till;
  readonly readiness: Readiness;
  readonly logger: Logger;
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
}

export const implementation = (version: string): Implementation => ({
  name: "countersign",
  title: "Countersign",
  version,
});

/** One gate behind HTTP and MCP. The caller listens and closes. */
export function createServer(options: ServerOptions): FastifyInstance {
  const app = createApp(options);
  const till = options.till ?? null;
  const metrics = mountMetrics(app, options.authenticator);
  const dialects = options.dialects.map(metrics.counted);
  const served = [...dialects, ...(options.services ?? []).map(metrics.counted)];
  const endpoints = options.endpoints ?? [];
  mountEndpoints(app, endpoints, options.authenticator);
  for (const dialect of served) mountDialect(app, dialect, options.authenticator, till);
  mountMcp(
    app,
    implementation(options.version),
    dialects.map((dialect) => toolSet(dialect, till)),
    options.authenticator,
    options.logger,
  );
  if (options.events !== undefined) mountEvents(app, options.events, options.authenticator);
  mountKeys(app, options.keys);
  mountHealth(app, options.readiness);
  mountReference(app, options.version, [
    ...served.flatMap((dialect) => dialectOperations(dialect, till)),
    ...endpoints.map(({ operation }) => operation),
    ...(options.events === undefined ? [] : eventOperations),
    ...keyOperations,
  ]);
  app.get("/", (_, reply) => reply.header("content-type", "application/json").send(JSON.stringify(index(options))));
  return app;
}

/** What a person or program finds at the root: where to go on. */
const index = ({ version, dialects }: ServerOptions): JsonObject => ({
  service: "countersign",
  version,
  docs: "/docs",
  openapi: "/openapi.json",
  mcp: ["/mcp", ...dialects.map(({ name }) => `/mcp/${name}`)],
});
