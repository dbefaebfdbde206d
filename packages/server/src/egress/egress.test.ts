import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test, vi } from "vitest";
import { selfSigned } from "../testing/certificate.ts";
import { type DnsAnswers, startDnsServer } from "../testing/dnsServer.ts";
import { type Answer, startHttp, startRaw } from "../testing/loopback.ts";
import { createEgress, EGRESS_LIMITS, type EgressOptions, type EgressRequest, egressPolicy } from "./egress.ts";
import { egressFetch } from "./egressFetch.ts";
import { createResolver } from "./resolveHost.ts";

const started: { close(): Promise<void> }[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(started.splice(0).map((server) => server.close()));
});
const keep = <T extends { close(): Promise<void> }>(server: T): T => {
  started.push(server);
  return server;
};

const here: DnsAnswers = (_, family) => (family === 4 ? ["127.0.0.1"] : []);

async function egressOver(answers: DnsAnswers, change: Partial<EgressOptions> = {}) {
  const dns = keep(await startDnsServer(answers));
  const resolver = createResolver({ ask: { servers: [dns.address] }, deadlineMs: 2_000, now: () => new Date(0) });
  const policy = egressPolicy({ addresses: ["127.0.0.1"], names: [] });
  return {
    dns,
    egress: createEgress({ policy, resolver, deadlineMs: 5_000, maxBytes: 1_000, ca: "system", ...change }),
  };
}

const get = (url: string, change: Partial<EgressRequest> = {}): EgressRequest => ({
  method: "GET",
  url,
  headers: {},
  body: null,
  ...change,
});
const echo: Answer = (request, response, body) =>
  response.end(`${request.method} ${request.url} ${request.headers.host} ${body}`);
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

test("reaches a name at its checked address, with the name in the Host header", async () => {
  const server = keep(await startHttp(echo));
  const { egress } = await egressOver(here);
  const sent = await egress.send(
    get(`http://pay.example.com:${server.port}/a?b=%20c#d`, { method: "POST", body: Buffer.from("hello") }),
  );
  expect(sent).toMatchObject({ ok: true, value: { status: 200, addresses: ["127.0.0.1"] } });
  expect(sent.ok && text(sent.value.body)).toBe(`POST /a?b=%20c pay.example.com:${server.port} hello`);
});

test("states its limits", () => expect(EGRESS_LIMITS).toEqual({ deadlineMs: 10_000, maxBytes: 1_048_576 }));

describe("nothing is sent to where it may not go", () => {
  test.each([
    [
      "a name that leads inside",
      (_: string, family: 4 | 6) => (family === 4 ? ["10.0.0.1"] : []),
      "url.resolves_private",
    ],
    [
      "a name of which one answer leads inside",
      (_: string, family: 4 | 6) => (family === 4 ? ["127.0.0.1"] : ["::1"]),
      "url.resolves_private",
    ],
    [
      "a neighbour of the listed address",
      (_: string, family: 4 | 6) => (family === 4 ? ["127.0.0.2"] : []),
      "url.resolves_private",
    ],
    ["a name without an address", () => [], "url.unresolved"],
  ])("%s", async (_, answers, code) => {
    const server = keep(await startHttp(echo));
    const { egress } = await egressOver(answers);
    const sent = await egress.send(get(`http://pay.example.com:${server.port}/`));
    expect(sent).toMatchObject({ ok: false, error: { code: "egress.refused", findings: [{ code }] } });
    expect(server.connections()).toBe(0);
  });

  test.each([
    ["http://169.254.169.254/latest/meta-data/", "url.private_address"],
    ["http://user:pw@pay.example.com/", "url.credentials"],
    ["http://localhost/", "url.internal_name"],
    ["ftp://pay.example.com/", "url.scheme"],
    ["http://10.0.0.1.nip.io/", "url.embedding_name"],
    ["not a URL", "url.character"],
  ])("%s", async (url, code) => {
    const { dns, egress } = await egressOver(here);
    const sent = await egress.send(get(url));
    expect(sent).toMatchObject({ ok: false, error: { code: "egress.refused" } });
    expect(!sent.ok && sent.error.findings.map((finding) => finding.code)).toContain(code);
    expect(dns.asked).toEqual([]);
  });

  test("an address with a port where nobody may listen", async () => {
    const server = keep(await startHttp(echo));
    const { egress } = await egressOver(here, { policy: egressPolicy({ addresses: [], names: [] }) });
    expect(await egress.send(get(`http://127.0.0.1:${server.port}/`))).toMatchObject({ ok: false });
    expect(server.connections()).toBe(0);
  });

  test("anything at all, when the start configuration means nothing", async () => {
    const policy = egressPolicy({ addresses: ["127.0.0.1/8"], names: [] });
    await expect(egressOver(here, { policy })).rejects.toThrow("/internal/addresses/0");
  });
});

