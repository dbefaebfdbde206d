import { composeParts, type JsonObject, type JsonValue, type Remedy, readPart, readPolicy } from "@countersign/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type GateWorld, gateWorld } from "../testing/gateWorld.ts";
import { authzenEndpoints } from "./authzenEndpoints.ts";

/** The to-do scenario of the AuthZEN working group: who may do what, by role and by owner. */
const USERS = {
  rick: {
    id: "CiRmZDA2MTRkMy1jMzlhLTQ3ODEtYjdiZC04Yjk2ZjVhNTEwMGQSBWxvY2Fs",
    mail: "rick@the-citadel.com",
    roles: ["admin", "evil_genius"],
  },
  morty: {
    id: "CiRmZDE2MTRkMy1jMzlhLTQ3ODEtYjdiZC04Yjk2ZjVhNTEwMGQSBWxvY2Fs",
    mail: "morty@the-citadel.com",
    roles: ["editor"],
  },
  summer: {
    id: "CiRmZDI2MTRkMy1jMzlhLTQ3ODEtYjdiZC04Yjk2ZjVhNTEwMGQSBWxvY2Fs",
    mail: "summer@the-smiths.com",
    roles: ["editor"],
  },
  beth: {
    id: "CiRmZDM2MTRkMy1jMzlhLTQ3ODEtYjdiZC04Yjk2ZjVhNTEwMGQSBWxvY2Fs",
    mail: "beth@the-smiths.com",
    roles: ["viewer"],
  },
  jerry: {
    id: "CiRmZDQ2MTRkMy1jMzlhLTQ3ODEtYjdiZC04Yjk2ZjVhNTEwMGQSBWxvY2Fs",
    mail: "jerry@the-smiths.com",
    roles: ["viewer"],
  },
} as const;
type User = keyof typeof USERS;

const byOwner = (verb: string): JsonObject => ({
  tool: `authzen/todo/${verb}`,
  kind: "network",
  verb,
  target: "todo:{/resource/id}",
  counterparty: "{/resource/properties/ownerID}",
});
const TOOLS: JsonObject[] = [
  { tool: "authzen/user", kind: "network", verb: "read", target: "user:{/resource/id}" },
  { tool: "authzen/todo", kind: "network", verb: "use", target: "todo:{/resource/id}" },
  byOwner("can_update_todo"),
  byOwner("can_delete_todo"),
];

/** What the roles of the scenario permit, in clauses. */
function policyOf({ mail, roles }: (typeof USERS)[User]) {
  const has = (role: string) => (roles as readonly string[]).includes(role);
  const edits = has("admin") || has("editor");
  const clause = (verb: string, more: JsonObject = {}) => ({
    id: verb,
    effect: "allow",
    match: { kind: ["network"], verb: [verb], ...more },
  });
  const own = (verb: string, all: boolean) => clause(verb, all ? {} : { counterparty: [mail] });
  const clauses = [
    clause("can_read_user"),
    clause("can_read_todos"),
    ...(edits ? [clause("can_create_todo")] : []),
    ...(edits ? [own("can_update_todo", has("evil_genius")), own("can_delete_todo", has("admin"))] : []),
  ];
  const read = readPolicy({ tools: TOOLS, mandate: { clauses, default: "block" } }, "agent:x");
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}
const FILES = readPolicy(
  {
    mandate: {
      clauses: [
        { id: "r", effect: "allow", match: { kind: ["file"], verb: ["read"] } },
        { id: "d", effect: "review", match: { kind: ["file"], verb: ["delete"] } },
        {
          id: "p",
          effect: "allow",
          match: { kind: ["transaction"], verb: ["pay"], max_amount: { value: "25.00", currency: "USD" } },
        },
      ],
      default: "block",
    },
    tools: [
      {
        tool: "authzen/invoice",
        kind: "transaction",
        verb: "pay",
        target: "{/resource/id}",
        amount: { value: "{/resource/properties/due}", currency: "USD" },
      },
    ],
  },
  "agent:files",
);

