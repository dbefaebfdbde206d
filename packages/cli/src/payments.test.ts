import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { firewallDialect, readPaymentConfig } from "@countersign/server";
import { openSqliteStore } from "@countersign/store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLocalStore } from "./localGate.ts";
import { openTillFrom } from "./payments.ts";
import { parseYaml } from "./yaml.ts";

const DOCUMENT = new URL("../../../docs/payments.md", import.meta.url);
const yaml = /```yaml\n(.*?)```/s.exec(readFileSync(DOCUMENT, "utf8"))?.[1] ?? "";

test("the setting that the documentation shows is one", () => {
  const document = parseYaml(yaml);
  const read = document.ok ? readPaymentConfig(document.value) : document;
  expect(read).toMatchObject({ ok: true, value: { prices: new Map([["action_gate", 10_000n]]), chainId: 8453 } });
});

describe("what is sold, from a file", () => {
  let folder: string;
  let facilitator: Server;
  let url: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "countersign-payments-"));
    const kinds = [{ x402Version: 2, scheme: "exact", network: "eip155:8453" }];
    facilitator = createServer((_, reply) => reply.end(JSON.stringify({ kinds })));
    await new Promise<void>((resolve) => facilitator.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(facilitator.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    facilitator.close();
    rmSync(folder, { recursive: true });
  });

  const dialects = [firewallDialect(Date.now)];
  const file = (text: string): string => {
    const path = join(folder, "payments.yaml");
    writeFileSync(path, text);
    return path;
  };
  const setting = (at = url) =>
    yaml
      .replace("action_gate:", "trust_check_spend:")
      .replace("https://facilitator.example", at)
      .concat("internal: {addresses: [127.0.0.1]}\n");

  test("opens over a store that outlives the process, and sells what has a price", async () => {
    const store = await openSqliteStore({ path: join(folder, "gate.db") });
    if (!store.ok) throw new Error(store.error.message);
    const till = await openTillFrom(file(setting()), { store: store.value, dialects });
    expect([till.sells("trust_check_spend"), till.sells("trust_clean_data")]).toEqual([true, false]);
    await store.value.close();
  });

  test.each([
    { it: "on a store in memory", text: () => setting(), code: "payment.store_volatile" },
    { it: "with a mistake", text: () => `${setting()}colour: red\n`, code: "payments.malformed" },
    { it: "that is no YAML", text: () => "a: [", code: "yaml.malformed" },
  ])("does not open $it", async ({ text, code }) => {
    const opened = openTillFrom(file(text()), { store: createLocalStore(), dialects });
    await expect(opened).rejects.toMatchObject({ code });
  });

  test("does not ask a private address that is not listed", async () => {
    const store = { ...createLocalStore(), durable: true };
    const text = setting().replace("[127.0.0.1]", "[]");
    const opened = openTillFrom(file(text), { store, dialects });
    await expect(opened).rejects.toMatchObject({ code: "payment.facilitator_unusable" });
  });
});
