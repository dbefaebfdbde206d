import { generateKeyPairSync, verify } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCheckpoint, type StoredCheckpoint } from "@countersign/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createEgress, EGRESS_LIMITS, egressPolicy } from "../egress/egress.ts";
import { createNodeSigner, publicBytes } from "../keys/nodeSigner.ts";
import { type LogFace, logOrigin } from "../lifecycle/log.ts";
import { createLogger } from "../logger.ts";
import { type GateWorld, gateWorld, sha256 } from "../testing/gateWorld.ts";
import { anchorToFile, anchorToUrl } from "./anchor.ts";
import { type Anchor, startCheckpoints } from "./checkpoints.ts";

const keys = generateKeyPairSync("ed25519");
const publicKey = publicBytes(keys.publicKey);
let world: GateWorld;
let face: LogFace & { readonly store: GateWorld["store"] };
let agent: string;
let folder: string;

beforeAll(async () => {
  world = await gateWorld();
  agent = await world.key("acme", { kind: "agent", agent: "a" }, ["decide"]);
  folder = mkdtempSync(join(tmpdir(), "countersign-anchor-"));
  const signer = createNodeSigner("c", keys.privateKey);
  face = {
    store: world.store,
    identity: (tenant) => ({ key: { name: logOrigin("gate", tenant), publicKey }, signer }),
    sha256,
  };
});
afterAll(async () => {
  await world.app.close();
  rmSync(folder, { recursive: true });
});

const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
};
const started = (anchor: Anchor | null) => startCheckpoints(face, anchor, createLogger("silent"), 5);

test("a log that grows is signed, each size once, and goes to the anchor", async () => {
  const anchored: StoredCheckpoint[] = [];
  const running = started(async (tenant, checkpoint) => {
    expect(tenant).toBe("acme");
    anchored.push(checkpoint);
    return { ok: true, value: undefined };
  });
  await until(() => anchored.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(anchored).toHaveLength(1);
  await world.ask(agent, "read");
  await until(() => anchored.length === 2);
  await running.stop();
  const [first, second] = anchored;
  expect(second?.size).toBe((first?.size ?? 0) + 1);
  const key = { name: "gate/log/acme", publicKey };
  const strict = (_: Uint8Array, message: Uint8Array, signature: Uint8Array) =>
    verify(null, message, keys.publicKey, signature);
  expect(openCheckpoint(second?.note ?? "", key, strict, sha256)).toMatchObject({ ok: true });
  const kept = await world.store.checkpoints("acme", { limit: 1 });
  expect(kept).toMatchObject({ ok: true, value: [{ size: second?.size }] });
});

test("an anchor that fails is tried again, and keeps nothing else from being done", async () => {
  let tries = 0;
  const running = started(async () => {
    tries += 1;
    if (tries === 1) throw new Error("gone");
    return tries < 4 ? { ok: false, error: { code: "anchor.unwritable" } } : { ok: true, value: undefined };
  });
  await until(() => tries === 4);
  await running.stop();
});

test("a file gets a line for each checkpoint, and is its owner's alone", async () => {
  const path = join(folder, "anchor.jsonl");
  const anchor = anchorToFile(path);
  expect(await anchor("acme", { size: 1, note: "a\n" })).toMatchObject({ ok: true });
  expect(await anchor("umbrella", { size: 2, note: "b\n" })).toMatchObject({ ok: true });
  expect(
    readFileSync(path, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { tenant: "acme", size: 1, note: "a\n" },
    { tenant: "umbrella", size: 2, note: "b\n" },
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await anchorToFile(join(folder, "none", "x"))("acme", { size: 1, note: "a\n" })).toMatchObject({
    error: { code: "anchor.unwritable" },
  });
});

test("an address gets the note as it is, through the way out, and a refusal is no anchoring", async () => {
  const got: string[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    request.on("data", (chunk) => got.push(String(chunk))).on("end", () => response.writeHead(status).end());
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const egress = (addresses: string[]) =>
    createEgress({
      ...EGRESS_LIMITS,
      policy: egressPolicy({ addresses, names: [] }),
      resolver: { resolve: async () => ({ state: "unknown", reason: "no names here" }) as never },
      ca: "system",
    });
  expect(await anchorToUrl(url, egress(["127.0.0.1/32"]))("acme", { size: 1, note: "note\n" })).toMatchObject({
    ok: true,
  });
  expect(got).toEqual(["note\n"]);
  status = 500;
  expect(await anchorToUrl(url, egress(["127.0.0.1/32"]))("acme", { size: 1, note: "n\n" })).toMatchObject({
    error: { code: "anchor.refused" },
  });
  expect(await anchorToUrl(url, egress([]))("acme", { size: 1, note: "n\n" })).toMatchObject({
    error: { code: "egress.refused" },
  });
  server.close();
});
