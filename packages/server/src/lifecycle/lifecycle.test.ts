import { generateKeyPairSync } from "node:crypto";
import { type JsonObject, type Lifecycle, readPolicy, samePolicy } from "@countersign/core";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "../caller.ts";
import { createNodeSigner, publicBytes } from "../keys/nodeSigner.ts";
import { type GateWorld, gateWorld } from "../testing/gateWorld.ts";
import { holdsService } from "./holds.ts";
import { createWaiting } from "./waiting.ts";

let world: GateWorld;
let agent: string;
let other: string;
let enforcer: string;
let alice: string;
let bob: string;
let auditor: string;
let elsewhere: string;

beforeAll(async () => {
  world = await gateWorld();
  agent = await world.key("acme", { kind: "agent", agent: "a" }, ["decide"]);
  other = await world.key("acme", { kind: "agent", agent: "b" }, ["decide", "enforce", "outcome"]);
  enforcer = await world.key("acme", { kind: "enforcer", id: "proxy", agents: ["a"] }, [
    "decide",
    "enforce",
    "outcome",
  ]);
  alice = await world.key("acme", { kind: "person", person: "alice" }, ["review"]);
  bob = await world.key("acme", { kind: "person", person: "bob" }, ["review"]);
  auditor = await world.key("acme", { kind: "person", person: "carol" }, ["audit"]);
  elsewhere = await world.key("umbrella", { kind: "person", person: "eve" }, ["review", "audit", "admin"]);
});
afterAll(() => world.app.close());

const text = (object: JsonObject, member: string): string => object[member] as string;

async function held(key = agent): Promise<string> {
  const { body } = await world.ask(key, "delete", { target: `/work/${Math.random()}` });
  return text(body["hold"] as unknown as JsonObject, "id");
}
const show = async (hold: string, key = alice) => (await world.call("GET", `/v1/holds/${hold}`, key)).body;
async function answer(hold: string, how: "approve" | "reject", key = alice) {
  const { version, token } = await show(hold, key);
  return world.call("POST", `/v1/holds/${hold}/${how}`, key, { version, token, reason: "I have looked" });
}
const code = (status: number, is: string) => ({ status, body: { code: is } });

test("a hold whose content is redacted is whole for the person who decides, and says from then on what it lacks", async () => {
  const document = {
    mandate: { clauses: [{ id: "d", effect: "review", match: { kind: ["file"] } }], default: "block" },
    content: { keep: "redacted" },
  };
  const policy = readPolicy(document, "platform:default");
  if (!policy.ok) throw new Error("test data");
  const redacting = await gateWorld(() => [], { policies: () => samePolicy(policy.value) });
  const asker = await redacting.key("acme", { kind: "agent", agent: "a" }, ["decide"]);
  const reviewer = await redacting.key("acme", { kind: "person", person: "alice" }, ["review"]);
  const asked = await redacting.ask(asker, "delete", { target: "/work/x", parameters: { tell: "jane@example.com" } });
  const path = `/v1/holds/${text(asked.body["hold"] as unknown as JsonObject, "id")}`;
  const open = (await redacting.call("GET", path, reviewer)).body;
  expect(open).toMatchObject({ withheld: null, shown: { action: { parameters: { tell: "jane@example.com" } } } });
  const { version, token } = open;
  await redacting.call("POST", `${path}/reject`, reviewer, { version, token, reason: "no" });
  expect((await redacting.call("GET", path, reviewer)).body).toMatchObject({
    withheld: "redacted",
    shown: { action: { target: "/work/x", parameters: { tell: "[redacted email]" } } },
  });
  await redacting.app.close();
});

