import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type GateWorld, gateWorld } from "../testing/gateWorld.ts";

let world: GateWorld;
let proxy: string;
let agent: string;
let alice: string;

beforeAll(async () => {
  world = await gateWorld();
  proxy = await world.key("acme", { kind: "enforcer", id: "proxy", agents: ["a"] }, ["decide", "enforce"]);
  agent = await world.key("acme", { kind: "agent", agent: "a" }, ["decide", "enforce"]);
  alice = await world.key("acme", { kind: "person", person: "alice" }, ["review"]);
});
afterAll(() => world.app.close());

const open = (key: string, named = "a") => world.call("POST", "/v1/sessions", key, { agent: named });

describe("POST /v1/sessions", () => {
  test("gives an enforcer a session for an agent on its list, for a day", async () => {
    const { status, body } = await open(proxy);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: expect.stringMatching(/^ses_/), agent: "a" });
    const lasts = Date.parse(String(body["expires_at"])) - world.now();
    expect(Math.abs(lasts - 86_400_000)).toBeLessThan(60_000);
    const asked = await world.call("POST", "/v1/decisions", proxy, {
      agent: "a",
      session: body["id"],
      action: { kind: "file", verb: "read", target: "/work/a" },
      idempotency_key: "in-a-session",
    });
    expect(asked.body["verdict"]).toBe("allow");
  });

  test.each([
    { it: "an agent, which could shed its past", key: () => agent, named: "a", want: "actor.not_allowed" },
    { it: "an enforcer for an agent that is not on its list", key: () => proxy, named: "b", want: "identity.mismatch" },
    { it: "a credential that enforces nothing", key: () => alice, named: "a", want: "credential.scope" },
  ])("refuses $it", async ({ key, named, want }) => {
    const { status, body } = await open(key(), named);
    expect([status, body["code"]]).toEqual([403, want]);
  });
});
