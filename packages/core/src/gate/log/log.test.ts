import { generateKeyPairSync, sign, verify } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import type { JsonValue } from "../../json/value.ts";
import type { NoteKey, VerifyEd25519 } from "../../record/note.ts";
import { decideChange, nodeSha256, person } from "../../testing.ts";
import { createMemoryStore } from "../memory/memoryStore.ts";
import type { Store } from "../ports.ts";
import { exportLog, replayData } from "./exportLog.ts";
import {
  issueCheckpoint,
  type LogIdentity,
  proveConsistency,
  proveRecord,
  verifyBundle,
  verifyGrowth,
} from "./proofs.ts";

const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const raw = Buffer.from(String(publicKey.export({ format: "jwk" }).x), "base64url");
const key: NoteKey = { name: "log.example/t", publicKey: new Uint8Array(raw) };
const identity: LogIdentity = {
  key,
  signer: { kid: "log", sign: async (bytes) => new Uint8Array(sign(null, bytes, privateKey)) },
};
const verifyEd25519: VerifyEd25519 = (_, message, signature) => verify(null, message, publicKey, signature);

let store: Store;
beforeEach(async () => {
  store = createMemoryStore({
    sha256: nodeSha256,
    random: (n) => new Uint8Array(n).fill(1),
    clock: () => Date.UTC(2026, 0, 1),
  });
  for (let i = 0; i < 9; i += 1) await store.commit("t", decideChange({ id: `dec_${i}` }));
});

describe("a proof bundle", () => {
  const bundleOf = async (index: number) => {
    const made = await proveRecord("t", store, index, identity, nodeSha256);
    if (!made.ok || made.value === null) throw new Error("no bundle was made");
    return made.value;
  };
  const checked = (bundle: unknown, by = key) => verifyBundle(bundle as JsonValue, by, verifyEd25519, nodeSha256);

  test.each([0, 3, 8])("of record %i proves it to whoever has the log's key", async (index) => {
    const bundle = JSON.parse(JSON.stringify(await bundleOf(index)));
    expect(checked(bundle)).toMatchObject({ ok: true, value: { seq: index, ref: `dec_${index}` } });
  });

  test.each([
    {
      it: "another record",
      change: (b: object, other: object) => ({ ...b, record: (other as { record: string }).record }),
      code: "proof.not_included",
    },
    { it: "another index", change: (b: object) => ({ ...b, index: 4 }), code: "proof.not_included" },
    { it: "another size", change: (b: object) => ({ ...b, size: 8 }), code: "proof.checkpoint" },
    { it: "a shorter path", change: (b: object) => ({ ...b, path: [] }), code: "proof.not_included" },
    { it: "a path that is none", change: (b: object) => ({ ...b, path: "x" }), code: "proof.malformed" },
    { it: "no checkpoint", change: (b: object) => ({ ...b, checkpoint: "" }), code: "proof.checkpoint" },
    { it: "another format", change: (b: object) => ({ ...b, format: "v2" }), code: "proof.malformed" },
    { it: "nothing in it", change: () => null, code: "proof.malformed" },
  ])("with $it proves nothing", async ({ change, code }) => {
    const bundle = change(await bundleOf(3), await bundleOf(5));
    expect(checked(bundle)).toMatchObject({ ok: false, error: { code } });
  });

  test("is not made for a record that is not there, or is another tenant's", async () => {
    expect(await proveRecord("t", store, 9, identity, nodeSha256)).toEqual({ ok: true, value: null });
    expect(await proveRecord("u", store, 0, identity, nodeSha256)).toEqual({ ok: true, value: null });
  });

  test("of another log is not taken, though the same key signed it", async () => {
    expect(checked(await bundleOf(0), { ...key, name: "log.example/u" }).ok).toBe(false);
  });
});

test("growth between two checkpoints is proven, and only that", async () => {
  const older = await issueCheckpoint("t", store, identity, nodeSha256);
  await store.commit("t", decideChange());
  const newer = await issueCheckpoint("t", store, identity, nodeSha256);
  const proof = await proveConsistency("t", store, 9, 10, nodeSha256);
  if (!older.ok || !newer.ok || !proof.ok || proof.value === null) throw new Error("no proof was made");
  const grown = (a: string, b: string) => verifyGrowth(a, b, proof.value?.path ?? [], key, verifyEd25519, nodeSha256);
  expect(grown(older.value.note, newer.value.note)).toBe(true);
  expect(grown(newer.value.note, older.value.note)).toBe(false);
  for (const [from, to] of [
    [0, 5],
    [6, 5],
    [5, 11],
  ] as const)
    expect(await proveConsistency("t", store, from, to, nodeSha256)).toEqual({ ok: true, value: null });
});

describe("an export", () => {
  const content = {
    fields: '{"action":{"verb":"pay"}}',
    salts: '{"action":"c2FsdA"}',
    subjects: ["person:x"],
    keepFor: null,
  };

  test("has every record byte for byte, and what is kept beside it", async () => {
    await store.commit("t", decideChange({ id: "dec_kept", content }));
    const exported = await exportLog("t", store, 8, 10);
    const entries = await store.entries("t", 8, 10);
    expect(exported.ok && exported.value.map(({ record }) => record)).toEqual(
      entries.ok && entries.value.map(({ record }) => record),
    );
    expect(exported.ok && exported.value.map((entry) => entry.content)).toEqual([
      null,
      { fields: content.fields, salts: content.salts },
    ]);
  });

  test("gives what a decision was made from, for as long as it is kept", async () => {
    const by = person("p");
    await store.commit("t", {
      kind: "policy.put",
      scope: "org:o",
      id: "pol_1",
      digest: "sha256:pp",
      text: "mandate: []",
      replaces: null,
      by,
    });
    await store.commit("t", decideChange({ id: "dec_kept", content, record: '{"policy":"sha256:pp"}' }));
    expect(await replayData("t", store, "dec_kept")).toMatchObject({
      ok: true,
      value: {
        content: { action: { verb: "pay" } },
        policies: [{ id: "pol_1", text: "mandate: []" }],
        record: { ref: "dec_kept" },
      },
    });
    await store.commit("t", { kind: "erase", what: { subject: "person:x" }, reason: "asked", by });
    expect(await replayData("t", store, "dec_kept")).toMatchObject({ ok: true, value: { code: "replay.not_kept" } });
    expect(await replayData("t", store, "dec_none")).toMatchObject({ ok: true, value: { code: "replay.unknown" } });
  });
});
