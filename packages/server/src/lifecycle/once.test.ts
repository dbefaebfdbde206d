import type { JsonObject } from "@countersign/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agentsService } from "../policies/agentsService.ts";
import { exemptionsService } from "../policies/exemptionsService.ts";
import { type GateWorld, gateWorld } from "../testing/gateWorld.ts";

let world: GateWorld;
let admin: string;
let other: string;

beforeAll(async () => {
  world = await gateWorld(({ store, clock }) => [
    agentsService({ store }),
    exemptionsService({ store, operator: "acme", clock, random: (length) => new Uint8Array(length).fill(9) }),
  ]);
  const person = (name: string) =>
    world.key("acme", { kind: "person", person: name }, ["admin", "review", "policy", "audit"]);
  [admin, other] = [await person("ada"), await person("bob")];
});
afterAll(() => world.app.close());

async function send(method: string, path: string, body: JsonObject, key?: string, who = admin) {
  const answer = await fetch(world.base + path, {
    method,
    ...(method === "GET" ? {} : { body: JSON.stringify(body) }),
    headers: {
      authorization: `Bearer ${who}`,
      ...(method === "GET" ? {} : { "content-type": "application/json" }),
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
  });
  return { status: answer.status, body: (await answer.json()) as JsonObject };
}

const url = "https://hooks.example.com/gate";
const size = async () => {
  const head = await world.store.head("acme");
  return head.ok ? head.value.size : -1;
};

describe("a change that is asked for twice under one key happens once, and is answered the same", () => {
  test.each<{ it: string; method: string; path: string; body: JsonObject; otherwise: JsonObject }>([
    {
      it: "a stop",
      method: "POST",
      path: "/v1/stops",
      body: { scope: "agent:x", reason: "look" },
      otherwise: { scope: "agent:y", reason: "look" },
    },
    {
      it: "a webhook, with the same secret",
      method: "POST",
      path: "/v1/webhooks",
      body: { url, kinds: ["decide"] },
      otherwise: { url, kinds: [] },
    },
    {
      it: "an agent",
      method: "PUT",
      path: "/v1/agents/shopper",
      body: { teams: ["buyers"], reason: "new" },
      otherwise: { teams: [], reason: "new" },
    },
    {
      it: "an exemption",
      method: "POST",
      path: "/v1/agents/shopper/exemptions",
      body: { section: "limits", reason: "a day of many asks" },
      otherwise: { section: "trade", reason: "a day of many asks" },
    },
  ])("$it", async ({ method, path, body, otherwise }) => {
    const key = `key of ${path}`;
    const first = await send(method, path, body, key);
    expect(first.status).toBe(200);
    const before = await size();
    expect(await send(method, path, body, key)).toEqual(first);
    expect(await send(method, path, { ...body, idempotency_key: key })).toEqual(first);
    expect(await size()).toBe(before);
    expect(await send(method, path, otherwise, key)).toMatchObject({
      status: 409,
      body: { code: "idempotency.conflict" },
    });
    expect(await size()).toBe(before);
    // Without a key, and for another credential, it is another request.
    await send(method, path, body, key, other);
    expect(await size()).toBe(before + 1);
  });

  test("a webhook's new secret", async () => {
    const { body } = await send("POST", "/v1/webhooks", { url });
    const rotate = (key: string) => send("POST", `/v1/webhooks/${body["id"]}/rotate`, {}, key);
    const first = await rotate("r1");
    expect(first.body["secret_version"]).toBe(2);
    expect(await rotate("r1")).toEqual(first);
    expect((await rotate("r2")).body["secret_version"]).toBe(3);
  });

  test("the end of a stop, also when it has ended", async () => {
    const { body } = await send("POST", "/v1/stops", { scope: "agent:z", reason: "look" });
    const lift = () => send("DELETE", `/v1/stops/${body["id"]}`, { reason: "looked" }, "lift");
    const first = await lift();
    expect(first.status).toBe(200);
    expect(await lift()).toEqual(first);
  });

  test("a stop whose end has passed meanwhile is told as it was made, and is not made anew", async () => {
    const until = new Date(world.now() + 60_000).toISOString();
    const put = (key: string) => send("POST", "/v1/stops", { scope: "agent:u", reason: "look", until }, key);
    const first = await put("u1");
    expect(first.status).toBe(200);
    world.wait(120_000);
    expect(await put("u1")).toEqual(first);
    expect(await put("u2")).toMatchObject({ status: 400, body: { code: "request.invalid", path: "/until" } });
  });
});

test("a key that is said twice has to be the same", async () => {
  const answer = await send("POST", "/v1/stops", { scope: "agent:k", reason: "r", idempotency_key: "one" }, "two");
  expect(answer).toMatchObject({ status: 400, body: { code: "request.invalid", path: "/idempotency_key" } });
});

test("a key that looks like a secret is not kept", async () => {
  const answer = await send("POST", "/v1/stops", { scope: "agent:k", reason: "r" }, `ghp_${"a1B2".repeat(9)}`);
  expect(answer).toMatchObject({ status: 400, body: { path: "/idempotency_key" } });
});

test("the header stands for the member of a decision too", async () => {
  const agent = await world.key("acme", { kind: "agent", agent: "asker" }, ["decide"]);
  const ask = { action: { kind: "file", verb: "read", target: "/work/a" } };
  const first = await send("POST", "/v1/decisions", ask, "d1", agent);
  expect(first.status).toBe(200);
  const again = await send("POST", "/v1/decisions", ask, "d1", agent);
  expect(again.body["id"]).toBe(first.body["id"]);
});

test("the description of the interface names the header where it counts, and nowhere else", async () => {
  const { body } = await send("GET", "/openapi.json", {});
  const of = (path: string, method: string) =>
    JSON.stringify((body["paths"] as Record<string, Record<string, unknown>>)[path]?.[method] ?? {});
  expect(of("/v1/stops", "post")).toContain('"Idempotency-Key"');
  expect(of("/v1/webhooks", "post")).toContain('"Idempotency-Key"');
  expect(of("/v1/keys", "post")).not.toContain('"Idempotency-Key"');
  expect(of("/v1/stops", "get")).not.toContain('"Idempotency-Key"');
});
