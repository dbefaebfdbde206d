import { createHash, randomBytes } from "node:crypto";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createSchemaCache } from "../check/schema/cache.ts";
import type { JsonObject, JsonValue } from "../json/value.ts";
import { readPart } from "../policy/readPart.ts";
import { createMemoryStore } from "./memory/memoryStore.ts";
import type { Store } from "./ports.ts";
import { savePolicy } from "./savePolicy.ts";
import { createStoredPolicies, exemptionScope } from "./storedPolicies.ts";

const random = (length: number) => new Uint8Array(randomBytes(length));
const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());
const by = { kind: "person", id: "ada" } as const;
const START = Date.UTC(2027, 0, 1);

let at = START;
let store: Store;
const clock = () => at;
const policies = () => createStoredPolicies({ store, operator: "operator", cards: null, clock });

beforeEach(() => {
  at = START;
  store = createMemoryStore({ clock, random, sha256 });
});

const save = (
  scope: string,
  document: JsonValue,
  replaces: string | null = "any",
  tenant = "acme",
  kind: "policy" | "card" = "policy",
) =>
  savePolicy(
    {
      ledger: store,
      agents: store,
      heads: store,
      targets: store,
      policies: policies(),
      schemas: createSchemaCache(10),
      clock,
      random,
    },
    { tenant, scope, kind, read: readPart, document, replaces, by, reason: "because" },
  );
const put = async (
  scope: string,
  document: JsonValue,
  tenant = scope.startsWith("platform:") ? "operator" : "acme",
) => {
  const saved = await save(scope, document, "any", tenant);
  if (!saved.ok) throw new Error(JSON.stringify(saved.error));
  return saved.value;
};
const mandate = (id: string): JsonObject => ({
  mandate: { clauses: [{ id, effect: "allow", match: { kind: ["file"] } }], default: "block" },
});
const asker = { tenant: "acme", agent: "shopper", teams: ["ops"] };
async function scopes(source = policies(), who = asker) {
  const read = await source.effective(who);
  if (!read.ok) return read.error.code;
  return read.value === null ? null : read.value.mandates.map(({ scope }) => scope);
}