test("a name that changes its address after it was judged is not asked again", async () => {
  const server = keep(await startHttp(echo));
  const rounds = [["127.0.0.1"], ["10.0.0.1"]];
  const { dns, egress } = await egressOver((_, family) => (family === 6 ? [] : (rounds.shift() ?? ["10.0.0.1"])));
  expect(await egress.send(get(`http://pay.example.com:${server.port}/`))).toMatchObject({ ok: true });
  expect(dns.asked).toEqual(["pay.example.com", "pay.example.com"]);
  expect(await egress.send(get(`http://pay.example.com:${server.port}/`))).toMatchObject({ ok: false });
  expect(server.connections()).toBe(1);
});

test("the next checked address is tried when one does not answer", async () => {
  const server = keep(await startHttp(echo));
  const policy = egressPolicy({ addresses: ["127.0.0.0/8"], names: [] });
  const { egress } = await egressOver((_, family) => (family === 4 ? ["127.0.0.2", "127.0.0.1"] : []), { policy });
  expect(await egress.send(get(`http://pay.example.com:${server.port}/`))).toMatchObject({ ok: true });
});

test("a proxy in the environment is not used", async () => {
  const server = keep(await startHttp(echo));
  for (const name of ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "NODE_USE_ENV_PROXY"])
    vi.stubEnv(name, "http://127.0.0.1:9");
  const { egress } = await egressOver(here);
  expect(await egress.send(get(`http://pay.example.com:${server.port}/`))).toMatchObject({ ok: true });
});

test("a redirect is an answer, and nobody goes there", async () => {
  const server = keep(await startHttp((_, response) => response.writeHead(302, { location: "/elsewhere" }).end()));
  const { egress } = await egressOver(here);
  const sent = await egress.send(get(`http://pay.example.com:${server.port}/`));
  expect(sent).toMatchObject({ ok: true, value: { status: 302 } });
  expect(server.seen).toHaveLength(1);
});