/** The platform maps a type and one of its actions; the agent's own document tries to map actions of both otherwise. */
const layered = (scope: string, tools: JsonObject[]) => {
  const clauses = [
    { id: "no-removal", effect: "block", match: { kind: ["network"], verb: ["remove"] } },
    { id: "network", effect: "allow", match: { kind: ["network"] } },
  ];
  const read = readPart({ tools, mandate: { clauses, default: "block" } }, scope);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
};
const mapped = (tool: string, kind: string, verb: string): JsonObject => ({
  tool,
  kind,
  verb,
  target: "x:{/resource/id}",
});
const LAYERED = composeParts([
  layered("platform:default", [
    mapped("authzen/record", "administrative", "use"),
    mapped("authzen/page", "network", "use"),
    mapped("authzen/page/can_drop", "network", "remove"),
  ]),
  layered("agent:layered", [
    mapped("authzen/record/read", "network", "read"),
    mapped("authzen/page/can_drop", "network", "read"),
    mapped("authzen/note/can_drop", "network", "remove"),
  ]),
]);

let world: GateWorld;
let gateway: string;
let own: string;

beforeAll(async () => {
  const policies = new Map(Object.values(USERS).map((user) => [user.id as string, policyOf(user)]));
  if (!FILES.ok) throw new Error("test data");
  policies.set("files", FILES.value);
  policies.set("layered", LAYERED);
  const source = {
    effective: async ({ agent }: { agent: string }) =>
      agent === "broken"
        ? { ok: false as const, error: { code: "policy.unavailable" as const, message: "no policy can be read" } }
        : { ok: true as const, value: policies.get(agent) ?? null },
  };
  world = await gateWorld(undefined, {
    policies: () => source,
    endpoints: ({ store, gate }) => authzenEndpoints({ store, gate, policies: source, issuer: "https://gate.example" }),
  });
  gateway = await world.key("acme", { kind: "enforcer", id: "gateway", agents: "any" }, ["decide"]);
  own = await world.key("acme", { kind: "agent", agent: "files" }, ["decide"]);
});
afterAll(() => world.app.close());

const evaluate = (body: JsonValue, key = gateway) => world.call("POST", "/access/v1/evaluation", key, body);
const evaluations = (body: JsonValue, key = gateway) => world.call("POST", "/access/v1/evaluations", key, body);
const todo = (owner: User) => ({
  type: "todo",
  id: "7240d0db-8ff0-41ec-98b2-34a096273b9f",
  properties: { ownerID: USERS[owner].mail },
});
const subject = (user: User) => ({ type: "user", id: USERS[user].id });

describe("the to-do scenario", () => {
  const rows = (Object.keys(USERS) as User[]).flatMap((user) => {
    const edits = !["beth", "jerry"].includes(user);
    const all = user === "rick";
    const other: User = user === "rick" ? "morty" : "rick";
    return [
      { user, action: "can_read_user", resource: { type: "user", id: "beth@the-smiths.com" }, want: true },
      { user, action: "can_read_user", resource: { type: "user", id: USERS[user].mail }, want: true },
      { user, action: "can_read_todos", resource: { type: "todo", id: "todo-1" }, want: true },
      { user, action: "can_create_todo", resource: { type: "todo", id: "todo-1" }, want: edits },
      { user, action: "can_update_todo", resource: todo(other), want: all },
      { user, action: "can_update_todo", resource: todo(user), want: edits },
      { user, action: "can_delete_todo", resource: todo(other), want: all },
      { user, action: "can_delete_todo", resource: todo(user), want: edits },
    ];
  });
  test.each(rows.map((row) => ({ ...row, whose: JSON.stringify(row.resource) })))(
    "$user $action $whose: $want",
    async ({ user, action, resource, want }) => {
      const { status, body } = await evaluate({
        subject: subject(user),
        action: { name: action },
        resource,
        context: {},
      });
      expect([status, body["decision"]]).toEqual([200, want]);
    },
  );

  test.each<{ user: User; want: boolean[] }>([
    { user: "rick", want: [true, true] },
    { user: "morty", want: [false, true] },
    { user: "jerry", want: [false, false] },
  ])("several at once, as $user: $want", async ({ user, want }) => {
    const { body } = await evaluations({
      subject: { ...subject(user), identity: "a member that the specification does not have" },
      action: { name: "can_update_todo" },
      resource: {},
      context: {},
      evaluations: [{ resource: todo(user === "rick" ? "jerry" : "rick") }, { resource: todo(user) }],
    });
    expect((body["evaluations"] as unknown as { decision: boolean }[]).map(({ decision }) => decision)).toEqual(want);
  });
});

const file = (verb: string, path = "/work/a") => ({ action: { name: verb }, resource: { type: "file", id: path } });
const FILE_AGENT = { type: "agent", id: "files" };

