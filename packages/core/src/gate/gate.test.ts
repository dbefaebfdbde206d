import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../json/value.ts";
import { parseMoney } from "../money/money.ts";
import { readPolicy } from "../policy/readPolicy.ts";
import { samePolicy } from "../policy/source.ts";
import { digest } from "../record/digest.ts";
import type { Signer } from "../record/signer.ts";
import type { DecisionRequest } from "./answer.ts";
import type { ContentKeeping } from "./draft.ts";
import { createGate, type GatePorts } from "./gate.ts";
import type { FactSource } from "./gather.ts";
import { createMemoryStore } from "./memory/memoryStore.ts";
import type { Ledger, Store } from "./ports.ts";
import { createStoredPolicies } from "./storedPolicies.ts";

const NOW = 1_800_000_000_000;
const random = (length: number) => new Uint8Array(randomBytes(length));
const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());
const { privateKey } = generateKeyPairSync("ed25519");
const signer: Signer = { kid: "k1", sign: async (bytes) => new Uint8Array(sign(null, bytes, privateKey)) };

const POLICY: JsonValue = {
  mandate: {
    clauses: [
      { id: "reads", effect: "allow", match: { kind: ["file"], verb: ["read"], target_prefix: ["/work/"] } },
      { id: "deletes", effect: "review", match: { kind: ["file"], verb: ["delete"] } },
      { id: "pays", effect: "allow", match: { kind: ["transaction"], verb: ["pay"] } },
    ],
    default: "block",
  },
  spend: { budgets: [{ id: "daily", per: "agent", window: { rolling: "P1D" }, currency: "USD", max: "100" }] },
};

interface World {
  readonly store: Store;
  readonly ports: GatePorts;
  at: number;
}

function world(more: Partial<GatePorts> = {}, document: JsonValue | null = POLICY): World {
  const policy = document === null ? null : readPolicy(document, "org:acme");
  if (policy !== null && !policy.ok) throw new Error(JSON.stringify(policy.error));
  const state = { at: NOW };
  const store = createMemoryStore({ clock: () => state.at, random, sha256 });
  const ports: GatePorts = {
    ledger: store,
    policies: samePolicy(policy === null ? null : policy.value),
    sources: [],
    deadline: () => new Promise(() => {}),
    signer: () => signer,
    clock: () => state.at,
    random,
    sha256,
    engine: "test/1",
    issuer: "https://gate.example",
    holds: { expiresIn: 3_600_000, grantFor: 3_600_000 },
    content: { keep: "full", keepFor: null },
    ...more,
  };
  return Object.defineProperty({ store, ports } as World, "at", {
    get: () => state.at,
    set: (at: number) => (state.at = at),
  });
}

const principal = { tenant: "acme", agent: "shopper", teams: [], credential: "key_1" };
const read = (target = "/work/a.txt"): DecisionRequest => ({
  principal,
  action: { kind: "file", verb: "read", target },
});
const remove: DecisionRequest = { principal, action: { kind: "file", verb: "delete", target: "/work/a.txt" } };
function pay(value: string, key?: string): DecisionRequest {
  const amount = parseMoney(value, "USD");
  if (!amount.ok) throw new Error("test data");
  return {
    principal,
    action: {
      kind: "transaction",
      verb: "pay",
      target: "https://shop.example/",
      counterparty: "shop",
      amount: amount.value,
    },
    ...(key === undefined ? {} : { idempotencyKey: key }),
  };
}

async function answerOf(ports: GatePorts, request: DecisionRequest) {
  const answer = await createGate(ports).decide(request);
  if (!answer.ok) throw new Error(answer.error.code);
  return answer.value;
}
const codes = (answer: { readonly findings: readonly { readonly code: string }[] }) =>
  answer.findings.map(({ code }) => code);

