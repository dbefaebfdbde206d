import { createHash, verify as verifySignature } from "node:crypto";
import {
  type JsonObject,
  type JsonValue,
  openCheckpoint,
  parseNoteKey,
  type VerifyEd25519,
  verifyBundle,
  verifyConsistency,
} from "@countersign/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type GateWorld, gateWorld, sha256 } from "../testing/gateWorld.ts";

let world: GateWorld;
let agent: string;
let auditor: string;
let elsewhere: string;

beforeAll(async () => {
  world = await gateWorld();
  agent = await world.key("acme", { kind: "agent", agent: "a" }, ["decide"]);
  auditor = await world.key("acme", { kind: "person", person: "carol" }, ["audit"]);
  elsewhere = await world.key("umbrella", { kind: "person", person: "eve" }, ["audit"]);
  for (let i = 0; i < 6; i += 1) await world.ask(agent, "read");
});
afterAll(() => world.app.close());

const get = (path: string, key = auditor) => world.call("GET", `/v1/log/${path}`, key);
const verify: VerifyEd25519 = (key, message, signature) => {
  const jwk = { kty: "OKP", crv: "Ed25519", x: Buffer.from(key).toString("base64url") };
  return verifySignature(null, message, { key: jwk, format: "jwk" }, signature);
};
function keyIn(body: JsonObject) {
  const key = parseNoteKey(body["key"] as string, sha256);
  if (!key.ok) throw new Error("the key does not parse");
  return key.value;
}

test("the head of the log is signed as C2SP has it, by the key that comes with it", async () => {
  const { body } = await get("checkpoint");
  const opened = openCheckpoint(body["checkpoint"] as never, keyIn(body), verify, sha256);
  expect(opened).toMatchObject({
    ok: true,
    value: { origin: "gate.example/log/acme", size: BigInt(body["size"] as never) },
  });
  expect(body["root"]).toBe(opened.ok && Buffer.from(opened.value.root).toString("base64"));
});

test("a log that has not grown is not signed again", async () => {
  const first = await get("checkpoint");
  expect(await get("checkpoint")).toEqual(first);
  await world.ask(agent, "read");
  expect((await get("checkpoint")).body["size"]).toBe((first.body["size"] as unknown as number) + 1);
});

test("a bundle proves a record to somebody who asks nobody", async () => {
  const { body: decided } = await world.ask(agent, "read");
  const { body } = await get(`proof?decision=${decided["id"]}`);
  const record = verifyBundle(body["bundle"] as unknown as JsonValue, keyIn(body), verify, sha256);
  expect(record).toMatchObject({ ok: true, value: { kind: "decide", ref: decided["id"], tenant: "acme" } });
  const seq = (body["bundle"] as unknown as JsonObject)["index"];
  expect((await get(`proof?seq=${seq}`)).body["bundle"]).toMatchObject({ index: seq });
});

test("a later log is proven to begin with an earlier one", async () => {
  const before = (await get("checkpoint")).body;
  for (let i = 0; i < 5; i += 1) await world.ask(agent, "read");
  const { body } = await get(`proof?from=${before["size"]}`);
  const proof = body["consistency"] as unknown as {
    from: number;
    size: number;
    from_root: string;
    root: string;
    path: string[];
    checkpoint: string;
  };
  expect(proof.from_root).toBe(before["root"]);
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, "base64"));
  const claim = { size1: proof.from, size2: proof.size, root1: bytes(proof.from_root), root2: bytes(proof.root) };
  expect(verifyConsistency({ ...claim, path: proof.path.map(bytes) }, sha256)).toBe(true);
  expect(verifyConsistency({ ...claim, path: proof.path.map(() => new Uint8Array(32)) }, sha256)).toBe(false);
  const signed = openCheckpoint(proof.checkpoint, keyIn(body), verify, sha256);
  expect(signed).toMatchObject({ ok: true, value: { size: BigInt(proof.size) } });
});

test("records are given byte for byte, in order, page by page", async () => {
  const { body } = await get("entries?from=2&limit=3");
  const items = body["items"] as unknown as { seq: number; record: string; record_hash: string }[];
  expect(items.map(({ seq }) => seq)).toEqual([2, 3, 4]);
  for (const { record, record_hash } of items) {
    const leaf = createHash("sha256")
      .update(Buffer.concat([Buffer.from([0]), Buffer.from(record)]))
      .digest("hex");
    expect(record_hash).toBe(`sha256:${leaf}`);
  }
  expect((await get(`entries?from=${body["size"]}`)).body["items"]).toEqual([]);
});

test.each([
  { it: "two things at once", query: "proof?seq=1&from=1" },
  { it: "nothing", query: "proof" },
  { it: "a size without a beginning", query: "proof?seq=1&size=3" },
  { it: "an index that is none", query: "proof?seq=-1" },
  { it: "too many records", query: "entries?limit=501" },
])("proves not $it", async ({ query }) => {
  expect(await get(query)).toMatchObject({ status: 400, body: { code: "request.invalid" } });
});

test("what is not in the log has no proof", async () => {
  for (const query of ["proof?seq=100000", "proof?from=100000", "proof?from=3&size=2"])
    expect(await get(query)).toMatchObject({ status: 404, body: { code: "log.unknown" } });
});

test("the log is for those who audit, each in their own", async () => {
  const { body: decided } = await world.ask(agent, "read");
  for (const path of ["checkpoint", "entries", "proof?seq=0"])
    expect(await get(path, agent)).toMatchObject({ status: 403, body: { code: "credential.scope" } });
  expect(await get(`proof?decision=${decided["id"]}`, elsewhere)).toMatchObject({
    status: 404,
    body: { code: "decision.unknown" },
  });
  const { body } = await get("entries?limit=500", elsewhere);
  expect(JSON.stringify(body)).not.toContain("acme");
});