describe("what is in force for an agent", () => {
  test("is nothing where nobody wrote anything", async () => {
    expect(await scopes()).toBeNull();
  });

  test("is made of every scope above it, in order", async () => {
    for (const scope of ["agent:shopper", "team:ops", "org:acme", "platform:default"]) await put(scope, mandate("m"));
    expect(await scopes()).toEqual(["platform:default", "org:acme", "team:ops", "agent:shopper"]);
  });

  test("leaves out teams it is not in, other agents, and other tenants", async () => {
    for (const scope of ["agent:other", "team:dev", "org:acme"]) await put(scope, mandate("m"));
    await put("org:acme", mandate("m"), "globex");
    expect(await scopes()).toEqual(["org:acme"]);
    expect(await scopes(policies(), { ...asker, tenant: "globex" })).toBeNull();
  });

  test("takes the platform from the operator alone", async () => {
    await put("platform:default", mandate("m"), "acme");
    expect(await scopes()).toBeNull();
  });

  test("changes with the next question when another gate wrote a version", async () => {
    const source = policies();
    await put("org:acme", mandate("first"));
    await scopes(source);
    await put("org:acme", mandate("second"));
    const read = await source.effective(asker);
    expect(read.ok && read.value?.mandates[0]?.mandate.clauses[0]?.id).toBe("second");
    expect(read.ok && read.value?.sources).toMatchObject([{ scope: "org:acme", version: 2 }]);
  });

  test("is read once for each version, and composed once", async () => {
    await put("org:acme", mandate("m"));
    const source = policies();
    const documents = vi.spyOn(store, "policies");
    const first = await source.effective(asker);
    const second = await source.effective(asker);
    expect(first.ok && second.ok && first.value === second.value).toBe(true);
    expect(documents).toHaveBeenCalledTimes(1);
  });

  test("is whole, however little is kept ready", async () => {
    for (const scope of ["agent:shopper", "agent:other", "team:ops", "org:acme", "platform:default"])
      await put(scope, mandate("m"));
    const source = createStoredPolicies({ store, operator: "operator", cards: null, clock, keep: 1 });
    const all = ["platform:default", "org:acme", "team:ops"];
    const other = { ...asker, agent: "other" };
    for (let round = 0; round < 3; round += 1) {
      const read = await Promise.all([scopes(source), scopes(source, other), scopes(source)]);
      expect(read).toEqual([
        [...all, "agent:shopper"],
        [...all, "agent:other"],
        [...all, "agent:shopper"],
      ]);
    }
  });

  test("is a fault where a document does not read, and never less than was written", async () => {
    await put("org:acme", mandate("m"));
    await store.commit("acme", {
      kind: "policy.put",
      scope: "agent:shopper",
      id: "pol_x",
      digest: "sha256:x",
      text: '{"mandat": {}}',
      replaces: null,
      by,
    });
    expect(await scopes()).toBe("policy.unavailable");
  });

  test("is a fault where a document reads and is not the one that was saved: a damaged page loosens nothing", async () => {
    await put("org:acme", mandate("m"));
    const read = store.policies;
    vi.spyOn(store, "policies").mockImplementation(async (tenant, wanted) => {
      const found = await read(tenant, wanted);
      if (!found.ok) return found;
      const value = found.value.map((one) => ({ ...one, text: one.text.replace('"id":"m"', '"id":"n"') }));
      return { ok: true, value };
    });
    expect(await scopes()).toBe("policy.unavailable");
  });

  test("is a fault where the store fails", async () => {
    vi.spyOn(store, "policyHeads").mockResolvedValue({ ok: false, error: { code: "store.busy", message: "busy" } });
    expect(await scopes()).toBe("policy.unavailable");
  });
});

describe("an exemption", () => {
  const grant = async (more: JsonObject = {}) => {
    const exemption = {
      id: "exm_1",
      section: "mandate",
      over: "tenant",
      reason: "migration",
      granted_by: "ada",
      granted_at: "2027-01-01T00:00:00Z",
      expires_at: "2027-01-02T00:00:00Z",
      ...more,
    };
    const scope = exemptionScope("shopper");
    const text = JSON.stringify({ exemptions: [exemption] });
    await store.commit("acme", {
      kind: "policy.put",
      scope,
      id: "pol_e",
      digest: "sha256:e",
      text,
      replaces: null,
      by,
    });
  };
  beforeEach(async () => {
    for (const scope of ["platform:default", "org:acme", "team:ops", "agent:shopper"]) await put(scope, mandate("m"));
  });

  test("takes a section of the scopes above away from one agent", async () => {
    await grant();
    expect(await scopes()).toEqual(["platform:default", "agent:shopper"]);
    expect(await scopes(policies(), { ...asker, agent: "other" })).toEqual([
      "platform:default",
      "org:acme",
      "team:ops",
    ]);
  });

  test("reaches the platform only where it says so", async () => {
    await grant({ over: "platform" });
    expect(await scopes()).toEqual(["agent:shopper"]);
  });

  test("ends at its time, in a gate that has used it", async () => {
    await grant();
    const source = policies();
    const before = await source.effective(asker);
    expect(before.ok && before.value?.exemptions).toEqual(["exm_1"]);
    at = Date.UTC(2027, 0, 2);
    const after = await source.effective(asker);
    expect(after.ok && after.value?.exemptions).toEqual([]);
    // The clock is set back.
    at = START;
    const later = await source.effective(asker);
    expect(later.ok && later.value?.exemptions).toEqual([]);
    expect(await scopes(source)).toHaveLength(4);
  });

  test("is not named where it took nothing away", async () => {
    await grant({ section: "network" });
    const read = await policies().effective(asker);
    expect(read.ok && read.value?.exemptions).toEqual([]);
  });
});

