import {
  createSchemaCache,
  createStoredPolicies,
  type JsonObject,
  type JsonValue,
  type KeyScope,
  type StoredPolicies,
} from "@countersign/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type GateWorld, gateWorld, random } from "../testing/gateWorld.ts";
import { agentsService } from "./agentsService.ts";
import { exemptionsService } from "./exemptionsService.ts";
import { policyEndpoints } from "./policyEndpoints.ts";

const OPERATOR = "operator";
let world: GateWorld;
let ada: string;
let platform: string;
let reader: string;
let agent: string;
let elsewhere: string;

beforeAll(async () => {
  let stored: StoredPolicies | undefined;
  world = await gateWorld(
    ({ store, clock }) => [agentsService({ store }), exemptionsService({ store, operator: OPERATOR, clock, random })],
    {
      policies: ({ store, clock }) => {
        stored = createStoredPolicies({ store, operator: OPERATOR, cards: null, clock });
        return stored;
      },
      endpoints: ({ store, clock }) =>
        policyEndpoints({
          store,
          policies: stored as StoredPolicies,
          schemas: createSchemaCache(10),
          operator: OPERATOR,
          clock,
          random,
        }),
    },
  );
  const person = (tenant: string, id: string, scopes: readonly KeyScope[]) =>
    world.key(tenant, { kind: "person", person: id }, scopes);
  ada = await person("acme", "ada", ["policy", "admin"]);
  platform = await person(OPERATOR, "root", ["policy"]);
  reader = await person("acme", "carl", ["audit"]);
  elsewhere = await person("umbrella", "eve", ["policy", "admin"]);
  agent = await world.key("acme", { kind: "agent", agent: "shopper" }, ["decide", "policy"]);
});
afterAll(() => world.app.close());

interface Answer {
  readonly status: number;
  readonly etag: string | null;
  readonly body: JsonObject & Record<string, never>;
}

