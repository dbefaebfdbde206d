import { createHash, randomBytes } from "node:crypto";
import { createMemoryStore, formatApiKey, hashSecret, type KeyHolder, type Store } from "@countersign/core";
import { beforeEach, describe, expect, test } from "vitest";
import { type Caller, demand, LOCAL, maySee, principalOf } from "../caller.ts";
import { createAuthenticator } from "./authenticator.ts";

const random = (length: number) => new Uint8Array(randomBytes(length));
const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());
const ID = "key_0190a1b2-0000-7000-8000-000000000001";
const NOW = 1_800_000_000_000;
const by = { kind: "person", id: "ada" } as const;
let store: Store;

async function keyFor(holder: KeyHolder, more: { readonly expiresAt?: number } = {}): Promise<string> {
  const secret = random(32);
  const made = await store.commit("acme", {
    kind: "key.put",
    id: ID,
    hash: hashSecret(secret, sha256),
    name: "test",
    scopes: ["decide", "enforce"],
    holder,
    expiresAt: more.expiresAt ?? null,
    by,
  });
  if (!made.ok) throw new Error(made.error.code);
  return formatApiKey("acme", ID, secret);
}

beforeEach(() => {
  store = createMemoryStore({ clock: () => NOW, random, sha256 });
});
const authenticator = (anonymous: "loopback" | "nobody" = "loopback") =>
  createAuthenticator({ keys: store, clock: () => NOW, sha256, anonymous });

test("a key is its holder, with its scopes and no more", async () => {
  const key = await keyFor({ kind: "agent", agent: "shopper" });
  const known = await authenticator()(`Bearer ${key}`, "10.0.0.9");
  expect(known).toMatchObject({
    ok: true,
    value: { tenant: "acme", credential: ID, holder: { kind: "agent", agent: "shopper" } },
  });
  if (!known.ok) return;
  expect(demand(known.value, "decide")).toBeNull();
  expect(demand(known.value, "admin")).toMatchObject({ code: "credential.scope", status: 403 });
});

describe("without a credential", () => {
  test("loopback is the agent local, where that is wanted", async () => {
    expect(await authenticator()(undefined, "127.0.0.1")).toEqual({ ok: true, value: LOCAL });
    expect(await authenticator()(undefined, "::1")).toEqual({ ok: true, value: LOCAL });
  });

  test.each(["10.0.0.9", "192.168.1.1", "::ffff:10.0.0.9", "127.0.0.1.evil.example", undefined])(
    "%s is nobody",
    async (address) => {
      expect(await authenticator()(undefined, address)).toMatchObject({
        ok: false,
        error: { code: "credential.missing" },
      });
    },
  );

  test("loopback is nobody where keys are demanded", async () => {
    expect(await authenticator("nobody")(undefined, "127.0.0.1")).toMatchObject({
      ok: false,
      error: { code: "credential.missing" },
    });
  });
});

test("every wrong credential is refused alike, on loopback too", async () => {
  const key = await keyFor({ kind: "agent", agent: "shopper" });
  const wrong = [
    `Bearer ${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}`,
    "Bearer x",
    "Bearer ",
    "Basic dXNlcjpwYXNz",
    key,
    `Bearer ${key.replace("acme", "globex")}`,
    "",
  ];
  const answers = await Promise.all(wrong.map((one) => authenticator()(one, "127.0.0.1")));
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect(answers[0]).toMatchObject({ ok: false, error: { code: "credential.unknown", status: 401 } });
});

test.each([
  {
    it: "a revoked key",
    end: (store: Store) => store.commit("acme", { kind: "key.revoke", id: ID, by }),
    expiresAt: NOW * 2,
  },
  { it: "an expired key", end: async () => {}, expiresAt: NOW },
])("$it opens nothing", async ({ end, expiresAt }) => {
  const key = await keyFor({ kind: "agent", agent: "shopper" }, { expiresAt });
  await end(store);
  expect(await authenticator()(`Bearer ${key}`, "127.0.0.1")).toMatchObject({
    ok: false,
    error: { code: "credential.unknown" },
  });
});

describe("who is asked for", () => {
  const caller = (holder: KeyHolder): Caller => ({
    tenant: "acme",
    credential: ID,
    scopes: new Set(["decide"]),
    holder,
  });

  test.each<{ it: string; holder: KeyHolder; named: string | undefined; want: string | null }>([
    { it: "an agent asks for itself", holder: { kind: "agent", agent: "a" }, named: undefined, want: "a" },
    { it: "an agent may say its own name", holder: { kind: "agent", agent: "a" }, named: "a", want: "a" },
    { it: "an agent is no other agent", holder: { kind: "agent", agent: "a" }, named: "b", want: null },
    {
      it: "an enforcer names an agent on its list",
      holder: { kind: "enforcer", id: "p", agents: ["a", "b"] },
      named: "b",
      want: "b",
    },
    {
      it: "an enforcer names nobody else",
      holder: { kind: "enforcer", id: "p", agents: ["a"] },
      named: "b",
      want: null,
    },
    {
      it: "an enforcer has to name somebody",
      holder: { kind: "enforcer", id: "p", agents: "any" },
      named: undefined,
      want: null,
    },
    { it: "a person asks for nobody", holder: { kind: "person", person: "ada" }, named: "a", want: null },
  ])("$it", async ({ holder, named, want }) => {
    const found = await principalOf(caller(holder), named, store);
    expect(found).toMatchObject(
      want === null
        ? { ok: false, error: { code: "identity.mismatch" } }
        : { ok: true, value: { agent: want, credential: ID } },
    );
  });

  test("a disabled agent asks for nothing, and teams come from the directory", async () => {
    await store.commit("acme", { kind: "agent.put", id: "a", org: null, teams: ["ops"], state: "active", by });
    expect(await principalOf(caller({ kind: "agent", agent: "a" }), undefined, store)).toMatchObject({
      ok: true,
      value: { teams: ["ops"] },
    });
    await store.commit("acme", { kind: "agent.put", id: "a", org: null, teams: ["ops"], state: "disabled", by });
    expect(await principalOf(caller({ kind: "agent", agent: "a" }), undefined, store)).toMatchObject({
      ok: false,
      error: { code: "identity.mismatch" },
    });
  });

  test("an agent sees its own decisions; a person who reviews sees all", () => {
    expect(maySee(caller({ kind: "agent", agent: "a" }), "a")).toBe(true);
    expect(maySee(caller({ kind: "agent", agent: "a" }), "b")).toBe(false);
    expect(maySee({ ...caller({ kind: "person", person: "ada" }), scopes: new Set(["review"]) }, "b")).toBe(true);
  });
});