describe("an answer is bounded", () => {
  test.each([
    ["exactly as large as allowed", 1_000, true],
    ["one byte larger", 1_001, false],
    ["far larger", 10_000_000, false],
  ])("%s", async (_, size, fits) => {
    const server = keep(await startHttp((_request, response) => response.end(Buffer.alloc(size))));
    const { egress } = await egressOver(here);
    const sent = await egress.send(get(`http://pay.example.com:${server.port}/`));
    expect(sent).toMatchObject(fits ? { ok: true } : { ok: false, error: { code: "egress.too_large" } });
  });

  test("one without an end", async () => {
    const server = keep(
      await startHttp((_, response) => {
        const more = () => response.write(Buffer.alloc(500), (error) => error ?? setImmediate(more));
        more();
      }),
    );
    const { egress } = await egressOver(here);
    expect(await egress.send(get(`http://pay.example.com:${server.port}/`))).toMatchObject({
      error: { code: "egress.too_large" },
    });
  });

  test.each([
    ["nothing", ""],
    ["half a head", "HTTP/1.1 200 OK\r\nContent-Le"],
    ["a head and no body", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"],
    ["half a body", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"],
  ])("one that stops after %s", async (_, bytes) => {
    const server = keep(await startRaw(bytes, () => {}));
    const { egress } = await egressOver(here, { deadlineMs: 300 });
    expect(await egress.send(get(`http://pay.example.com:${server.port}/`))).toMatchObject({
      error: { code: "egress.timeout" },
    });
  });

  test("one that drips", async () => {
    const server = keep(
      await startRaw("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", (socket) => {
        const timer = setInterval(() => socket.write("."), 20);
        socket.on("close", () => clearInterval(timer));
      }),
    );
    const { egress } = await egressOver(here, { deadlineMs: 300 });
    expect(await egress.send(get(`http://pay.example.com:${server.port}/`))).toMatchObject({
      error: { code: "egress.timeout" },
    });
  });
});

describe("an answer that cannot be used is none", () => {
  const zipped = gzipSync("a").toString("latin1");
  test.each([
    ["no HTTP", "SSH-2.0-OpenSSH_9.9\r\n"],
    ["a connection that ends", ""],
    ["a body that breaks off", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"],
    ["a status that is none", "HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n"],
    ["another protocol", "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"],
    ["a head without an end", `HTTP/1.1 200 OK\r\nX: ${"a".repeat(40_000)}\r\n\r\n`],
    [
      "an encoding nobody asked for",
      `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${zipped.length}\r\n\r\n${zipped}`,
    ],
  ])("%s", async (_, bytes) => {
    const server = keep(await startRaw(bytes));
    const { egress } = await egressOver(here);
    expect(await egress.send(get(`http://pay.example.com:${server.port}/`))).toMatchObject({
      error: { code: "egress.malformed_answer" },
    });
  });
});

describe("a request that frames itself is not sent", () => {
  test.each([
    ["another host", { headers: { Host: "other.example" } }],
    ["a length of its own", { headers: { "content-length": "5" } }],
    ["a transfer encoding", { headers: { "Transfer-Encoding": "chunked" } }],
    ["a word to a proxy", { headers: { "Proxy-Authorization": "Basic eDp5" } }],
    ["a line break in a header", { headers: { "x-a": "b\r\nx-c: d" } }],
    ["a header without a name", { headers: { "": "b" } }],
    ["a tunnel", { method: "CONNECT" }],
    ["a method in lower case", { method: "get" }],
    ["a method with a line break", { method: "GET / HTTP/1.1\r\n" }],
  ])("%s", async (_, change) => {
    const server = keep(await startHttp(echo));
    const { egress } = await egressOver(here);
    const sent = await egress.send(get(`http://pay.example.com:${server.port}/`, change));
    expect(sent).toMatchObject({ error: { code: "egress.malformed_request" } });
    expect(server.seen).toEqual([]);
  });
});

test("says unreachable when nobody listens", async () => {
  const server = await startHttp(echo);
  await server.close();
  const { egress } = await egressOver(here);
  expect(await egress.send(get(`http://pay.example.com:${server.port}/`))).toMatchObject({
    error: { code: "egress.unreachable" },
  });
});

test("is given up when its caller gives up", async () => {
  const server = keep(await startRaw("", () => {}));
  const { egress } = await egressOver(here);
  const controller = new AbortController();
  const sending = egress.send(get(`http://pay.example.com:${server.port}/`, { signal: controller.signal }));
  setTimeout(() => controller.abort(), 50);
  expect(await sending).toMatchObject({ error: { code: "egress.aborted" } });
  const again = egress.send(get(`http://pay.example.com:${server.port}/`, { signal: controller.signal }));
  expect(await again).toMatchObject({ error: { code: "egress.aborted" } });
});

describe("over TLS", () => {
  const certificate = selfSigned(["pay.example.com", "127.0.0.1"]);

  test.each(["pay.example.com", "127.0.0.1"])("the server proves that it is %s", async (host) => {
    const server = keep(await startHttp(echo, certificate));
    const { egress } = await egressOver(here, { ca: [certificate.cert] });
    const sent = await egress.send(get(`https://${host}:${server.port}/`));
    expect(sent.ok && text(sent.value.body)).toBe(`GET / ${host}:${server.port} `);
  });

  test("a certificate for another name is refused", async () => {
    const server = keep(await startHttp(echo, certificate));
    const { egress } = await egressOver(here, { ca: [certificate.cert] });
    expect(await egress.send(get(`https://other.example.com:${server.port}/`))).toMatchObject({
      error: { code: "egress.unreachable" },
    });
    expect(server.seen).toEqual([]);
  });

  test("a certificate nobody vouches for is refused, whatever the environment says", async () => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    const server = keep(await startHttp(echo, certificate));
    const { egress } = await egressOver(here);
    expect(await egress.send(get(`https://pay.example.com:${server.port}/`))).toMatchObject({
      error: { code: "egress.unreachable" },
    });
    expect(server.seen).toEqual([]);
  });
});

test("no error names the URL", async () => {
  const { egress } = await egressOver(here);
  for (const url of [
    "http://10.0.0.1/?key=hunter2",
    "https://hunter2:x@pay.example.com/",
    "http://pay.example.com:1/hunter2",
  ])
    expect(JSON.stringify(await egress.send(get(url)))).not.toContain("hunter2");
});

describe("in the shape of fetch", () => {
  test("sends and answers as fetch does", async () => {
    const server = keep(await startHttp(echo));
    const { egress } = await egressOver(here);
    const response = await egressFetch(egress)(`http://pay.example.com:${server.port}/a`, {
      method: "POST",
      body: "hi",
    });
    expect([response.status, await response.text()]).toEqual([200, `POST /a pay.example.com:${server.port} hi`]);
  });

  test("rejects with the code of what stopped it", async () => {
    const { egress } = await egressOver(here);
    await expect(egressFetch(egress)("http://10.0.0.1/")).rejects.toMatchObject({
      code: "egress.refused",
      name: "EgressFailure",
    });
    await expect(egressFetch(egress)("https:\\\\pay.example.com/")).rejects.toMatchObject({ code: "egress.refused" });
  });

  test("rejects a redirect when told to, and gives it back otherwise", async () => {
    const server = keep(await startHttp((_, response) => response.writeHead(307, { location: "/b" }).end()));
    const { egress } = await egressOver(here);
    const url = `http://pay.example.com:${server.port}/`;
    await expect(egressFetch(egress)(url, { redirect: "error" })).rejects.toMatchObject({ code: "egress.redirect" });
    expect((await egressFetch(egress)(url)).status).toBe(307);
    expect(server.seen).toHaveLength(2);
  });
});
