import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { Writable } from "node:stream";
import { createGate, createMemoryStore, type JsonValue, readPolicy, type Store, samePolicy } from "@countersign/core";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { LOCAL } from "./caller.ts";
import { firewallDialect } from "./face/firewall.ts";
import { mandateDialect } from "./face/mandate.ts";
import { nativeDialect } from "./face/native.ts";
import { createNodeSigner } from "./keys/nodeSigner.ts";
import { createLogger } from "./logger.ts";
import { createServer } from "./server.ts";

const SECRET = `ghp_${"aB3dE6gH9".repeat(4)}`;
const random = (length: number) => new Uint8Array(randomBytes(length));
const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());
const signer = createNodeSigner("r1", generateKeyPairSync("ed25519").privateKey);
let logged = "";
let app: FastifyInstance;
let store: Store;
let base: string;

beforeAll(async () => {
  const policy = readPolicy(
    {
      mandate: { clauses: [{ id: "all", effect: "review", match: { kind: ["file"] } }], default: "block" },
      screening: { mode: "enforce" },
      evidence: { required: true, trusted: ["feed"] },
      contracts: [
        { id: "c", fields: { a: { type: "number", required: true } }, allow_extra: false, required_for: ["file"] },
      ],
    },
    "org:local",
  );
  if (!policy.ok) throw new Error("test data");
  store = createMemoryStore({ clock: Date.now, random, sha256 });
  const gate = createGate({
    ledger: store,
    policies: samePolicy(policy.value),
    sources: [],
    deadline: () => new Promise(() => {}),
    signer: () => signer,
    clock: Date.now,
    random,
    sha256,
    engine: "test",
    issuer: "https://gate.example",
    holds: { expiresIn: 60_000, grantFor: 60_000 },
    content: { keep: "full", keepFor: null },
  });
  const sink = new Writable({
    write(chunk, _, done) {
      logged += chunk;
      done();
    },
  });
  app = createServer({
    version: "0.0.0",
    dialects: [
      nativeDialect(gate, store),
      firewallDialect(Date.now),
      mandateDialect({ ledger: store, signer: () => signer, clock: Date.now, random, sha256 }),
    ],
    keys: { jwks: () => ({ keys: [] }), adviceJwks: () => ({ keys: [] }), mandateKeys: () => ({ keys: [] }) },
    authenticator: async () => ({ ok: true, value: LOCAL }),
    readiness: async () => null,
    logger: createLogger("info", sink),
    hosts: [],
    origins: [],
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterAll(() => app.close());

const WHOLE = {
  action: {
    kind: "file",
    verb: "read",
    target: "/work/a",
    counterparty: "shop",
    amount: { value: "1", currency: "USD" },
    parameters: { deep: [{ note: "x" }] },
    assets: ["file:x"],
    labels: ["x"],
    justification: "x",
  },
  material: {
    texts: [{ surface: "incoming", text: "x" }],
    urls: ["https://example.com/"],
    data: { a: 1, b: "x" },
    evidence: [{ source: "feed", observed_at: "2027-01-15T08:00:00Z" }],
  },
  agent: "local",
  session: "x",
  audience: "x",
};

/** The ask once for each place in it: the secret instead of a text, and the secret as the name of a member. */
function* planted(value: JsonValue): Generator<JsonValue> {
  if (typeof value === "string") yield SECRET;
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      for (const one of planted(item as JsonValue)) yield value.with(index, one) as JsonValue;
  } else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      for (const one of planted(member as JsonValue)) yield { ...value, [key]: one };
      yield { ...value, [SECRET]: member };
    }
  }
}

test("No planted secret appears: in no answer, log line, record, kept content, event or error, wherever it was put.", async () => {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp/native`)));
  const out: string[] = [];
  let count = 0;
  for (const ask of planted(WHOLE as unknown as JsonValue)) {
    count += 1;
    const body = JSON.stringify({ ...(ask as object), idempotency_key: `k${count}` });
    const answer = await fetch(`${base}/v1/decisions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    out.push(await answer.text(), JSON.stringify([...answer.headers]));
    const overMcp = await client.callTool({
      name: "decide",
      arguments: { ...JSON.parse(body), idempotency_key: `m${count}` },
    });
    out.push(JSON.stringify(overMcp));
  }
  const broken = [
    `{"${SECRET}`,
    `{"a":"${SECRET}","a":1}`,
    `{"${SECRET}":1,"${SECRET}":2}`,
    `{"${SECRET}":1e999}`,
    `{"${SECRET}":{"${SECRET}":12345678901234567890}}`,
    `{"${SECRET}":"\\ud800"}`,
    `{"${SECRET}":bare}`,
    JSON.stringify({ idempotency_key: SECRET }),
    `["${SECRET}"]`,
  ];
  for (const path of ["/v1/decisions", "/v1/trust/check-action", "/v1/check", "/mcp", `/${SECRET}`]) {
    for (const body of broken) {
      const answer = await fetch(base + path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      out.push(await answer.text());
    }
  }
  const tooLong = await fetch(`${base}/v1/decisions/${SECRET.repeat(9)}`);
  expect(tooLong.status).toBe(404);
  expect(tooLong.headers.get("content-type")).toContain("application/problem+json");
  out.push(await tooLong.text());
  await client.close();
  expect(count).toBeGreaterThan(30);

  const kept: unknown[] = [
    await store.entries("local", 0, 1_000),
    await store.decisions("local", { agents: null, limit: 1_000 }),
    await store.holds("local", { state: "any", agents: null, order: "age", limit: 1_000 }),
    await store.events("local", { after: -1, agents: null, kinds: null, limit: 1_000 }),
  ];
  const decisions = await store.decisions("local", { agents: null, limit: 1_000 });
  if (!decisions.ok) throw new Error(decisions.error.code);
  for (const { id } of decisions.value.items) kept.push(await store.content("local", id));
  expect(decisions.value.items.length).toBeGreaterThan(20);

  // Lines of the log are written a moment after their answers, in their order.
  await fetch(`${base}/healthz`);
  await vi.waitFor(() => expect(logged).toContain('"route":"/healthz"'));
  const everything = { answers: out.join("\n"), log: logged, kept: JSON.stringify(kept) };
  for (const [where, text] of Object.entries(everything)) expect(text.includes(SECRET), where).toBe(false);
});