async function send(
  method: string,
  path: string,
  key: string,
  body?: JsonValue | string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await fetch(world.base + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return { status: answer.status, etag: answer.headers.get("etag"), body: (await answer.json()) as Answer["body"] };
}
const create = { "if-none-match": "*" };
const mandate = (verb: string): JsonObject => ({
  mandate: { clauses: [{ id: verb, effect: "allow", match: { kind: ["file"], verb: [verb] } }], default: "block" },
});
let count = 0;
/** A scope that no other test has. */
const fresh = () => {
  count += 1;
  return `agent/a-${count}`;
};
async function created(path: string, document: JsonObject, key = ada): Promise<string> {
  const { status, etag, body } = await send("PUT", `/v1/policies/${path}`, key, document, create);
  expect([status, body["problems"]]).toEqual([201, undefined]);
  return etag ?? "";
}

/** The end of the log, however much was written before. */
async function newestEntries() {
  const head = await world.store.head("acme");
  return head.ok ? world.store.entries("acme", Math.max(0, head.value.size - 1000), 1000) : head;
}

describe("a policy", () => {
  test("is created, read, replaced by its tag, and keeps its history", async () => {
    const path = fresh();
    const first = await created(path, mandate("read"));
    expect(await send("GET", `/v1/policies/${path}`, reader)).toMatchObject({
      status: 200,
      etag: first,
      body: { scope: path.replace("/", ":"), version: 1, by: "ada", document: mandate("read") },
    });
    const second = await send("PUT", `/v1/policies/${path}?reason=more%20verbs`, ada, mandate("write"), {
      "if-match": first,
    });
    expect(second).toMatchObject({ status: 200, body: { version: 2, warnings: [] } });
    expect((await send("GET", `/v1/policies/${path}/history`, reader)).body).toMatchObject({
      items: [
        { version: 2, reason: "more verbs" },
        { version: 1, reason: null },
      ],
    });
    expect((await send("GET", `/v1/policies/${path}?version=1`, reader)).body).toMatchObject({
      document: mandate("read"),
    });
  });

  test("of somebody who may not write any is not even read", async () => {
    const broken = "a: [";
    const yaml = { ...create, "content-type": "application/yaml" };
    expect((await send("PUT", `/v1/policies/${fresh()}`, reader, broken, yaml)).body).toMatchObject({
      code: "credential.scope",
    });
    expect((await send("PUT", `/v1/policies/${fresh()}`, ada, broken, yaml)).status).toBe(400);
  });

  test("that holds a secret is refused without repeating it", async () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    for (const document of [{ [secret]: 1 }, { evidence: { max_age: { [secret]: "x" } } }]) {
      const put = await send("PUT", `/v1/policies/${fresh()}`, ada, document, create);
      const preview = await send("POST", `/v1/policies/${fresh()}/preview`, ada, document);
      for (const { status, body } of [put, preview]) {
        expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining("policy.secret")]);
        expect(JSON.stringify(body)).not.toContain(secret);
      }
    }
  });

  test("of more than a mebibyte is saved, decided by and given back, as JSON and as YAML", async () => {
    const clauses = Array.from({ length: 900 }, (_, at) => ({
      id: `c-${at}`,
      effect: "allow",
      match: {
        kind: ["file"],
        target_prefix: Array.from({ length: 8 }, (_, to) => `/${at}/${to}/${"x".repeat(140)}/`),
      },
    }));
    const document = { mandate: { clauses, default: "block" } };
    for (const type of ["application/json", "application/yaml"]) {
      const path = fresh();
      const made = await send("PUT", `/v1/policies/${path}`, ada, document, { ...create, "content-type": type });
      expect(made).toMatchObject({ status: 201 });
      expect((await send("GET", `/v1/policies/${path}`, reader)).body).toMatchObject({ document });
      const inForce = await send("GET", `/v1/policies/effective?agent=${path.slice("agent/".length)}`, reader);
      expect(inForce.status).toBe(200);
    }
  });

  test("keeps every version within reach, however many there are", async () => {
    const key = await world.key("many", { kind: "person", person: "max" }, ["policy"]);
    const path = fresh();
    await created(path, mandate("v1"), key);
    for (let version = 2; version <= 1_005; version += 1) {
      const put = await world.store.commit("many", {
        kind: "policy.put",
        scope: path.replace("/", ":"),
        id: `pol_${path}-${version}`,
        digest: `sha256:${version.toString(16).padStart(64, "0")}`,
        text: JSON.stringify(mandate(`v${version}`)),
        replaces: "any",
        by: { kind: "person", id: "max", credential: "key" },
      });
      expect(put.ok).toBe(true);
    }
    const { etag } = await send("GET", `/v1/policies/${path}`, key);
    expect((await send("GET", `/v1/policies/${path}?version=1`, key)).body).toMatchObject({ document: mandate("v1") });
    expect((await send("GET", `/v1/policies/${path}/history?before=3&limit=9`, key)).body).toMatchObject({
      items: [{ version: 2 }, { version: 1 }],
    });
    const back = { version: 1, reason: "x" };
    expect(await send("POST", `/v1/policies/${path}/rollback`, key, back, { "if-match": etag ?? "" })).toMatchObject({
      status: 200,
      body: { version: 1_006 },
    });
  });

  test("is not saved where the query says something that is not asked", async () => {
    const path = fresh();
    expect(await send("PUT", `/v1/policies/${path}?raeson=x`, elsewhere, mandate("read"), create)).toMatchObject({
      status: 400,
      body: { path: "/raeson" },
    });
    expect((await send("GET", `/v1/policies/${path}`, elsewhere)).status).toBe(404);
    expect((await send("GET", `/v1/policies/${path}?version=0`, elsewhere)).body).toMatchObject({
      detail: "this is too small",
    });
  });

  test("is given to whoever asks with the tag of what they have", async () => {
    const path = fresh();
    const tag = await created(path, mandate("read"));
    for (const name of ["if-none-match", "if-match"])
      expect(await send("GET", `/v1/policies/${path}`, reader, undefined, { [name]: tag })).toMatchObject({
        status: 200,
      });
  });

  test("goes back to an earlier version as a new one", async () => {
    const path = fresh();
    const first = await created(path, mandate("read"));
    const second = await send("PUT", `/v1/policies/${path}`, ada, mandate("write"), { "if-match": first });
    const back = await send(
      "POST",
      `/v1/policies/${path}/rollback`,
      ada,
      { version: 1, reason: "too much" },
      { "if-match": second.etag ?? "" },
    );
    expect(back).toMatchObject({ status: 200, etag: first, body: { version: 3 } });
    const log = await newestEntries();
    expect(
      log.ok && log.value.some(({ kind, record }) => kind === "policy.rollback" && record.includes("too much")),
    ).toBe(true);
  });

  test("is read from YAML", async () => {
    const yaml = "mandate:\n  clauses:\n    - {id: r, effect: allow, match: {kind: [file]}}\n  default: block\n";
    const path = fresh();
    const { status } = await send("PUT", `/v1/policies/${path}`, ada, yaml, {
      ...create,
      "content-type": "application/yaml",
    });
    expect(status).toBe(201);
  });

  test.each([
    { it: "an alias", yaml: "mandate: &m {clauses: [], default: block}\nspend: *m\n", code: "yaml.refused" },
    { it: "a tag", yaml: "mandate: !!map {}\n", code: "yaml.refused" },
    { it: "a tag of its own", yaml: "mandate: !evil {}\n", code: "yaml.malformed" },
    { it: "a merge key", yaml: "a: &a {x: 1}\nmandate:\n  <<: *a\n", code: "yaml.refused" },
    { it: "a key twice", yaml: "spend: {}\nspend: {}\n", code: "yaml.malformed" },
    { it: "two documents", yaml: "{}\n---\n{}\n", code: "yaml.malformed" },
    { it: "a billion laughs", yaml: `a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n`, code: "yaml.refused" },
    { it: "half a document", yaml: "mandate: {", code: "yaml.malformed" },
    { it: "a cycle", yaml: "mandate: &a [*a]\n", code: "yaml.refused" },
  ])("is refused in YAML with $it", async ({ yaml, code }) => {
    const answer = await send("PUT", `/v1/policies/${fresh()}`, ada, yaml, { ...create, "content-type": "text/yaml" });
    expect(answer).toMatchObject({ status: 400, body: { code } });
  });

  test("is refused whole, with everything that is wrong in a stable order, and nothing is saved", async () => {
    const path = fresh();
    const wrong = { mandat: {}, spend: { budgets: [{ id: "x" }] }, screening: { mode: "enforced" } };
    const answers = [
      await send("PUT", `/v1/policies/${path}`, ada, wrong, create),
      await send("PUT", `/v1/policies/${path}`, ada, wrong, create),
    ];
    expect(answers[0]).toMatchObject({ status: 400, body: { code: "policy.malformed" } });
    expect(answers[0]).toEqual(answers[1]);
    const errors = (answers[0] as Answer).body["errors"] as unknown as {
      code: string;
      path: string;
      message: string;
    }[];
    expect(errors.map(({ path: at }) => at)).toContain("/mandat");
    expect(errors.find(({ path: at }) => at === "/mandat")?.message).toContain("mandate");
    expect(await send("GET", `/v1/policies/${path}`, ada)).toMatchObject({ status: 404 });
  });

  test("can be tried without being saved", async () => {
    const path = fresh();
    expect(await send("POST", `/v1/policies/${path}/preview`, reader, mandate("read"))).toMatchObject({
      status: 200,
      body: { warnings: [] },
    });
    expect(await send("POST", `/v1/policies/${path}/preview`, reader, { x: 1 })).toMatchObject({ status: 400 });
    expect(await send("GET", `/v1/policies/${path}`, ada)).toMatchObject({ status: 404 });
  });

  test("of the organisation has 1,000 clauses at most, and one of the platform 10,000", async () => {
    const clauses = (many: number) => ({
      mandate: {
        clauses: Array.from({ length: many }, (_, i) => ({ id: `c${i}`, effect: "allow", match: { kind: ["file"] } })),
        default: "block",
      },
    });
    expect(await send("PUT", `/v1/policies/${fresh()}`, ada, clauses(1_001), create)).toMatchObject({
      status: 400,
      body: { path: "/mandate/clauses" },
    });
    expect(await send("POST", "/v1/policies/platform/default/preview", platform, clauses(10_000))).toMatchObject({
      status: 200,
    });
  });
});

