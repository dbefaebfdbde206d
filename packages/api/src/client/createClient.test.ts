import { generateKeyPairSync } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { writeJwks } from "../receipt/keySet.ts";
import { type ClientOptions, createClient } from "./createClient.ts";
import type { Fetch } from "./transport.ts";

const ALLOW = { id: "dec_1", verdict: "allow", enforcement: "enforce", basis: [], findings: [], engine: "e" };
const REQUEST = { action: { kind: "file", verb: "read", target: "/a" } } as const;

interface Sent {
  readonly url: string;
  readonly init: Parameters<Fetch>[1];
}

/** Answers one after another; the last one stays. */
function gate(...answers: (object | string | Error | "hang")[]) {
  const sent: Sent[] = [];
  const fetch: Fetch = async (url, init) => {
    sent.push({ url, init });
    const answer = answers[Math.min(sent.length, answers.length) - 1];
    if (answer instanceof Error) throw answer;
    if (answer === "hang")
      await new Promise((_, reject) => init.signal.addEventListener("abort", () => reject(new Error())));
    const {
      status = 200,
      headers = {},
      body = answer,
    } = (typeof answer === "object" ? answer : {}) as {
      status?: number;
      headers?: Record<string, string>;
      body?: unknown;
    };
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return {
      status,
      headers: { get: (name) => headers[name] ?? null },
      arrayBuffer: async () => new TextEncoder().encode(text).buffer as ArrayBuffer,
    };
  };
  const client = (options: Partial<ClientOptions> = {}) =>
    createClient({ baseUrl: "http://127.0.0.1:8402", fetch, timeout: 50, ...options });
  return { sent, client };
}

const problem = (status: number, code: string, headers = {}) => ({ status, headers, body: { code, detail: "why" } });

