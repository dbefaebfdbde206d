import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../json/value.ts";
import { readPolicy } from "../policy/readPolicy.ts";
import type { PolicySource } from "../policy/source.ts";
import type { Answer } from "./answer.ts";
import { createGate } from "./gate.ts";
import type { Actor, Change } from "./ledger/change.ts";
import { createLifecycle } from "./lifecycle.ts";
import { createMemoryStore } from "./memory/memoryStore.ts";

const NOW = 1_800_000_000_000;
const hour = 3_600_000;
const random = (length: number) => new Uint8Array(randomBytes(length));
const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());

const policyOf = (more: JsonValue = {}) => {
  const policy = readPolicy(
    {
      mandate: {
        clauses: [
          { id: "reads", effect: "allow", match: { kind: ["file"], verb: ["read"] } },
          { id: "deletes", effect: "review", match: { kind: ["file"], verb: ["delete"] } },
        ],
        default: "block",
      },
      ...(more as object),
    },
    "org:acme",
  );
  if (!policy.ok) throw new Error("test data");
  return policy.value;
};

const BUDGET: JsonValue = {
  spend: { budgets: [{ id: "daily", per: "agent", window: { rolling: "P1D" }, currency: "USD", max: "1" }] },
};

const person = (id: string): Actor => ({ kind: "person", id, credential: `key_${id}` });
const proxy: Actor = { kind: "enforcer", id: "proxy", credential: "key_proxy" };
const self: Actor = { kind: "agent", id: "a", credential: "key_a" };

function world() {
  let at = NOW;
  let policy = policyOf();
  const clock = () => at;
  let meanwhile = async (): Promise<void> => {};
  const policies: PolicySource = {
    async effective() {
      const read = policy;
      await meanwhile();
      return { ok: true, value: read };
    },
  };
  const store = createMemoryStore({ clock, random, sha256 });
  const gate = createGate({
    ledger: store,
    policies,
    sources: [],
    deadline: () => new Promise(() => {}),
    signer: null,
    clock,
    random,
    sha256,
    engine: "test/1",
    issuer: "gate",
    holds: { expiresIn: hour, grantFor: hour },
    content: { keep: "full", keepFor: null },
  });
  const lifecycle = createLifecycle({ store, policies, clock, random, appealFor: hour });
  let asked = 0;
  return {
    store,
    lifecycle,
    wait: (millis: number) => (at += millis),
    /** What happens after a policy was read, and before it is used. */
    between: (happens: () => Promise<void>) => {
      meanwhile = happens;
    },
    rewrite: (more: JsonValue = BUDGET) => {
      policy = policyOf(more);
    },
    async ask(verb: string): Promise<Answer> {
      asked += 1;
      const answer = await gate.decide({
        principal: { tenant: "acme", agent: "a", teams: [], credential: "key_a" },
        action: { kind: "file", verb, target: "/work/a" },
        idempotencyKey: `ask-${asked}`,
      });
      if (!answer.ok) throw new Error(answer.error.code);
      return answer.value;
    },
  };
}

const redeemOf = ({ id, action_digest }: Answer) => ({
  tenant: "acme",
  by: proxy,
  decision: id,
  actionDigest: action_digest as string,
});