test("an allow is recorded, and its receipt names the record", async () => {
  const { store, ports } = world();
  const answer = await answerOf(ports, read());
  expect(answer).toMatchObject({ verdict: "allow", enforcement: "enforce", engine: "test/1" });
  const [entry] = (
    (await store.entriesAbout("acme", answer.id)) as { value: readonly { leafHash: Uint8Array; record: string }[] }
  ).value;
  const claims = JSON.parse(Buffer.from(answer.receipt?.split(".")[1] ?? "", "base64url").toString());
  expect(claims).toMatchObject({
    jti: answer.id,
    verdict: "allow",
    tenant: "acme",
    sub: "shopper",
    iat: NOW / 1000,
    exp: NOW / 1000 + 300,
  });
  expect(claims.record_hash).toBe(`sha256:${Buffer.from(entry?.leafHash ?? []).toString("hex")}`);
  expect(entry?.record).not.toContain("/work/a.txt");
  expect(entry?.record).not.toContain(answer.action_digest);
});

test("an agent without a policy is blocked, and that is recorded", async () => {
  const { store, ports } = world({}, null);
  const answer = await answerOf(ports, read());
  expect(answer.verdict).toBe("block");
  expect(codes(answer)).toContain("policy.none");
  expect(answer.policy_digest).toBeNull();
  expect(await store.decision("acme", answer.id)).toMatchObject({ ok: true, value: { verdict: "block" } });
});

describe("No record, no permission, no signature.", () => {
  const failing = (ledger: Ledger, part: "facts" | "commit"): Ledger => ({
    ...ledger,
    [part]: async () => ({ ok: false, error: { code: "store.unavailable", message: "gone" } }),
  });

  test.each(["facts", "commit"] as const)("the ledger fails at %s", async (part) => {
    let signed = 0;
    const counting: Signer = {
      kid: "k1",
      sign: async () => {
        signed += 1;
        return new Uint8Array(64);
      },
    };
    const { store, ports } = world({ signer: () => counting });
    const answer = await createGate({ ...ports, ledger: failing(store, part) }).decide(read());
    expect(answer).toMatchObject({ ok: false, error: { code: "store.unavailable" } });
    expect(signed).toBe(0);
  });
});

describe("No path that throws, times out or dies allows.", () => {
  const thrown = () => {
    throw new Error("secret text of the fault");
  };
  test.each<{ it: string; more: Partial<GatePorts>; code: string }>([
    { it: "policies that throw", more: { policies: { effective: thrown } }, code: "internal" },
    {
      it: "policies that cannot be read",
      more: {
        policies: { effective: async () => ({ ok: false, error: { code: "policy.unavailable", message: "gone" } }) },
      },
      code: "policy.unavailable",
    },
    { it: "a ledger that throws", more: { ledger: { facts: thrown, commit: thrown } }, code: "internal" },
    { it: "a signer that throws", more: { signer: () => ({ kid: "k", sign: thrown }) }, code: "signer.failed" },
    { it: "no key in force", more: { signer: thrown }, code: "signer.failed" },
    { it: "randomness that throws", more: { random: thrown }, code: "internal" },
  ])("$it", async ({ more, code }) => {
    const { ports } = world();
    const answer = await createGate({ ...ports, ...more }).decide(read());
    expect(answer).toMatchObject({ ok: false, error: { code } });
    expect(JSON.stringify(answer)).not.toContain("secret text");
  });
});

