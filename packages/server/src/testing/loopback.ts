import {
  createServer as createHttp,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createHttps } from "node:https";
import { type AddressInfo, createServer as createTcp, type Socket, type Server as TcpServer } from "node:net";
import type { TestCertificate } from "./certificate.ts";

export interface LoopbackServer {
  readonly port: number;
  /** "GET /path host", a line a request. */
  readonly seen: readonly string[];
  /** How many connections were ever made to it. */
  readonly connections: () => number;
  close(): Promise<void>;
}

export type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** An HTTP server on 127.0.0.1 and nowhere else. */
export async function startHttp(answer: Answer, tls?: TestCertificate): Promise<LoopbackServer> {
  const seen: string[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      seen.push(`${request.method} ${request.url} ${request.headers.host}`);
      answer(request, response, Buffer.concat(chunks).toString());
    });
  };
  const server: Server =
    tls === undefined ? createHttp(listener) : createHttps({ cert: tls.cert, key: tls.key }, listener);
  return await listen(server, seen);
}

/** A server that says these bytes to whoever connects, HTTP or not, and then what `after` does. */
export function startRaw(
  bytes: string,
  after: (socket: Socket) => void = (socket) => socket.end(),
): Promise<LoopbackServer> {
  const server = createTcp((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.write(bytes, "latin1", () => after(socket)));
  });
  return listen(server, []);
}

async function listen(server: TcpServer, seen: readonly string[]): Promise<LoopbackServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => {});
  });
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
