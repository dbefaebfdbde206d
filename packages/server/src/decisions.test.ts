import { createHash, generateKeyPairSync, type KeyObject, randomBytes, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { readJwks, verifyAdvice, verifyReceipt, writeJwks, writeMandateKeys } from "@countersign/api";
import { createGate, createMemoryStore, type JsonValue, readPolicy, type Store, samePolicy } from "@countersign/core";
import { sharedSuite } from "@countersign/core/testing";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { FastifyInstance } from "fastify";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LOCAL } from "./caller.ts";
import { firewallDialect } from "./face/firewall.ts";
import { mandateDialect } from "./face/mandate.ts";
import { nativeDialect } from "./face/native.ts";
import { createNodeSigner } from "./keys/nodeSigner.ts";
import { createLogger } from "./logger.ts";
import { createServer } from "./server.ts";

const random = (length: number) => new Uint8Array(randomBytes(length));
const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());
const publicBytes = (key: KeyObject) =>
  new Uint8Array(Buffer.from(key.export({ format: "jwk" }).x as string, "base64url"));
const ISSUER = "https://gate.example";
const POLICY = {
  mandate: {
    clauses: [{ id: "reads", effect: "allow", match: { kind: ["file"], verb: ["read"], target_prefix: ["/work/"] } }],
    default: "block",
  },
};

const keys = {
  receipts: generateKeyPairSync("ed25519"),
  mandate: generateKeyPairSync("ed25519"),
  advice: generateKeyPairSync("ed25519"),
};
const signers = {
  receipts: createNodeSigner("r1", keys.receipts.privateKey),
  mandate: createNodeSigner("m1", keys.mandate.privateKey),
};
let app: FastifyInstance;
let store: Store;
let base: string;