describe("a fact that a rule needs", () => {
  const resolving: JsonValue = { ...(POLICY as object), network: { resolution: "required" } };
  const fetching: DecisionRequest = { ...read(), material: { urls: ["https://shop.example.com/"] } };
  const source = (gather: FactSource["gather"]): FactSource => ({ fact: "addresses", gather });

  test.each<{ it: string; gather: FactSource["gather"]; verdict: string }>([
    { it: "blocks when it cannot be looked up", gather: () => Promise.reject(new Error("gone")), verdict: "block" },
    { it: "blocks when it does not come in time", gather: () => new Promise(() => {}), verdict: "block" },
    { it: "blocks when the source says nothing of it", gather: async () => [], verdict: "block" },
    {
      it: "is judged when it came",
      gather: async (_, keys) =>
        keys.map((key) => ({
          key,
          fact: { state: "known", value: ["93.184.216.34"], source: "test", at: "2027-01-15T08:00:00Z" },
        })),
      verdict: "allow",
    },
  ])("$it", async ({ gather, verdict }) => {
    const { ports } = world({ sources: [source(gather)], deadline: async () => {} }, resolving);
    const slow = { ...ports, deadline: () => new Promise<void>((resolve) => setTimeout(resolve, 20)) };
    expect((await answerOf(slow, fetching)).verdict).toBe(verdict);
  });
});

describe("money", () => {
  test("a payment that lands exactly on the budget passes, and the next cent does not", async () => {
    const { ports } = world();
    expect((await answerOf(ports, pay("60"))).verdict).toBe("allow");
    expect((await answerOf(ports, pay("40"))).verdict).toBe("allow");
    const over = await answerOf(ports, pay("0.01"));
    expect(over.verdict).toBe("block");
    expect(codes(over)).toContain("spend.budget_exceeded");
  });

  test("Committed plus reserved never exceeds a budget in force when it was reserved: any number at once.", async () => {
    const { ports } = world();
    const answers = await Promise.all(Array.from({ length: 50 }, () => answerOf(ports, pay("7"))));
    expect(answers.filter(({ verdict }) => verdict === "allow")).toHaveLength(14);
  });

  test("a window that has rolled on has room again", async () => {
    const here = world();
    expect((await answerOf(here.ports, pay("100"))).verdict).toBe("allow");
    expect((await answerOf(here.ports, pay("1"))).verdict).toBe("block");
    here.at = NOW + 86_400_000;
    expect((await answerOf(here.ports, pay("1"))).verdict).toBe("allow");
  });
});

test("material that is reviewed waits for a person, whose approval permits nothing", async () => {
  const { ports, store } = world({}, { network: {} });
  const asked = { principal, material: { urls: ["https://аррӏе.com/"] } };
  const answer = await answerOf(ports, asked);
  expect(answer.verdict).toBe("review");
  const hold = await store.hold("acme", answer.hold?.id as string);
  expect(hold).toMatchObject({ ok: true, value: { about: "action", state: "open", actionDigest: null } });
  const approved = await store.commit("acme", {
    kind: "hold.decide",
    hold: answer.hold?.id as string,
    by: { kind: "person", id: "p" },
    answer: "approve",
    reason: "harmless",
    version: 1,
    grant: "grant_1",
  });
  expect(approved).toMatchObject({ ok: true, value: { state: "approved", grant: null } });
  expect((await answerOf(ports, asked)).verdict).toBe("review");
});

describe("a policy that changes while a decision is made", () => {
  const budget = (max: string): JsonValue => ({
    mandate: { clauses: [{ id: "pays", effect: "allow", match: { kind: ["transaction"] } }], default: "block" },
    spend: { budgets: [{ id: "daily", per: "agent", window: { rolling: "P1D" }, currency: "USD", max }] },
  });
  function changing(after: Parameters<Store["commit"]>[1] | null) {
    const { store, ports } = world();
    let change = after;
    const ledger: Ledger = {
      commit: (tenant, one) => store.commit(tenant, one),
      async facts(tenant, query) {
        const read = await store.facts(tenant, query);
        if (change !== null) await store.commit("acme", change);
        change = null;
        return read;
      },
    };
    const policies = createStoredPolicies({ store, operator: "acme", cards: null, clock: () => NOW });
    return { store, ports: { ...ports, ledger, policies } };
  }
  const put = (document: JsonValue, scope = "org:acme"): Parameters<Store["commit"]>[1] => ({
    kind: "policy.put",
    scope,
    id: `pol_${Math.random()}`,
    digest: digest("countersign-policy-v1", [{ scope, document }]),
    text: JSON.stringify(document),
    replaces: "any",
    by: { kind: "person", id: "p" },
  });

  test("Committed plus reserved never exceeds a budget in force when it was reserved.", async () => {
    const { store, ports } = changing(put(budget("50")));
    await store.commit("acme", put(budget("100")));
    const answer = await answerOf(ports, pay("80"));
    expect(answer.verdict).toBe("block");
    expect(codes(answer)).toContain("spend.budget_exceeded");
    expect((await answerOf(ports, pay("50"))).verdict).toBe("allow");
  });

  test("counts where it comes from a scope that had none, and not where it is another agent's", async () => {
    for (const [scope, verdict] of [
      ["agent:shopper", "block"],
      ["agent:clerk", "allow"],
    ] as const) {
      const { store, ports } = changing(put(budget("50"), scope));
      await store.commit("acme", put(budget("100")));
      expect((await answerOf(ports, pay("80"))).verdict).toBe(verdict);
    }
  });
});

