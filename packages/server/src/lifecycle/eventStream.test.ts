import { once } from "node:events";
import { connect } from "node:net";
import type { JsonObject } from "@countersign/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type GateWorld, gateWorld } from "../testing/gateWorld.ts";

let world: GateWorld;
let agent: string;
let other: string;
let alice: string;
let elsewhere: string;

beforeAll(async () => {
  world = await gateWorld();
  agent = await world.key("acme", { kind: "agent", agent: "a" }, ["decide"]);
  other = await world.key("acme", { kind: "agent", agent: "b" }, ["decide"]);
  alice = await world.key("acme", { kind: "person", person: "alice" }, ["review"]);
  elsewhere = await world.key("umbrella", { kind: "agent", agent: "a" }, ["decide"]);
});
afterAll(() => world.app.close());

interface Stream {
  readonly status: number;
  /** Reads until so many events have come, or the stream has ended. */
  take(count: number): Promise<{ id: string; event: string; data: JsonObject }[]>;
  readonly ended: Promise<void>;
  close(): void;
}

async function follow(key: string, query = "", headers: Record<string, string> = {}): Promise<Stream> {
  const abort = new AbortController();
  const answer = await fetch(`${world.base}/v1/events${query}`, {
    headers: { authorization: `Bearer ${key}`, ...headers },
    signal: abort.signal,
  });
  const events: { id: string; event: string; data: JsonObject }[] = [];
  let wake = (): void => {};
  let done = false;
  const ended = (async () => {
    let text = "";
    const decoder = new TextDecoder();
    try {
      for await (const chunk of answer.body ?? []) {
        text += decoder.decode(chunk as Uint8Array, { stream: true });
        const frames = text.split("\n\n");
        text = frames.pop() ?? "";
        for (const one of frames) {
          const fields = Object.fromEntries(
            one.split("\n").map((line) => [line.split(": ")[0], line.slice(line.indexOf(": ") + 2)]),
          );
          const { id, event, data } = fields as Record<string, string>;
          if (data !== undefined) events.push({ id: String(id), event: String(event), data: JSON.parse(data) });
        }
        wake();
      }
    } catch {
      // We have closed it.
    }
    done = true;
    wake();
  })();
  return {
    status: answer.status,
    ended,
    close: () => abort.abort(),
    async take(count) {
      while (events.length < count && !done)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      return events.splice(0, count);
    },
  };
}

test("tells what happens as it happens: ids, codes and digests, and no content", async () => {
  const stream = await follow(alice);
  const { body } = await world.ask(agent, "delete", { target: "/work/secret-name" });
  const [event] = await stream.take(1);
  expect(event).toMatchObject({
    event: "decide",
    data: {
      kind: "decide",
      ref: body["id"],
      agent: "a",
      record_hash: expect.stringMatching(/^sha256:/),
      verdict: "review",
      hold: expect.stringMatching(/^hold_/),
    },
  });
  expect(event?.id).toBe(String(event?.data["seq"]));
  expect(JSON.stringify(event)).not.toContain("secret-name");
  stream.close();
});

test("goes on from where a reader was, without a gap or a repetition", async () => {
  const first = await follow(alice);
  await world.ask(agent, "read");
  const [last] = await first.take(1);
  first.close();
  const missed: unknown[] = [];
  for (let i = 0; i < 120; i += 1) missed.push((await world.ask(agent, "read")).body["id"]);
  const again = await follow(alice, "", { "last-event-id": String(last?.id) });
  const events = await again.take(120);
  expect(events.map(({ data }) => data["ref"])).toEqual(missed);
  again.close();
});

test("goes on from where a reader was that had seen nothing yet", async () => {
  await world.ask(agent, "read");
  const abort = new AbortController();
  const quiet = await fetch(`${world.base}/v1/events`, {
    headers: { authorization: `Bearer ${alice}` },
    signal: abort.signal,
  });
  const { value } = (await quiet.body?.getReader().read()) ?? {};
  const id = /^id: (\d+)$/m.exec(new TextDecoder().decode(value))?.[1];
  abort.abort();
  const { body } = await world.ask(agent, "read");
  const again = await follow(alice, "", { "last-event-id": String(id) });
  expect((await again.take(1))[0]?.data["ref"]).toBe(body["id"]);
  again.close();
});

