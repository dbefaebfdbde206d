import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endStill } from "./endStill.ts";

const AFTER_MS = 300;
const server = createServer((request, response) => {
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