describe("an idempotency key", () => {
  test("is the agent's own: what another one asked under it neither answers nor refuses", async () => {
    const { ports } = world();
    const first = await answerOf(ports, { ...read(), idempotencyKey: "k" });
    const other = { ...principal, agent: "clerk", credential: "key_2" };
    const second = await answerOf(ports, { ...read(), principal: other, idempotencyKey: "k" });
    expect(second.id).not.toBe(first.id);
  });

  test("gives the first answer again, byte for byte, and spends once", async () => {
    const { ports } = world();
    const first = await answerOf(ports, pay("60", "order-1"));
    expect(await answerOf(ports, pay("60", "order-1"))).toEqual(first);
    expect((await answerOf(ports, pay("40"))).verdict).toBe("allow");
  });

  test("is refused for another ask", async () => {
    const { ports } = world();
    await answerOf(ports, pay("60", "order-1"));
    expect(await createGate(ports).decide(pay("61", "order-1"))).toMatchObject({
      ok: false,
      error: { code: "idempotency.conflict" },
    });
  });
});

describe("a review", () => {
  const approve = async (store: Store, hold: string | undefined) => {
    const seen = (await store.hold("acme", hold ?? "")) as { value: { version: number } };
    return store.commit("acme", {
      kind: "hold.decide",
      hold: hold ?? "",
      by: { kind: "person", id: "ada", credential: "key_ada" },
      answer: "approve",
      reason: "asked for",
      version: seen.value.version,
      grant: "grant_1",
    });
  };

  test("opens a hold; once a person approved, the same action is allowed, once", async () => {
    const { store, ports } = world();
    const held = await answerOf(ports, remove);
    expect(held.verdict).toBe("review");
    expect((await approve(store, held.hold?.id)).ok).toBe(true);
    const allowed = await answerOf(ports, remove);
    expect(allowed.verdict).toBe("allow");
    expect(codes(allowed)).toContain("grant.used");
    expect((await answerOf(ports, remove)).verdict).toBe("review");
  });

  test("A grant is used once: of many at the same time one is allowed.", async () => {
    const { store, ports } = world();
    await approve(store, (await answerOf(ports, remove)).hold?.id);
    const answers = await Promise.all(Array.from({ length: 10 }, () => answerOf(ports, remove)));
    expect(answers.filter(({ verdict }) => verdict === "allow")).toHaveLength(1);
  });

  test("a grant does not reach another action or another agent", async () => {
    const { store, ports } = world();
    await approve(store, (await answerOf(ports, remove)).hold?.id);
    const other = { ...remove, action: { kind: "file", verb: "delete", target: "/work/b.txt" } } as const;
    expect((await answerOf(ports, other)).verdict).toBe("review");
    expect((await answerOf(ports, { ...remove, principal: { ...principal, agent: "mallory" } })).verdict).toBe(
      "review",
    );
  });
});

