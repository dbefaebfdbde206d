import { connect, createServer, type Server, type Socket } from "node:net";

/** Stands between a gate and its database, and takes the line away. */
export interface CuttingProxy {
  readonly url: string;
  /** Passes on the next message in which the client says `text`, then cuts every line before the answer comes back. */
  cutAfter(text: string): void;
  /** Cuts every line and takes no new one. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

export async function cuttingProxy(to: string): Promise<CuttingProxy> {
  const target = new URL(to);
  const open = new Set<Socket>();
  let trigger: string | undefined;
  const cut = (): void => {
    for (const socket of open) socket.destroy();
    open.clear();
  };
  const serve = (client: Socket): void => {
    const server = connect(Number(target.port), target.hostname);
    for (const socket of [client, server]) {
      open.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        client.destroy();
        server.destroy();
      });
    }
    client.on("data", (bytes) => {
      if (trigger !== undefined && bytes.includes(trigger)) {
        trigger = undefined;
        client.destroy();
        open.delete(client);
        // The server still gets it, and may do it; nobody hears.
        server.end(bytes);
        return;
      }
      server.write(bytes);
    });
    server.on("data", (bytes) => void client.write(bytes));
  };
  let listening: Server;
  const listen = (port: number): Promise<number> =>
    new Promise((resolve) => {
      listening = createServer(serve).listen(port, "127.0.0.1", () => {
        const address = listening.address();
        resolve(typeof address === "object" && address !== null ? address.port : 0);
      });
    });
  const port = await listen(0);
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      listening.close(() => resolve());
      cut();
    });
  const url = new URL(to);
  url.port = String(port);
  return {
    url: url.href,
    cutAfter: (text) => {
      trigger = text;
    },
    down: stop,
    up: async () => void (await listen(port)),
    close: stop,
  };
}