describe("the state that a change names", () => {
  test.each<{ it: string; headers: Record<string, string>; status: number; code: string }>([
    { it: "has to be there", headers: {}, status: 428, code: "precondition.missing" },
    {
      it: "is no weak tag",
      headers: { "if-match": `W/"sha256:${"0".repeat(64)}"` },
      status: 400,
      code: "precondition.malformed",
    },
    { it: "is no star", headers: { "if-match": "*" }, status: 400, code: "precondition.malformed" },
    {
      it: "is not quoted badly",
      headers: { "if-match": `sha256:${"0".repeat(64)}` },
      status: 400,
      code: "precondition.malformed",
    },
    {
      it: "is one of the two",
      headers: { "if-match": `"sha256:${"0".repeat(64)}"`, "if-none-match": "*" },
      status: 400,
      code: "precondition.malformed",
    },
    {
      it: "is the one in force",
      headers: { "if-match": `"sha256:${"0".repeat(64)}"` },
      status: 412,
      code: "policy.stale",
    },
    { it: "is nothing, to create", headers: create, status: 412, code: "policy.exists" },
  ])("$it", async ({ headers, status, code }) => {
    const path = fresh();
    await created(path, mandate("read"));
    expect(await send("PUT", `/v1/policies/${path}`, ada, mandate("write"), headers)).toMatchObject({
      status,
      body: { code },
    });
  });
});