describe("redeem", () => {
  test("A receipt is redeemed once.", async () => {
    const { ask, lifecycle } = world();
    const answer = await ask("read");
    expect(await lifecycle.redeem(redeemOf(answer))).toMatchObject({ ok: true });
    expect(await lifecycle.redeem(redeemOf(answer))).toMatchObject({ ok: false, error: { code: "redeem.used" } });
  });

  test("answers the same claim again while it is good, and no other claim", async () => {
    const { ask, lifecycle, wait } = world();
    const answer = await ask("read");
    const claim = { ...redeemOf(answer), idempotencyKey: "claim-1" };
    const first = await lifecycle.redeem(claim);
    expect(first).toMatchObject({ ok: true });
    expect(await lifecycle.redeem(claim)).toMatchObject({ ok: true, value: { replayed: {} } });
    const other = { ...claim, by: { ...proxy, credential: "key_other" } };
    expect(await lifecycle.redeem(other)).toMatchObject({ error: { code: "redeem.used" } });
    wait(300_000);
    expect(await lifecycle.redeem(claim)).toMatchObject({ error: { code: "redeem.expired" } });
  });

  test("A receipt is redeemed once: a claim is not answered again when what it claimed has happened", async () => {
    const { ask, lifecycle } = world();
    const answer = await ask("read");
    const claim = { ...redeemOf(answer), idempotencyKey: "claim-1" };
    await lifecycle.redeem(claim);
    const told = { tenant: "acme", by: proxy, decision: answer.id, result: "executed", asApproved: true } as const;
    await lifecycle.reportOutcome(told);
    expect(await lifecycle.redeem(claim)).toMatchObject({ error: { code: "redeem.closed" } });
  });

  test("a claim is not answered again under another policy", async () => {
    const { ask, lifecycle, rewrite } = world();
    const claim = { ...redeemOf(await ask("read")), idempotencyKey: "claim-1" };
    await lifecycle.redeem(claim);
    rewrite();
    expect(await lifecycle.redeem(claim)).toMatchObject({ error: { code: "policy.changed" } });
  });

  const policyPut = (scope: string): Change => ({
    kind: "policy.put",
    scope,
    id: `pol_${scope}`,
    digest: "sha256:d",
    text: "{}",
    replaces: null,
    by: person("p"),
  });
  const agentPut = (parts: object): Change => ({
    kind: "agent.put",
    id: "a",
    org: null,
    teams: [],
    state: "active",
    by: person("p"),
    ...parts,
  });
  test.each([
    { it: "the policy of the agent", change: policyPut("agent:a") },
    { it: "the policy of its organisation", change: policyPut("org:acme") },
    { it: "a card of the agent", change: policyPut("card:agent:a") },
    { it: "the exemptions of the agent", change: policyPut("exemptions:a") },
    { it: "the state of the agent", change: agentPut({ state: "disabled" }) },
    { it: "the teams of the agent", change: agentPut({ teams: ["t"] }) },
  ])("sees under the lock that $it changed after the policy was read", async ({ change }) => {
    const { ask, lifecycle, store, between } = world();
    const answer = await ask("read");
    between(async () => void (await store.commit("acme", change)));
    expect(await lifecycle.redeem(redeemOf(answer))).toMatchObject({ error: { code: "policy.changed" } });
  });

  test("does not mind what changed for another agent", async () => {
    const { ask, lifecycle, store, between } = world();
    const answer = await ask("read");
    between(async () => void (await store.commit("acme", policyPut("agent:b"))));
    expect(await lifecycle.redeem(redeemOf(answer))).toMatchObject({ ok: true });
  });

  test("A stop stops, also a claim that is made again", async () => {
    const { ask, lifecycle, store } = world();
    const claimed = await ask("read");
    const open = await ask("read");
    const claim = { ...redeemOf(claimed), idempotencyKey: "claim-1" };
    await lifecycle.redeem(claim);
    await store.commit("acme", {
      kind: "stop.put",
      id: "stop_1",
      scope: "agent:a",
      reason: "look first",
      until: null,
      by: person("p"),
    });
    expect(await lifecycle.redeem(claim)).toMatchObject({ error: { code: "stopped", stop: "stop_1" } });
    expect(await lifecycle.redeem(redeemOf(open))).toMatchObject({ error: { code: "stopped" } });
  });

  test.each([
    { it: "an id that does not exist", change: { decision: "dec_none" }, code: "decision.unknown" },
    { it: "an id of another tenant", change: { tenant: "other" }, code: "decision.unknown" },
    { it: "another action", change: { actionDigest: `sha256:${"0".repeat(64)}` }, code: "redeem.other_action" },
  ])("refuses $it", async ({ change, code }) => {
    const { ask, lifecycle } = world();
    const answer = await ask("read");
    expect(await lifecycle.redeem({ ...redeemOf(answer), ...change })).toMatchObject({ error: { code } });
  });

  test("refuses when the policy has changed since, or the agent was disabled", async () => {
    const { ask, lifecycle, rewrite, store } = world();
    const [first, second] = [await ask("read"), await ask("read")];
    await store.commit("acme", {
      kind: "agent.put",
      id: "a",
      org: null,
      teams: [],
      state: "disabled",
      by: person("p"),
    });
    expect(await lifecycle.redeem(redeemOf(first))).toMatchObject({ error: { code: "policy.changed" } });
    await store.commit("acme", { kind: "agent.put", id: "a", org: null, teams: [], state: "active", by: person("p") });
    rewrite();
    expect(await lifecycle.redeem(redeemOf(second))).toMatchObject({ error: { code: "policy.changed" } });
  });
});

describe("reportOutcome", () => {
  test.each([
    { it: "what the executor calls unlike", said: { asApproved: false } },
    { it: "an action of another digest", said: { asApproved: true, actionDigest: `sha256:${"1".repeat(64)}` } },
  ])("trips the agent's breaker on $it, and the agent is stopped", async ({ said }) => {
    const { ask, lifecycle } = world();
    const answer = await ask("read");
    await lifecycle.redeem(redeemOf(answer));
    const told = await lifecycle.reportOutcome({
      tenant: "acme",
      by: proxy,
      decision: answer.id,
      result: "executed",
      ...said,
    });
    expect(told).toMatchObject({ ok: true, value: { breaker: expect.stringMatching(/^stop_/) } });
    expect((await ask("read")).findings).toContainEqual(expect.objectContaining({ code: "stopped" }));
  });

  test("trips the breaker also when the agent was first to say that all is well", async () => {
    const { ask, lifecycle } = world();
    const answer = await ask("read");
    await lifecycle.redeem(redeemOf(answer));
    const said = { tenant: "acme", decision: answer.id, result: "executed" } as const;
    expect(await lifecycle.reportOutcome({ ...said, by: self, asApproved: true })).toMatchObject({ ok: true });
    expect(await lifecycle.reportOutcome({ ...said, by: proxy, asApproved: true })).toMatchObject({
      error: { code: "outcome.closed" },
    });
    expect(await lifecycle.reportOutcome({ ...said, by: proxy, asApproved: false })).toMatchObject({
      ok: true,
      value: { breaker: expect.stringMatching(/^stop_/) },
    });
    expect((await ask("read")).verdict).toBe("block");
  });

  test("trips nothing when what ran is what was approved", async () => {
    const { ask, lifecycle } = world();
    const answer = await ask("read");
    const told = await lifecycle.reportOutcome({
      tenant: "acme",
      by: proxy,
      decision: answer.id,
      result: "executed",
      asApproved: true,
      actionDigest: answer.action_digest as string,
    });
    expect(told).toMatchObject({ ok: true, value: { breaker: null } });
  });
});