describe("asking", () => {
  test("sends the question once, with a key of its own", async () => {
    const { sent, client } = gate(ALLOW);
    expect(await client({ key: "secret" }).decide(REQUEST)).toEqual({
      kind: "answer",
      proceed: true,
      verdict: "allow",
      answer: ALLOW,
    });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.url).toBe("http://127.0.0.1:8402/v1/decisions");
    expect(sent[0]?.init).toMatchObject({
      method: "POST",
      redirect: "error",
      headers: { authorization: "Bearer secret" },
    });
    const body = JSON.parse(sent[0]?.init.body ?? "");
    expect(body).toEqual({ ...REQUEST, idempotency_key: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });

  test("keeps the caller's key", async () => {
    const { sent, client } = gate(ALLOW);
    await client().decide({ ...REQUEST, idempotency_key: "mine" });
    expect(JSON.parse(sent[0]?.init.body ?? "").idempotency_key).toBe("mine");
  });

  test.each([
    { it: "a connection that breaks", first: new Error("reset") },
    { it: "no answer in time", first: "hang" as const },
    { it: "a gate that is busy", first: problem(503, "store.busy") },
    { it: "too many requests", first: problem(429, "rate.limited", { "retry-after": "0" }) },
  ])("again after $it uses the same key", async ({ first }) => {
    const { sent, client } = gate(first, ALLOW);
    expect((await client().decide(REQUEST)).verdict).toBe("allow");
    expect(sent).toHaveLength(2);
    expect(sent[1]?.init.body).toBe(sent[0]?.init.body);
  });

  test("is given up after three tries", async () => {
    const { sent, client } = gate(problem(503, "store.unavailable"));
    const decision = await client().decide(REQUEST);
    expect(decision).toMatchObject({
      kind: "fault",
      error: { code: "store.unavailable", status: 503, message: "why" },
    });
    expect(sent).toHaveLength(3);
  });

  test("is not tried again where that cannot help, or would have to wait long", async () => {
    for (const answer of [problem(400, "request.invalid"), problem(429, "rate.limited", { "retry-after": "60" })]) {
      const { sent, client } = gate(answer);
      expect((await client().decide(REQUEST)).kind).toBe("fault");
      expect(sent).toHaveLength(1);
    }
  });

  test.each(["review", "block"] as const)(
    "does not proceed on %s, unless the operator only observes",
    async (verdict) => {
      expect(
        await gate({ ...ALLOW, verdict })
          .client()
          .decide(REQUEST),
      ).toMatchObject({ proceed: false, verdict });
      const observed = gate({ ...ALLOW, verdict, enforcement: "observe" });
      expect(await observed.client().decide(REQUEST)).toMatchObject({ proceed: true, verdict });
    },
  );

  test("passes over members that a later gate adds", async () => {
    expect(
      (
        await gate({ ...ALLOW, later: { a: 1 } })
          .client()
          .decide(REQUEST)
      ).proceed,
    ).toBe(true);
  });
});

describe("no path that throws, times out or dies allows", () => {
  test.each<{ it: string; answer: object | string | Error | "hang" }>([
    { it: "a connection that breaks", answer: new Error("reset") },
    { it: "a gate that hangs", answer: "hang" },
    { it: "another status, though the body allows", answer: { status: 500, body: ALLOW } },
    { it: "accepted, though the body allows", answer: { status: 202, body: ALLOW } },
    { it: "no JSON", answer: { body: "<html>allow</html>" } },
    { it: "an empty body", answer: { body: "" } },
    { it: "the verdict twice", answer: { body: JSON.stringify(ALLOW).replace("{", '{"verdict":"block",') } },
    { it: "a verdict in other letters", answer: { ...ALLOW, verdict: "ALLOW" } },
    { it: "no verdict", answer: { ...ALLOW, verdict: undefined } },
    { it: "no id", answer: { ...ALLOW, id: undefined } },
    { it: "no word on enforcement", answer: { ...ALLOW, enforcement: undefined } },
    { it: "findings that are none", answer: { ...ALLOW, findings: [1] } },
    { it: "a list", answer: { body: [ALLOW] } },
    { it: "more than a gate answers", answer: { body: JSON.stringify({ ...ALLOW, pad: "x".repeat(1 << 20) }) } },
  ])("$it", async ({ answer }) => {
    expect(await gate(answer).client().decide(REQUEST)).toMatchObject({
      kind: "fault",
      proceed: false,
      verdict: "block",
    });
  });

  test("a question that cannot be written", async () => {
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    for (const parameters of [circular, { amount: 1n }]) {
      const { client, sent } = gate(ALLOW);
      const decision = await client().decide({ action: { ...REQUEST.action, parameters: parameters as never } });
      expect(decision).toMatchObject({ kind: "fault", error: { code: "client.request_malformed" } });
      expect(sent).toHaveLength(0);
    }
  });
});

describe("a client is made", () => {
  test.each([
    { it: "an address that is none", options: { baseUrl: "gate" } },
    { it: "another scheme", options: { baseUrl: "file:///etc" } },
    { it: "a password in the address", options: { baseUrl: "https://a:b@gate.example" } },
    { it: "a query", options: { baseUrl: "https://gate.example/?a" } },
    { it: "a key that would go over the network in the clear", options: { baseUrl: "http://gate.example", key: "k" } },
  ])("not with $it", ({ options }) => {
    expect(() => createClient(options)).toThrow(TypeError);
  });

  test.each(["https://gate.example/base/", "http://localhost:1/", "http://[::1]:1"])("for %s", (baseUrl) => {
    expect(() => createClient({ baseUrl, key: "k" })).not.toThrow();
  });
});

test("keys come as a set to verify with", async () => {
  const { x = "" } = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
  const jwks = writeJwks([{ kid: "r1", bytes: Buffer.from(x, "base64url") }]);
  const { sent, client } = gate(jwks);
  const keys = await client({ baseUrl: "https://gate.example/base/" }).keys();
  expect(sent[0]?.url).toBe("https://gate.example/base/.well-known/jwks.json");
  expect(keys.ok && [...keys.value.keys()]).toEqual(["r1"]);
  expect(await gate({ keys: 1 }).client().keys()).toMatchObject({
    ok: false,
    error: { code: "receipt.keys_malformed" },
  });
});

test("a decision is looked up by its id, and an answer about another one is none", async () => {
  const summary = { id: "dec_1", verdict: "allow" };
  expect(await gate(summary).client().decision("dec_1")).toEqual({ ok: true, value: summary });
  expect(await gate(summary).client().decision("dec_2")).toMatchObject({ ok: false });
});

describe("over a real connection", () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  test("a redirect is not followed, and no key goes elsewhere", async () => {
    const seen: string[] = [];
    server = createServer((request, response) => {
      seen.push(request.url ?? "");
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const decision = await createClient({ baseUrl: `http://127.0.0.1:${port}`, key: "k" }).decide(REQUEST);
    expect(decision).toMatchObject({ kind: "fault", error: { code: "client.unreachable" } });
    expect(seen).not.toContain("/elsewhere");
  });
});
