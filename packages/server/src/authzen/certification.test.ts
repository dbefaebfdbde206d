import { type JsonObject, type JsonValue, readPolicy } from "@countersign/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type GateWorld, gateWorld } from "../testing/gateWorld.ts";
import { authzenEndpoints } from "./authzenEndpoints.ts";

/** The fixture of the certification scenario of the AuthZEN working group, its levels Basic, Batch and Discovery. */
const TOOLS: JsonObject[] = [
  { tool: "authzen/record", kind: "network", verb: "use", target: "record:{/resource/id}" },
  {
    tool: "authzen/record/delete",
    kind: "network",
    verb: "delete",
    target: "record:{/resource/id}/soft={/action/properties/soft}",
  },
];
const clause = (verb: string, ...prefixes: string[]): JsonObject => ({
  id: verb,
  effect: "allow",
  match: { kind: ["network"], verb: [verb], target_prefix: prefixes },
});
const policyOf = (...clauses: JsonObject[]) => {
  const read = readPolicy({ tools: TOOLS, mandate: { clauses, default: "block" } }, "org:acme");
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
};
const POLICIES = new Map([
  [
    "alice",
    policyOf(
      clause("read", "record:"),
      clause("write", "record:record-1"),
      clause("delete", "record:record-1/soft=true"),
    ),
  ],
  ["bob", policyOf(clause("read", "record:"), clause("write", "record:record-2"))],
]);

let world: GateWorld;
let key: string;
beforeAll(async () => {
  const source = {
    effective: async ({ agent }: { agent: string }) => ({ ok: true as const, value: POLICIES.get(agent) ?? null }),
  };
  world = await gateWorld(undefined, {
    policies: () => source,
    endpoints: ({ store, gate }) =>
      authzenEndpoints({ store, gate, policies: source, issuer: "https://gate.example/tenant1" }),
  });
  key = await world.key("acme", { kind: "enforcer", id: "gateway", agents: "any" }, ["decide"]);
});
afterAll(() => world.app.close());

const send = async (path: string, body: JsonValue | string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${world.base}/access/v1/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return {
    status: answer.status,
    type: answer.headers.get("content-type"),
    id: answer.headers.get("x-request-id"),
    body: (await answer.json()) as JsonObject & { evaluations?: { decision: boolean }[] },
  };
};
const user = (id: string, properties?: JsonObject): JsonObject => ({
  type: "user",
  id,
  ...(properties && { properties }),
});
const record = (id: string, status?: string): JsonObject => ({
  type: "record",
  id,
  ...(status === undefined ? {} : { properties: { status } }),
});
const does = (name: string, properties?: JsonObject): JsonObject => ({ name, ...(properties && { properties }) });
const ALICE_READS = { subject: user("alice"), action: does("read"), resource: record("record-1") };
const DELETES = { subject: user("alice"), resource: record("record-1") };

test.each<{ it: string; body: JsonObject; want: boolean }>([
  { it: "rule 1", body: ALICE_READS, want: true },
  { it: "rule 2", body: { ...ALICE_READS, action: does("write") }, want: true },
  { it: "rule 3", body: { ...ALICE_READS, subject: user("bob") }, want: true },
  { it: "rule 4", body: { ...ALICE_READS, subject: user("bob"), action: does("write") }, want: false },
  {
    it: "rule 5",
    body: { ...ALICE_READS, action: does("write"), resource: record("record-2", "archived") },
    want: false,
  },
  {
    it: "rule 6",
    body: { subject: user("bob", { role: "admin" }), action: does("write"), resource: record("record-2", "archived") },
    want: true,
  },
  { it: "rule 7", body: { ...DELETES, action: does("delete", { soft: true }) }, want: true },
  { it: "rule 8", body: { ...DELETES, action: does("delete", { soft: false }) }, want: false },
  { it: "a deletion that says not which", body: { ...DELETES, action: does("delete") }, want: false },
  {
    it: "a context",
    body: { ...ALICE_READS, context: { time: "2025-06-27T18:03-07:00", ip: "192.168.1.1" } },
    want: true,
  },
  { it: "members that nobody knows", body: { ...ALICE_READS, foo: "bar", futureField: { nested: true } }, want: true },
  {
    it: "properties that nobody asked for",
    body: {
      subject: user("alice", { department: "Sales", role: "manager" }),
      action: does("read", { method: "GET" }),
      resource: { ...record("record-1"), properties: { status: "active", owner: "bob" } },
    },
    want: true,
  },
])("$it is answered with $want", async ({ body, want }) => {
  for (const path of ["evaluation", "evaluations"]) {
    const answer = await send(path, body);
    expect([answer.status, answer.body["decision"]]).toEqual([200, want]);
    expect(answer.type).toMatch(/^application\/json/);
  }
  expect((await send("evaluations", { ...body, evaluations: [] })).body["decision"]).toBe(want);
});