describe("a decision", () => {
  test("is recorded, and says in its context what the gate says", async () => {
    const { body } = await evaluate({ subject: FILE_AGENT, ...file("read") }, own);
    expect(body).toMatchObject({
      decision: true,
      context: {
        verdict: "allow",
        reason: "allow",
        receipt: expect.any(String),
        action_digest: expect.stringMatching(/^sha256:/),
      },
    });
    const id = (body["context"] as unknown as { id: string }).id;
    expect((await world.call("GET", `/v1/decisions/${id}`, own)).body).toMatchObject({
      verdict: "allow",
      agent: "files",
    });
  });

  test("has the digest that the same ask has through the native face", async () => {
    const { body } = await evaluate(
      {
        subject: FILE_AGENT,
        action: { name: "read", properties: { parameters: { a: 1 }, labels: ["x"] } },
        resource: { type: "file", id: "/work/a" },
      },
      own,
    );
    const native = await world.ask(own, "read", { target: "/work/a", parameters: { a: 1 }, labels: ["x"] });
    expect((body["context"] as unknown as { action_digest: string }).action_digest).toBe(native.body["action_digest"]);
  });

  test("of review is not permitted, and names its hold", async () => {
    const { body } = await evaluate({ subject: FILE_AGENT, ...file("delete") }, own);
    expect(body).toMatchObject({
      decision: false,
      context: { verdict: "review", hold: { id: expect.stringMatching(/^hold_/) } },
    });
  });

  test("of block says in codes what stands against it, and in the members that were asked what would pass", async () => {
    const asked = {
      subject: FILE_AGENT,
      action: { name: "pay", properties: { amount: { value: "40", currency: "USD" } } },
      resource: { type: "transaction", id: "https://shop.example/1" },
    };
    const { body } = await evaluate(asked, own);
    const { context } = body as unknown as { context: { reason: string; reasons: string[]; remedy: Remedy } };
    expect(body["decision"]).toBe(false);
    expect(context.reasons[0]).toBe(context.reason);
    expect(context.reasons).toEqual([...new Set(context.reasons)]);
    expect(context.remedy).toMatchObject({
      verdict: "allow",
      changes: [{ path: "/action/properties/amount/value", value: "25" }],
    });
    const changed = structuredClone(asked);
    for (const { path, value } of context.remedy.changes) {
      const steps = path.slice(1).split("/");
      const at = steps
        .slice(0, -1)
        .reduce((object, step) => object[step] as never, changed as unknown as Record<string, unknown>);
      at[steps.at(-1) as string] = value;
    }
    expect((await evaluate(changed, own)).body).toMatchObject({ decision: true, context: { reasons: [] } });
  });

  test("about a resource that the policy maps says in words what would pass, and points nowhere", async () => {
    const resource = { type: "invoice", id: "https://shop.example/2", properties: { due: "40" } };
    const { body } = await evaluate({ subject: FILE_AGENT, action: { name: "pay" }, resource }, own);
    expect(body).toMatchObject({
      decision: false,
      context: { remedy: { text: expect.stringContaining("25"), changes: [], verdict: "allow" } },
    });
  });

  test("about what nobody mapped is not permitted", async () => {
    const { body } = await evaluate(
      { subject: FILE_AGENT, action: { name: "read" }, resource: { type: "document", id: "1" } },
      own,
    );
    expect(body).toMatchObject({ decision: false, context: { verdict: "block" } });
  });
});

describe("what a resource is", () => {
  test.each([
    { it: "an action of a type that the platform mapped, mapped below", type: "record", action: "read", want: false },
    { it: "an action of a mapped type", type: "page", action: "read", want: true },
    { it: "an action that is mapped to a forbidden verb", type: "page", action: "can_drop", want: false },
    {
      it: "an action that only the agent's document maps, to a forbidden verb",
      type: "note",
      action: "can_drop",
      want: false,
    },
  ])("is said by the scope nearest the platform: $it", async ({ type, action, want }) => {
    const { status, body } = await evaluate({
      subject: { type: "agent", id: "layered" },
      action: { name: action },
      resource: { type, id: "1" },
    });
    expect([status, body["decision"]]).toEqual([200, want]);
  });
});

