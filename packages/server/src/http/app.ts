import { isUtf8 } from "node:buffer";
import { randomBytes } from "node:crypto";
import { type CodedError, type Problem, parseYaml, problemBody, problemOf, type YamlError } from "@countersign/api";
import { err, jsonLimits, type NumberMode, parseJson, type Result } from "@countersign/core";
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Logger } from "../logger.ts";
import { saysUtf8 } from "./charset.ts";
import { endStill } from "./endStill.ts";
import { hostGuard } from "./hostGuard.ts";
import { createMethods } from "./methods.ts";
import { onAnswer } from "./onAnswer.ts";

export const BODY_LIMIT = jsonLimits.bytes;
const BAD_ADDRESS = {
  code: "request.malformed",
  message: "the address is not percent-encoded UTF-8",
  expected: "%XX for bytes of UTF-8",
} as const;
const EXPECTATION = { code: "request.expectation", expected: "100-continue, or no Expect" } as const;
const REQUEST_TIMEOUT_MS = 10_000;
const STILL_TIMEOUT_MS = 60_000;

export interface AppOptions {
  readonly logger: Logger;
  /** `host:port` values a request may name, besides loopback at the listening port. */
  readonly hosts: readonly string[];
  /** Web origins that may call; loopback at the listening port is always one. */
  readonly origins: readonly string[];
}

/** Sent with every answer; routes that serve pages add a content policy of their own. */
const HEADERS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
} as const;

/**
 * The HTTP stack with all its duties: strict JSON by our own reader, limits, host and origin checks, request ids, one
 * shape for every error. No framework parser or serialiser touches what is judged or signed.
 */