test("A stop stops.", async () => {
  const { store, ports } = world();
  await store.commit("acme", {
    kind: "stop.put",
    id: "stop_1",
    scope: "agent:shopper",
    reason: "drill",
    until: null,
    by: { kind: "person", id: "ada", credential: "key_ada" },
  });
  const answer = await answerOf(ports, read());
  expect(answer.verdict).toBe("block");
  expect(codes(answer)).toContain("stopped");
});

test("Tenants do not meet: a budget, a grant and a stop of one are nothing to another.", async () => {
  const { ports } = world();
  await answerOf(ports, pay("100"));
  const elsewhere = { ...pay("100"), principal: { ...principal, tenant: "globex" } };
  expect((await answerOf(ports, elsewhere)).verdict).toBe("allow");
});

test("an ask that holds a secret is blocked, and nothing that is kept or answered holds it", async () => {
  const { store, ports } = world();
  const secret = `ghp_${"a1B2".repeat(9)}`;
  const answer = await answerOf(ports, {
    principal,
    action: { kind: "file", verb: "read", target: "/work/a", parameters: { token: secret } },
  });
  expect(answer.verdict).toBe("block");
  const kept = [
    answer,
    await store.entriesAbout("acme", answer.id),
    await store.content("acme", answer.id),
    await store.decision("acme", answer.id),
  ];
  expect(JSON.stringify(kept)).not.toContain(secret);
});

describe("what is kept of an ask", () => {
  const planted: DecisionRequest = {
    principal,
    action: {
      kind: "file",
      verb: "read",
      target: "/work/a.txt",
      justification: "planted words",
      parameters: { to: "jane@example.com" },
    },
    material: { texts: [{ surface: "incoming", text: "planted text" }] },
  };
  const held: DecisionRequest = { ...planted, action: { ...planted.action, verb: "delete" } as never };
  const content = (rules: JsonValue) => ({ ...(POLICY as object), content: rules }) as JsonValue;
  async function kept({ store, ports }: World, request = planted) {
    const answer = await answerOf(ports, request);
    const read = await store.content("acme", answer.id);
    if (!read.ok) throw new Error(read.error.code);
    return { answer, kept: read.value, text: JSON.stringify(read.value) };
  }

  test.each<{
    it: string;
    gate: ContentKeeping;
    policy: JsonValue | null;
    text: "whole" | "redacted" | "none";
    until: number | null;
  }>([
    { it: "all of it", gate: { keep: "full", keepFor: null }, policy: null, text: "whole", until: null },
    {
      it: "what the policy says, where that is less",
      gate: { keep: "full", keepFor: 86_400_000 },
      policy: { keep: "redacted", for: "PT1H" },
      text: "redacted",
      until: NOW + 3_600_000,
    },
    {
      it: "no more and no longer than the gate is set to",
      gate: { keep: "redacted", keepFor: 60_000 },
      policy: { keep: "full", for: "PT1H" },
      text: "redacted",
      until: NOW + 60_000,
    },
    {
      it: "for as long as the policy says, where the gate says nothing",
      gate: { keep: "full", keepFor: null },
      policy: { keep: "full", for: "PT1H" },
      text: "whole",
      until: NOW + 3_600_000,
    },
    { it: "nothing", gate: { keep: "full", keepFor: null }, policy: { keep: "none" }, text: "none", until: null },
    { it: "nothing, whatever the policy says", gate: "none", policy: { keep: "full" }, text: "none", until: null },
  ])("is $it", async ({ gate, policy, text, until }) => {
    const made = await kept(world({ content: gate }, policy === null ? POLICY : content(policy)));
    expect(made.answer.verdict).toBe("allow");
    if (text === "none") return expect(made.kept).toBeNull();
    expect(made.kept?.keepUntil).toBe(until);
    for (const word of ["planted words", "planted text", "jane@example.com"])
      expect(made.text.includes(word)).toBe(text === "whole");
    expect(made.text).toContain("/work/a.txt");
  });

  test("is whole for the person who decides, and redacted from their answer on", async () => {
    const made = world({}, content({ keep: "redacted" }));
    const { answer, text } = await kept(made, held);
    expect(text).toContain("planted words");
    const version = 1;
    const by = { kind: "person", id: "ada" } as const;
    const hold = answer.hold?.id ?? "";
    await made.store.commit("acme", {
      kind: "hold.decide",
      hold,
      by,
      answer: "reject",
      reason: "",
      version,
      grant: "g",
    });
    const after = JSON.stringify(await made.store.content("acme", answer.id));
    expect(after).not.toContain("planted");
    expect(after).not.toContain("jane");
  });

  test("has no salt for what was redacted, which would let a guess of it be confirmed", async () => {
    const { kept: row } = await kept(world({ content: { keep: "redacted", keepFor: null } }));
    expect(Object.keys(JSON.parse(row?.salts ?? ""))).toEqual(["facts"]);
    expect(Object.keys(JSON.parse(row?.fields ?? "")).sort()).toEqual(["action", "facts", "material"]);
  });

  test.each([
    { it: "says so in the record", gate: { keep: "redacted", keepFor: null }, says: true },
    { it: "is not spoken of where it is whole", gate: { keep: "full", keepFor: null }, says: false },
  ] as const)("$it", async ({ gate, says }) => {
    const made = world({ content: gate });
    const { answer } = await kept(made);
    const entries = await made.store.entriesAbout("acme", answer.id);
    expect(entries.ok && entries.value[0]?.record.includes('"content":"redacted"')).toBe(says);
  });
});

