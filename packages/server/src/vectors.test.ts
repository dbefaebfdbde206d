import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { readDecision } from "@countersign/api";
import {
  actionDigest,
  createGate,
  createMemoryStore,
  decide,
  type EffectivePolicy,
  type Finding,
  factsNeeded,
  factsOf,
  type JsonValue,
  millisOf,
  parseInstant,
  readPolicy,
  samePolicy,
} from "@countersign/core";
import { type DecisionVector, decisionVectors } from "@countersign/core/testing";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LOCAL } from "./caller.ts";
import { nativeDialect } from "./face/native.ts";
import { createNodeSigner } from "./keys/nodeSigner.ts";
import { createLogger } from "./logger.ts";
import { createServer } from "./server.ts";

const { now, agent, scope, cases } = decisionVectors();
const instant = parseInstant(now);
if (!instant.ok) throw new Error("the time of the vectors cannot be read");
const at = instant.value;
const random = (length: number) => new Uint8Array(randomBytes(length));
const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());
const signer = createNodeSigner("r1", generateKeyPairSync("ed25519").privateKey);

interface Given {
  readonly verdict: string;
  readonly findings: readonly Finding[];
  readonly basis: JsonValue;
  readonly action_digest: string | null;
}
const shown = ({ verdict, findings, basis, action_digest }: Given) => ({
  verdict,
  codes: [...new Set(findings.map(({ code }) => code))].sort(),
  basis,
  action_digest,
});

/** One gate for all of them: each case decides by its own policy. */
let policy: EffectivePolicy;
let app: FastifyInstance;
let base: string;
let client: Client;

function begin(one: DecisionVector): void {
  const read = readPolicy(one.policy, scope);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  policy = read.value;
}

beforeAll(async () => {
  const store = createMemoryStore({ clock: () => millisOf(at), random, sha256 });
  const gate = createGate({
    ledger: store,
    policies: { effective: (asker) => samePolicy(policy).effective(asker) },
    sources: [],
    deadline: () => new Promise(() => {}),
    signer: () => signer,
    clock: () => millisOf(at),
    random,
    sha256,
    engine: "vectors",
    issuer: "https://gate.example",
    holds: null,
    content: "none",
  });
  app = createServer({
    version: "0.0.0",
    dialects: [nativeDialect(gate, store)],
    keys: { jwks: () => ({ keys: [] }), adviceJwks: () => ({ keys: [] }), mandateKeys: () => ({ keys: [] }) },
    authenticator: async () => ({ ok: true, value: { ...LOCAL, tenant: `t${counter}` } }),
    readiness: async () => null,
    logger: createLogger("silent"),
    hosts: [],
    origins: [],
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  client = new Client({ name: "test", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`)));
});
afterAll(async () => {
  await client.close();
  await app.close();
});

/** Every case in a tenant of its own, so that no payment of one counts in another; the digest names the tenant. */
let counter = 0;
const digestIn = (one: DecisionVector, tenant: string): string | null => {
  const question = readDecision({ ...one.ask, idempotency_key: "k" });
  if (!question.ok) throw new Error(JSON.stringify(question.error));
  const { action, material } = question.value;
  return actionDigest({
    asker: { tenant, agent, teams: [] },
    ...(action === undefined ? {} : { action }),
    ...(material === undefined ? {} : { material }),
  });
};

describe.each(cases.map((one) => [one.it, one] as const))("%s", (_, one) => {
  const wanted = (tenant: string) => ({ ...one.expect, action_digest: digestIn(one, tenant) });

  test("by the library, with the digest that is written down", () => {
    begin(one);
    const question = readDecision({ ...one.ask, idempotency_key: "k" });
    if (!question.ok) throw new Error(JSON.stringify(question.error));
    const { action, material } = question.value;
    const ask = {
      asker: { tenant: "local", agent, teams: [] },
      ...(action === undefined ? {} : { action }),
      ...(material === undefined ? {} : { material }),
    };
    const facts = factsOf(
      factsNeeded(ask, policy, at).map((key) => ({
        key,
        fact: {
          state: "known",
          value: key.fact === "spent" ? { spent: "0", reserved: "0" } : [],
          source: "vectors",
          at: now,
        },
      })),
    );
    const outcome = decide(ask, policy, facts, at);
    if (outcome.kind === "fault") throw new Error(outcome.code);
    expect(shown({ ...outcome, basis: outcome.basis as JsonValue, action_digest: actionDigest(ask) })).toEqual(
      one.expect,
    );
  });

  test("over HTTP", async () => {
    begin(one);
    counter += 1;
    const answer = await fetch(`${base}/v1/decisions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...one.ask, idempotency_key: `http-${counter}` }),
    });
    expect(shown((await answer.json()) as Given)).toEqual(wanted(`t${counter}`));
  });

  test("over MCP", async () => {
    begin(one);
    counter += 1;
    const answer = await client.callTool({
      name: "decide",
      arguments: { ...one.ask, idempotency_key: `mcp-${counter}` },
    });
    expect(shown(answer.structuredContent as unknown as Given)).toEqual(wanted(`t${counter}`));
  });
});