beforeAll(async () => {
  const policy = readPolicy(POLICY, "platform:default");
  if (!policy.ok) throw new Error("test data");
  store = createMemoryStore({ clock: Date.now, random, sha256 });
  const gate = createGate({
    ledger: store,
    policies: samePolicy(policy.value),
    sources: [],
    deadline: () => new Promise(() => {}),
    signer: () => signers.receipts,
    clock: Date.now,
    random,
    sha256,
    engine: "test/1",
    issuer: ISSUER,
    holds: null,
    content: "none",
  });
  const document = (key: { publicKey: KeyObject }, kid: string) => ({ kid, bytes: publicBytes(key.publicKey) });
  app = createServer({
    version: "0.0.0",
    dialects: [
      nativeDialect(gate, store),
      firewallDialect(Date.now),
      mandateDialect({ ledger: store, signer: () => signers.mandate, clock: Date.now, random, sha256 }),
    ],
    keys: {
      jwks: () => writeJwks([document(keys.receipts, signers.receipts.kid)]),
      adviceJwks: () => writeJwks([document(keys.advice, "advice")]),
      mandateKeys: () =>
        writeMandateKeys([
          { ...document(keys.mandate, signers.mandate.kid), notBefore: "2026-01-01T00:00:00Z", notAfter: null },
        ]),
    },
    readiness: async () => ((await store.health()).ok ? null : "log"),
    authenticator: async () => ({ ok: true, value: LOCAL }),
    logger: createLogger("silent"),
    hosts: [],
    origins: [],
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterAll(() => app.close());

async function post(path: string, body: unknown) {
  const answer = await fetch(base + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, JsonValue> & Record<string, never> };
}

const READ = { action: { kind: "file", verb: "read", target: "/work/a.txt" } };
let counter = 0;
const ask = (more: object = READ) => {
  counter += 1;
  return { ...more, idempotency_key: `key-${counter}` };
};

describe("POST /v1/decisions", () => {
  test("allows what a clause allows, with a receipt that any JWT library verifies by our key set", async () => {
    const { status, body } = await post("/v1/decisions", ask());
    expect(status).toBe(200);
    expect(body).toMatchObject({ verdict: "allow", basis: [{ by: "clause", scope: "platform:default", id: "reads" }] });
    const jwks = createRemoteJWKSet(new URL(`${base}/.well-known/jwks.json`));
    const { payload } = await jwtVerify(body["receipt"] as unknown as string, jwks, {
      typ: "countersign-receipt+jwt",
      issuer: ISSUER,
      audience: ISSUER,
      algorithms: ["EdDSA"],
    });
    expect(payload).toMatchObject({
      sub: "local",
      tenant: "local",
      verdict: "allow",
      action_digest: body["action_digest"],
    });
  });

  test("verifies by verifyReceipt, and Advice never verifies as a decision.", async () => {
    const { body } = await post("/v1/decisions", ask());
    const jwks = readJwks((await (await fetch(`${base}/.well-known/jwks.json`)).json()) as JsonValue);
    if (!jwks.ok) throw new Error("key set");
    const expected = {
      keys: jwks.value,
      issuer: ISSUER,
      audience: ISSUER,
      tenant: "local",
      subject: "local",
      actionDigest: body["action_digest"] as unknown as string,
      verdict: "allow",
      now: Math.floor(Date.now() / 1000),
      clockSkew: 0,
      replay: "accepted",
    } as const;
    expect(await verifyReceipt(body["receipt"] as unknown as string, expected)).toMatchObject({ ok: true });
    expect((await verifyAdvice(body["receipt"] as unknown as string, expected)).ok).toBe(false);
  });

  test("blocks what no clause names, and says so in codes", async () => {
    const { status, body } = await post(
      "/v1/decisions",
      ask({ action: { kind: "file", verb: "delete", target: "/work/a.txt" } }),
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({ verdict: "block", basis: null });
    expect((body["findings"] as unknown as { code: string }[]).map(({ code }) => code)).toContain("mandate.no_clause");
  });

  test("refuses to speak for another agent", async () => {
    expect(await post("/v1/decisions", { ...ask(), agent: "somebody" })).toMatchObject({
      status: 403,
      body: { code: "identity.mismatch" },
    });
  });

  test("gives the first answer again under the same key, and a conflict for another ask", async () => {
    const body = ask();
    const first = await post("/v1/decisions", body);
    expect(await post("/v1/decisions", body)).toEqual(first);
    expect(await post("/v1/decisions", { ...body, action: { ...READ.action, target: "/work/b.txt" } })).toMatchObject({
      status: 409,
      body: { code: "idempotency.conflict" },
    });
  });

  test("can be looked up by id, and a strange id is unknown", async () => {
    const { body } = await post("/v1/decisions", ask());
    const found = await fetch(`${base}/v1/decisions/${body["id"]}`);
    expect(await found.json()).toMatchObject({ id: body["id"], verdict: "allow", agent: "local" });
    expect((await fetch(`${base}/v1/decisions/dec_0190a1b2-0000-7000-8000-000000000000`)).status).toBe(404);
  });

  test.each([
    { it: "no key", body: READ, path: "/idempotency_key" },
    { it: "nothing asked", body: { idempotency_key: "k" }, path: "" },
    {
      it: "an unknown kind",
      body: { action: { ...READ.action, kind: "files" }, idempotency_key: "k" },
      path: "/action/kind",
    },
    {
      it: "an amount that is a number",
      body: { action: { ...READ.action, amount: { value: 1, currency: "USD" } }, idempotency_key: "k" },
      path: "/action/amount/value",
    },
    {
      it: "a policy, which is not the asker's to bring",
      body: { ...READ, policy: {}, idempotency_key: "k" },
      path: "/policy",
    },
  ])("refuses $it, with the path", async ({ body, path }) => {
    expect(await post("/v1/decisions", body)).toMatchObject({ status: 400, body: { code: "request.invalid", path } });
  });
});

describe("The same ask gives the same digest through every face.", () => {
  test("HTTP and MCP", async () => {
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp/native`)));
    const overMcp = await client.callTool({ name: "decide", arguments: ask() });
    await client.close();
    const overHttp = await post("/v1/decisions", ask());
    expect((overMcp.structuredContent as { action_digest: string }).action_digest).toBe(overHttp.body["action_digest"]);
  });
});

test("all tools stand at /mcp, and each dialect's at its own address", async () => {
  for (const [path, names] of Object.entries({
    "/mcp": ["decide", "trust_check_action", "check_action"],
    "/mcp/mandate": ["check_action", "validate_mandate"],
  })) {
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(new URL(base + path)));
    const listed = (await client.listTools()).tools.map(({ name }) => name);
    await client.close();
    expect(listed).toEqual(expect.arrayContaining(names));
  }
});

sharedSuite("contracts", (folder) => {
  const examples = JSON.parse(readFileSync(`${folder}/mandate.examples.json`, "utf8")) as { check_action: JsonValue[] };

  test.each([
    { example: 0, outcome: "permit", digest: "f6044fb2f66d8bc4deba7619d4e507e84344533c6bc7e6bcb6b4f1184168b875" },
    { example: 1, outcome: "permit", digest: "33e1d2ad55cd10279e09cfe586dc32164aab1fd1b4eeb0add182eafce483436f" },
  ])(
    "the published example $example gets its digest over HTTP, and a receipt that the published key verifies",
    async ({ example, outcome, digest }) => {
      const { body } = await post("/v1/check", examples.check_action[example]);
      expect(body).toMatchObject({ outcome, action_digest: digest });
      const { signature, ...receipt } = body["receipt"] as unknown as Record<string, string>;
      const list = (await (await fetch(`${base}/.well-known/hanria-receipt-keys.json`)).json()) as {
        keys: { kid: string; public_key: string }[];
      };
      const key = list.keys.find(({ kid }) => kid === receipt["kid"]);
      const sorted = Object.fromEntries(Object.entries(receipt).sort(([a], [b]) => (a < b ? -1 : 1)));
      const bytes = Buffer.from(`hanria-receipt-v1${JSON.stringify(sorted)}`);
      const spki = Buffer.concat([
        Buffer.from("302a300506032b6570032100", "hex"),
        Buffer.from(key?.public_key ?? "", "base64url"),
      ]);
      expect(
        verify(null, bytes, { key: spki, format: "der", type: "spki" }, Buffer.from(signature ?? "", "base64url")),
      ).toBe(true);
    },
  );
});

test("what the mandate dialect signs is in the log before it is signed", async () => {
  const before = ((await store.head("local")) as { value: { size: number } }).value.size;
  const mandate = {
    schema_version: "0.2-draft",
    mandate_id: "m",
    purpose: "p",
    default: "deny",
    clauses: [{ id: "c", effect: "permit", match: { kind: ["file"] } }],
  };
  const action = {
    schema_version: "0.1-draft",
    requested_by: { agent: "a" },
    operation: { kind: "file", verb: "read", target: "/tmp/x" },
    justification: "j",
  };
  expect((await post("/v1/check", { mandate, action })).body["receipt"]).toBeDefined();
  expect(((await store.head("local")) as { value: { size: number } }).value.size).toBe(before + 1);
});

test("/readyz says when the gate could not decide", async () => {
  expect((await fetch(`${base}/readyz`)).status).toBe(200);
});