test("the schema of the document is there for editors", async () => {
  const answer = await fetch(`${world.base}/schemas/policy.json`);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ title: "Countersign policy", properties: { mandate: {} } });
});

describe("who may", () => {
  test.each<{ it: string; method: string; path: string; key: () => string; status: number; code: string }>([
    {
      it: "no auditor writes",
      method: "PUT",
      path: "/v1/policies/team/ops",
      key: () => reader,
      status: 403,
      code: "credential.scope",
    },
    {
      it: "no agent writes, whatever its key says",
      method: "PUT",
      path: "/v1/policies/team/ops",
      key: () => agent,
      status: 403,
      code: "actor.not_allowed",
    },
    {
      it: "no tenant writes the platform",
      method: "PUT",
      path: "/v1/policies/platform/default",
      key: () => ada,
      status: 403,
      code: "credential.scope",
    },
    {
      it: "no tenant reads the platform's document",
      method: "GET",
      path: "/v1/policies/platform/default",
      key: () => ada,
      status: 404,
      code: "policy.unknown",
    },
    {
      it: "no tenant sees another's organisation",
      method: "GET",
      path: "/v1/policies/org/acme",
      key: () => elsewhere,
      status: 404,
      code: "policy.unknown",
    },
    {
      it: "no tenant writes another's organisation",
      method: "PUT",
      path: "/v1/policies/org/acme",
      key: () => elsewhere,
      status: 404,
      code: "policy.unknown",
    },
    {
      it: "the platform has one id",
      method: "GET",
      path: "/v1/policies/platform/other",
      key: () => platform,
      status: 400,
      code: "request.invalid",
    },
    {
      it: "an id is of plain letters",
      method: "GET",
      path: "/v1/policies/agent/%D0%B0gent",
      key: () => ada,
      status: 400,
      code: "request.invalid",
    },
    {
      it: "there are four kinds of scope",
      method: "GET",
      path: "/v1/policies/group/x",
      key: () => ada,
      status: 400,
      code: "request.invalid",
    },
  ])("$it", async ({ method, path, key, status, code }) => {
    const body = method === "PUT" ? mandate("read") : undefined;
    expect(await send(method, path, key(), body, method === "PUT" ? create : {})).toMatchObject({
      status,
      body: { code },
    });
  });

  test("nobody without a credential reads anything", async () => {
    for (const path of ["/v1/policies", "/v1/policies/org/acme", "/v1/policies/effective?agent=x", "/v1/agents"])
      expect((await fetch(world.base + path)).status).toBe(401);
  });

  test("another tenant's documents answer as if they did not exist", async () => {
    const path = fresh();
    await created(path, mandate("read"));
    expect(await send("GET", `/v1/policies/${path}`, elsewhere)).toMatchObject({ status: 404 });
    expect((await send("GET", "/v1/policies", elsewhere)).body).toEqual({ items: [] });
  });
});

describe("what is in force", () => {
  test("changes what is decided from the next question on", async () => {
    expect((await world.ask(agent, "read")).body).toMatchObject({
      verdict: "block",
      findings: [{ code: "basis.none" }, { code: "policy.none" }],
    });
    const tag = await created("agent/shopper", mandate("read"));
    expect((await world.ask(agent, "read")).body).toMatchObject({ verdict: "allow" });
    await send("PUT", "/v1/policies/agent/shopper", ada, mandate("write"), { "if-match": tag });
    expect((await world.ask(agent, "read")).body).toMatchObject({ verdict: "block" });
  });

  test("is composed by the teams of the directory, and says where each value comes from", async () => {
    await created("team/ops", { screening: { mode: "nudge" }, ...mandate("read") });
    await created("agent/member", {
      screening: { mode: "observe", thresholds: { warn: 0.4, quarantine: 0.9, block: 0.99 } },
    });
    const member = await send("PUT", "/v1/agents/member", ada, { teams: ["ops"] });
    expect(member).toMatchObject({ status: 200, body: { id: "member", teams: ["ops"], disabled: false } });
    const { status, body } = await send("GET", "/v1/policies/effective?agent=member", reader);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      teams: ["ops"],
      sources: [
        { scope: "team:ops", version: 1 },
        { scope: "agent:member", version: 1 },
      ],
      policy: { screening: { mode: "nudge", thresholds: { warn: 0.4, quarantine: 0.8, block: 0.95 } } },
    });
    const from = (at: string) =>
      (body["provenance"] as unknown as { path: string; scope: string }[]).find(({ path }) => path === at)?.scope;
    expect(from("/screening/mode")).toBe("team:ops");
    expect(from("/screening/thresholds/warn")).toBe("agent:member");
    expect(from("/mandate/0")).toBe("team:ops");
  });

  test("is unknown for an agent that nothing speaks of", async () => {
    expect(await send("GET", "/v1/policies/effective?agent=nobody", elsewhere)).toMatchObject({
      status: 404,
      body: { code: "policy.unknown" },
    });
    expect(await send("GET", "/v1/policies/effective", ada)).toMatchObject({ status: 400 });
  });
});

