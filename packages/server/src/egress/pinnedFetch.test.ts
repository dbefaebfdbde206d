import { DEFAULT_URL_POLICY, type UrlPolicy } from "@countersign/core";
import { afterEach, describe, expect, test } from "vitest";
import { selfSigned } from "../testing/certificate.ts";
import { type DnsAnswers, startDnsServer } from "../testing/dnsServer.ts";
import { type Answer, type LoopbackServer, startHttp } from "../testing/loopback.ts";
import { type PinnedFetchOptions, pinnedFetch } from "./pinnedFetch.ts";
import { createResolver } from "./resolveHost.ts";

const started: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.close()));
});
const keep = <T extends { close(): Promise<void> }>(server: T): T => {
  started.push(server);
  return server;
};

const policy: UrlPolicy = {
  ...DEFAULT_URL_POLICY,
  ports: { everyone: true },
  internal: { addresses: ["127.0.0.1"], names: [] },
};
const here: DnsAnswers = (_, family) => (family === 4 ? ["127.0.0.1"] : []);

async function fetcher(answers: DnsAnswers, change: Partial<PinnedFetchOptions> = {}) {
  const dns = keep(await startDnsServer(answers));
  const resolver = createResolver({ ask: { servers: [dns.address] }, deadlineMs: 2_000, now: () => new Date(0) });
  const options: PinnedFetchOptions = {
    addresses: ["127.0.0.1"],
    policy,
    resolver,
    redirects: 3,
    method: "GET",
    headers: {},
    body: null,
    deadlineMs: 5_000,
    maxBytes: 10_000,
    ca: "system",
    ...change,
  };
  return { dns, fetch: (url: string) => pinnedFetch(url, options) };
}

/** What the server was asked, as the last answer tells it. */
const told: Answer = (request, response, body) =>
  response.end(
    JSON.stringify({
      method: request.method,
      path: request.url,
      host: request.headers.host,
      headers: request.headers,
      body,
    }),
  );
/** Sends `/` on to `location`, tells about everything else. */
const redirecting =
  (status: number, location: string | (() => string)): Answer =>
  (request, response, body) => {
    if (request.url !== "/") return told(request, response, body);
    response.writeHead(status, { location: typeof location === "string" ? location : location() }).end();
  };

test("goes to the pinned address and asks nobody for the name", async () => {
  const server = keep(await startHttp(told));
  const { dns, fetch } = await fetcher(() => ["10.0.0.1"]);
  const fetched = await fetch(`http://shop.example.com:${server.port}/a?b`);
  expect(fetched.ok && (await fetched.value.json())).toMatchObject({
    path: "/a?b",
    host: `shop.example.com:${server.port}`,
  });
  expect(dns.asked).toEqual([]);
});

test("a pinned address that may not be used is not used, whoever pinned it", async () => {
  const server = keep(await startHttp(told));
  const { fetch } = await fetcher(here, { policy: DEFAULT_URL_POLICY });
  const fetched = await fetch(`http://shop.example.com:8080/`);
  expect(fetched).toMatchObject({ error: { code: "egress.refused", findings: [{ code: "url.resolves_private" }] } });
  expect(server.connections()).toBe(0);
});

test.each([
  ["no pin", []],
  ["a pin that is no address", ["shop.example.com"]],
  ["another pin beside it", ["127.0.0.1", "8.8.8.8"]],
  ["another address pinned", ["8.8.8.8"]],
])("an address in the URL with %s goes nowhere", async (_, addresses) => {
  const server = keep(await startHttp(told));
  const { fetch } = await fetcher(here, { addresses });
  expect(await fetch(`http://127.0.0.1:${server.port}/`)).toMatchObject({ error: { code: "egress.refused" } });
  expect(server.connections()).toBe(0);
});

test("the TLS name is the URL's and not the address", async () => {
  const certificate = selfSigned(["shop.example.com"]);
  const server = keep(await startHttp(told, certificate));
  const { fetch } = await fetcher(here, { ca: [certificate.cert] });
  expect(await fetch(`https://shop.example.com:${server.port}/`)).toMatchObject({ ok: true });
  expect(await fetch(`https://other.example.com:${server.port}/`)).toMatchObject({
    error: { code: "egress.unreachable" },
  });
});

