import { type DialectTool, streamEvents } from "@countersign/api";
import type { JsonObject } from "@countersign/core";
import type { FastifyInstance } from "fastify";
import type { Dialect } from "../face/dialect.ts";
import type { Till } from "../payment/till.ts";
import type { Operation } from "./operation.ts";
import { referencePage } from "./referencePage.ts";
import { KEY_PATHS } from "./wellKnown.ts";

const PROBLEM: JsonObject = {
  type: "object",
  description: "An error as RFC 9457 has it. Whatever the code, the caller treats it as block.",
  required: ["type", "title", "status", "code", "detail"],
  properties: {
    type: { type: "string", description: "`urn:countersign:error:` and the code." },
    title: { type: "string" },
    status: { type: "integer" },
    code: { type: "string", description: "Public and stable: codes are added, never changed." },
    detail: { type: "string" },
    path: { type: "string", description: "JSON Pointer to what is wrong." },
    expected: { type: "string" },
    errors: {
      type: "array",
      items: { type: "object" },
      description: "All that is wrong, when it is more than one thing.",
    },
  },
};

/** A tool that has a price: https://www.x402.org, version 2. */
const PAYMENT_REQUIRED: JsonObject = {
  402: {
    description:
      "What the answer costs (x402, version 2), in the body and as base64 in the header PAYMENT-REQUIRED. Pay with the header PAYMENT-SIGNATURE; PAYMENT-RESPONSE says what became of a payment.",
    content: {
      "application/problem+json": {
        schema: {
          allOf: [{ $ref: "#/components/schemas/Problem" }],
          properties: {
            x402Version: { const: 2 },
            resource: { type: "object" },
            accepts: { type: "array", items: { type: "object" } },
          },
        },
      },
    },
  },
};

const KEY_DOCUMENT: JsonObject = {
  type: "object",
  required: ["keys"],
  properties: { keys: { type: "array", items: { type: "object" } } },
};

export const dialectOperations = (dialect: Dialect, till: Till | null): readonly Operation[] =>
  dialect.tools.map((tool) => ({ ...dialectOperation(dialect.name, tool), sold: till?.sells(tool.name) === true }));

export const dialectOperation = (
  group: string,
  { title, description, inputSchema, outputSchema, http }: DialectTool,
): Operation => ({
  method: http.method,
  path: http.path,
  group,
  title,
  description,
  input: inputSchema,
  sold: false,
  output: outputSchema,
});

export const eventOperations: readonly Operation[] = [
  {
    ...streamEvents.http,
    group: "events",
    title: streamEvents.title,
    description: streamEvents.description,
    input: streamEvents.inputSchema,
    output: streamEvents.outputSchema,
    media: "text/event-stream",
    sold: false,
  },
];

export const keyOperations: readonly Operation[] = [
  { path: KEY_PATHS.jwks, title: "Keys of receipts", description: "The key set that verifies receipts of this gate." },
  {
    path: KEY_PATHS.adviceJwks,
    title: "Keys of advice",
    description: "The key set that verifies advice. Advice never verifies as a decision.",
  },
  {
    path: KEY_PATHS.mandateKeys,
    title: "Keys of mandate receipts",
    description: "The key list that verifies receipts of the mandate dialect.",
  },
].map((one) => ({ ...one, method: "GET", group: "keys", input: null, output: KEY_DOCUMENT, sold: false }) as const);

/** OpenAPI 3.1 of everything that is served, made from the same values that the routes are made of. */
export function openApi(version: string, operations: readonly Operation[]): JsonObject {
  const paths: { [path: string]: { [method: string]: JsonObject } } = {};
  for (const {
    method,
    path,
    group,
    title,
    description,
    input,
    output,
    sold,
    media = "application/json",
  } of operations) {
    paths[path] ??= {};
    paths[path][method.toLowerCase()] = {
      operationId: `${method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+/g, "_")}`,
      tags: [group],
      summary: title,
      description,
      ...parametersOf(method, path, input),
      ...bodyOf(method, path, input),
      responses: {
        200: { description: "The answer.", content: { [media]: { schema: output } } },
        ...(sold ? PAYMENT_REQUIRED : {}),
        default: {
          description: "An error, to be treated as block.",
          content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
        },
      },
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Countersign",
      version,
      description: "The gate that an AI agent's action passes before it happens.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    paths,
    components: { schemas: { Problem: PROBLEM } },
  };
}

const inAddress = (path: string): readonly string[] =>
  [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => name as string);

const KEY_HEADER: JsonObject = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  schema: { type: "string" },
  description: "As `idempotency_key` in the body, which may then be left out.",
};

/** What the address names, the query of a GET, and the header that stands for a member. */
function parametersOf(method: string, path: string, input: JsonObject | null): JsonObject {
  const named = inAddress(path);
  const members = memberSchemas(input);
  const queried = method === "GET" ? Object.keys(members).filter((name) => !named.includes(name)) : [];
  const keyed = method !== "GET" && Object.hasOwn(members, "idempotency_key");
  if (named.length + queried.length === 0 && !keyed) return {};
  const schemaOf = (name: string) => members[name] ?? { type: "string" };
  return {
    parameters: [
      ...named.map((name) => ({ name, in: "path", required: true, schema: schemaOf(name) })),
      ...queried.map((name) => ({ name, in: "query", required: isRequired(input, name), schema: schemaOf(name) })),
      ...(keyed ? [KEY_HEADER] : []),
    ],
  };
}

/** The input without what the address names. */
function bodyOf(method: string, path: string, input: JsonObject | null): JsonObject {
  if (method === "GET" || input === null) return {};
  const named = inAddress(path);
  const members = Object.entries(memberSchemas(input)).filter(([name]) => !named.includes(name));
  if (named.length > 0 && members.length === 0) return {};
  const required = (input["required"] as readonly string[] | undefined)?.filter((name) => !named.includes(name));
  const schema: JsonObject =
    named.length === 0
      ? input
      : { ...input, properties: Object.fromEntries(members), ...(required === undefined ? {} : { required }) };
  return { requestBody: { required: true, content: { "application/json": { schema } } } };
}

const memberSchemas = (input: JsonObject | null): { readonly [name: string]: JsonObject } =>
  (input?.["properties"] ?? {}) as { readonly [name: string]: JsonObject };

const isRequired = (input: JsonObject | null, name: string): boolean =>
  Array.isArray(input?.["required"]) && input["required"].includes(name);

export function mountReference(app: FastifyInstance, version: string, operations: readonly Operation[]): void {
  const document = JSON.stringify(openApi(version, operations));
  const page = referencePage(version, operations);
  app.get("/openapi.json", (_, reply) => reply.header("content-type", "application/json").send(document));
  app.get("/docs", (_, reply) =>
    reply
      .header("content-type", "text/html; charset=utf-8")
      .header(
        "content-security-policy",
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
      )
      .send(page),
  );
}
