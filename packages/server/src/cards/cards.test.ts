import { readStoredCard } from "@countersign/api";
import {
  createSchemaCache,
  createStoredPolicies,
  type JsonObject,
  type JsonValue,
  type StoredPolicies,
} from "@countersign/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cardDialect } from "../face/card.ts";
import { agentsService } from "../policies/agentsService.ts";
import { policyEndpoints } from "../policies/policyEndpoints.ts";
import { type GateWorld, gateWorld, random } from "../testing/gateWorld.ts";
import { cardEndpoints } from "./cardEndpoints.ts";

const OPERATOR = "operator";
let world: GateWorld;
let ada: string;
let platform: string;
let agent: string;

beforeAll(async () => {
  let stored: StoredPolicies | undefined;
  const desk = ({ store, clock }: { store: GateWorld["store"]; clock: () => number }) => ({
    store,
    policies: stored as StoredPolicies,
    schemas: createSchemaCache(10),
    operator: OPERATOR,
    clock,
    random,
  });
  world = await gateWorld((parts) => [agentsService(parts), cardDialect(desk(parts))], {
    policies: ({ store, clock }) => {
      stored = createStoredPolicies({ store, operator: OPERATOR, cards: readStoredCard, clock });
      return stored;
    },
    endpoints: (parts) => [...policyEndpoints(desk(parts)), ...cardEndpoints(desk(parts))],
  });
  ada = await world.key("acme", { kind: "person", person: "ada" }, ["policy", "admin"]);
  platform = await world.key(OPERATOR, { kind: "person", person: "root" }, ["policy"]);
  agent = await world.key("acme", { kind: "agent", agent: "mailer" }, ["decide"]);
});
afterAll(() => world.app.close());

const card = (agentId: string, more: JsonObject = {}): JsonObject => ({
  card_version: "protection/2026-04-26",
  agent_id: agentId,
  mode: "observe",
  thresholds: { warn: 0.3, quarantine: 0.6, block: 0.9 },
  screen_surfaces: { incoming: true, outgoing: true, tool_calls: true, tool_responses: true },
  trusted_sources: { domains: [], agent_ids: [], ip_ranges: [] },
  ...more,
});