describe("several", () => {
  test.each<{ it: string; body: JsonObject; want: boolean[] }>([
    {
      it: "with a resource each",
      body: {
        subject: user("alice"),
        action: does("read"),
        evaluations: [{ resource: record("record-1") }, { resource: record("record-2") }],
      },
      want: [true, true],
    },
    {
      it: "with an action each",
      body: {
        subject: user("bob"),
        resource: record("record-1"),
        evaluations: [{ action: does("read") }, { action: does("write") }],
      },
      want: [true, false],
    },
    {
      it: "with a subject each",
      body: {
        action: does("write"),
        resource: record("record-2", "archived"),
        evaluations: [{ subject: user("alice") }, { subject: user("bob", { role: "admin" }) }],
      },
      want: [false, true],
    },
    {
      it: "with nothing in common",
      body: { evaluations: [ALICE_READS, { ...ALICE_READS, subject: user("bob"), action: does("write") }] },
      want: [true, false],
    },
    {
      it: "of which one lacks what the default has",
      body: {
        subject: user("alice"),
        action: does("write"),
        resource: { type: "record" },
        evaluations: [
          { resource: { id: "record-1", properties: { status: "active" } } },
          { resource: record("record-2", "archived") },
        ],
      },
      want: [true, false],
    },
    {
      it: "of which one is none",
      body: { subject: user("alice"), action: does("read"), evaluations: [{ resource: record("record-1") }, {}] },
      want: [true, false],
    },
  ])("$it", async ({ body, want }) => {
    const answer = await send("evaluations", body);
    expect(answer.status).toBe(200);
    expect(answer.body.evaluations?.map(({ decision }) => decision)).toEqual(want);
  });
});

describe("a bad request", () => {
  const { subject, action, resource } = ALICE_READS;
  test.each<{ it: string; body: JsonValue }>([
    { it: "no subject", body: { action, resource } },
    { it: "no action", body: { subject, resource } },
    { it: "no resource", body: { subject, action } },
    { it: "a subject without a type", body: { subject: { id: "alice" }, action, resource } },
    { it: "a subject without an id", body: { subject: { type: "user" }, action, resource } },
    { it: "an action without a name", body: { subject, action: {}, resource } },
    { it: "a resource without a type", body: { subject, action, resource: { id: "record-1" } } },
    { it: "a resource without an id", body: { subject, action, resource: { type: "record" } } },
    { it: "a subject that is text", body: { subject: "alice", action, resource } },
    { it: "a name that is a number", body: { subject, action: { name: 123 }, resource } },
    { it: "no JSON", body: "{" },
    { it: "nothing", body: "" },
  ])("has $it", async ({ body }) => {
    for (const path of ["evaluation", "evaluations"]) expect((await send(path, body)).status).toBe(400);
  });

  test.each(["text/plain", "application/xml", "application/x-www-form-urlencoded"])(
    "is of the type %s",
    async (type) => {
      for (const path of ["evaluation", "evaluations"])
        expect((await send(path, ALICE_READS, { "content-type": type })).status).toBe(400);
    },
  );
});

test("the id of a request comes back with every answer", async () => {
  const id = { "x-request-id": "bfe9eb29-ab87-4ca3-be83-a1d5d8305716" };
  for (const answer of [
    await send("evaluation", ALICE_READS, id),
    await send("evaluation", {}, id),
    await send("evaluations", "{", id),
    await send("evaluation", ALICE_READS, { ...id, authorization: "Bearer x" }),
  ])
    expect(answer.id).toBe(id["x-request-id"]);
  expect((await send("evaluation", ALICE_READS, { "x-request-id": "a\tb" })).id).not.toBe("a\tb");
});

test("the metadata stand where the path of the gate's name leads to", async () => {
  const answer = await fetch(`${world.base}/.well-known/authzen-configuration/tenant1`);
  expect([answer.status, await answer.json()]).toEqual([
    200,
    {
      policy_decision_point: "https://gate.example/tenant1",
      access_evaluation_endpoint: "https://gate.example/tenant1/access/v1/evaluation",
      access_evaluations_endpoint: "https://gate.example/tenant1/access/v1/evaluations",
    },
  ]);
});