describe("a hold", () => {
  test("shows a person exactly what will run, and why it waits", async () => {
    const { body } = await world.ask(agent, "delete", { target: "/work/x", parameters: { force: true } });
    const shown = await show(text(body["hold"] as unknown as JsonObject, "id"));
    expect(shown).toMatchObject({
      decision: body["id"],
      agent: "a",
      about: "action",
      state: "open",
      version: 1,
      shown: { action: { kind: "file", verb: "delete", target: "/work/x", parameters: { force: true } } },
      withheld: null,
      frozen_by: null,
      action_digest: body["action_digest"],
      findings: [{ check: "mandate", severity: "review" }],
      token: expect.stringMatching(/^\d+\./),
    });
  });

  test("tells programs how it stands, and neither what it is about nor who the people are", async () => {
    const hold = await held();
    await answer(hold, "reject");
    const shown = await show(hold, agent);
    expect(shown).toMatchObject({ state: "rejected", reason: "I have looked", decided_by: null });
    expect(shown).toMatchObject({ shown: null, withheld: "people_only", token: null });
    expect(await show(hold)).toMatchObject({ decided_by: "alice" });
  });

  test.each(["approve", "reject"] as const)(
    "is not decided by looking: %s is a POST with a fresh token",
    async (how) => {
      const hold = await held();
      expect(await world.call("GET", `/v1/holds/${hold}/${how}`, alice)).toMatchObject(code(405, "method.refused"));
      const bare = { version: 1, reason: "yes" };
      expect(await world.call("POST", `/v1/holds/${hold}/${how}`, alice, bare)).toMatchObject(
        code(400, "request.invalid"),
      );
      for (const token of ["x", "1.x", `${Date.now() + 60_000}.${"A".repeat(86)}`]) {
        const body = { ...bare, token };
        expect(await world.call("POST", `/v1/holds/${hold}/${how}`, alice, body)).toMatchObject(
          code(403, "hold.token_refused"),
        );
      }
      expect(await show(hold)).toMatchObject({ state: "open" });
    },
  );

  test("takes no token of another person, another hold or an hour ago", async () => {
    const [one, two] = [await held(), await held()];
    const { token } = await show(one);
    const body = { version: 1, token, reason: "yes" };
    expect(await world.call("POST", `/v1/holds/${two}/approve`, alice, body)).toMatchObject(
      code(403, "hold.token_refused"),
    );
    expect(await world.call("POST", `/v1/holds/${one}/approve`, bob, body)).toMatchObject(
      code(403, "hold.token_refused"),
    );
    world.wait(600_000);
    expect(await world.call("POST", `/v1/holds/${one}/approve`, alice, body)).toMatchObject(
      code(403, "hold.token_refused"),
    );
  });

  test.each([
    { it: "an agent, its own", key: () => agent },
    { it: "an enforcer", key: () => enforcer },
    { it: "a person without the right", key: () => auditor },
  ])("is not decided by $it", async ({ key }) => {
    const hold = await held();
    const { token } = await show(hold);
    const body = { version: 1, token, reason: "yes" };
    expect(await world.call("POST", `/v1/holds/${hold}/approve`, key(), body)).toMatchObject(
      code(403, "credential.scope"),
    );
  });

  test("No agent approves, whatever its credential says", async () => {
    const confused = await world.key("acme", { kind: "agent", agent: "a" }, ["decide", "review"]);
    const hold = await held();
    const body = { version: 1, token: (await show(hold)).token, reason: "yes" };
    expect(await show(hold, confused)).toMatchObject({ token: null, shown: null });
    expect(await world.call("POST", `/v1/holds/${hold}/approve`, confused, body)).toMatchObject(
      code(403, "actor.not_allowed"),
    );
  });

  test("is not approved unseen: what holds a secret is kept nowhere, and can only be rejected", async () => {
    const { body } = await world.call("POST", "/v1/decisions", agent, {
      action: { kind: "file", verb: "delete", target: "/work/x" },
      material: { texts: [{ surface: "incoming", text: `the token is ghp_${"aB3dE6gH9".repeat(4)}` }] },
      idempotency_key: "unseen",
    });
    const hold = text(body["hold"] as unknown as JsonObject, "id");
    expect(await show(hold)).toMatchObject({ shown: null, withheld: "not_kept" });
    expect(await answer(hold, "approve")).toMatchObject(code(409, "hold.not_shown"));
    expect(await answer(hold, "reject")).toMatchObject({ status: 200, body: { state: "rejected" } });
  });

  test("is approved once, and the same answer sent twice is one", async () => {
    const hold = await held();
    const { token } = await show(hold);
    const body = { version: 1, token, reason: "yes" };
    const first = await world.call("POST", `/v1/holds/${hold}/approve`, alice, body);
    expect(first).toMatchObject({ status: 200, body: { state: "approved", grant: expect.stringMatching(/^grant_/) } });
    expect(await world.call("POST", `/v1/holds/${hold}/approve`, alice, body)).toEqual(first);
    expect(await world.call("POST", `/v1/holds/${hold}/reject`, alice, body)).toMatchObject(
      code(409, "idempotency.conflict"),
    );
    expect(await answer(hold, "approve", bob).catch(() => null)).toMatchObject({ status: 400 });
  });

  test("gives a permission that a person can take back, until it was redeemed", async () => {
    const target = `/work/${Math.random()}`;
    const { body } = await world.ask(agent, "delete", { target });
    const { grant } = (await answer(text(body["hold"] as unknown as JsonObject, "id"), "approve")).body;
    expect(await world.call("GET", `/v1/grants/${grant}`, agent)).toMatchObject({
      status: 200,
      body: { agent: "a", used_by: null, approved_by: [] },
    });
    expect(await world.call("GET", `/v1/grants/${grant}`, other)).toMatchObject(code(404, "grant.unknown"));
    const { body: allowed } = await world.ask(agent, "delete", { target });
    expect(allowed["verdict"]).toBe("allow");
    const revoke = (key: string) => world.call("DELETE", `/v1/grants/${grant}`, key, { reason: "a mistake" });
    expect(await revoke(enforcer)).toMatchObject(code(403, "credential.scope"));
    expect(await revoke(bob)).toMatchObject({ status: 200 });
    expect(await revoke(bob)).toMatchObject(code(409, "grant.revoked"));
    const claim = { action_digest: allowed["action_digest"] };
    expect(await world.call("POST", `/v1/decisions/${allowed["id"]}/redeem`, enforcer, claim)).toMatchObject(
      code(409, "grant.revoked"),
    );
  });

  test("expires into a rejection", async () => {
    const hold = await held();
    const { token } = await show(hold);
    world.wait(3_600_000);
    expect(await show(hold)).toMatchObject({ state: "expired", token: null });
    const late = await world.call("POST", `/v1/holds/${hold}/approve`, alice, { version: 1, token, reason: "yes" });
    expect(late.status).toBe(403);
  });

  test("is listed to those who may see it, the riskiest first", async () => {
    const mine = await held();
    const theirs = await held(other);
    const ids = async (key: string, query = "?limit=200") =>
      ((await world.call("GET", `/v1/holds${query}`, key)).body["items"] as unknown as JsonObject[]).map(
        ({ id }) => id,
      );
    expect(await ids(alice)).toEqual(expect.arrayContaining([mine, theirs]));
    expect(await ids(agent)).toContain(mine);
    expect(await ids(agent)).not.toContain(theirs);
    expect(await ids(agent, "?agent=b")).toEqual([]);
    expect(await ids(alice, "?agent=b&state=any&order=age")).toContain(theirs);
    expect(await ids(elsewhere)).toEqual([]);
    const refused = await world.call("GET", "/v1/holds?stat=open", alice);
    expect(refused).toMatchObject({
      status: 400,
      body: { code: "request.invalid", detail: expect.stringMatching(/state/) },
    });
  });

  test("wakes who waits for it when it is decided", async () => {
    const hold = await held();
    const waiting = world.call("GET", `/v1/holds/${hold}?wait=30`, agent);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await answer(hold, "approve");
    expect(await waiting).toMatchObject({ status: 200, body: { state: "approved" } });
    const known = await world.call("GET", `/v1/holds/${hold}?wait=30&version=1`, agent);
    expect(known.body).toMatchObject({ state: "approved" });
  });

  test("tells nothing more to a credential that was revoked while it waited", async () => {
    const admin = await world.key("acme", { kind: "person", person: "root" }, ["admin"]);
    const waiter = await world.key("acme", { kind: "agent", agent: "a" }, ["decide"]);
    const hold = await held();
    const waiting = world.call("GET", `/v1/holds/${hold}?wait=30`, waiter);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await world.call("DELETE", `/v1/keys/key_${waiter.split("_")[2]}`, admin);
    await answer(hold, "approve");
    expect(await waiting).toMatchObject(code(401, "credential.unknown"));
  });

  test("shows nothing when what is kept is not what was asked", async () => {
    const hold = await held();
    const tampered = {
      fields: JSON.stringify({ action: { kind: "file", verb: "read", target: "/harmless" } }),
      salts: "{}",
    };
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const service = holdsService({
      store: { ...world.store, content: async () => ({ ok: true, value: { ...tampered, keepUntil: null } }) },
      lifecycle: {} as Lifecycle,
      keys: { signer: () => createNodeSigner("k", privateKey), known: () => [publicBytes(publicKey)] },
      waiting: createWaiting(world.store),
      standing: async () => true,
      clock: world.now,
    });
    const caller: Caller = {
      tenant: "acme",
      credential: "key_1",
      scopes: new Set(["review"]),
      holder: { kind: "person", person: "alice" },
    };
    const shown = await service.answer("get_hold", { id: hold }, caller, () => new AbortController().signal);
    expect(shown).toMatchObject({ ok: true, value: { shown: null, withheld: "does_not_match" } });
    expect(JSON.stringify(shown)).not.toContain("harmless");
  });

  test("gives up waiting in time, and waits for nothing that is not there", async () => {
    const hold = await held();
    expect(await world.call("GET", `/v1/holds/${hold}?wait=1`, agent)).toMatchObject({ body: { state: "open" } });
    const none = "hold_00000000-0000-7000-8000-000000000000";
    expect(await world.call("GET", `/v1/holds/${none}?wait=30`, agent)).toMatchObject(code(404, "hold.unknown"));
    expect(await world.call("GET", `/v1/holds/${hold}?wait=31`, agent)).toMatchObject(code(400, "request.invalid"));
  });
});

