import { afterEach, expect, test } from "vitest";
import { type DnsAnswers, type DnsServer, startDnsServer } from "../testing/dnsServer.ts";
import { createResolver } from "./resolveHost.ts";

const started: DnsServer[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.close()));
});

async function resolverOver(answers: DnsAnswers, deadlineMs = 2_000) {
  const server = await startDnsServer(answers);
  started.push(server);
  const now = () => new Date("2026-01-02T03:04:05Z");
  return { server, resolver: createResolver({ ask: { servers: [server.address] }, deadlineMs, now }) };
}

test("gives every answer of both families, with source and time", async () => {
  const { server, resolver } = await resolverOver((_, family) =>
    family === 4 ? ["8.8.8.8", "8.8.4.4"] : ["2606:4700::1111"],
  );
  expect(await resolver.resolve("example.com")).toEqual({
    state: "known",
    value: ["8.8.8.8", "8.8.4.4", "2606:4700::1111"],
    source: server.address,
    at: "2026-01-02T03:04:05.000Z",
  });
});

test("asks for the name each time: nothing is kept between two answers", async () => {
  const rounds = ["10.0.0.1", "10.0.0.2"];
  const { resolver } = await resolverOver((_, family) => (family === 6 ? [] : rounds.splice(0, 1)));
  expect(await resolver.resolve("a.example")).toMatchObject({ value: ["10.0.0.1"] });
  expect(await resolver.resolve("a.example")).toMatchObject({ value: ["10.0.0.2"] });
});

test.each([
  ["one family fails", (_: string, family: 4 | 6) => (family === 6 ? ("servfail" as const) : ["8.8.8.8"]), ["8.8.8.8"]],
  ["one family has no answer", (_: string, family: 4 | 6) => (family === 4 ? [] : ["2606:4700::1"]), ["2606:4700::1"]],
])("gives what there is when %s", async (_, answers, value) => {
  const { resolver } = await resolverOver(answers);
  expect(await resolver.resolve("a.example")).toMatchObject({ state: "known", value });
});

test.each([
  ["the name has no address", () => [], "the name has no address"],
  ["the server fails", () => "servfail" as const, "the look-up failed"],
])("is unknown when %s", async (_, answers, reason) => {
  const { resolver } = await resolverOver(answers);
  expect(await resolver.resolve("a.example")).toEqual({ state: "unknown", reason });
});

test("is unknown when nobody answers, at its deadline", async () => {
  const { resolver } = await resolverOver(() => "silence", 150);
  expect(await resolver.resolve("a.example")).toEqual({ state: "unknown", reason: "no answer in time" });
});

test.each(["", "a".repeat(300), "a..b", "\0", "no such name at all"])(
  "is unknown for %j and does not throw",
  async (name) => {
    const { resolver } = await resolverOver(() => []);
    expect(await resolver.resolve(name)).toMatchObject({ state: "unknown" });
  },
);

test("the system's way knows the names of this machine", async () => {
  const resolver = createResolver({ ask: "system", deadlineMs: 5_000, now: () => new Date(0) });
  const resolved = await resolver.resolve("localhost");
  expect(resolved).toMatchObject({ state: "known", source: "system" });
});