test("nothing is signed that has no action", async () => {
  const { ports } = world({}, { evidence: { required: true } });
  const answer = await answerOf(ports, { principal, material: { evidence: [{ source: "feed" }] } });
  expect(answer).toMatchObject({ verdict: "allow", action_digest: null });
  expect(answer.receipt).toBeUndefined();
});

test("a budget holds over calldata that comes alone, in base units of its asset", async () => {
  const token = `0x${"11".repeat(20)}`;
  const document: JsonValue = {
    mandate: {
      clauses: [{ id: "sends", effect: "allow", match: { kind: ["transaction"], verb: ["transfer"] } }],
      default: "block",
    },
    spend: {
      budgets: [
        { id: "daily", per: "agent", window: { rolling: "P1D" }, currency: `eip155:8453/erc20:${token}`, max: "100" },
      ],
    },
  };
  const { ports } = world({}, document);
  const send = (amount: number, to: string) => {
    const words = [to.slice(2), amount.toString(16)].map((part) => part.padStart(64, "0")).join("");
    return answerOf(ports, {
      principal,
      material: { calldata: { chain: "eip155:8453", to: token, data: `0xa9059cbb${words}` } },
    });
  };
  const to = `0x${"22".repeat(20)}`;
  expect((await send(60, to)).verdict).toBe("allow");
  const second = await send(60, to);
  expect(second.findings.map(({ code }) => code)).toContain("spend.budget_exceeded");
  expect(second.verdict).toBe("block");
  expect((await send(40, to)).verdict).toBe("allow");
});

test("a block names what the agent's own budget still holds, and an allow or a review names nothing", async () => {
  const { ports } = world();
  const first = await answerOf(ports, pay("57.9"));
  expect(first).toMatchObject({ verdict: "allow" });
  expect(await answerOf(ports, pay("50"))).toMatchObject({
    verdict: "block",
    remedy: {
      text: "amount at most 42.1 USD",
      changes: [{ path: "/action/amount/value", value: "42.1" }],
      verdict: "allow",
    },
  });
  expect(await answerOf(ports, pay("42.1"))).toMatchObject({ verdict: "allow" });
  for (const answer of [first, await answerOf(ports, remove), await answerOf(ports, read("/etc/passwd"))])
    expect(answer).not.toHaveProperty("remedy");
});