test("agents report outcomes over MCP, as over HTTP", async () => {
  const client = new Client({ name: "test", version: "0" });
  const headers = { authorization: `Bearer ${enforcer}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${world.base}/mcp/native`), { requestInit: { headers } }),
  );
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
    "decide",
    "get_decision",
    "report_outcome",
  ]);
  const { body } = await world.ask(agent, "read");
  const told = { id: text(body, "id"), result: "executed", as_approved: true };
  const first = await client.callTool({ name: "report_outcome", arguments: told });
  expect(first.structuredContent).toEqual({ id: body["id"], result: "executed", money: "none", breaker: null });
  const second = await client.callTool({ name: "report_outcome", arguments: told });
  expect(second).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^outcome\.closed/) }] });
  await client.close();
});

describe("Tenants do not meet", () => {
  test("with another tenant's ids every route answers as if they did not exist", async () => {
    const hold = await held();
    const { body } = await world.ask(agent, "read");
    const id = text(body, "id");
    const stop = (await world.call("POST", "/v1/stops", alice, { scope: "agent:z", reason: "z" })).body;
    const token = (await show(hold)).token;
    const rows: [string, string, JsonObject | undefined, string][] = [
      ["GET", `/v1/decisions/${id}`, undefined, "decision.unknown"],
      ["GET", `/v1/holds/${hold}`, undefined, "hold.unknown"],
      ["GET", `/v1/holds/${hold}?wait=30`, undefined, "hold.unknown"],
      ["POST", `/v1/holds/${hold}/approve`, { version: 1, token: token as never, reason: "r" }, "hold.unknown"],
      ["POST", `/v1/holds/${hold}/reject`, { version: 1, token: token as never, reason: "r" }, "hold.unknown"],
      ["DELETE", `/v1/stops/${text(stop, "id")}`, { reason: "r" }, "stop.unknown"],
    ];
    for (const [method, path, sent, unknown] of rows)
      expect(await world.call(method, path, elsewhere, sent)).toMatchObject(code(404, unknown));
    const program = await world.key("umbrella", { kind: "enforcer", id: "p", agents: "any" }, [
      "decide",
      "enforce",
      "outcome",
    ]);
    for (const [path, sent] of [
      ["redeem", { action_digest: body["action_digest"] }],
      ["outcome", { result: "executed", as_approved: true }],
      ["appeal", { reason: "r" }],
    ] as const)
      expect(await world.call("POST", `/v1/decisions/${id}/${path}`, program, sent)).toMatchObject(
        code(404, "decision.unknown"),
      );
    for (const path of ["/v1/decisions", "/v1/holds?state=any", "/v1/stops"])
      expect(await world.call("GET", path, elsewhere)).toMatchObject({ status: 200, body: { items: [] } });
  });
});