describe("a redirect is a new URL", () => {
  test("to the same host it keeps the pins, even when the name has moved", async () => {
    const server = keep(await startHttp(redirecting(302, "/next")));
    const { dns, fetch } = await fetcher(() => ["10.0.0.1"]);
    const fetched = await fetch(`http://shop.example.com:${server.port}/`);
    expect(fetched.ok && (await fetched.value.json())).toMatchObject({ path: "/next" });
    expect(dns.asked).toEqual([]);
  });

  test("to another host it is looked up and judged", async () => {
    const server: LoopbackServer = keep(
      await startHttp(redirecting(302, () => `http://cdn.example.org:${server.port}/next`)),
    );
    const { dns, fetch } = await fetcher(here);
    const fetched = await fetch(`http://shop.example.com:${server.port}/`);
    expect(fetched.ok && (await fetched.value.json())).toMatchObject({ host: `cdn.example.org:${server.port}` });
    expect(dns.asked).toEqual(["cdn.example.org", "cdn.example.org"]);
  });

  test("to a host that resolves inside it is refused", async () => {
    const server: LoopbackServer = keep(
      await startHttp(redirecting(302, () => `http://cdn.example.org:${server.port}/next`)),
    );
    const { fetch } = await fetcher((_, family) => (family === 4 ? ["127.0.0.1", "192.168.1.1"] : []));
    expect(await fetch(`http://shop.example.com:${server.port}/`)).toMatchObject({
      error: { code: "egress.refused", findings: [{ code: "url.resolves_private" }] },
    });
    expect(server.seen).toHaveLength(1);
  });

  test.each([
    ["a metadata service", "http://169.254.169.254/", "egress.refused"],
    ["a metadata service in another spelling", "http://0xa9fea9fe/", "egress.refused"],
    ["an internal name", "http://localhost/", "egress.refused"],
    ["a file", "file:///etc/passwd", "egress.refused"],
    ["a URL with credentials", "http://a:b@cdn.example.org/", "egress.refused"],
    ["a host without a scheme that leads inside", "//10.0.0.1/", "egress.refused"],
    ["a host behind backslashes", "\\\\10.0.0.1/", "egress.redirect"],
    ["a host behind a slash and a backslash", "/\\10.0.0.1/", "egress.redirect"],
    ["a host behind three slashes", "///10.0.0.1/", "egress.refused"],
    ["a tab before a slash", "/\t/10.0.0.1/", "egress.redirect"],
    ["itself", "/", "egress.redirect"],
  ])("to %s it is not followed", async (_, location, code) => {
    const server = keep(await startHttp(redirecting(302, location)));
    const { fetch } = await fetcher(here);
    expect(await fetch(`http://shop.example.com:${server.port}/`)).toMatchObject({ error: { code } });
    expect(server.seen.length).toBe(location === "/" ? 4 : 1);
  });

  test("from TLS to plain HTTP it is not followed", async () => {
    const certificate = selfSigned(["shop.example.com"]);
    const server: LoopbackServer = keep(
      await startHttp(
        redirecting(302, () => `http://shop.example.com:${server.port}/next`),
        certificate,
      ),
    );
    const { fetch } = await fetcher(here, { ca: [certificate.cert] });
    expect(await fetch(`https://shop.example.com:${server.port}/`)).toMatchObject({
      error: { code: "egress.redirect" },
    });
  });

  test("is not followed at all when none may be", async () => {
    const server = keep(await startHttp(redirecting(302, "/next")));
    const { fetch } = await fetcher(here, { redirects: 0 });
    expect(await fetch(`http://shop.example.com:${server.port}/`)).toMatchObject({
      error: { code: "egress.redirect" },
    });
    expect(server.seen).toHaveLength(1);
  });

  test("takes credentials along to the same origin only", async () => {
    const headers = { Authorization: "Bearer abc", Cookie: "a=b", "X-Payment": "signed", Accept: "text/plain" };
    const server = keep(
      await startHttp((request, response, body) => {
        const onward = request.url === "/" ? "/next" : `http://cdn.example.org:${server.port}/last`;
        if (request.url === "/last") told(request, response, body);
        else response.writeHead(307, { location: onward, "x-saw": request.headers.authorization ?? "" }).end();
      }),
    );
    const { fetch } = await fetcher(here, { headers });
    const fetched = await fetch(`http://shop.example.com:${server.port}/`);
    const last = fetched.ok ? ((await fetched.value.json()) as { headers: Record<string, string> }) : { headers: {} };
    expect(last.headers).toMatchObject({ accept: "text/plain" });
    for (const name of ["authorization", "cookie", "x-payment"]) expect(last.headers).not.toHaveProperty(name);
    expect(server.seen).toHaveLength(3);
  });

  test.each([
    [301, "POST", "GET", ""],
    [302, "POST", "GET", ""],
    [303, "PUT", "GET", ""],
    [303, "HEAD", "HEAD", ""],
    [307, "POST", "POST", "body"],
    [308, "PUT", "PUT", "body"],
    [301, "PUT", "PUT", "body"],
  ])("%i makes %s a %s", async (status, method, becomes, body) => {
    const server = keep(await startHttp(redirecting(status, "/next")));
    const sent = method === "HEAD" ? null : Buffer.from("body");
    const { fetch } = await fetcher(here, { method, body: sent, headers: { "content-type": "text/plain" } });
    const fetched = await fetch(`http://shop.example.com:${server.port}/`);
    expect(server.seen.at(-1)).toMatch(`${becomes} /next`);
    if (fetched.ok && becomes !== "HEAD") expect(await fetched.value.json()).toMatchObject({ method: becomes, body });
  });
});

test("gives up at its deadline over all redirects together", async () => {
  const server = keep(
    await startHttp((_, response) => void setTimeout(() => response.writeHead(302, { location: "/" }).end(), 80)),
  );
  const { fetch } = await fetcher(here, { redirects: 1_000, deadlineMs: 300 });
  expect(await fetch(`http://shop.example.com:${server.port}/`)).toMatchObject({ error: { code: "egress.timeout" } });
});

test("an answer without a body is one", async () => {
  const server = keep(await startHttp((_, response) => response.writeHead(204).end()));
  const { fetch } = await fetcher(here);
  expect(await fetch(`http://shop.example.com:${server.port}/`)).toMatchObject({ ok: true, value: { status: 204 } });
});