describe("review and appeal", () => {
  test("an approval permits the same action once, and is asked for again after that", async () => {
    const { ask, lifecycle } = world();
    const held = await ask("delete");
    expect(held.verdict).toBe("review");
    const act = { tenant: "acme", by: person("p"), hold: held.hold?.id as string, reason: "seen", version: 1 } as const;
    expect(await lifecycle.review({ ...act, by: self, answer: "approve" })).toMatchObject({
      error: { code: "actor.not_allowed" },
    });
    expect(await lifecycle.review({ ...act, answer: "approve", version: 2 })).toMatchObject({
      error: { code: "hold.changed" },
    });
    expect(await lifecycle.review({ ...act, answer: "approve", idempotencyKey: "t" })).toMatchObject({
      ok: true,
      value: { state: "approved", grant: expect.stringMatching(/^grant_/) },
    });
    expect(await lifecycle.review({ ...act, answer: "approve", idempotencyKey: "t" })).toMatchObject({
      ok: true,
      value: { state: "approved", replayed: {} },
    });
    expect(await lifecycle.review({ ...act, answer: "reject", idempotencyKey: "t" })).toMatchObject({
      error: { code: "idempotency.conflict" },
    });
    expect((await ask("delete")).verdict).toBe("allow");
    expect((await ask("delete")).verdict).toBe("review");
  });

  test("an approval by one permits nothing any more when the policy asks for two, and two new ones do", async () => {
    const { ask, lifecycle, rewrite } = world();
    const approve = (by: string, hold: string, version: number) =>
      lifecycle.review({ tenant: "acme", by: person(by), hold, answer: "approve", reason: "seen", version });
    const held = await ask("delete");
    await approve("p", held.hold?.id as string, 1);
    rewrite({ review: { enabled: true, approvers: 2 } });
    const again = await ask("delete");
    expect(again.verdict).toBe("review");
    await approve("p", again.hold?.id as string, 1);
    expect((await ask("delete")).verdict).toBe("review");
    await approve("q", again.hold?.id as string, 2);
    expect((await ask("delete")).verdict).toBe("allow");
  });

  test("an appeal opens a hold that permits nothing, once", async () => {
    const { ask, lifecycle, store } = world();
    const blocked = await ask("write");
    const act = { tenant: "acme", by: self, decision: blocked.id, reason: "it is only a note" };
    const first = await lifecycle.appeal({ ...act, idempotencyKey: "k" });
    expect(first).toMatchObject({ ok: true, value: { hold: expect.stringMatching(/^hold_/) } });
    const hold = first.ok ? first.value.hold : "";
    expect(await lifecycle.appeal({ ...act, idempotencyKey: "k" })).toMatchObject({ ok: true, value: { hold } });
    expect(await lifecycle.appeal(act)).toMatchObject({ error: { code: "hold.exists" } });
    expect(await store.hold("acme", hold)).toMatchObject({ value: { about: "appeal", state: "open" } });
    const decided = { tenant: "acme", by: person("p"), hold, answer: "approve", reason: "yes", version: 1 } as const;
    expect(await lifecycle.review(decided)).toMatchObject({ ok: true, value: { state: "approved", grant: null } });
    expect((await ask("write")).verdict).toBe("block");
  });

  test.each([
    { it: "an allow", verb: "read", code: "appeal.not_blocked" },
    { it: "a review", verb: "delete", code: "appeal.not_blocked" },
  ])("refuses the appeal of $it", async ({ verb, code }) => {
    const { ask, lifecycle } = world();
    const { id } = await ask(verb);
    const appealed = await lifecycle.appeal({ tenant: "acme", by: self, decision: id, reason: "please" });
    expect(appealed).toMatchObject({ error: { code } });
    const elsewhere = await lifecycle.appeal({ tenant: "other", by: self, decision: id, reason: "please" });
    expect(elsewhere).toMatchObject({ error: { code: "decision.unknown" } });
  });
});