describe("the directory", () => {
  test("lists, disables and removes agents, and a removed one is refused", async () => {
    const key = await world.key("acme", { kind: "agent", agent: "leaver" }, ["decide"]);
    await created("agent/leaver", mandate("read"));
    await send("PUT", "/v1/agents/leaver", ada, { teams: [], display: "Leaver" });
    expect((await world.ask(key, "read")).body).toMatchObject({ verdict: "allow" });
    await send("PUT", "/v1/agents/leaver", ada, { teams: [], disabled: true });
    expect(await world.ask(key, "read")).toMatchObject({ status: 403, body: { code: "identity.mismatch" } });
    expect(await send("DELETE", "/v1/agents/leaver", ada)).toMatchObject({ status: 200 });
    expect(await world.ask(key, "read")).toMatchObject({ status: 403 });
    expect(await send("GET", "/v1/agents/leaver", ada)).toMatchObject({ status: 404, body: { code: "agent.unknown" } });
    const { body } = await send("GET", "/v1/agents", ada);
    expect((body["items"] as unknown as { id: string }[]).map(({ id }) => id)).not.toContain("leaver");
  });

  test.each<{ it: string; id: string; body: JsonObject; path: string }>([
    { it: "an id in letters that look alike", id: "%D0%B0dmin", body: { teams: [] }, path: "/id" },
    { it: "an id of another letter case", id: "TWIN", body: { teams: [] }, path: "/id" },
    { it: "a team that is no id", id: "x1", body: { teams: ["a b"] }, path: "/teams/0" },
    {
      it: "more teams than money is counted for",
      id: "x2",
      body: { teams: Array.from({ length: 9 }, (_, i) => `t${i}`) },
      path: "/teams",
    },
  ])("refuses $it", async ({ id, body, path }) => {
    await send("PUT", "/v1/agents/twin", ada, { teams: [] });
    expect(await send("PUT", `/v1/agents/${id}`, ada, body)).toMatchObject({
      status: 400,
      body: { code: "request.invalid", path },
    });
  });

  test("is put into no team that has policies in another letter case", async () => {
    await created("team/night-shift", {});
    expect(await send("PUT", "/v1/agents/n-1", ada, { teams: ["ops", "Night-Shift"] })).toMatchObject({
      status: 400,
      body: { code: "request.invalid", path: "/teams/1" },
    });
    expect(await send("PUT", "/v1/agents/n-1", ada, { teams: ["night-shift"] })).toMatchObject({ status: 200 });
  });

  test("is another tenant's own", async () => {
    await send("PUT", "/v1/agents/mine", ada, { teams: [] });
    expect(await send("GET", "/v1/agents/mine", elsewhere)).toMatchObject({ status: 404 });
  });
});