describe("redeem and outcome", () => {
  const redeem = (decision: JsonObject, key = enforcer, more: object = {}) =>
    world.call("POST", `/v1/decisions/${decision["id"]}/redeem`, key, {
      action_digest: decision["action_digest"],
      ...more,
    });
  const outcome = (decision: JsonObject, key: string, more: object = {}) =>
    world.call("POST", `/v1/decisions/${decision["id"]}/outcome`, key, {
      result: "executed",
      as_approved: true,
      ...more,
    });
  const pay = async (value: string) =>
    (await world.ask(agent, "pay", { amount: { value, currency: "USD" } })).body as JsonObject;

  test("A receipt is redeemed once, by an enforcer of this agent", async () => {
    const { body } = await world.ask(agent, "read");
    expect(await redeem(body, agent)).toMatchObject(code(403, "credential.scope"));
    expect(await redeem(body, other)).toMatchObject(code(404, "decision.unknown"));
    expect(await redeem(body, enforcer, { action_digest: `sha256:${"0".repeat(64)}` })).toMatchObject(
      code(409, "redeem.other_action"),
    );
    const first = await redeem(body, enforcer, { idempotency_key: "once" });
    expect(first).toMatchObject({
      status: 200,
      body: { id: body["id"], record_hash: expect.stringMatching(/^sha256:/) },
    });
    expect(await redeem(body, enforcer, { idempotency_key: "once" })).toEqual(first);
    expect(await redeem(body)).toMatchObject(code(409, "redeem.used"));
  });

  test("is claimed with the action in hand, and refused with any other", async () => {
    const action = { kind: "file", verb: "read", target: "/work/a.txt", parameters: { limit: 10 } };
    const claim = async (inHand: object) => {
      const { body } = await world.ask(agent, "read", { parameters: { limit: 10 } });
      return world.call("POST", `/v1/decisions/${body["id"]}/redeem`, enforcer, inHand);
    };
    expect(await claim({ action })).toMatchObject({ status: 200 });
    expect(await claim({ action: { ...action, justification: "words are not in the digest" } })).toMatchObject({
      status: 200,
    });
    for (const other of [{ target: "/work/b.txt" }, { parameters: { limit: 11 } }, { verb: "write" }])
      expect(await claim({ action: { ...action, ...other } })).toMatchObject(code(409, "redeem.other_action"));
    for (const unclear of [
      {},
      { action, action_digest: `sha256:${"0".repeat(64)}` },
      { action: { ...action, extra: 1 } },
    ])
      expect(await claim(unclear)).toMatchObject(code(400, "request.invalid"));
    expect(await claim({ material: { urls: ["https://example.com/"] } })).toMatchObject(
      code(409, "redeem.other_action"),
    );
  });

  test("what was redeemed and has no outcome is listed as unclosed, until somebody closes it", async () => {
    const { body } = await world.ask(agent, "read");
    await redeem(body);
    const unclosed = async () =>
      ((await world.call("GET", "/v1/decisions?unclosed=true", agent)).body["items"] as unknown as JsonObject[]).map(
        ({ id }) => id,
      );
    expect(await unclosed()).toContain(body["id"]);
    expect(await outcome(body, alice)).toMatchObject({ status: 200, body: { money: "none", breaker: null } });
    expect(await unclosed()).not.toContain(body["id"]);
    expect(await outcome(body, enforcer)).toMatchObject(code(409, "outcome.closed"));
  });

  test("No agent reports money free", async () => {
    const payer = await world.key("acme", { kind: "agent", agent: "a" }, ["decide", "enforce", "outcome"]);
    const paid = await pay("90");
    expect(paid["verdict"]).toBe("allow");
    await redeem(paid);
    expect(await outcome(paid, payer, { result: "failed" })).toMatchObject({ body: { money: "redeemed" } });
    expect((await pay("20"))["verdict"]).toBe("block");
    expect(await outcome(paid, enforcer, { result: "failed" })).toMatchObject({ body: { money: "released" } });
    expect((await pay("20"))["verdict"]).toBe("allow");
  });

  test("an outcome unlike its approval trips the breaker, and the agent is stopped until a person lifts it", async () => {
    const { body } = await world.ask(agent, "read");
    await redeem(body);
    const waiting = await world.ask(agent, "read");
    const told = await outcome(body, enforcer, { as_approved: false });
    const stop = told.body["breaker"] as unknown as string;
    expect(stop).toMatch(/^stop_/);
    expect(await redeem(waiting.body)).toMatchObject(code(409, "stopped"));
    const next = await world.ask(agent, "read");
    expect(next.body["verdict"]).toBe("block");
    expect(next.body["findings"]).toContainEqual(expect.objectContaining({ code: "stopped" }));
    expect(await world.call("GET", "/v1/stops", alice)).toMatchObject({
      body: { items: expect.arrayContaining([expect.objectContaining({ id: stop, cause: "breaker" })]) },
    });
    expect(await world.call("DELETE", `/v1/stops/${stop}`, enforcer, { reason: "r" })).toMatchObject(
      code(403, "credential.scope"),
    );
    expect(await world.call("DELETE", `/v1/stops/${stop}`, alice, { reason: "looked at it" })).toMatchObject({
      status: 200,
    });
    expect((await world.ask(agent, "read")).body["verdict"]).toBe("allow");
  });

  test("a stop keeps holds in its scope from being approved, and names itself", async () => {
    const hold = await held();
    const { body: stop } = await world.call("POST", "/v1/stops", alice, { scope: "agent:a", reason: "wait" });
    expect(await show(hold)).toMatchObject({ frozen_by: stop["id"] });
    expect(await answer(hold, "approve")).toMatchObject(code(409, "hold.frozen"));
    await world.call("DELETE", `/v1/stops/${stop["id"]}`, alice, { reason: "go on" });
    expect(await answer(hold, "approve")).toMatchObject({ status: 200, body: { state: "approved" } });
  });

  test.each([
    { it: "a time that has passed", body: { scope: "tenant", reason: "r", until: "2020-01-01T00:00:00Z" } },
    { it: "a time that is none", body: { scope: "tenant", reason: "r", until: "tomorrow" } },
    { it: "a scope that is none", body: { scope: "everything", reason: "r" } },
    { it: "no reason", body: { scope: "tenant" } },
    { it: "a reason of two lines", body: { scope: "tenant", reason: "a\nb" } },
  ])("refuses a stop with $it", async ({ body }) => {
    expect(await world.call("POST", "/v1/stops", alice, body)).toMatchObject(code(400, "request.invalid"));
  });

  test("an appeal puts a refusal into the queue, once", async () => {
    const { body } = await world.ask(agent, "write");
    const appealed = await world.call("POST", `/v1/decisions/${body["id"]}/appeal`, agent, { reason: "a note only" });
    expect(appealed).toMatchObject({ status: 200, body: { hold: expect.stringMatching(/^hold_/) } });
    expect(await show(text(appealed.body, "hold"))).toMatchObject({
      about: "appeal",
      shown: { action: { verb: "write" } },
    });
    const again = await world.call("POST", `/v1/decisions/${body["id"]}/appeal`, agent, { reason: "please" });
    expect(again).toMatchObject(code(409, "hold.exists"));
  });

  test("nothing is said in two places", async () => {
    const { body } = await world.ask(agent, "read");
    expect(await redeem(body, enforcer, { id: body["id"] })).toMatchObject({
      status: 400,
      body: { code: "request.invalid", path: "/id" },
    });
  });
});