describe("saving", () => {
  test("numbers the versions, and keeps who and why", async () => {
    expect((await put("org:acme", mandate("a"))).version).toBe(1);
    expect((await put("org:acme", mandate("b"))).version).toBe(2);
    const history = await store.policyHistory("acme", "org:acme", 5);
    expect(history.ok && history.value.map(({ version, by: who, reason }) => [version, who, reason])).toEqual([
      [2, "ada", "because"],
      [1, "ada", "because"],
    ]);
  });

  test("refuses to replace another version than the author saw", async () => {
    await put("org:acme", mandate("a"));
    expect(await save("org:acme", mandate("b"), `sha256:${"0".repeat(64)}`)).toMatchObject({
      error: { code: "policy.stale" },
    });
    expect(await save("org:acme", mandate("b"), null)).toMatchObject({ error: { code: "policy.exists" } });
  });

  test.each<{ it: string; above: JsonObject; document: JsonObject; path: string; code?: string }>([
    {
      it: "hosts",
      above: { network: { allow: ["a.example.com"] } },
      document: { network: { allow: ["b.example.com"] } },
      path: "/network/allow",
    },
    {
      it: "schemes",
      above: { network: { schemes: ["https"] } },
      document: { network: { schemes: ["http"] } },
      path: "/network/schemes",
    },
    {
      it: "ports",
      above: { network: { ports: [443] } },
      document: { network: { ports: [5432] } },
      path: "/network/ports",
    },
    {
      it: "sources",
      above: { evidence: { trusted: ["feed"] } },
      document: { evidence: { trusted: ["desk"] } },
      path: "/evidence/trusted",
    },
    {
      it: "counterparties",
      above: { spend: { counterparties: { allow: ["shop"] } } },
      document: { spend: { counterparties: { allow: ["other"] } } },
      path: "/spend/counterparties/allow",
    },
    {
      it: "assets that nobody names",
      above: {},
      document: { protected: { forbidden_operations: [{ pattern: "drop", applies_to: ["table:x"] }] } },
      path: "/protected",
      code: "policy.reference",
    },
    {
      it: "a schema that does not compile",
      above: {},
      document: {
        contracts: [
          { id: "a", fields: { x: {} } },
          { id: "s", schema: { $ref: "https://elsewhere.example/x" } },
        ],
      },
      path: "/contracts/1/schema",
      code: "schema.unresolved",
    },
  ])(
    "refuses $it that leave nothing below the scopes above, and saves nothing",
    async ({ above, document, path, code }) => {
      await put("org:acme", above);
      const saved = await save("agent:shopper", document);
      expect(saved).toMatchObject({
        ok: false,
        error: { code: "policy.malformed", problems: [{ code: code ?? "policy.contradiction", path }] },
      });
      expect(await store.policyScopes("acme")).toMatchObject({ value: ["org:acme"] });
    },
  );

  test("keeps as many clauses as a platform may have, and what is larger is refused before it blocks anybody", async () => {
    const clauses = (count: number, prefix: number) =>
      Array.from({ length: count }, (_, at) => ({
        id: `clause-${at}`,
        effect: "allow",
        match: { kind: ["file"], target_prefix: [`/${at}/${"x".repeat(prefix)}/`] },
      }));
    await put("platform:default", { mandate: { clauses: clauses(10_000, 150), default: "block" } });
    expect(await scopes()).toEqual(["platform:default"]);
    const many = clauses(10_000, 1).map((one) => ({ ...one, note: "n".repeat(1_000) }));
    expect(
      await save("platform:default", { mandate: { clauses: many, default: "block" } }, "any", "operator"),
    ).toMatchObject({ ok: false, error: { code: "policy.malformed", problems: [{ code: "policy.too_large" }] } });
    expect(await scopes()).toEqual(["platform:default"]);
  });

  test("takes an address for the same in any letter case", async () => {
    const address = "0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B";
    await put("org:acme", { spend: { counterparties: { allow: [address] } } });
    await put("agent:shopper", { spend: { counterparties: { allow: [address.toLowerCase()] } } });
  });

  test("lets an asset be named by a scope above", async () => {
    await put("org:acme", { protected: { assets: [{ kind: "table", selector: "x" }] } });
    await put("agent:shopper", { protected: { forbidden_operations: [{ pattern: "drop", applies_to: ["Table:X"] }] } });
  });

  test("refuses an id that another scope has in another letter case", async () => {
    await put("agent:shopper", mandate("a"));
    expect(await save("agent:Shopper", mandate("a"))).toMatchObject({ ok: false, error: { code: "policy.twin" } });
    expect(await store.policyScopes("acme")).toMatchObject({ value: ["agent:shopper"] });
    await put("team:shopper", mandate("a"));
    const asCard = save("agent:SHOPPER", {}, null, "acme", "card");
    expect(await asCard).toMatchObject({ ok: false, error: { code: "policy.twin" } });
  });

  test("says when nothing that a mandate lets through passes the scopes above", async () => {
    const of = (effect: string, kind: string, more: JsonObject = {}) => ({
      mandate: { clauses: [{ id: "a", effect, match: { kind: [kind] } }], default: "block", ...more },
    });
    const said = async (scope: string, document: JsonObject) =>
      (await put(scope, document)).warnings.map(({ code, path }) => `${code} ${path}`);
    await put("org:acme", of("allow", "file", { expires: "2020-01-01T00:00:00Z" }));
    expect(await said("agent:shopper", of("allow", "network"))).toEqual(["policy.overruled /mandate/clauses"]);
    expect(await said("agent:shopper", of("review", "file"))).toEqual([]);
    expect(await said("agent:shopper", of("block", "network"))).toEqual([]);
    // Where nothing passes at all, that is no contradiction of this one.
    await put("org:acme", of("block", "file"));
    expect(await said("agent:shopper", of("allow", "file"))).toEqual([]);
  });

  test("says which prefixes are one place in two spellings", async () => {
    const clause = (id: string, ...prefixes: string[]) => ({
      id,
      effect: "allow",
      match: { kind: ["file"], target_prefix: prefixes },
    });
    const clauses = [
      clause("a", "/work/a b/", "/other/"),
      clause("b", "/work/a%20b/"),
      clause("c", "/other/./", "/other/"),
      clause("d", "/%ff/"),
    ];
    const { warnings } = await put("agent:shopper", { mandate: { clauses, default: "block" } });
    expect(warnings.map(({ code, path }) => `${code} ${path}`)).toEqual([
      "policy.overlap /mandate/clauses/1/match/target_prefix/0",
      "policy.overlap /mandate/clauses/2/match/target_prefix/0",
      "policy.never_matches /mandate/clauses/3/match/target_prefix/0",
    ]);
  });

  test("says that a reminder is never sent where a scope above gives people less time", async () => {
    await put("org:acme", { review: { sla_seconds: 60 } });
    const reminding = (seconds: number) => ({ review: { notify: { sse: true, remind_before_seconds: seconds } } });
    const path = "/review/notify/remind_before_seconds";
    expect((await put("agent:shopper", reminding(60))).warnings).toMatchObject([{ code: "policy.overruled", path }]);
    expect((await put("agent:shopper", reminding(59))).warnings).toEqual([]);
  });

  test("says what of the document does not bite, and saves it", async () => {
    await put("org:acme", { screening: { mode: "enforce", thresholds: { warn: 0.3, quarantine: 0.8, block: 0.9 } } });
    const { warnings } = await put("agent:shopper", {
      screening: { mode: "observe", trusted_sources: { agents: ["helper"] } },
      review: { on_timeout: "release" },
    });
    expect(warnings.map(({ path }) => path)).toEqual([
      "/screening/thresholds/warn",
      "/screening/thresholds/block",
      "/screening/trusted_sources/agents/0",
      "/review/on_timeout",
    ]);
  });
});
