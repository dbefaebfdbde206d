import { createHash, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { readJwks, verifyAdvice, verifyReceipt, writeJwks } from "@countersign/api";
import { createMemoryStore, type JsonObject, type JsonValue, type Ledger, type Store } from "@countersign/core";
import { describe, expect, test } from "vitest";
import { LOCAL } from "../caller.ts";
import { createNodeSigner, publicBytes } from "../keys/nodeSigner.ts";
import { type ActionGateFace, actionGateDialect } from "./actionGate.ts";
import { ask } from "./dialect.ts";
import { toolSet } from "./toolSet.ts";

const random = (length: number) => new Uint8Array(randomBytes(length));
const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());
const hexSha256 = (input: Uint8Array | string) => createHash("sha256").update(input).digest("hex");
const ISSUER = "https://gate.example";
const NOW = 1_800_000_000_000;

const advice = generateKeyPairSync("ed25519");
const keysOf = (kid: string, key: KeyObject) => {
  const keys = readJwks(writeJwks([{ kid, bytes: publicBytes(key) }]));
  if (!keys.ok) throw new Error(keys.error.code);
  return keys.value;
};

function face(change: Partial<ActionGateFace> = {}) {
  const store: Store = createMemoryStore({ clock: () => NOW, random, sha256 });
  const options: ActionGateFace = {
    ledger: store,
    signer: () => createNodeSigner("a1", advice.privateKey),
    issuer: ISSUER,
    clock: () => NOW,
    random,
    sha256,
    hexSha256,
    signals: "published-and-own",
    ...change,
  };
  return { store, dialect: actionGateDialect(options) };
}

async function answer(input: JsonValue, dialect = face().dialect): Promise<JsonObject> {
  const given = await ask(dialect, "action_gate", input, LOCAL);
  if (!given.ok) throw new Error(given.error.code);
  return given.value;
}

const expected = {
  keys: keysOf("a1", advice.publicKey),
  issuer: ISSUER,
  audience: ISSUER,
  tenant: LOCAL.tenant,
  subject: "local",
  verdict: "any",
  now: NOW / 1000,
  clockSkew: 0,
  replay: "accepted",
} as const;

describe("the action gate on a server", () => {
  test("signs what it recorded, as advice about exactly this request", async () => {
    const { store, dialect } = face();
    const given = await answer({ url: "https://8.8.8.8/" }, dialect);
    const actionDigest = `sha256:${given["request_sha256"]}`;
    const read = await verifyAdvice(String(given["receipt"]), { ...expected, actionDigest });
    if (!read.ok) throw new Error(read.error.code);
    expect(read.value).toMatchObject({ policy_origin: "caller", verdict: "review" });
    expect(read.value.jti).toMatch(/^adv_/);
    const head = await store.head(LOCAL.tenant);
    expect(head.ok && head.value).toMatchObject({ size: 1 });
    const entries = await store.entries(LOCAL.tenant, 0, 10);
    expect(entries.ok && entries.value).toHaveLength(1);
    expect(JSON.stringify(entries)).not.toContain("8.8.8.8");
    expect(JSON.stringify(entries)).not.toContain(String(given["request_sha256"]));
  });

  test("advice never verifies as a decision", async () => {
    const given = await answer({});
    const actionDigest = `sha256:${given["request_sha256"]}`;
    const read = await verifyReceipt(String(given["receipt"]), { ...expected, actionDigest });
    expect(read).toMatchObject({ ok: false, error: { code: "receipt.type_refused" } });
  });

  test("gives no answer when nothing can be recorded, and signs nothing", async () => {
    let signed = 0;
    const ledger = { commit: async () => ({ ok: false, error: { code: "store.unavailable", message: "" } }) };
    const signer = () => {
      signed += 1;
      return createNodeSigner("a1", advice.privateKey);
    };
    const { dialect } = face({ ledger: ledger as unknown as Ledger, signer });
    expect(await ask(dialect, "action_gate", {}, LOCAL)).toMatchObject({
      ok: false,
      error: { code: "store.unavailable" },
    });
    expect(signed).toBe(0);
  });

  test("gives no answer when it cannot be signed", async () => {
    const signer = () => ({ kid: "a1", sign: () => Promise.reject(new Error("module gone")) });
    const { dialect } = face({ signer });
    const given = await ask(dialect, "action_gate", {}, LOCAL);
    expect(given).toMatchObject({
      ok: false,
      error: { code: "signer.failed", error: "the decision could not be signed" },
    });
    expect(JSON.stringify(given)).not.toContain("module gone");
  });

  test("refuses bad input in text over MCP", async () => {
    const [tool] = toolSet(face().dialect).tools;
    expect(await tool?.call({ input: { url: 1 }, payment: undefined }, LOCAL)).toEqual({
      refused: "request.invalid: /url: this has to be of type string (expected string)",
    });
  });

  test("keeps the schemas of two callers apart", async () => {
    const { dialect } = face();
    const input = {
      payload: { a: "x" },
      schema: { $id: "https://a.example/s", properties: { a: { type: "string" } } },
    };
    const other = {
      payload: { a: "x" },
      schema: { $id: "https://a.example/s", properties: { a: { type: "number" } } },
    };
    expect((await answer(input, dialect))["decision"]).toBe("ALLOW");
    const given = await ask(dialect, "action_gate", other, { ...LOCAL, credential: "key_2" });
    expect(given.ok && given.value["decision"]).toBe("BLOCK");
  });
});
