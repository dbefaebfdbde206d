import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@countersign/core";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEgress, EGRESS_LIMITS, egressPolicy } from "../egress/egress.ts";
import { createLogger } from "../logger.ts";
import { type GateWorld, gateWorld, sha256, WEBHOOK_KEY } from "../testing/gateWorld.ts";
import { startDeliveries } from "../upkeep/deliveries.ts";
import { startSweeper } from "../upkeep/sweeper.ts";

let world: GateWorld;
let admin: string;
let agent: string;
let elsewhere: string;

beforeAll(async () => {
  world = await gateWorld();
  admin = await world.key("acme", { kind: "person", person: "root" }, ["admin"]);
  agent = await world.key("acme", { kind: "agent", agent: "a" }, ["decide"]);
  elsewhere = await world.key("umbrella", { kind: "person", person: "eve" }, ["admin"]);
});
afterAll(() => world.app.close());

const items = (body: JsonObject) => body["items"] as JsonObject[];

describe("API keys", () => {
  const create = (more: object = {}, key = admin) =>
    world.call("POST", "/v1/keys", key, {
      name: "bot",
      scopes: ["decide"],
      holder: { kind: "agent", agent: "bot" },
      ...more,
    });

  test("are shown once, work at once, and stand in no list", async () => {
    const { body } = await create();
    const key = body["key"] as unknown as string;
    expect((await world.ask(key, "read")).body["verdict"]).toBe("allow");
    const list = await world.call("GET", "/v1/keys", admin);
    expect(items(list.body)).toContainEqual(expect.objectContaining({ id: body["id"], name: "bot", revoked_at: null }));
    expect(JSON.stringify(list.body)).not.toContain(key.slice(-43));
    expect(JSON.stringify(list.body)).not.toContain("hash");
  });

  test("are refused from the moment they are revoked", async () => {
    const { body } = await create();
    expect(await world.call("DELETE", `/v1/keys/${body["id"]}`, admin)).toMatchObject({ status: 200 });
    expect((await world.ask(body["key"] as never, "read")).body).toMatchObject({ code: "credential.unknown" });
    expect(await world.call("DELETE", `/v1/keys/${body["id"]}`, admin)).toMatchObject({ status: 404 });
    expect(await world.call("POST", `/v1/keys/${body["id"]}/rotate`, admin)).toMatchObject({ status: 404 });
  });

  test("are replaced with an overlap, after which the old one is refused", async () => {
    const { body: old } = await create();
    const { body } = await world.call("POST", `/v1/keys/${old["id"]}/rotate`, admin, { overlap_seconds: 60 });
    for (const key of [old["key"], body["key"]])
      expect((await world.ask(key as never, "read")).body["verdict"]).toBe("allow");
    world.wait(60_000);
    expect((await world.ask(old["key"] as never, "read")).body).toMatchObject({ code: "credential.unknown" });
    expect((await world.ask(body["key"] as never, "read")).body["verdict"]).toBe("allow");
  });

  test.each([
    { it: "an agent that reviews", more: { scopes: ["decide", "review"] } },
    { it: "an agent that audits", more: { scopes: ["audit"] } },
    { it: "an agent that edits its own guard", more: { scopes: ["policy"] } },
    {
      it: "an enforcer that runs the gate",
      more: { scopes: ["admin"], holder: { kind: "enforcer", id: "p", agents: "any" } },
    },
    { it: "a person that decides", more: { scopes: ["decide"], holder: { kind: "person", person: "p" } } },
    { it: "no scope", more: { scopes: [] } },
    { it: "a scope that is none", more: { scopes: ["everything"] } },
    { it: "an expiry in the past", more: { expires_at: "2020-01-01T00:00:00Z" } },
    { it: "an expiry without an offset", more: { expires_at: "2099-01-01T00:00:00" } },
    { it: "a hash of its own", more: { hash: "00" } },
  ])("are not made for $it", async ({ more }) => {
    expect(await create(more)).toMatchObject({ status: 400, body: { code: "request.invalid" } });
  });

  test("are the admin's business, and each tenant's own", async () => {
    const { body } = await create();
    expect(await create({}, agent)).toMatchObject({ status: 403 });
    expect(await world.call("GET", "/v1/keys", agent)).toMatchObject({ status: 403 });
    expect(await world.call("DELETE", `/v1/keys/${body["id"]}`, elsewhere)).toMatchObject({ status: 404 });
    expect(await world.call("POST", `/v1/keys/${body["id"]}/rotate`, elsewhere)).toMatchObject({ status: 404 });
    const { body: theirs } = await world.call("GET", "/v1/keys", elsewhere);
    expect(items(theirs).map(({ id }) => id)).not.toContain(body["id"]);
  });
});

