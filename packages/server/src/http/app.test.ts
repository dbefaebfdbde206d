import dns from "node:dns";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { createLogger } from "../logger.ts";
import { createApp } from "./app.ts";

const ADDRESSES = ["127.0.0.1", "127.0.0.2"].map((address) => ({ address, family: 4 }));

afterEach(() => vi.restoreAllMocks());

// Elsewhere this machine has no second address of its own.
test.runIf(process.platform === "linux")(
  "connections that stand still are ended at every address that localhost means",
  async () => {
    vi.spyOn(dns, "lookup").mockImplementation(((name: string, ...rest: unknown[]) => {
      const found = rest.at(-1) as (fault: null, ...found: unknown[]) => void;
      if ((rest[0] as { all?: boolean }).all === true) found(null, ADDRESSES);
      else found(null, name === "localhost" ? "127.0.0.1" : name, 4);
    }) as typeof dns.lookup);
    const app = createApp({ logger: createLogger("silent"), hosts: [], origins: [] });
    app.get("/timer", async ({ raw }) => String(raw.socket.timeout ?? 0));
    await app.listen({ host: "localhost", port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const timers = await Promise.all(ADDRESSES.map(({ address }) => answer(address, port, "/timer")));
    await app.close();
    // The first is looked at together with all others (endStill), and has no timer of its own.
    expect(timers.map(({ text }) => text)).toEqual(["0", "60000"]);
  },
);

test.each([
  { it: "an address that cannot be read", path: "/%ff", headers: {}, status: 400 },
  { it: "an expectation that is not met", path: "/timer", headers: { expect: "wonders" }, status: 417 },
  { it: "an address without a route", path: "/nothing", headers: {}, status: 404 },
])("a request id that a caller was given is in the log: $it", async ({ path, headers, status }) => {
  const logged: string[] = [];
  const logger = createLogger("info", { write: (text) => void logged.push(text) });
  const app = createApp({ logger, hosts: [], origins: [] });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const answered = await answer("127.0.0.1", port, path, headers);
  await app.close();
  await vi.waitFor(() => expect(logged).not.toEqual([]));
  expect(answered.status).toBe(status);
  const lines = logged.join("").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { request: answered.id, method: "GET", route: null, status },
  ]);
});

interface Answered {
  readonly status: number | undefined;
  readonly id: unknown;
  readonly text: string;
}

const answer = (address: string, port: number, path: string, headers = {}): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const asked = request({ host: address, port, path, headers: { host: `127.0.0.1:${port}`, ...headers } });
    asked.once("error", reject);
    asked.once("response", (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.once("end", () => resolve({ status: response.statusCode, id: response.headers["x-request-id"], text }));
    });
    asked.end();
  });
