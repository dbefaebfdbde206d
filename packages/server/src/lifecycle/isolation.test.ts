import type { JsonObject } from "@countersign/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type GateWorld, gateWorld } from "../testing/gateWorld.ts";

let world: GateWorld;
/** Everything that acme has, by the operations that name it. */
const ids: Record<string, string> = {};
/** Credentials of another tenant that may do anything there. */
const elsewhere: Record<string, string> = {};
let operations: readonly string[];

beforeAll(async () => {
  world = await gateWorld(() => [], { anonymous: "loopback" });
  const agent = await world.key("acme", { kind: "agent", agent: "a" }, ["decide"]);
  const alice = await world.key("acme", { kind: "person", person: "alice" }, ["review", "admin", "audit"]);
  elsewhere["person"] = await world.key("umbrella", { kind: "person", person: "eve" }, [
    "review",
    "admin",
    "audit",
    "policy",
    "outcome",
  ]);
  elsewhere["program"] = await world.key("umbrella", { kind: "enforcer", id: "p", agents: "any" }, [
    "decide",
    "enforce",
    "outcome",
    "audit",
  ]);
  const { body: decided } = await world.ask(agent, "delete");
  const { body: stop } = await world.call("POST", "/v1/stops", alice, { scope: "team:t", reason: "r" });
  const { body: hook } = await world.call("POST", "/v1/webhooks", alice, { url: "https://example.com/acme-hook" });
  const { body: keys } = await world.call("GET", "/v1/keys", alice);
  const grant = await approve(alice, (decided["hold"] as unknown as JsonObject)["id"] as string);
  Object.assign(ids, {
    grants: grant,
    decisions: decided["id"],
    holds: (decided["hold"] as unknown as JsonObject)["id"],
    stops: stop["id"],
    webhooks: hook["id"],
    keys: ((keys["items"] as unknown as JsonObject[])[0] as JsonObject)["id"],
  });
  const document = (await (await fetch(`${world.base}/openapi.json`)).json()) as { paths: Record<string, object> };
  operations = Object.entries(document.paths)
    .filter(([path]) => path.startsWith("/v1/"))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
});
afterAll(() => world.app.close());

async function approve(who: string, hold: string) {
  const { version, token } = (await world.call("GET", `/v1/holds/${hold}`, who)).body;
  const sent = { version, token, reason: "r" };
  return (await world.call("POST", `/v1/holds/${hold}/approve`, who, sent)).body["grant"];
}

const REVIEW = { version: 1, token: "t", reason: "r" };

/** Each operation that names something, with a body that it takes. */
const NAMING: Readonly<Record<string, object | undefined>> = {
  "GET /v1/decisions/{id}": undefined,
  "POST /v1/decisions/{id}/redeem": { action_digest: `sha256:${"0".repeat(64)}` },
  "POST /v1/decisions/{id}/outcome": { result: "executed", as_approved: true },
  "POST /v1/decisions/{id}/appeal": { reason: "r" },
  "GET /v1/holds/{id}": undefined,
  "POST /v1/holds/{id}/approve": REVIEW,
  "POST /v1/holds/{id}/reject": REVIEW,
  "GET /v1/grants/{id}": undefined,
  "DELETE /v1/grants/{id}": { reason: "r" },
  "DELETE /v1/stops/{id}": { reason: "r" },
  "DELETE /v1/keys/{id}": undefined,
  "POST /v1/keys/{id}/rotate": undefined,
  "PUT /v1/webhooks/{id}": { url: "https://example.com/", kinds: [], agents: null, state: "disabled" },
  "DELETE /v1/webhooks/{id}": undefined,
  "POST /v1/webhooks/{id}/rotate": undefined,
  "POST /v1/webhooks/{id}/replay": { since: 0 },
};

/** The operations that name nothing; what the lists show is compared below. */
const LISTS = [
  "decisions",
  "holds?state=any",
  "stops",
  "keys",
  "webhooks",
  "webhooks/dead",
  "log/entries",
  "log/proof?seq=0",
];
const OTHERS = [
  "POST /v1/decisions",
  "POST /v1/sessions",
  "POST /v1/stops",
  "POST /v1/keys",
  "POST /v1/webhooks",
  "GET /v1/log/checkpoint",
  "GET /v1/events",
];

test("every operation is tried here", () => {
  const tried = [...Object.keys(NAMING), ...LISTS.map((list) => `GET /v1/${list.replace(/\?.*/, "")}`), ...OTHERS];
  expect([...operations].sort()).toEqual([...new Set(tried)].sort());
});

test.each(Object.entries(NAMING))(
  "Tenants do not meet: %s answers as if there were no such thing",
  async (operation, body) => {
    const [method, path] = operation.split(" ") as [string, string];
    const [, kind = ""] = path.split("/v1/")[1]?.match(/^(\w+)/) ?? [];
    const nothing = (id: string) => id.replace(/[0-9a-f]{8}-[0-9a-f]{4}/, "00000000-0000");
    const answers = [];
    for (const key of Object.values(elsewhere)) {
      const theirs = await world.call(method, path.replace("{id}", ids[kind] as string), key, body);
      const none = await world.call(method, path.replace("{id}", nothing(ids[kind] as string)), key, body);
      // The same answer to the letter: nobody learns that it is there.
      expect(theirs).toEqual(none);
      answers.push(theirs.status);
    }
    expect(answers).toContain(404);
    expect(answers.every((status) => status === 404 || status === 403)).toBe(true);
  },
);

test("Tenants do not meet: no list, proof or entry holds anything of another tenant", async () => {
  for (const key of Object.values(elsewhere))
    for (const list of LISTS) {
      const { body } = await world.call("GET", `/v1/${list}`, key);
      const text = JSON.stringify(body);
      for (const [kind, id] of Object.entries(ids)) expect(text, `${list}: ${kind}`).not.toContain(id);
      expect(text).not.toMatch(/acme|alice/);
    }
});

test("a caller without a credential may ask, see what became of it, and nothing else", async () => {
  const { body: held } = await world.call("POST", "/v1/decisions", undefined, {
    action: { kind: "file", verb: "delete", target: "/work/x" },
    idempotency_key: "anonymous",
  });
  const hold = (held["hold"] as unknown as JsonObject)["id"] as string;
  expect(await world.call("GET", `/v1/decisions/${held["id"]}`)).toMatchObject({ status: 200 });
  expect(await world.call("GET", `/v1/holds/${hold}`)).toMatchObject({
    status: 200,
    body: { state: "open", shown: null },
  });
  expect(await world.call("GET", `/v1/holds/${ids["holds"]}`)).toMatchObject({ status: 404 });
  for (const operation of operations) {
    const [method, path] = operation.split(" ") as [string, string];
    if (
      operation === "POST /v1/decisions" ||
      operation === "GET /v1/decisions/{id}" ||
      operation === "GET /v1/holds/{id}"
    )
      continue;
    const own = path.includes("decisions") ? String(held["id"]) : path.includes("holds") ? hold : "x";
    const { status } = await world.call(method, path.replace("{id}", own), undefined, NAMING[operation]);
    expect([401, 403], operation).toContain(status);
  }
});

test.each(["forwarded", "x-forwarded-for", "x-real-ip"])(
  "a caller without a credential whom a proxy on this machine brought is nobody: %s",
  async (header) => {
    const answer = await fetch(`${world.base}/v1/decisions`, {
      method: "POST",
      headers: { "content-type": "application/json", [header]: "203.0.113.9" },
      body: JSON.stringify({ action: { kind: "file", verb: "read", target: "/work/x" }, idempotency_key: header }),
    });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: "credential.missing" });
  },
);