describe("webhooks", () => {
  async function receiver(status: () => number) {
    const got: { headers: Record<string, string>; body: string }[] = [];
    let wake = (): void => {};
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        got.push({ headers: request.headers as Record<string, string>, body });
        response.writeHead(status()).end();
        wake();
      });
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    return {
      url: `http://127.0.0.1:${port}/hook`,
      async take(count: number) {
        while (got.length < count)
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        return got.splice(0, count);
      },
      close: () => server.close(),
    };
  }

  const deliveries = () =>
    startDeliveries({
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

  test("send events that the library of Standard Webhooks verifies, and no content", async () => {
    const to = await receiver(() => 204);
    const { body: hook } = await world.call("POST", "/v1/webhooks", admin, { url: to.url, kinds: ["decide"] });
    const running = deliveries();
    const { body } = await world.ask(agent, "delete", { target: "/work/secret-name" });
    const [sent] = await to.take(1);
    const verified = new Webhook(hook["secret"] as never).verify(sent?.body ?? "", sent?.headers ?? {});
    expect(verified).toMatchObject({ type: "decide", data: { ref: body["id"], tenant: "acme" } });
    expect(sent?.body).not.toContain("secret-name");
    await running.stop();
    await world.call("DELETE", `/v1/webhooks/${hook["id"]}`, admin);
    to.close();
  });

  test("are tried again, given up at last, listed, and sent again when asked", async () => {
    let status = 500;
    const to = await receiver(() => status);
    const { body: hook } = await world.call("POST", "/v1/webhooks", admin, { url: to.url, kinds: ["decide"] });
    const { body } = await world.ask(agent, "read");
    const running = deliveries();
    const dead = async () => items((await world.call("GET", "/v1/webhooks/dead", admin)).body);
    while ((await dead()).length === 0) {
      world.wait(30 * 3_600_000);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await to.take(10);
    expect(await dead()).toMatchObject([{ webhook: hook["id"], kind: "decide", attempts: 10, error: "status 500" }]);
    status = 200;
    const again = { delivery: (await dead())[0]?.["id"] };
    expect(await world.call("POST", `/v1/webhooks/${hook["id"]}/replay`, admin, again)).toMatchObject({
      status: 200,
      body: { replayed: 1 },
    });
    const [sent] = await to.take(1);
    expect(JSON.parse(sent?.body ?? "")).toMatchObject({ data: { ref: body["id"] } });
    await running.stop();
    await world.call("DELETE", `/v1/webhooks/${hook["id"]}`, admin);
    to.close();
  });

  test("keep a new secret beside the old one", async () => {
    const { body: hook } = await world.call("POST", "/v1/webhooks", admin, { url: "https://example.com/hook" });
    const { body } = await world.call("POST", `/v1/webhooks/${hook["id"]}/rotate`, admin);
    expect(body).toMatchObject({ secret_version: 2, secret: expect.stringMatching(/^whsec_/) });
    expect(body["secret"]).not.toBe(hook["secret"]);
    const list = await world.call("GET", "/v1/webhooks", admin);
    expect(JSON.stringify(list.body)).not.toContain("whsec_");
    await world.call("DELETE", `/v1/webhooks/${hook["id"]}`, admin);
  });

  test.each([
    { it: "a private address", url: "http://10.0.0.1/hook" },
    { it: "a private address in another spelling", url: "http://0x0a.1/hook" },
    { it: "the metadata service", url: "http://169.254.169.254/latest" },
    { it: "an internal name", url: "https://localhost/hook" },
    { it: "another scheme", url: "file:///etc/passwd" },
    { it: "credentials in the address", url: "https://user:pass@example.com/" },
  ])("send nothing to $it", async ({ url }) => {
    expect(await world.call("POST", "/v1/webhooks", admin, { url })).toMatchObject({
      status: 400,
      body: { code: "request.invalid", path: "/url" },
    });
  });

  test("are each tenant's own", async () => {
    const { body: hook } = await world.call("POST", "/v1/webhooks", admin, { url: "https://example.com/hook" });
    const rows = [
      ["PUT", "", { url: "https://evil.example/", kinds: [], agents: null, state: "active" }],
      ["DELETE", "", undefined],
      ["POST", "/rotate", undefined],
      ["POST", "/replay", { since: 0 }],
    ] as const;
    for (const [method, path, sent] of rows)
      expect(await world.call(method, `/v1/webhooks/${hook["id"]}${path}`, elsewhere, sent)).toMatchObject({
        status: 404,
        body: { code: "webhook.unknown" },
      });
    expect(items((await world.call("GET", "/v1/webhooks", elsewhere)).body)).toEqual([]);
    expect(items((await world.call("GET", "/v1/webhooks/dead", elsewhere)).body)).toEqual([]);
    expect(await world.call("GET", "/v1/webhooks", agent)).toMatchObject({ status: 403 });
    await world.call("DELETE", `/v1/webhooks/${hook["id"]}`, admin);
  });
});

test("what time alone brings is done when nobody asks: holds close, money goes free, and each is in the log", async () => {
  const { body: held } = await world.ask(agent, "delete");
  const { body: paid } = await world.ask(agent, "pay", { amount: { value: "60", currency: "USD" } });
  expect(paid["verdict"]).toBe("allow");
  world.wait(3_600_000);
  const sweeper = startSweeper(world.store, createLogger("silent"), 10);
  const kinds = async (ref: unknown) => {
    const found = await world.store.entriesAbout("acme", ref as string);
    return found.ok ? found.value.map(({ kind }) => kind) : [];
  };
  const hold = (held["hold"] as unknown as JsonObject)["id"];
  while (!(await kinds(hold)).includes("hold.expire") || !(await kinds(paid["id"])).includes("release"))
    await new Promise((resolve) => setTimeout(resolve, 10));
  await sweeper.stop();
  expect((await world.ask(agent, "pay", { amount: { value: "90", currency: "USD" } })).body["verdict"]).toBe("allow");
});