describe("an exemption", () => {
  const exempt = (more: JsonObject = {}) => ({ section: "mandate", reason: "migration", ...more });

  test("loosens for one agent and a time, and is in the log when granted and revoked", async () => {
    const key = await world.key("acme", { kind: "agent", agent: "exempted" }, ["decide"]);
    await created("team/strict", mandate("nothing"));
    await created("agent/exempted", mandate("read"));
    await send("PUT", "/v1/agents/exempted", ada, { teams: ["strict"] });
    expect((await world.ask(key, "read")).body).toMatchObject({ verdict: "block" });
    const granted = await send("POST", "/v1/agents/exempted/exemptions", ada, exempt());
    expect(granted).toMatchObject({ status: 200, body: { granted_by: "ada", over: "tenant" } });
    const lasts = Date.parse(granted.body["expires_at"] as never) - Date.parse(granted.body["granted_at"] as never);
    expect(lasts).toBe(90 * 86_400_000);
    const allowed = (await world.ask(key, "read")).body;
    expect(allowed).toMatchObject({ verdict: "allow" });
    const about = await world.store.entriesAbout("acme", allowed["id"] as never);
    expect(about.ok && about.value[0]?.record).toContain(granted.body["id"] as never);
    const id = granted.body["id"] as unknown as string;
    expect(await send("DELETE", `/v1/agents/exempted/exemptions/${id}`, ada, { reason: "done" })).toMatchObject({
      status: 200,
    });
    expect((await world.ask(key, "read")).body).toMatchObject({ verdict: "block" });
    const log = await newestEntries();
    const kinds = log.ok ? log.value.map(({ kind }) => kind) : [];
    expect(kinds.filter((kind) => kind.startsWith("exemption."))).toEqual(["exemption.grant", "exemption.revoke"]);
  });

  test.each<{ it: string; key: () => string; body: JsonObject; status: number }>([
    { it: "without a reason", key: () => ada, body: { section: "mandate" }, status: 400 },
    { it: "of a section that does not exist", key: () => ada, body: exempt({ section: "everything" }), status: 400 },
    { it: "that has ended", key: () => ada, body: exempt({ expires_at: "2020-01-01T00:00:00Z" }), status: 400 },
    { it: "of patterns outside the protected", key: () => ada, body: exempt({ patterns: ["x"] }), status: 400 },
    { it: "from the platform, by a tenant", key: () => ada, body: exempt({ over: "platform" }), status: 403 },
    { it: "by an agent", key: () => agent, body: exempt(), status: 403 },
    { it: "by an auditor", key: () => reader, body: exempt(), status: 403 },
  ])("is refused $it", async ({ key, body, status }) => {
    expect((await send("POST", "/v1/agents/some/exemptions", key(), body)).status).toBe(status);
  });

  test("is granted in the words of cards too", async () => {
    const asked = {
      exempt_section: "protection.thresholds.warn",
      reason: "pilot",
      granted_by: "ada",
      expires_at: null,
    };
    expect(await send("POST", "/v1/agents/carded/exemptions", ada, asked)).toMatchObject({
      status: 200,
      body: { section: "screening.thresholds.warn", expires_at: null },
    });
    expect(await send("POST", "/v1/agents/carded/exemptions", ada, { ...asked, granted_by: "eve" })).toMatchObject({
      status: 403,
    });
    expect(
      await send("POST", "/v1/agents/carded/exemptions", ada, { ...asked, exempt_section: "alignment.values" }),
    ).toMatchObject({ status: 400 });
  });

  test.each(["protection", "mode.x", "trusted_sources.domains", "protected_surface.assets", "__proto__", ""])(
    "of %j, which is no section of cards, takes nothing wider away",
    async (section) => {
      const asked = { exempt_section: section, reason: "pilot" };
      expect((await send("POST", "/v1/agents/carded/exemptions", ada, asked)).status).toBe(400);
    },
  );

  test("that names two sections is of neither", async () => {
    const asked = { section: "screening", exempt_section: "mode", reason: "pilot" };
    expect(await send("POST", "/v1/agents/carded/exemptions", ada, asked)).toMatchObject({
      status: 400,
      body: { path: "/exempt_section", detail: "the two names are of different sections" },
    });
  });

  test("with as long a reason as may be given is granted, read and taken back", async () => {
    await created("agent/reasoned", mandate("read"));
    const granted = await send("POST", "/v1/agents/reasoned/exemptions", ada, exempt({ reason: "r".repeat(2_000) }));
    expect(granted.status).toBe(200);
    expect((await send("GET", "/v1/policies/effective?agent=reasoned", reader)).status).toBe(200);
    const path = `/v1/agents/reasoned/exemptions/${granted.body["id"]}`;
    expect(await send("DELETE", path, ada, { reason: "done" })).toMatchObject({ status: 200 });
  });

  test("of another agent is unknown", async () => {
    const id = "exm_0190a1b2-0000-7000-8000-000000000000";
    expect(await send("DELETE", `/v1/agents/some/exemptions/${id}`, ada, { reason: "x" })).toMatchObject({
      status: 404,
      body: { code: "exemption.unknown" },
    });
  });
});
