import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { writeJwks, writeMandateKeys } from "@countersign/api";
import {
  createGate,
  createLifecycle,
  createMemoryStore,
  createSessions,
  formatApiKey,
  type Gate,
  hashSecret,
  type JsonValue,
  type KeyHolder,
  type KeyScope,
  newId,
  type PolicySource,
  readPolicy,
  type Store,
  samePolicy,
} from "@countersign/core";
import type { FastifyInstance } from "fastify";
import { createAuthenticator } from "../auth/authenticator.ts";
import { createStanding } from "../auth/standing.ts";
import { egressPolicy } from "../egress/egress.ts";
import type { Dialect } from "../face/dialect.ts";
import { nativeDialect } from "../face/native.ts";
import { createNodeSigner, publicBytes } from "../keys/nodeSigner.ts";
import { keysService } from "../lifecycle/apiKeys.ts";
import { decisionsService } from "../lifecycle/decisions.ts";
import { holdsService } from "../lifecycle/holds.ts";
import { logOrigin, logService } from "../lifecycle/log.ts";
import { sessionsService } from "../lifecycle/sessions.ts";
import { stopsService } from "../lifecycle/stops.ts";
import { createWaiting } from "../lifecycle/waiting.ts";
import { webhooksService } from "../lifecycle/webhooks.ts";
import { createLogger } from "../logger.ts";
import type { Endpoint } from "../route/endpoint.ts";
import { createServer } from "../server.ts";

export const random = (length: number) => new Uint8Array(randomBytes(length));
export const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());

/** What the secrets of endpoints are made from. */
export const WEBHOOK_KEY = new Uint8Array(32).fill(7);

const HOUR = 3_600_000;
const POLICY: JsonValue = {
  mandate: {
    clauses: [
      { id: "reads", effect: "allow", match: { kind: ["file"], verb: ["read"] } },
      { id: "deletes", effect: "review", match: { kind: ["file"], verb: ["delete"] } },
      { id: "pays", effect: "allow", match: { kind: ["transaction"], verb: ["pay"] } },
    ],
    default: "block",
  },
  spend: { budgets: [{ id: "daily", per: "agent", window: { rolling: "P1D" }, currency: "USD", max: "100" }] },
};

export interface Answered {
  readonly status: number;
  readonly body: Record<string, JsonValue> & Record<string, never>;
}

/** A gate in memory behind HTTP, with a credential for everybody who meets there. */
export interface GateWorld {
  readonly app: FastifyInstance;
  readonly base: string;
  readonly store: Store;
  /** Moves the gate's clock on. */
  wait(millis: number): void;
  now(): number;
  /** Makes a key in a tenant, and gives what its holder sends. */
  key(tenant: string, holder: KeyHolder, scopes: readonly KeyScope[]): Promise<string>;
  call(method: string, path: string, key?: string, body?: unknown): Promise<Answered>;
  /** Asks as an agent about one of the actions that the policy speaks of. */
  ask(key: string, verb: string, more?: object): Promise<Answered>;
}

export interface WorldParts {
  readonly store: Store;
  readonly clock: () => number;
  readonly hash: typeof sha256;
}

export interface WorldOptions {
  /** What is in force; the policy of the world where nothing is said. */
  readonly policies?: (parts: WorldParts) => PolicySource;
  readonly endpoints?: (parts: WorldParts & { readonly gate: Gate }) => readonly Endpoint[];
  /** Whether a caller without a credential is the agent `local`. */
  readonly anonymous?: "loopback";
}

export async function gateWorld(
  more: (parts: WorldParts) => readonly Dialect[] = () => [],
  options: WorldOptions = {},
): Promise<GateWorld> {
  const policy = readPolicy(POLICY, "platform:default");
  if (!policy.ok) throw new Error("test data");
  let ahead = 0;
  const clock = () => Date.now() + ahead;
  const store = createMemoryStore({ clock, random, sha256 });
  const parts = { store, clock, hash: sha256 };
  const policies = options.policies?.(parts) ?? samePolicy(policy.value);
  const keyPair = generateKeyPairSync("ed25519");
  const signer = createNodeSigner("test", keyPair.privateKey);
  const sessions = createSessions({ store, clock, random });
  const gate = createGate({
    ledger: store,
    policies,
    sources: [],
    deadline: () => new Promise(() => {}),
    signer: () => signer,
    clock,
    random,
    sha256,
    engine: "test/1",
    issuer: "gate",
    holds: { expiresIn: HOUR, grantFor: HOUR },
    sessions,
    content: { keep: "full", keepFor: null },
  });
  const identity = (tenant: string) => ({
    key: { name: logOrigin("https://gate.example", tenant), publicKey: publicBytes(keyPair.publicKey) },
    signer,
  });
  const lifecycle = createLifecycle({ store, policies, clock, random, appealFor: HOUR });
  const app = createServer({
    version: "0.0.0",
    dialects: [nativeDialect(gate, store, lifecycle)],
    services: [
      decisionsService({ store, lifecycle }),
      holdsService({
        store,
        lifecycle,
        clock,
        keys: { signer: () => signer, known: () => [publicBytes(keyPair.publicKey)] },
        waiting: createWaiting(store),
        standing: createStanding({ keys: store, clock }),
      }),
      sessionsService({ store, sessions }),
      stopsService({ store, clock, random }),
      keysService({ store, clock, random, sha256 }),
      logService({ store, identity, sha256 }),
      webhooksService({
        store,
        policy: egressPolicy({ addresses: ["127.0.0.1/32"], names: [] }),
        key: async () => WEBHOOK_KEY,
        clock,
        random,
        sha256,
      }),
      ...more(parts),
    ],
    endpoints: options.endpoints?.({ ...parts, gate }) ?? [],
    events: { store, standing: createStanding({ keys: store, clock }), lookEveryMs: 100 },
    keys: { jwks: () => writeJwks([]), adviceJwks: () => writeJwks([]), mandateKeys: () => writeMandateKeys([]) },
    readiness: async () => null,
    authenticator: createAuthenticator({ keys: store, clock, sha256, anonymous: options.anonymous ?? "nobody" }),
    logger: createLogger("silent"),
    hosts: [],
    origins: [],
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  let asked = 0;

  const call: GateWorld["call"] = async (method, path, key, body) => {
    const answer = await fetch(base + path, {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Answered["body"] };
  };
  return {
    app,
    base,
    store,
    wait: (millis) => {
      ahead += millis;
    },
    now: clock,
    call,
    async key(tenant, holder, scopes) {
      const id = newId("key", clock(), random);
      const secret = random(32);
      const made = await store.commit(tenant, {
        kind: "key.put",
        id,
        hash: hashSecret(secret, sha256),
        name: "test",
        scopes,
        holder,
        expiresAt: null,
        by: { kind: "person", id: "operator" },
      });
      if (!made.ok) throw new Error(made.error.code);
      return formatApiKey(tenant, id, secret);
    },
    ask: (key, verb, rest = {}) => {
      asked += 1;
      const kind = verb === "pay" ? "transaction" : "file";
      return call("POST", "/v1/decisions", key, {
        action: { kind, verb, target: "/work/a.txt", ...rest },
        idempotency_key: `ask-${asked}`,
      });
    },
  };
}
