import { createHash, randomBytes } from "node:crypto";
import { type AddressInfo, connect } from "node:net";
import { Writable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { LOCAL } from "./caller.ts";
import { firewallDialect } from "./face/firewall.ts";
import { createLogger } from "./logger.ts";
import { createServer } from "./server.ts";

const SECRET = "sk-live-0123456789abcdefABCDEF0123456789";
let app: FastifyInstance;
let port: number;
let logged = "";

beforeAll(async () => {
  const sink = new Writable({
    write(chunk, _, done) {
      logged += chunk;
      done();
    },
  });
  app = createServer({
    version: "0.0.0",
    dialects: [firewallDialect(() => 1_800_000_000_000)],
    keys: { jwks: () => ({ keys: [] }), adviceJwks: () => ({ keys: [] }), mandateKeys: () => ({ keys: [] }) },
    readiness: async () => null,
    authenticator: async () => ({ ok: true, value: LOCAL }),
    logger: createLogger("info", sink),
    hosts: [],
    origins: [],
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

/** One exchange on a raw socket: what a client that follows no rule would send. */
function raw(
  text: string | Buffer,
  end = true,
): Promise<{ readonly status: number; readonly headers: string; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(text);
      if (end) socket.end();
    });
    let got = "";
    socket.on("data", (chunk) => {
      got += chunk;
    });
    socket.on("close", () => {
      const [headers = "", ...body] = got.split("\r\n\r\n");
      resolve({ status: Number(got.slice(9, 12)), headers, body: body.join("\r\n\r\n") });
    });
    socket.on("error", reject);
  });
}

const post = (body: string | Buffer, headers: Record<string, string> = {}, path = "/v1/trust/spend-guard") => {
  const all: Record<string, string> = {
    host: `127.0.0.1:${port}`,
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
    ...headers,
  };
  const head = `POST ${path} HTTP/1.1\r\n${Object.entries(all)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}: ${value}`)
    .join("\r\n")}\r\n\r\n`;
  return raw(Buffer.concat([Buffer.from(head), Buffer.from(body)]));
};

test("a spend within its budget is allowed, and one above it is not", async () => {
  expect(JSON.parse((await post('{"amount":10,"remaining_budget":10}')).body).verdict).toBe("ALLOW");
  expect(JSON.parse((await post('{"amount":11,"remaining_budget":10}')).body).verdict).toBe("BLOCK");
});

describe("bad input gets a problem with a code, and the next request is served", () => {
  test.each([
    { it: "half of a body", body: '{"amount":1,', status: 400, code: "json.syntax" },
    {
      it: "a member that is there twice",
      body: '{"amount":1,"amount":2,"remaining_budget":10}',
      status: 400,
      code: "json.duplicate_member",
    },
    {
      it: "broken UTF-8",
      body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      status: 400,
      code: "json.not_utf8",
    },
    { it: "a body nested too deeply", body: "[".repeat(5_000), status: 400, code: "json.too_deep" },
    {
      it: "a number that a double changes",
      body: '{"amount":9007199254740993,"remaining_budget":1}',
      status: 400,
      code: "json.number_lossy",
    },
    { it: "a body above 1 MiB", body: JSON.stringify("x".repeat(1 << 20)), status: 413, code: "request.too_large" },
    { it: "the wrong type", body: '{"amount":"1","remaining_budget":10}', status: 400, code: "request.invalid" },
    {
      it: "an unknown key",
      body: '{"amount":1,"remaining_budget":10,"budget":3}',
      status: 400,
      code: "request.invalid",
    },
    { it: "no body", body: "", status: 400, code: "json.syntax" },
  ])("$it", async ({ body, status, code }) => {
    const answer = await post(body);
    expect(answer.status).toBe(status);
    expect(answer.headers.toLowerCase()).toContain("content-type: application/problem+json");
    expect(JSON.parse(answer.body)).toMatchObject({ code, status });
    expect((await post('{"amount":1,"remaining_budget":1}')).status).toBe(200);
  });

  test.each([
    { it: "another content type", headers: { "content-type": "text/plain" }, status: 415, code: "request.media_type" },
    {
      it: "a body that says it is packed",
      headers: { "content-encoding": "gzip" },
      status: 415,
      code: "request.media_type",
    },
    {
      it: "JSON that says it is another text",
      headers: { "content-type": "application/json; charset=utf-16" },
      status: 415,
      code: "request.media_type",
    },
    {
      it: "what it expects and nobody promises",
      headers: { expect: "200-maybe" },
      status: 417,
      code: "request.expectation",
    },
    { it: "a host that is not ours", headers: { host: "evil.example.com" }, status: 421, code: "host.refused" },
    { it: "a foreign origin", headers: { origin: "http://evil.example.com" }, status: 403, code: "origin.refused" },
    { it: "no host", headers: { host: "" }, status: 421, code: "host.refused" },
  ])("$it", async ({ headers, status, code }) => {
    const answer = await post('{"amount":1,"remaining_budget":1}', headers);
    expect(answer.status).toBe(status);
    expect(answer.headers.toLowerCase()).toContain("content-type: application/problem+json");
    expect(answer.headers.toLowerCase()).toContain("x-request-id: ");
    expect(JSON.parse(answer.body)).toMatchObject({ code });
  });

  test("and what is expected and promised is sent", async () => {
    const answer = await post('{"amount":1,"remaining_budget":1}', { expect: "100-continue" });
    expect(answer.headers).toMatch(/^HTTP\/1.1 100 Continue/);
    expect(answer.body).toContain("HTTP/1.1 200 OK");
  });

  test.each([
    { method: "GET", path: "/v1/trust/spend-guard", allow: "POST" },
    { method: "PATCH", path: "/v1/trust/capabilities?a=1", allow: "GET" },
    { method: "PUT", path: "/mcp", allow: "DELETE, GET, POST" },
    { method: "OPTIONS", path: "/mcp/firewall", allow: "DELETE, GET, POST" },
    { method: "DELETE", path: "/healthz", allow: "GET" },
  ])("$method of $path is told what the address takes", async ({ method, path, allow }) => {
    const answer = await raw(`${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\n\r\n`);
    expect(answer.status).toBe(405);
    expect(answer.headers.toLowerCase()).toContain(`\r\nallow: ${allow.toLowerCase()}\r\n`);
    expect(JSON.parse(answer.body)).toMatchObject({ code: "method.refused", status: 405, expected: allow });
  });

  test.each([
    { it: "an unknown route", head: "GET /nowhere HTTP/1.1", status: 404 },
    { it: "an address that is not percent-encoded UTF-8", head: `GET /%ff/${SECRET} HTTP/1.1`, status: 400 },
    { it: "an unknown method", head: "BREW /docs HTTP/1.1", status: 400 },
    { it: "no HTTP at all", head: "\u0016\u0003\u0001 hello", status: 400 },
    { it: "a head of 100 kB", head: `GET /${"a".repeat(100_000)} HTTP/1.1`, status: 431 },
  ])("$it", async ({ head, status }) => {
    const answer = await raw(`${head}\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\n\r\n`);
    expect(answer.status).toBe(status);
    expect(answer.headers.toLowerCase()).toContain("content-type: application/problem+json");
    expect(JSON.parse(answer.body)).toMatchObject({ status, type: expect.stringMatching(/^urn:countersign:error:/) });
    expect(answer.body + answer.headers).not.toContain(SECRET);
  });

  test.each([
    { it: "another content type", headers: { "content-type": "text/plain" }, expected: "application/json" },
    {
      it: "another text",
      headers: { "content-type": "application/json;charset=latin1" },
      expected: "application/json in UTF-8",
    },
    { it: "a packed body", headers: { "content-encoding": "br" }, expected: "no content-encoding" },
  ])("$it is told what is expected", async ({ headers, expected }) => {
    expect(JSON.parse((await post("{}", headers)).body).expected).toContain(expected);
  });

  test("null is no empty object", async () => {
    const { status, body } = await post("null");
    expect(status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ path: "", expected: "object" });
  });

  test("a body above 1 MiB is told the limit", async () => {
    const { body } = await post(JSON.stringify("x".repeat(1 << 20)));
    expect(JSON.parse(body).expected).toBe("at most 1048576 bytes");
  });

  test("a request that is cut off", async () => {
    await raw(
      `POST /v1/trust/spend-guard HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"amount":`,
    );
    expect((await post('{"amount":1,"remaining_budget":1}')).status).toBe(200);
  });
});

test("a client that is too slow is told so, and holds nobody up", async () => {
  const slow = raw(
    `POST /v1/trust/spend-guard HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{`,
    false,
  );
  expect((await post('{"amount":1,"remaining_budget":1}')).status).toBe(200);
  expect((await slow).status).toBe(408);
}, 60_000);

test("every answer forbids sniffing, framing, scripts and storing, and has a request id", async () => {
  const { headers } = await post("{}");
  for (const name of [
    "x-content-type-options: nosniff",
    "x-frame-options: DENY",
    "content-security-policy: default-src 'none'",
    "cache-control: no-store",
    "x-request-id: ",
  ]) {
    expect(headers.toLowerCase()).toContain(name.toLowerCase());
  }
});

test("a secret in a request is in no answer and no log", async () => {
  const answers = [
    await post(JSON.stringify({ amount: SECRET, remaining_budget: 10 })),
    await post(JSON.stringify({ amount: 1, remaining_budget: 10, [SECRET]: 1 })),
    await post(`{"amount":"${SECRET}`),
    await post("{}", {}, `/v1/${SECRET}`),
  ];
  for (const { body, headers } of answers) expect(body + headers).not.toContain(SECRET);
  await vi.waitFor(() => expect(logged).toContain('"route":null'));
  expect(logged).toContain('"route":"/v1/trust/spend-guard"');
  expect(logged).not.toContain(SECRET);
});

test("the reference describes every route, and its page loads nothing and runs nothing", async () => {
  const get = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  const document = JSON.parse(await get("/openapi.json"));
  expect(document.openapi).toBe("3.1.0");
  expect(Object.keys(document.paths)).toContain("/v1/trust/check-action");
  const page = await get("/docs");
  expect(page).toContain("/v1/trust/check-action");
  expect(page).not.toMatch(/<script|<img|<link|javascript:/i);
});

test("random bytes are answered with a problem and never end the server", async () => {
  for (let i = 0; i < 50; i += 1) {
    const seed = createHash("sha256").update(String(i)).digest();
    const answer = await post(Buffer.concat([seed, randomBytes(i)]));
    expect(answer.status).toBe(400);
  }
});