test("shows an agent its own events only, and those asked for", async () => {
  const stream = await follow(agent, "?kinds=decide");
  await world.ask(other, "read");
  await world.call("POST", "/v1/stops", alice, { scope: "agent:zed", reason: "r" });
  const { body } = await world.ask(agent, "read");
  expect((await stream.take(1))[0]?.data["ref"]).toBe(body["id"]);
  stream.close();
  const others = await follow(agent, "?agent=b&from=0");
  await world.ask(other, "read");
  const own = await world.ask(agent, "read");
  const mine = await follow(agent, "?from=0");
  const seen = await mine.take(2);
  expect(seen.map(({ data }) => data["agent"])).toEqual(["a", "a"]);
  mine.close();
  others.close();
  await others.ended;
  expect(await others.take(1)).toEqual([]);
  expect(own.status).toBe(200);
});

test("Tenants do not meet: nothing of another tenant is in a stream", async () => {
  const stream = await follow(elsewhere, "?from=0");
  await world.ask(agent, "read");
  const { body } = await world.ask(elsewhere, "read");
  const [event] = await stream.take(1);
  expect(event?.data["ref"]).toBe(body["id"]);
  stream.close();
});

test("ends when its credential is revoked, and tells nothing after that", async () => {
  const admin = await world.key("acme", { kind: "person", person: "root" }, ["admin"]);
  const key = await world.key("acme", { kind: "person", person: "mallory" }, ["audit"]);
  const quiet = await follow(key);
  const id = `key_${key.split("_")[2]}`;
  expect(await world.call("DELETE", `/v1/keys/${id}`, admin)).toMatchObject({ status: 200 });
  await world.ask(agent, "read");
  await quiet.ended;
  expect(await quiet.take(1)).toEqual([]);
});

test("ends when its credential is revoked, also for a reader that takes nothing", async () => {
  const admin = await world.key("acme", { kind: "person", person: "root" }, ["admin"]);
  const key = await world.key("acme", { kind: "person", person: "sloth" }, ["audit"]);
  // More than the line holds.
  const codes = [`c${"x".repeat(20_000)}`];
  for (let i = 0; i < 1_000; i += 1)
    await world.store.commit("acme", { kind: "note", type: "test", ref: `n${i}`, agent: null, record: "{}", codes });
  const { hostname, port } = new URL(world.base);
  const socket = connect(Number(port), hostname);
  socket.write(
    `GET /v1/events?from=0&kinds=test HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${key}\r\n\r\n`,
  );
  await once(socket, "readable");
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.on("error", () => {});
  await world.call("DELETE", `/v1/keys/key_${key.split("_")[2]}`, admin);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  // What was on the line is read to its end; there is one.
  let bytes = 0;
  socket.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
  });
  await closed;
  expect(bytes).toBeLessThan(20_000_000);
});

test.each([
  { it: "an id that is none", headers: { "last-event-id": "x" }, query: "", status: 400, code: "request.invalid" },
  {
    it: "an id of a log that is longer",
    headers: { "last-event-id": "999999" },
    query: "",
    status: 409,
    code: "events.beyond",
  },
  { it: "a kind that is none", headers: {}, query: "?kinds=DECIDE", status: 400, code: "request.invalid" },
])("refuses to follow after $it", async ({ headers, query, status, code }) => {
  const answer = await fetch(`${world.base}/v1/events${query}`, {
    headers: { authorization: `Bearer ${alice}`, ...headers } as never,
  });
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject({ code });
});

test("a credential has a bounded number of streams, and gets them back when it closes them", async () => {
  const key = await world.key("acme", { kind: "person", person: "dan" }, ["audit"]);
  const streams = await Promise.all(Array.from({ length: 16 }, () => follow(key)));
  expect(streams.map(({ status }) => status)).toEqual(Array(16).fill(200));
  expect((await follow(key)).status).toBe(429);
  for (const stream of streams) stream.close();
  await Promise.all(streams.map(({ ended }) => ended));
  for (let tries = 0; ; tries += 1) {
    const stream = await follow(key);
    stream.close();
    if (stream.status === 200) break;
    expect(tries).toBeLessThan(100);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});