export function createApp(options: AppOptions): FastifyInstance {
  const prefix = randomBytes(6).toString("base64url");
  let count = 0;
  /** What reaches no hook has its line too: whoever was given an id finds it in the log. */
  const refused = (request: string, method: string, status: number) =>
    options.logger.requested({ request, method, route: null, status, ms: 0 });
  const app = Fastify({
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: 30_000,
    connectionTimeout: STILL_TIMEOUT_MS,
    forceCloseConnections: true,
    // Node would answer a request without a host by itself, in no shape of ours; and look for slow ones every 30 s only.
    // The time for the head has to be the shorter one: Node swaps the two where it is not.
    http: { requireHostHeader: false, connectionsCheckingInterval: 1_000, headersTimeout: 5_000 },
    exposeHeadRoutes: false,
    logger: false,
    genReqId: () => {
      count += 1;
      return `${prefix}-${count}`;
    },
    // An address that cannot be read reaches no hook, and what the framework would answer repeats it.
    frameworkErrors(error, request, reply) {
      reply.headers(HEADERS).header("x-request-id", request.id);
      send(
        reply as unknown as FastifyReply,
        problemOf(error.code === "FST_ERR_BAD_URL" ? BAD_ADDRESS : "route.unknown"),
      );
      refused(request.id, request.method, reply.statusCode);
    },
    clientErrorHandler(error, socket) {
      // What is not HTTP, too slow or too large in its head never reaches a route.
      if (!socket.writable) return;
      const code = (error as NodeJS.ErrnoException).code;
      const problem = problemOf(
        code === "ERR_HTTP_REQUEST_TIMEOUT"
          ? "request.timeout"
          : code === "HPE_HEADER_OVERFLOW"
            ? "request.head_too_large"
            : "request.malformed",
      );
      const body = problemBody(problem);
      socket.end(
        `HTTP/1.1 ${problem.status} ${problem.title}\r\ncontent-type: application/problem+json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
      );
    },
  });
  // Node would answer this by itself too, with nothing in it.
  app.server.on("checkExpectation", ({ method = "GET" }, response) => {
    count += 1;
    const id = `${prefix}-${count}`;
    const problem = problemOf(EXPECTATION);
    const body = problemBody(problem);
    response
      .writeHead(problem.status, {
        ...HEADERS,
        "x-request-id": id,
        "content-type": "application/problem+json",
        "content-length": Buffer.byteLength(body),
        connection: "close",
      })
      .end(body);
    refused(id, method, problem.status);
  });
  // Listening on "localhost", the framework opens a server for each further address and gives out none of them: those keep
  // the runtime's own timer.
  app.server.setTimeout(0);
  endStill(app.server, STILL_TIMEOUT_MS);
  app.removeAllContentTypeParsers();
  readBodies(app, "plain");
  const guard = hostGuard(options);
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(HEADERS);
    reply.header("x-request-id", request.id);
    const refusal = guard(request);
    if (refusal !== null) return void send(reply, problemOf(refusal));
    done();
  });
  onAnswer(app, (request, reply, route) =>
    options.logger.requested({
      request: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    }),
  );
  answerErrors(app, options.logger, send);
  const methods = createMethods();
  app.addHook("onRoute", ({ url, method }) => methods.learn(url, [method].flat()));
  app.setNotFoundHandler((request, reply) => {
    const allowed = methods.at(request.url.split("?", 1)[0] ?? "");
    // A name that is too long for the router is at no address, whatever the method.
    if (allowed.length === 0 || allowed.includes(request.method)) return send(reply, problemOf("route.unknown"));
    const allow = allowed.join(", ");
    return send(reply.header("allow", allow), problemOf({ code: "method.refused", expected: allow }));
  });
  return app;
}

/**
 * Bodies of the routes of this scope are read by our own reader and nothing else. `exact` keeps the text of numbers where
 * a digest needs it.
 */
export function readBodies(scope: FastifyInstance, numbers: NumberMode, limit = BODY_LIMIT): void {
  readAs(scope, "application/json", limit, (bytes) =>
    parseJson(bytes, { ...jsonLimits, bytes: limit }, numbers, decodeStrictly),
  );
}

/** Documents that people write may be YAML: its core schema, which says the same as JSON does. */
export function readYamlBodies(scope: FastifyInstance, limit = BODY_LIMIT): void {
  for (const type of ["application/yaml", "text/yaml", "application/x-yaml"]) {
    readAs(scope, type, limit, (bytes) => {
      const text = decodeStrictly(bytes);
      if (text === undefined) return err({ code: "yaml.malformed", message: "the body is not UTF-8" } as const);
      const read = parseYaml(text);
      // Where it is stands in the sentence: a line is no JSON Pointer.
      return read.ok ? read : err({ code: read.error.code, message: placed(read.error) });
    });
  }
}

/** Bodies of every other type are refused with a status of the interface's own. */
export function refuseOtherBodies(scope: FastifyInstance, status: number): void {
  const problem = { ...problemOf({ code: "request.media_type", expected: "application/json" }), status };
  scope.addContentTypeParser("*", (_request, _stream, done) => done(asError(problem), undefined));
}

const placed = ({ message, path }: YamlError): string => (path === undefined ? message : `${message} (${path})`);

function readAs(
  scope: FastifyInstance,
  type: string,
  limit: number,
  parse: (bytes: Buffer) => Result<unknown, CodedError>,
): void {
  if (scope.hasContentTypeParser(type)) scope.removeContentTypeParser(type);
  scope.addContentTypeParser(type, (request, stream, done) => {
    const packed = request.headers["content-encoding"];
    if (packed !== undefined && packed !== "identity") return done(asError(problemOf(PACKED)), undefined);
    if (!saysUtf8(request.headers["content-type"] ?? "")) return done(asError(problemOf(otherText(type))), undefined);
    const chunks: Buffer[] = [];
    let size = 0;
    let over = false;
    stream.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        if (!over) done(asError(problemOf(tooLarge(limit))), undefined);
        over = true;
        chunks.length = 0;
      } else chunks.push(chunk);
    });
    stream.on("error", () => {
      if (!over) done(asError(problemOf("request.incomplete")), undefined);
    });
    stream.on("end", () => {
      if (over) return;
      const read = parse(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
      if (read.ok) done(null, read.value);
      else done(asError(problemOf(read.error)), undefined);
    });
  });
}

const PACKED = {
  code: "request.media_type",
  message: "the body is packed, and nothing is unpacked here",
  expected: "no content-encoding",
} as const;

const otherText = (type: string) =>
  ({
    code: "request.media_type",
    message: "the body is in another encoding than is read here",
    expected: `${type} in UTF-8`,
  }) as const;

const tooLarge = (limit: number) => ({ code: "request.too_large", expected: `at most ${limit} bytes` }) as const;

/** How the runtime decodes, refusing what is not UTF-8. */
const decodeStrictly = (bytes: Uint8Array): string | undefined =>
  isUtf8(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8") : undefined;

/** Every error of the routes of this scope as a problem, written as its face writes them. */
export function answerErrors(
  scope: FastifyInstance,
  logger: Logger,
  write: (reply: FastifyReply, problem: Problem) => FastifyReply,
): void {
  scope.setErrorHandler((error: FastifyError | ProblemError, request, reply) =>
    write(reply, error instanceof ProblemError ? error.problem : fromFastify(error, request, logger)),
  );
}

/** Carries a problem through Fastify's error path. */
class ProblemError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.code);
    this.problem = problem;
  }
}

const asError = (problem: Problem): ProblemError => new ProblemError(problem);

function fromFastify(error: FastifyError, request: FastifyRequest, logger: Logger): Problem {
  if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE") return problemOf(tooLarge(BODY_LIMIT));
  if (error.code === "FST_ERR_CTP_INVALID_MEDIA_TYPE")
    return problemOf({ code: "request.media_type", expected: "application/json" });
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return problemOf("request.malformed");
  // The text of an unforeseen error may carry content: its name and place go to the log, and nothing to the caller.
  logger.error({ request: request.id, error: error.name, at: error.stack?.split("\n")[1]?.trim() }, "internal error");
  return problemOf("internal");
}

export function send(reply: FastifyReply, problem: Problem): FastifyReply {
  return reply.code(problem.status).header("content-type", "application/problem+json").send(problemBody(problem));
}
