// The HTTP stack with all its duties (strict reading, limits, host and origin, request ids, headers, a log line) and an
// echo handler, beside bare node:http with JSON.parse. Each server is a process of its own; the load comes from this one,
// in turns, so that a machine which slows down slows both.
import { fork } from "node:child_process";
import { createWriteStream } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import { median, report } from "./harness.mjs";

const BODY = JSON.stringify({
  id: "x".repeat(40),
  items: Array.from({ length: 12 }, (_, i) => ({ sku: `sku-${i}`, count: i, note: "some text of no importance" })),
});
const ROUNDS = 5;

const servers = {
  async stack() {
    const { createApp, createLogger } = await import("@countersign/server");
    const app = createApp({ logger: createLogger("info", createWriteStream("/dev/null")), hosts: [], origins: [] });
    app.post("/echo", (request, reply) =>
      reply.header("content-type", "application/json").send(JSON.stringify(request.body)),
    );
    await app.listen({ port: 0, host: "127.0.0.1" });
    return app.server.address().port;
  },
  bare() {
    const server = createServer((request, response) => {
      const chunks = [];
      request.on("data", (chunk) => chunks.push(chunk));
      request.on("end", () => {
        const body = JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()));
        response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
        response.end(body);
      });
    });
    return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server.address().port)));
  },
};

const load = (port, duration) =>
  autocannon({
    url: `http://127.0.0.1:${port}/echo`,
    connections: 32,
    duration,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: BODY,
  });

if (process.argv[2] === "serve") {
  process.send(await servers[process.argv[3]]());
  process.on("disconnect", () => process.exit());
} else {
  const self = fileURLToPath(import.meta.url);
  const children = {};
  const ports = {};
  for (const name of Object.keys(servers)) {
    children[name] = fork(self, ["serve", name]);
    ports[name] = await new Promise((resolve) => children[name].once("message", resolve));
  }
  for (const name of Object.keys(servers)) await load(ports[name], 2);
  const rates = { stack: [], bare: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of round % 2 === 0 ? ["stack", "bare"] : ["bare", "stack"]) {
      const { requests, non2xx, errors } = await load(ports[name], 2);
      if (non2xx + errors > 0) throw new Error(`${name}: ${non2xx} refused, ${errors} broken`);
      rates[name].push(requests.average);
    }
  }
  for (const child of Object.values(children)) child.disconnect();
  report({
    name: `HTTP stack with its duties, ${BODY.length} bytes, 32 connections`,
    micros: { stack: 1e6 / median(rates.stack), "node:http": 1e6 / median(rates.bare) },
    ratioOf: ["stack", "node:http"],
    ratio: median(rates.stack.map((rate, round) => rate / rates.bare[round])),
    floor: 0.75,
  });
}