describe("several evaluations", () => {
  const three = [file("read"), file("write"), file("read", "/work/b")];
  const decisions = async (more: JsonObject, list: JsonObject[] = three) => {
    const { body } = await evaluations({ subject: FILE_AGENT, evaluations: list, ...more }, own);
    return (body["evaluations"] as unknown as { decision: boolean }[]).map(({ decision }) => decision);
  };
  const semantic = (name: string) => ({ options: { evaluations_semantic: name } });

  test.each([
    { it: "all are made", more: {}, want: [true, false, true] },
    { it: "all are made when that is said", more: semantic("execute_all"), want: [true, false, true] },
    { it: "up to the first denial", more: semantic("deny_on_first_deny"), want: [true, false] },
    { it: "up to the first permit", more: semantic("permit_on_first_permit"), want: [true] },
  ])("$it", async ({ more, want }) => {
    expect(await decisions(more)).toEqual(want);
  });

  test("one that is none is denied in its place, and ends what ends with a denial", async () => {
    const broken = [{ action: { name: "read" } }, file("read")];
    expect(await decisions({}, broken)).toEqual([false, true]);
    expect(await decisions(semantic("deny_on_first_deny"), broken)).toEqual([false]);
    const { body } = await evaluations({ subject: FILE_AGENT, evaluations: broken }, own);
    expect(body["evaluations"]).toMatchObject([{ context: { error: { status: 400 } } }, {}]);
  });

  test("for another agent are denied in their place", async () => {
    expect(await decisions({}, [{ ...file("read"), subject: { type: "agent", id: "other" } }, file("read")])).toEqual([
      false,
      true,
    ]);
  });

  test("none at all is a single evaluation", async () => {
    expect((await evaluations({ subject: FILE_AGENT, ...file("read") }, own)).body).toMatchObject({ decision: true });
    expect((await evaluations({ subject: FILE_AGENT, ...file("read"), evaluations: [] }, own)).body).toMatchObject({
      decision: true,
    });
  });
});

describe("a request", () => {
  test.each<{ it: string; body: JsonValue; key?: () => string; status: number }>([
    { it: "without a subject", body: file("read"), status: 400 },
    { it: "with an empty id", body: { subject: { type: "agent", id: "" }, ...file("read") }, status: 400 },
    { it: "that is a list", body: [], status: 400 },
    {
      it: "for another agent than the credential's",
      body: { subject: { type: "agent", id: "other" }, ...file("read") },
      key: () => own,
      status: 403,
    },
    {
      it: "with a target that has no normal form",
      body: { subject: FILE_AGENT, ...file("read", "/a\u202eb") },
      status: 400,
    },
    { it: "with a name that is no verb", body: { subject: FILE_AGENT, ...file("read all") }, status: 400 },
    { it: "that the gate fails on", body: { subject: { type: "agent", id: "broken" }, ...file("read") }, status: 503 },
  ])("$it is refused", async ({ body, key, status }) => {
    expect((await evaluate(body, key?.() ?? gateway)).status).toBe(status);
  });

  test("with an unknown semantic or too many evaluations is refused whole", async () => {
    const base = { subject: FILE_AGENT, evaluations: [file("read")] };
    expect((await evaluations({ ...base, options: { evaluations_semantic: "any" } })).status).toBe(400);
    expect((await evaluations({ ...base, evaluations: Array(101).fill(file("read")) })).status).toBe(400);
  });

  test("without a credential is refused", async () => {
    const answer = await fetch(`${world.base}/access/v1/evaluation`, {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json" },
    });
    expect(answer.status).toBe(401);
  });
});

test("the metadata document is for everybody, and names the endpoints", async () => {
  const answer = await fetch(`${world.base}/.well-known/authzen-configuration`);
  expect([answer.status, answer.headers.get("content-type")?.split(";")[0]]).toEqual([200, "application/json"]);
  expect(await answer.json()).toEqual({
    policy_decision_point: "https://gate.example",
    access_evaluation_endpoint: "https://gate.example/access/v1/evaluation",
    access_evaluations_endpoint: "https://gate.example/access/v1/evaluations",
  });
});

test("a request id comes back", async () => {
  const answer = await fetch(`${world.base}/access/v1/evaluation`, {
    method: "POST",
    headers: { authorization: `Bearer ${own}`, "content-type": "application/json", "x-request-id": "bfe9eb29" },
    body: JSON.stringify({ subject: FILE_AGENT, ...file("read") }),
  });
  expect(answer.headers.get("x-request-id")).toBe("bfe9eb29");
});
