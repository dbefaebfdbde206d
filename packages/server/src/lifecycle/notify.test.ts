import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSchemaCache, createStoredPolicies, type JsonObject, type StoredPolicies } from "@countersign/core";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEgress, EGRESS_LIMITS, egressPolicy } from "../egress/egress.ts";
import { createLogger } from "../logger.ts";
import { policyEndpoints } from "../policies/policyEndpoints.ts";
import { type GateWorld, gateWorld, random, sha256, WEBHOOK_KEY } from "../testing/gateWorld.ts";
import { startDeliveries } from "../upkeep/deliveries.ts";
import { startSweeper } from "../upkeep/sweeper.ts";

let world: GateWorld;
let agent: string;
let alice: string;
let root: string;

beforeAll(async () => {
  let stored: StoredPolicies | undefined;
  world = await gateWorld(() => [], {
    policies: ({ store, clock }) => {
      stored = createStoredPolicies({ store, operator: "operator", cards: null, clock });
      return stored;
    },
    endpoints: ({ store, clock }) =>
      policyEndpoints({
        store,
        policies: stored as StoredPolicies,
        schemas: createSchemaCache(10),
        operator: "operator",
        clock,
        random,
      }),
  });
  agent = await world.key("acme", { kind: "agent", agent: "a" }, ["decide"]);
  alice = await world.key("acme", { kind: "person", person: "alice" }, ["review"]);
  root = await world.key("acme", { kind: "person", person: "root" }, ["policy", "admin"]);
});
afterAll(() => world.app.close());

const document = (notify: JsonObject): JsonObject => ({
  mandate: { clauses: [{ id: "deletes", effect: "review", match: { kind: ["file"] } }], default: "block" },
  review: { sla_seconds: 600, notify },
});

async function put(notify: JsonObject) {
  const before = await fetch(`${world.base}/v1/policies/org/acme`, { headers: { authorization: `Bearer ${root}` } });
  const etag = before.status === 200 ? before.headers.get("etag") : null;
  const answer = await fetch(`${world.base}/v1/policies/org/acme`, {
    method: "PUT",
    headers: {
      authorization: `Bearer ${root}`,
      "content-type": "application/json",
      ...(etag === null ? { "if-none-match": "*" } : { "if-match": etag }),
    },
    body: JSON.stringify(document(notify)),
  });
  return { status: answer.status, body: (await answer.json()) as JsonObject };
}

async function receiver() {
  const got: { headers: Record<string, string>; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      got.push({ headers: request.headers as Record<string, string>, body });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, got, close: () => server.close() };
}

const hookOf = async (url: string, more: JsonObject = {}) =>
  (await world.call("POST", "/v1/webhooks", root, { url, kinds: ["stop.put"], ...more })).body as JsonObject;

const eventsOf = async (ref: unknown) => {
  const found = await world.store.events("acme", { after: -1, agents: null, kinds: null, limit: 500 });
  return found.ok ? found.value.filter((one) => one.ref === ref || one.hold === ref) : [];
};

