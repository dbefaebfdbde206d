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
    const timers = await Promise.all(ADDRESSES.map(({ address }) => answer(address, port)));
    await app.close();
    // The first is looked at together with all others (endStill), and has no timer of its own.
    expect(timers).toEqual(["0", "60000"]);
  },
);

const answer = (address: string, port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const asked = request({ host: address, port, path: "/timer", headers: { host: `127.0.0.1:${port}` } });
    asked.once("error", reject);
    asked.once("response", (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.once("end", () => resolve(text));
    });
    asked.end();
  });