let keys = 0;
async function send(
  method: string,
  path: string,
  body?: JsonValue | string,
  headers: Record<string, string | null> = {},
  key = ada,
) {
  keys += 1;
  const all: Record<string, string | null> = {
    authorization: `Bearer ${key}`,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(method === "PUT" ? { "idempotency-key": `k-${keys}`, "if-none-match": "*" } : {}),
    ...headers,
  };
  const answer = await fetch(world.base + path, {
    method,
    redirect: "manual",
    headers: Object.fromEntries(Object.entries(all).filter((one): one is [string, string] => one[1] !== null)),
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    etag: answer.headers.get("etag"),
    replayed: answer.headers.get("idempotent-replayed"),
    location: answer.headers.get("location"),
    body: (text === "" ? {} : JSON.parse(text)) as JsonObject & Record<string, never>,
  };
}
let count = 0;
const fresh = () => {
  count += 1;
  return `bot-${count}`;
};

describe("PUT /v1/protection/agent/{id}", () => {
  test("creates a card, gives it an id, a version and a tag, and gives it back as it was written", async () => {
    const id = fresh();
    const document = card(id, { extensions: { team: "blue" }, expires_at: "2030-01-01T00:00:00Z" });
    const made = await send("PUT", `/v1/protection/agent/${id}`, document);
    expect(made).toMatchObject({
      status: 201,
      body: { ...document, version: 1, card_id: expect.stringMatching(/^pc-/) },
    });
    expect(made.etag).toBe(`"${made.body["content_hash"]}"`);
    expect(await send("GET", `/v1/protection/agent/${id}`)).toMatchObject({
      status: 200,
      etag: made.etag,
      body: made.body,
    });
  });

  test("says which members change nothing, and gives them back as they stand in force", async () => {
    const id = fresh();
    const review = { enabled: true, gate_on: { integrity: "review_needed" }, reviewer: { kind: "builtin_opus" } };
    const warnings = [
      { code: "card.not_judged", path: "/review/gate_on/integrity" },
      { code: "card.not_judged", path: "/review/reviewer" },
    ];
    const draft = card(id, { review });
    expect(await send("POST", `/v1/protection/agent/${id}/preview-compose`, draft)).toMatchObject({
      body: { ok: true, warnings, composed: { review } },
    });
    const key = { "idempotency-key": `warned-${id}` };
    const made = await send("PUT", `/v1/protection/agent/${id}`, draft, key);
    expect(made).toMatchObject({ status: 201, body: { warnings } });
    expect((await send("PUT", `/v1/protection/agent/${id}`, draft, key)).body).toEqual(made.body);
    // What the gate said of it is not the author's to say: the answer can be sent as the next version.
    const next = { "if-none-match": null, "if-match": made.etag };
    expect(await send("PUT", `/v1/protection/agent/${id}`, made.body, next)).toMatchObject({ status: 200 });
    expect((await send("GET", `/v1/protection/agent/${id}`)).body).not.toHaveProperty("warnings");
    expect((await send("GET", `/v1/protection/agent/${id}/effective`)).body).toMatchObject({
      card: { review },
      field_provenance: { "review.reviewer": { scope: `agent:${id}`, version: 2 } },
    });
  });

  test("is told of a secret without having it repeated", async () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    for (const more of [{ [secret]: 1 }, { extensions: { note: secret } }, { trusted_sources: { [secret]: [] } }]) {
      const id = fresh();
      const put = await send("PUT", `/v1/protection/agent/${id}`, card(id, more as JsonObject));
      const preview = await send("POST", `/v1/protection/agent/${id}/preview-compose`, card(id, more as JsonObject));
      const tool = await send("POST", "/v1/protection/preview-compose", card(id, more as JsonObject));
      expect([put.status, preview.body["ok"], tool.body["ok"]]).toEqual([400, false, false]);
      for (const { body } of [put, preview, tool]) expect(JSON.stringify(body)).not.toContain(secret);
    }
  });

  test("refuses one that could not be read again", async () => {
    const id = fresh();
    let deep: JsonValue = 1;
    for (let level = 0; level < 126; level += 1) deep = [deep];
    const made = await send("PUT", `/v1/protection/agent/${id}`, card(id, { extensions: { deep } }));
    expect([made.status, made.body["code"]]).toEqual([400, "policy.malformed"]);
    expect(await send("PUT", `/v1/protection/agent/${id}`, card(id))).toMatchObject({ status: 201 });
  });

  test("keeps in the log who wrote it and why", async () => {
    const id = fresh();
    const made = await send("PUT", `/v1/protection/agent/${id}?reason=pilot%20ends`, card(id));
    expect(made.status).toBe(201);
    const [version] = await world.store
      .policies("acme", [`card:agent:${id}`])
      .then((read) => (read.ok ? read.value : []));
    expect(version).toMatchObject({ by: "ada", reason: "pilot ends" });
    expect((await send("PUT", `/v1/protection/agent/${id}?raeson=x`, card(id))).status).toBe(400);
  });

  test("does a request once under its key, for a day, and refuses the key for another", async () => {
    const id = fresh();
    const key = { "idempotency-key": `once-${id}` };
    const first = await send("PUT", `/v1/protection/agent/${id}`, card(id), key);
    const again = await send("PUT", `/v1/protection/agent/${id}`, card(id), key);
    expect(again).toEqual({ ...first, replayed: "true" });
    expect(await send("PUT", `/v1/protection/agent/${id}`, card(id, { mode: "off" }), key)).toMatchObject({
      status: 409,
      body: { code: "idempotency.conflict" },
    });
    const history = await world.store.policyHistory("acme", `card:agent:${id}`, 10);
    expect(history.ok && history.value).toHaveLength(1);
  });

  test("replaces the version that the author saw, and no other", async () => {
    const id = fresh();
    const { etag } = await send("PUT", `/v1/protection/agent/${id}`, card(id));
    const next = card(id, { mode: "enforce" });
    const match = (tag: string) => ({ "if-none-match": null, "if-match": tag });
    expect(await send("PUT", `/v1/protection/agent/${id}`, next, match(`"sha256:${"0".repeat(64)}"`))).toMatchObject({
      status: 412,
    });
    expect(await send("PUT", `/v1/protection/agent/${id}`, next, match(etag ?? ""))).toMatchObject({
      status: 200,
      body: { version: 2 },
    });
    expect(await send("PUT", `/v1/protection/agent/${id}`, next)).toMatchObject({
      status: 412,
      body: { code: "policy.exists" },
    });
  });

  test.each<{ it: string; headers: Record<string, string | null>; status: number }>([
    { it: "no condition", headers: { "if-none-match": null }, status: 428 },
    { it: "no key", headers: { "idempotency-key": null }, status: 428 },
    { it: "a key with a space", headers: { "idempotency-key": "a b" }, status: 400 },
    { it: "a tag of another form", headers: { "if-none-match": null, "if-match": '"abc"' }, status: 400 },
  ])("refuses $it", async ({ headers, status }) => {
    const id = fresh();
    expect((await send("PUT", `/v1/protection/agent/${id}`, card(id), headers)).status).toBe(status);
  });

  test("takes YAML, and no more than 64 KiB", async () => {
    const id = fresh();
    const yaml = `card_version: protection/2026-04-26\nagent_id: ${id}\nmode: nudge\n`;
    expect((await send("PUT", `/v1/protection/agent/${id}`, yaml, { "content-type": "text/yaml" })).status).toBe(201);
    const large = card(fresh(), { extensions: { x: "y".repeat(66_000) } });
    expect(await send("PUT", "/v1/protection/agent/large", large)).toMatchObject({ status: 413 });
    const aliased = "mode: &m nudge\ncard_version: *m\n";
    expect(
      (await send("PUT", `/v1/protection/agent/${fresh()}`, aliased, { "content-type": "application/yaml" })).status,
    ).toBe(400);
  });

  test("lists everything that is wrong, and saves nothing", async () => {
    const id = fresh();
    const wrong = card(id, { mode: "panic", thresholds: { warn: 2, quarantine: 0.5, block: 1 } });
    const { status, body } = await send("PUT", `/v1/protection/agent/${id}`, wrong);
    expect([status, body["code"]]).toEqual([400, "policy.malformed"]);
    expect((body["errors"] as unknown as { path: string }[]).map(({ path }) => path).sort()).toEqual([
      "/mode",
      "/thresholds/warn",
    ]);
    expect((await send("GET", `/v1/protection/agent/${id}`)).status).toBe(404);
  });

  test("is the platform's for the operator alone", async () => {
    expect((await send("PUT", "/v1/protection/platform/default", { mode: "off" })).status).toBe(403);
    expect((await send("PUT", "/v1/protection/org/umbrella", { mode: "off" })).status).toBe(404);
    expect((await send("PUT", "/v1/protection/agent/mailer", card("mailer"), {}, agent)).status).toBe(403);
  });
});