describe("whoever the policy names", () => {
  test("is told by a signed delivery when a hold opens, when its end is near and when time has closed it, and nobody else is", async () => {
    const [named, other] = [await receiver(), await receiver()];
    const hook = await hookOf(named.url);
    await hookOf(other.url);
    expect(await put({ webhooks: [hook["id"] as string], sse: ["alice"], remind_before_seconds: 60 })).toMatchObject({
      status: 201,
    });
    const deliveries = startDeliveries({
      store: world.store,
      egress: createEgress({
        policy: egressPolicy({ addresses: ["127.0.0.1/32"], names: [] }),
        resolver: { resolve: async () => ({ state: "unknown", reason: "no names here" }) as never },
        ...EGRESS_LIMITS,
        ca: "system",
      }),
      key: async () => WEBHOOK_KEY,
      clock: world.now,
      sha256,
      logger: createLogger("silent"),
      everyMillis: 20,
    });
    const sweeper = startSweeper(world.store, createLogger("silent"), 20);
    const { body } = await world.ask(agent, "delete");
    const hold = (body["hold"] as unknown as JsonObject)["id"] as string;
    await expect.poll(() => named.got.length, { timeout: 10_000 }).toBe(1);
    world.wait(545_000);
    await expect.poll(() => named.got.length, { timeout: 10_000 }).toBe(2);
    world.wait(60_000);
    await expect.poll(() => named.got.length, { timeout: 10_000 }).toBe(3);
    await sweeper.stop();
    await deliveries.stop();
    const recipients = ["person:alice", `webhook:${hook["id"]}`];
    const verified = named.got.map(({ headers, body: text }) => {
      // Verified at the time that the gate's clock, moved on, signed it.
      const now = Date.now;
      Date.now = () => Number(headers["webhook-timestamp"]) * 1000;
      try {
        return new Webhook(hook["secret"] as string).verify(text, headers);
      } finally {
        Date.now = now;
      }
    });
    expect(verified).toMatchObject([
      { type: "decide", data: { ref: body["id"], hold, recipients } },
      { type: "hold.due", data: { ref: hold, recipients } },
      { type: "hold.expire", data: { ref: hold, recipients } },
    ]);
    expect(other.got).toEqual([]);
    named.close();
    other.close();
  });

  test("stands in the hold and on the stream, the people's names for people only", async () => {
    const hook = await hookOf("http://127.0.0.1:9/");
    await put({ webhooks: [hook["id"] as string], sse: ["alice"] });
    const { body } = await world.ask(agent, "delete");
    const hold = (body["hold"] as unknown as JsonObject)["id"] as string;
    const all = ["person:alice", `webhook:${hook["id"]}`];
    for (const { key, want } of [
      { key: alice, want: all },
      { key: agent, want: all.slice(1) },
    ]) {
      const { body: shown } = await world.call("GET", `/v1/holds/${hold}`, key);
      expect(shown).toMatchObject({ recipients: want, remind_at: null });
      const [event] = await eventsOf(hold);
      const abort = new AbortController();
      const stream = await fetch(`${world.base}/v1/events?from=${event?.id}`, {
        headers: { authorization: `Bearer ${key}` },
        signal: abort.signal,
      });
      let text = "";
      for await (const chunk of stream.body ?? []) {
        text += new TextDecoder().decode(chunk as Uint8Array);
        if (text.includes("\n\nid: ") && text.endsWith("\n\n")) break;
      }
      abort.abort();
      const data = JSON.parse(/data: (.*)/.exec(text)?.[1] ?? "null");
      expect(data).toMatchObject({ kind: "decide", hold, recipients: want });
    }
  });

  test("of an appeal is told as well", async () => {
    await put({ sse: true });
    const { body } = await world.call("POST", "/v1/decisions", agent, {
      action: { kind: "network", verb: "get", target: "https://api.example.com/" },
      idempotency_key: "blocked",
    });
    expect(body["verdict"]).toBe("block");
    const appealed = await world.call("POST", `/v1/decisions/${body["id"]}/appeal`, agent, {
      reason: "it is needed",
      idempotency_key: "appeal",
    });
    expect(appealed.status).toBe(200);
    expect((await eventsOf(body["id"])).find(({ kind }) => kind === "appeal")).toMatchObject({
      recipients: ["people"],
    });
  });

  test("has to be there when the document is saved, and nothing is saved otherwise", async () => {
    const { body: before } = await world.call("GET", "/v1/policies/org/acme", root);
    const { status, body } = await put({ sse: ["alise"], webhooks: ["hook_01900000-0000-7000-8000-00000000000a"] });
    expect(status).toBe(400);
    expect(body["errors"]).toMatchObject([
      {
        code: "policy.unknown_target",
        path: "/review/notify/sse/0",
        message: expect.stringContaining("did you mean alice?"),
      },
      { code: "policy.unknown_target", path: "/review/notify/webhooks/0" },
    ]);
    const { body: after } = await world.call("GET", "/v1/policies/org/acme", root);
    expect(after["version"]).toBe(before["version"]);
  });

  test("stays: a webhook that a policy names is not removed", async () => {
    const hook = await hookOf("http://127.0.0.1:9/");
    await put({ webhooks: [hook["id"] as string] });
    expect(await world.call("DELETE", `/v1/webhooks/${hook["id"]}`, root)).toMatchObject({
      status: 409,
      body: { code: "webhook.in_use", detail: "the policy of org:acme tells this webhook of holds" },
    });
    await put({ webhooks: true });
    expect((await world.call("DELETE", `/v1/webhooks/${hook["id"]}`, root)).status).toBe(200);
  });
});
