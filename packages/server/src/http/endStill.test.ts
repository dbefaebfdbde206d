import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endStill } from "./endStill.ts";

const AFTER_MS = 300;
/** More than a system holds for a peer. */
const LONG = 64 * 1024 * 1024;
const server = createServer((request, response) => {
  if (request.url === "/long") return void response.end(Buffer.alloc(LONG));
  if (request.url === "/flood") {
    const piece = Buffer.alloc(64 * 1024);
    const flood = setInterval(() => response.write(piece), AFTER_MS / 300);
    return void response.once("close", () => clearInterval(flood));
  }
  if (request.url === "/slow") return void setTimeout(() => response.end("done"), AFTER_MS * 3);
  response.writeHead(200);
  const beat = setInterval(() => response.write("."), AFTER_MS / 10);
  response.once("close", () => clearInterval(beat));
});
let port = 0;

beforeAll(async () => {
  endStill(server, AFTER_MS);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const ask = (path: string) => {
  const socket = connect(port, "127.0.0.1");
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
  return socket;
};

test("a connection on which nothing moves is ended", async () => {
  const socket = ask("/slow");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  await once(socket, "close");
  expect(text).toBe("");
});

test("a connection on which something moves now and then stays", async () => {
  const socket = ask("/beats");
  let closed = false;
  socket.on("data", () => {});
  socket.once("close", () => {
    closed = true;
  });
  await new Promise((resolve) => setTimeout(resolve, AFTER_MS * 4));
  expect(closed).toBe(false);
  socket.destroy();
});

test("a connection whose peer takes a long answer slowly stays until it has all of it", async () => {
  const socket = ask("/long");
  let taken = 0;
  let atOnce = 0;
  socket.on("data", (chunk) => {
    taken += chunk.length;
    atOnce += chunk.length;
    if (atOnce < LONG / 16) return;
    atOnce = 0;
    socket.pause();
    setTimeout(() => socket.resume(), AFTER_MS / 4);
  });
  while (taken < LONG && !socket.destroyed) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(taken).toBeGreaterThan(LONG);
  socket.destroy();
});

test("a connection whose peer reads nothing is ended, however much is still written to it", async () => {
  const [socket] = await Promise.all([ask("/flood"), once(server, "connection")]);
  socket.pause();
  const peer = await new Promise<Socket>((resolve) => server.once("request", ({ socket: own }) => resolve(own)));
  await once(peer, "close");
  expect(peer.bytesWritten).toBeGreaterThan(64 * 1024);
  socket.destroy();
});