test("every operation is in the reference, with its parameters and its body", async () => {
  const document = (await (await fetch(`${world.base}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { parameters?: { name: string; in: string }[]; requestBody?: JsonObject }>>;
  };
  const parameters = document.paths["/v1/holds/{id}"]?.["get"]?.parameters?.map((one) => `${one.in} ${one.name}`);
  expect(parameters).toEqual(["path id", "query wait", "query version"]);
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining(["/v1/decisions/{id}/redeem", "/v1/decisions/{id}/outcome", "/v1/stops/{id}"]),
  );
  const body = JSON.stringify(document.paths["/v1/decisions/{id}/redeem"]?.["post"]?.requestBody);
  expect(body).toContain("action_digest");
  expect(body).not.toContain('"id"');
});

describe("No planted secret appears", () => {
  const SECRET = `ghp_${"aB3dE6gH9".repeat(4)}`;
  const reason = `please look, the token is ${SECRET}`;

  test.each([
    {
      it: "an appeal",
      path: async () => `/v1/decisions/${(await world.ask(agent, "write")).body["id"]}/appeal`,
      key: () => agent,
      body: { reason },
      at: "/reason",
    },
    {
      it: "an answer to a hold",
      path: async () => `/v1/holds/${await held()}/reject`,
      key: () => alice,
      body: { reason, version: 1, token: "t" },
      at: "/reason",
    },
    { it: "a stop", path: async () => "/v1/stops", key: () => alice, body: { scope: "team:t", reason }, at: "/reason" },
    {
      it: "an outcome",
      path: async () => `/v1/decisions/${(await world.ask(agent, "read")).body["id"]}/outcome`,
      key: () => enforcer,
      body: { result: "executed", as_approved: true, idempotency_key: SECRET },
      at: "/idempotency_key",
    },
  ])("in the words of $it: they are refused before anything is written", async ({ path, key, body, at }) => {
    const where = await path();
    const answer = await world.call("POST", where, key(), body);
    expect(answer).toMatchObject({ status: 400, body: { code: "request.invalid", path: at } });
    expect(JSON.stringify(answer)).not.toContain(SECRET);
    expect(JSON.stringify(await world.store.entries("acme", 0, 1000))).not.toContain(SECRET);
  });
});