describe("cards compose with cards and policies", () => {
  beforeAll(async () => {
    await send(
      "PUT",
      "/v1/protection/platform/default",
      {
        mode: "observe",
        thresholds: { warn: 0.5, quarantine: 0.7, block: 0.95 },
        trusted_sources: { ip_ranges: ["10.0.0.0/8"] },
      },
      {},
      platform,
    );
    await send("PUT", "/v1/policies/org/acme", {
      screening: { mode: "nudge", thresholds: { warn: 0.6, quarantine: 0.65, block: 1 } },
    });
    await send(
      "PUT",
      "/v1/protection/agent/mailer",
      card("mailer", {
        extensions: { a: 1 },
        trusted_sources: { ip_ranges: ["10.1.0.0/16"], domains: ["a.example.com"], agent_ids: [] },
      }),
    );
  });

  test("to what is in force, of each field with its scope", async () => {
    const { body } = await send("GET", "/v1/protection/agent/mailer/effective");
    expect(body).toMatchObject({
      card: {
        agent_id: "mailer",
        mode: "nudge",
        thresholds: { warn: 0.3, quarantine: 0.6, block: 0.9 },
        extensions: { a: 1 },
        trusted_sources: { ip_ranges: ["10.1.0.0/16"], domains: ["a.example.com"] },
        _composition: {
          exemptions_applied: [],
          scopes_applied: [{ scope: "platform:default" }, { scope: "org:acme" }, { scope: "agent:mailer" }],
        },
      },
      field_provenance: { mode: { scope: "org:acme" }, "thresholds.warn": { scope: "agent:mailer" } },
    });
  });

  test("and their sources can be listed, present or not", async () => {
    const { body } = await send("GET", "/v1/protection/agent/mailer?include=sources");
    const rows = body["sources"] as unknown as { scope: string; available: boolean }[];
    expect(rows.map(({ scope, available }) => [scope, available])).toEqual([
      ["platform:default", true],
      ["org:acme", false],
      ["agent:mailer", true],
    ]);
    expect(body["composed"]).toMatchObject({ mode: "nudge" });
  });

  test("a draft is tried without being saved", async () => {
    const draft = card("mailer", { mode: "off", thresholds: { warn: 0.6, quarantine: 0.6, block: 0.99 } });
    const { body } = await send("POST", "/v1/protection/agent/mailer/preview-compose", draft);
    expect(body).toMatchObject({
      ok: true,
      composed: { mode: "nudge", thresholds: { warn: 0.5, quarantine: 0.6, block: 0.95 } },
      conflicts: [
        { field: "mode", from: "off", to: "nudge", reason: "stricter_mode", won_by: "org:acme" },
        { field: "thresholds.warn", from: 0.6, to: 0.5, won_by: "platform:default" },
        { field: "thresholds.block", from: 0.99, to: 0.95, won_by: "platform:default" },
      ],
    });
    expect((await send("GET", "/v1/protection/agent/mailer")).body).toMatchObject({ mode: "observe" });
  });

  test("a source outside the platform's ceiling is not ok, and is not saved", async () => {
    const outside = card("mailer", { trusted_sources: { ip_ranges: ["192.168.0.0/16"], domains: [], agent_ids: [] } });
    expect((await send("POST", "/v1/protection/agent/mailer/preview-compose", outside)).body).toMatchObject({
      ok: false,
    });
    const id = fresh();
    expect(await send("PUT", `/v1/protection/agent/${id}`, { ...outside, agent_id: id })).toMatchObject({
      status: 400,
    });
  });

  test("the tool says in short what the address says in full", async () => {
    const ask = (draft: JsonObject) => send("POST", "/v1/protection/preview-compose", draft, {}, agent);
    expect((await ask(card("mailer", { mode: "nudge" }))).body).toEqual({
      ok: true,
      composition_valid: true,
      conflicts_count: 0,
      summary: "The draft composes, and weakens nothing.",
      full_report: null,
    });
    expect((await ask(card("mailer", { mode: "off" }))).body).toMatchObject({
      ok: true,
      conflicts_count: 1,
      full_report: { method: "POST", path: "/v1/protection/agent/mailer/preview-compose" },
    });
    expect((await ask(card("mailer", { mode: "panic" }))).body).toMatchObject({ ok: false, composition_valid: false });
    expect((await ask({})).body).toMatchObject({ ok: false, composition_valid: false, conflicts_count: 0 });
  });

  test("an expired card blocks its agent", async () => {
    const key = await world.key("acme", { kind: "agent", agent: "old" }, ["decide"]);
    await send("PUT", "/v1/policies/agent/old", {
      mandate: { clauses: [{ id: "r", effect: "allow", match: { kind: ["file"] } }], default: "block" },
    });
    expect((await world.ask(key, "read")).body).toMatchObject({ verdict: "allow" });
    await send("PUT", "/v1/protection/agent/old", card("old", { expires_at: "2026-01-01T00:00:00Z" }));
    const { body } = await world.ask(key, "read");
    expect(body).toMatchObject({ verdict: "block", findings: [{ code: "policy.expired" }] });
  });
});

test("addresses of before say where they have moved to", async () => {
  expect(await send("POST", "/v1/agents/mailer/protection-card/preview-compose", {})).toMatchObject({
    status: 308,
    location: "/v1/protection/agent/mailer/preview-compose",
  });
});
