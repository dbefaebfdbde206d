import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Change, Decide, Millis } from "../gate/ledger/change.ts";
import { outcomeRef } from "../gate/ledger/contents.ts";
import { eraseSubject } from "../gate/log/eraseSubject.ts";
import type { Committed, FactsQuery, Store } from "../gate/ports.ts";
import { encodeUtf8 } from "../json/utf8.ts";
import { decodeBase64url } from "../record/base64url.ts";
import { opensCommitment } from "../record/commitment.ts";
import { parseRecord } from "../record/logRecord.ts";
import { appendLeaf, emptyTree, leafHash, rootOf, verifyInclusion } from "../record/merkle.ts";
import { inclusionPath } from "../record/merkleProof.ts";
import {
  agentSelf,
  day,
  decideChange,
  enforcer,
  freshId,
  holdOf,
  hour,
  minute,
  outcomeOf,
  payment,
  person,
  redeemOf,
} from "./ledgerChanges.ts";
import { nodeSha256 } from "./nodeSha256.ts";

/** A store under test, whose clock the suite sets. */
export interface TestedStore {
  readonly store: Store;
  readonly setClock: (now: Millis) => void;
  readonly close: () => Promise<void>;
}

const start = Date.UTC(2026, 0, 15, 12);

/** What every adapter promises. Each test has a tenant of its own, so that all run on one database. */
export function storeSuite(name: string, open: () => Promise<TestedStore>): void {
  describe(`${name} keeps what the ports promise`, () => {
    let tested: TestedStore;
    let store: Store;
    let tenant: string;
    let now: Millis;
    let tenants = 0;

    beforeAll(async () => {
      tested = await open();
      store = tested.store;
    });
    afterAll(() => tested.close());
    beforeEach(() => {
      tenant = `t${process.pid}-${++tenants}`;
      now = start;
      tested.setClock(now);
    });

    const pass = (ms: Millis): void => {
      now += ms;
      tested.setClock(now);
    };
    async function made<C extends Change>(change: C, of = tenant): Promise<Committed<C["kind"]>> {
      const result = await store.commit(of, change);
      if (!result.ok) throw new Error(`${change.kind} was refused: ${result.error.code}, ${result.error.message}`);
      return result.value;
    }
    const refused = async (change: Change, of = tenant) => {
      const result = await store.commit(of, change);
      return result.ok ? "made" : result.error.code;
    };
    async function read<T>(
      reading: Promise<{ ok: true; value: T } | { ok: false; error: { code: string } }>,
    ): Promise<T> {
      const result = await reading;
      if (!result.ok) throw new Error(`not read: ${result.error.code}`);
      return result.value;
    }
    const facts = (parts: Partial<FactsQuery> = {}) =>
      read(
        store.facts(tenant, {
          agent: "a",
          credential: "key_a",
          scopes: ["tenant", "org:o", "agent:a"],
          spent: [{ series: "agent:a", currency: "USD", window: { rolling: day } }],
          actionDigest: "sha256:aa",
          ...parts,
        }),
      );
    const spent = async () => (await facts()).spent[0];
    const paid = (amount: string, limit = "100") => decideChange({ reservations: [payment(amount, limit)] });
    const size = async () => (await read(store.head(tenant))).size;

    describe("the log", () => {
      test("gives records their indexes in order, and the tree of what was appended", async () => {
        const tree = emptyTree();
        for (let i = 0; i < 5; i += 1) {
          const { seq, recordHash } = await made(decideChange());
          const [entry] = await read(store.entries(tenant, seq, 1));
          expect(seq).toBe(i);
          const leaf = leafHash(encodeUtf8(entry!.record), nodeSha256);
          expect(recordHash).toBe(`sha256:${Buffer.from(leaf).toString("hex")}`);
          appendLeaf(tree, leaf, nodeSha256);
        }
        const head = await read(store.head(tenant));
        expect(head.size).toBe(5);
        expect(Buffer.from(head.root)).toEqual(Buffer.from(rootOf(tree, nodeSha256)));
      });

      test("makes many commits at once into one order without gaps, and proves each", async () => {
        const all = await Promise.all(Array.from({ length: 300 }, () => made(decideChange())));
        expect(all.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, i) => i));
        const { root } = await read(store.head(tenant));
        for (const index of [0, 1, 255, 256, 299]) {
          const [entry] = await read(store.entries(tenant, index, 1));
          const nodes = (level: number, from: number, to: number) => read(store.nodes(tenant, level, from, to));
          const path = await inclusionPath(index, 300, nodes, nodeSha256);
          expect(verifyInclusion({ index, size: 300, leaf: entry!.leafHash, root, path }, nodeSha256)).toBe(true);
        }
      });

      test("links each record to the one before, with the time of its commit", async () => {
        await made(decideChange());
        pass(7);
        const { at } = await made(decideChange());
        expect(at).toBe(now);
        const [first, second] = await read(store.entries(tenant, 0, 2));
        const record = parseRecord(second!.record);
        expect(record).toMatchObject({ ok: true, value: { tenant, seq: 1, at: new Date(now).toISOString() } });
        expect(record.ok && record.value.prev).toBe(Buffer.from(first!.leafHash).toString("hex"));
      });

      test("never runs backwards in time when the clock does", async () => {
        const { at } = await made(decideChange());
        pass(-hour);
        const later = await made(decideChange());
        expect(later.at).toBe(at);
        expect(await read(store.now(tenant))).toBe(at);
      });

      test("keeps text as it is, whatever script or letter case", async () => {
        const agent = "Ünïcode-\u{1F512}-ǅ'\"\\;--";
        const id = freshId("dec");
        await made(decideChange({ id, agent }));
        await made(decideChange({ id: id.toUpperCase(), agent: agent.toLowerCase() }));
        expect((await read(store.decision(tenant, id)))?.agent).toBe(agent);
        expect((await read(store.decision(tenant, id.toUpperCase())))?.agent).toBe(agent.toLowerCase());
        expect(await read(store.decision(tenant, id.toLowerCase().replace("dec", "Dec")))).toBeNull();
      });

      test("extends one chain a subject, from 1 and without gaps", async () => {
        const chains = [];
        for (const chain of ["wallet:1", "wallet:2", "wallet:1"])
          chains.push(
            (await made({ kind: "note", type: "advice", ref: freshId("adv"), agent: null, record: "{}", chain })).chain,
          );
        expect(chains.map((chain) => chain?.seq)).toEqual([1, 1, 2]);
        const entries = await read(store.chain(tenant, "wallet:1", 10));
        const links = entries
          .map((entry) => parseRecord(entry.record))
          .map((record) => record.ok && record.value.chain);
        const [last, first] = links;
        expect([last, first]).toMatchObject([
          { hash: chains[2]?.hash, prev: chains[0]?.hash },
          { hash: chains[0]?.hash },
        ]);
        expect(await read(store.chain(tenant, "wallet:3", 10))).toEqual([]);
        expect(await read(store.link(tenant, "wallet:1", 1))).toEqual(entries[1]);
        expect(await read(store.link(tenant, "wallet:1", 2))).toEqual(entries[0]);
        for (const seq of [0, 3, 2 ** 31]) expect(await read(store.link(tenant, "wallet:1", seq))).toBeNull();
        expect(await read(store.link(tenant, "wallet:3", 1))).toBeNull();
      });

      test("finds everything about one id, oldest first", async () => {
        const change = decideChange();
        await made(change);
        await made(decideChange());
        await made(redeemOf(change.id));
        await made(outcomeOf(change.id));
        const about = await read(store.entriesAbout(tenant, change.id));
        expect(about.map(({ kind }) => kind)).toEqual(["decide", "redeem", "outcome"]);
      });

      test("keeps checkpoints, newest first", async () => {
        for (const n of [1, 3, 2]) await read(store.putCheckpoint(tenant, { size: n, note: `note ${n}` }));
        expect((await read(store.checkpoints(tenant, { limit: 2 }))).map((c) => c.size)).toEqual([3, 2]);
        expect((await read(store.checkpoints(tenant, { upTo: 2, limit: 9 }))).map((c) => c.size)).toEqual([2, 1]);
      });
    });

    describe("committing again", () => {
      test("the same id answers as the first time did, and does nothing", async () => {
        const change = paid("60");
        const first = await made(change);
        pass(minute);
        expect(await made(change)).toMatchObject({
          at: first.at,
          seq: first.seq,
          recordHash: first.recordHash,
          replayed: {},
        });
        expect(await size()).toBe(1);
        expect(await spent()).toBe("60");
      });

      test.each([{ agent: "b" }, { verdict: "block" as const, reservations: [] }, { actionDigest: "sha256:bb" }])(
        "the same id with %j is a conflict",
        async (other) => {
          const change = decideChange();
          await made(change);
          expect(await refused({ ...change, ...other })).toBe("decision.conflict");
        },
      );

      test("the same idempotency key answers from what was stored, also when both come at once", async () => {
        const idempotency = { key: "k", digest: "sha256:1", answer: "stored", keepFor: day };
        const both = await Promise.all([made({ ...paid("60"), idempotency }), made({ ...paid("60"), idempotency })]);
        expect(both.filter(({ replayed }) => replayed?.answer === "stored")).toHaveLength(1);
        expect(both[0]?.seq).toBe(both[1]?.seq);
        expect(await spent()).toBe("60");
        expect((await facts({ idempotency })).replay).toEqual({ answer: "stored", at: now });
      });

      test("whoever asks after an answer sees what was committed, however many asked just before", async () => {
        for (let count = 0; count < 20; count += 1) {
          const idempotency = { key: `seen ${count}`, digest: "sha256:1", answer: "stored", keepFor: day };
          const before = Array.from({ length: 5 }, () => facts({ idempotency }));
          await made(decideChange({ idempotency }));
          expect((await facts({ idempotency })).replay).toMatchObject({ answer: "stored" });
          await Promise.all(before);
        }
      });

      test("the same idempotency key for another request is a conflict, until a day has passed", async () => {
        const idempotency = { key: "k", digest: "sha256:1", answer: "stored", keepFor: day };
        await made(decideChange({ idempotency }));
        const other = { ...idempotency, digest: "sha256:2" };
        expect(await refused(decideChange({ idempotency: other }))).toBe("idempotency.conflict");
        expect((await facts({ idempotency: other })).replay).toBe("conflict");
        pass(day);
        expect((await facts({ idempotency: other })).replay).toBeNull();
        await made(decideChange({ idempotency: other }));
      });

      test("a refused change does not use up its idempotency key", async () => {
        const idempotency = { key: "k", digest: "sha256:1", answer: "stored", keepFor: day };
        expect(await refused({ ...paid("101"), idempotency })).toBe("budget.exceeded");
        expect((await facts({ idempotency })).replay).toBeNull();
      });
    });

    describe("a budget", () => {
      test("takes exactly its limit, and not the smallest amount more", async () => {
        await made(paid("99.99"));
        await made(paid("0.01"));
        expect(await store.commit(tenant, paid("0.000000000000000001"))).toEqual({
          ok: false,
          error: {
            code: "budget.exceeded",
            message: expect.any(String),
            budget: "daily",
            series: "agent:a",
            currency: "USD",
            limit: "100",
            spent: "100",
            amount: "0.000000000000000001",
          },
        });
        expect(await spent()).toBe("100");
      });

      test("is never exceeded by committed plus reserved, when everyone asks at once", async () => {
        const results = await Promise.all(Array.from({ length: 40 }, () => store.commit(tenant, paid("9"))));
        expect(results.filter(({ ok }) => ok)).toHaveLength(11);
        expect(await spent()).toBe("99");
      });

      test("counts the amounts of one decision together", async () => {
        const both = decideChange({ reservations: [payment("60", "100"), payment("60", "100")] });
        expect(await refused(both)).toBe("budget.exceeded");
        expect(await spent()).toBe("0");
      });

      test("does not mix currencies, series or tenants", async () => {
        await made(paid("100"));
        await made(decideChange({ reservations: [payment("100", "100", { currency: "EUR" })] }));
        const other = { series: ["agent:b"], budgets: [{ ...payment("1", "100").budgets[0]!, series: "agent:b" }] };
        await made(decideChange({ reservations: [payment("100", "100", other)] }));
        await made(paid("100"), `${tenant}-other`);
        expect(await spent()).toBe("100");
      });

      test("written later knows what was spent before it", async () => {
        await made(decideChange({ reservations: [payment("80", "0", { budgets: [] })] }));
        expect(await refused(paid("21"))).toBe("budget.exceeded");
        await made(paid("20"));
      });

      test("of a rolling window lets go of a payment exactly when the window has passed", async () => {
        const change = paid("100");
        await made(change);
        await made(redeemOf(change.id));
        pass(day - 1);
        expect(await refused(paid("1"))).toBe("budget.exceeded");
        pass(1);
        await made(paid("1"));
        expect(await spent()).toBe("1");
      });

      test("of a calendar window is refused when the window has ended, and counts from its first millisecond", async () => {
        const window = { from: start - 1000, until: start + 1000 };
        const calendar = (amount: string) =>
          decideChange({
            reservations: [
              payment(amount, "100", { budgets: [{ budget: "b", series: "agent:a", window, limit: "100" }] }),
            ],
          });
        tested.setClock(start - 1001);
        await made(decideChange({ reservations: [payment("50", "0", { budgets: [] })] }));
        tested.setClock(start - 1000);
        await made(calendar("60"));
        tested.setClock(start + 999);
        expect(await refused(calendar("41"))).toBe("budget.exceeded");
        await made(calendar("40"));
        tested.setClock(start + 1000);
        expect(await refused(calendar("1"))).toBe("window.moved");
      });

      test("sums exactly over payments at any distance", async () => {
        const at = [0, 1, 127, 128, 129, 16_383, 16_384, 2_097_151, 2_097_152, 3 * day, 10 * day, 40 * day];
        for (const ms of at) {
          tested.setClock(start + ms);
          await made(decideChange({ reservations: [payment("0.1", "0", { budgets: [] })], redeemFor: 1000 * day }));
        }
        const end = start + 40 * day;
        for (const window of [
          1,
          2,
          127,
          128,
          129,
          30 * day,
          30 * day + 1,
          37 * day,
          40 * day,
          40 * day + 1,
          99 * day,
        ]) {
          const query = { series: "agent:a", currency: "USD", window: { rolling: window } };
          const expected = at.filter((ms) => start + ms > end - window).length;
          const [sum] = (await facts({ spent: [query] })).spent;
          expect(Number(sum)).toBeCloseTo(expected / 10, 9);
        }
      });

      test.each(["0", "-1", "1e3", "1,0", "٣", "", " 1", "0x1", "1".repeat(79)])(
        "is not asked about the amount %j",
        async (amount) => {
          expect(await refused(decideChange({ reservations: [payment(amount, "100")] }))).toBe("input.malformed");
        },
      );

      test("does not count money whose receipt has run out unredeemed", async () => {
        const change = paid("100");
        await made(change);
        pass(5 * minute - 1);
        expect(await spent()).toBe("100");
        expect(await refused(paid("1"))).toBe("budget.exceeded");
        pass(1);
        expect(await spent()).toBe("0");
        await made(paid("100"));
        expect((await read(store.decision(tenant, change.id)))?.money).toBe("released");
        expect((await read(store.entriesAbout(tenant, change.id))).map(({ kind }) => kind)).toEqual([
          "decide",
          "release",
        ]);
      });
    });

    describe("redemption", () => {
      test("comes once: a receipt is redeemed once, by any number of executors at once", async () => {
        const change = paid("10");
        await made(change);
        const answers = await Promise.all(Array.from({ length: 12 }, () => refused(redeemOf(change.id))));
        expect(answers.filter((answer) => answer === "made")).toHaveLength(1);
        expect(answers.filter((answer) => answer === "redeem.used")).toHaveLength(11);
        expect(await read(store.decision(tenant, change.id))).toMatchObject({
          redeemedAt: now,
          redeemedBy: "proxy",
          money: "redeemed",
        });
      });

      test.each([
        { it: "another action", parts: { actionDigest: "sha256:bb" }, code: "redeem.other_action" },
        { it: "a policy that has changed", parts: { policyDigest: "sha256:qq" }, code: "policy.changed" },
        { it: "a policy that is gone", parts: { policyDigest: null }, code: "policy.changed" },
      ])("is refused for $it", async ({ parts, code }) => {
        const change = decideChange();
        await made(change);
        expect(await refused(redeemOf(change.id, parts))).toBe(code);
      });

      test.each(["review", "block"] as const)("is refused for a %s", async (verdict) => {
        const change = decideChange({ verdict });
        await made(change);
        expect(await refused(redeemOf(change.id))).toBe("redeem.not_allowed");
      });

      test("is refused when the receipt has run out, to the millisecond", async () => {
        const [early, late] = [decideChange(), decideChange()];
        await made(early);
        await made(late);
        pass(5 * minute - 1);
        await made(redeemOf(early.id));
        pass(1);
        expect(await refused(redeemOf(late.id))).toBe("redeem.expired");
      });

      test("of what does not exist, or is another tenant's, is refused alike", async () => {
        const change = decideChange();
        await made(change, `${tenant}-other`);
        expect(await refused(redeemOf(change.id))).toBe("decision.unknown");
        expect(await refused(redeemOf("dec_none"))).toBe("decision.unknown");
      });
    });

    describe("an outcome", () => {
      const after = async (parts: Parameters<typeof outcomeOf>[1], redeemed: boolean) => {
        const change = paid("40");
        await made(change);
        if (redeemed) await made(redeemOf(change.id));
        const { money } = await made(outcomeOf(change.id, parts));
        return { money, spent: await spent(), id: change.id };
      };

      test.each([
        { it: "executed is spent", parts: { result: "executed" }, redeemed: true, money: "spent", counts: "40" },
        {
          it: "executed without being redeemed is spent",
          parts: { result: "executed" },
          redeemed: false,
          money: "spent",
          counts: "40",
        },
        {
          it: "executed is believed of the agent",
          parts: { result: "executed", by: agentSelf },
          redeemed: true,
          money: "spent",
          counts: "40",
        },
        {
          it: "failed frees the money on an enforcer's word",
          parts: { result: "failed" },
          redeemed: true,
          money: "released",
          counts: "0",
        },
        {
          it: "failed frees it on a person's word",
          parts: { result: "failed", by: person("p") },
          redeemed: true,
          money: "released",
          counts: "0",
        },
        {
          it: "failed frees nothing on the agent's own word",
          parts: { result: "failed", by: agentSelf },
          redeemed: true,
          money: "redeemed",
          counts: "40",
        },
        {
          it: "unknown counts as spent",
          parts: { result: "unknown" },
          redeemed: true,
          money: "redeemed",
          counts: "40",
        },
        {
          it: "unknown counts as spent, redeemed or not",
          parts: { result: "unknown" },
          redeemed: false,
          money: "redeemed",
          counts: "40",
        },
      ] as const)("$it", async ({ parts, redeemed, money, counts }) => {
        const result = await after(parts, redeemed);
        expect({ money: result.money, counts: result.spent }).toEqual({ money, counts });
      });

      test("that the agent reported failed can be closed by someone who may", async () => {
        const { id } = await after({ result: "failed", by: agentSelf }, true);
        expect((await read(store.decisions(tenant, { agents: null, unclosed: true, limit: 9 }))).items).toHaveLength(1);
        expect((await made(outcomeOf(id, { result: "failed", by: person("p") }))).money).toBe("released");
        expect((await read(store.decisions(tenant, { agents: null, unclosed: true, limit: 9 }))).items).toHaveLength(0);
      });

      test("is told once", async () => {
        const { id } = await after({ result: "executed" }, true);
        expect(await refused(outcomeOf(id, { result: "failed" }))).toBe("outcome.closed");
        expect(await spent()).toBe("40");
      });

      test("executed after it was thought to have failed counts again, and is told once", async () => {
        const { id } = await after({ result: "failed" }, true);
        expect(await spent()).toBe("0");
        expect(await refused(outcomeOf(id, { result: "failed" }))).toBe("outcome.closed");
        expect((await made(outcomeOf(id))).money).toBe("spent");
        expect(await spent()).toBe("40");
        expect(await refused(outcomeOf(id))).toBe("outcome.closed");
      });

      test("executed after the receipt had run out counts again", async () => {
        const change = paid("40");
        await made(change);
        pass(10 * minute);
        await made({ kind: "sweep" });
        expect(await spent()).toBe("0");
        expect((await made(outcomeOf(change.id))).money).toBe("spent");
        expect(await spent()).toBe("40");
      });

      test("never told counts as spent, however long ago", async () => {
        const change = paid("40");
        await made(change);
        await made(redeemOf(change.id));
        pass(hour);
        await made({ kind: "sweep" });
        expect(await spent()).toBe("40");
      });

      test("unlike its approval trips the agent's breaker, once", async () => {
        const [first, second] = [decideChange(), decideChange()];
        for (const change of [first, second]) {
          await made(change);
          await made(redeemOf(change.id));
        }
        const { breaker } = await made(outcomeOf(first.id, { asApproved: false }));
        expect(await refused(decideChange())).toBe("stopped");
        expect((await facts()).stops).toMatchObject([{ id: breaker, scope: "agent:a", cause: "breaker" }]);
        expect((await made(outcomeOf(second.id, { asApproved: false }))).breaker).toBe(breaker);
        await made({ kind: "stop.lift", id: breaker!, by: person("p"), reason: "looked at" });
        await made(decideChange());
      });

      test.each([
        { result: "executed", closed: { result: "executed" }, money: "spent", spends: "40" },
        { result: "executed", closed: { result: "failed" }, money: "spent", spends: "40" },
        { result: "failed", closed: { result: "executed" }, money: "spent", spends: "40" },
        { result: "unknown", closed: { result: "failed" }, money: "released", spends: "0" },
      ] as const)(
        "unlike its approval trips the breaker after the decision was closed too: $result after $closed.result frees nothing",
        async ({ result, closed, money, spends }) => {
          const { id } = await after(closed, true);
          const told = await made(outcomeOf(id, { result, asApproved: false }));
          expect(told).toMatchObject({ money, breaker: expect.stringMatching(/^stop_/) });
          expect(await spent()).toBe(spends);
          expect(await refused(decideChange())).toBe("stopped");
          expect((await read(store.decision(tenant, id)))?.outcome).toBe(
            result === "executed" ? "executed" : closed.result,
          );
        },
      );

      test("of what was blocked trips the breaker when it ran, and is refused otherwise", async () => {
        const change = decideChange({ verdict: "block" });
        await made(change);
        expect(await refused(outcomeOf(change.id, { result: "failed" }))).toBe("outcome.not_allowed");
        expect((await made(outcomeOf(change.id))).breaker).not.toBeNull();
      });
    });

    describe("a hold", () => {
      const opened = async (parts: Parameters<typeof holdOf>[0] = {}, of: Partial<Decide> = {}) => {
        const hold = holdOf(parts);
        const change = decideChange({ verdict: "review", hold, ...of });
        await made(change);
        return { hold: hold.id, decision: change.id };
      };
      const answer = (hold: string, parts: Partial<Extract<Change, { kind: "hold.decide" }>> = {}) =>
        ({
          kind: "hold.decide",
          hold,
          by: person("p"),
          answer: "approve",
          reason: "looks right",
          version: 1,
          grant: freshId("grant"),
          ...parts,
        }) as const;

      test("that is approved gives a grant, and a grant is used once, for its action and agent", async () => {
        const { hold } = await opened();
        const { state, grant } = await made(answer(hold));
        expect(state).toBe("approved");
        expect((await facts()).grants).toMatchObject([
          { id: grant, agent: "a", codes: ["mandate.requires_human"], approvedBy: ["p"] },
        ]);
        const use = (parts: Partial<Decide> = {}) => decideChange({ grant: grant!, ...parts });
        expect(await refused(use({ agent: "b" }))).toBe("grant.other_agent");
        expect(await refused(use({ actionDigest: "sha256:bb" }))).toBe("grant.other_action");
        const answers = await Promise.all(Array.from({ length: 8 }, () => refused(use())));
        expect(answers.filter((code) => code === "made")).toHaveLength(1);
        expect(answers.filter((code) => code === "grant.used")).toHaveLength(7);
        expect((await facts()).grants).toEqual([]);
      });

      test("that is approved gives a grant that expires", async () => {
        const { hold } = await opened();
        const { grant } = await made(answer(hold));
        pass(hour);
        expect(await refused(decideChange({ grant: grant! }))).toBe("grant.expired");
        expect((await facts()).grants).toEqual([]);
      });

      test("whose grant was revoked permits nothing, neither a decision nor a redemption", async () => {
        const [one, two] = [await opened(), await opened()];
        const first = (await made(answer(one.hold))).grant!;
        const second = (await made(answer(two.hold))).grant!;
        const used = decideChange({ grant: first });
        await made(used);
        for (const grant of [first, second]) await made({ kind: "grant.revoke", grant, by: person("p"), reason: "no" });
        expect(await refused(decideChange({ grant: second }))).toBe("grant.revoked");
        expect(await refused(redeemOf(used.id))).toBe("grant.revoked");
      });

      test.each(["agent", "enforcer", "clock", "chain"] as const)("is never decided by a %s", async (kind) => {
        const { hold } = await opened();
        expect(await refused(answer(hold, { by: { kind, id: "x" } }))).toBe("actor.not_allowed");
      });

      test("is decided once, and by the version that was shown", async () => {
        const { hold } = await opened();
        expect(await refused(answer(hold, { version: 2 }))).toBe("hold.changed");
        const answers = await Promise.all([
          refused(answer(hold)),
          refused(answer(hold, { answer: "reject", by: person("q") })),
        ]);
        expect(answers.filter((code) => code === "made")).toHaveLength(1);
        expect(await refused(answer(hold, { version: 2 }))).toBe("hold.closed");
      });

      test("for two people needs two different ones", async () => {
        const { hold } = await opened({ approvers: 2 });
        expect(await made(answer(hold))).toMatchObject({ state: "open", grant: null });
        expect(await refused(answer(hold, { version: 2 }))).toBe("hold.same_person");
        const { state, grant } = await made(answer(hold, { version: 2, by: person("q") }));
        expect(state).toBe("approved");
        expect((await read(store.grant(tenant, grant!)))?.approvedBy).toEqual(["p", "q"]);
      });

      test("that nobody decides is rejected by time", async () => {
        const { hold } = await opened();
        pass(hour);
        expect(await refused(answer(hold))).toBe("hold.expired");
        expect((await read(store.hold(tenant, hold)))?.state).toBe("expired");
        expect((await made({ kind: "sweep" })).expired).toBe(1);
        expect(await read(store.hold(tenant, hold))).toMatchObject({ state: "expired", decidedBy: "clock" });
      });

      test("tells whom the policy names when it opens, once more before its end, and when time has closed it", async () => {
        const recipients = ["person:p", "webhook:w"];
        const { hold } = await opened({ notify: { recipients, remindBefore: minute } });
        const quiet = await opened({ notify: { recipients, remindBefore: 2 * hour } });
        expect(await read(store.hold(tenant, hold))).toMatchObject({ recipients, remindAt: expect.any(Number) });
        expect(await read(store.hold(tenant, quiet.hold))).toMatchObject({ recipients, remindAt: null });
        pass(hour - minute - 1);
        expect((await made({ kind: "sweep" })).reminded).toBe(0);
        pass(1);
        expect((await made({ kind: "sweep" })).reminded).toBe(1);
        expect((await made({ kind: "sweep" })).reminded).toBe(0);
        // What a person saw of it stays good.
        expect(await read(store.hold(tenant, hold))).toMatchObject({ state: "open", version: 1, remindAt: null });
        pass(minute);
        await made({ kind: "sweep" });
        const all = await read(store.events(tenant, { after: -1, agents: null, kinds: null, limit: 99 }));
        const about = all.filter(({ ref, hold: opens }) => ref === hold || opens === hold);
        expect(about.map(({ kind, recipients: told }) => ({ kind, told }))).toEqual(
          ["decide", "hold.due", "hold.expire"].map((kind) => ({ kind, told: recipients })),
        );
      });

      test("is not reminded of when it is decided, and a person's answer tells nobody again", async () => {
        const { hold } = await opened({ notify: { recipients: ["people"], remindBefore: minute } });
        await made(answer(hold));
        pass(hour - minute);
        expect(await made({ kind: "sweep" })).toMatchObject({ reminded: 0 });
        const all = await read(store.events(tenant, { after: -1, agents: null, kinds: null, limit: 99 }));
        expect(all.filter(({ ref }) => ref === hold)).toMatchObject([{ kind: "hold.approve", recipients: [] }]);
      });

      test("about an appeal tells them too", async () => {
        const blocked = decideChange({ verdict: "block" });
        await made(blocked);
        const hold = holdOf({
          about: "appeal",
          grantFor: null,
          notify: { recipients: ["people"], remindBefore: null },
        });
        await made({ kind: "appeal", decision: blocked.id, by: { kind: "agent", id: "a" }, reason: "r", hold });
        const all = await read(store.events(tenant, { after: -1, agents: null, kinds: ["appeal"], limit: 9 }));
        expect(all).toMatchObject([{ ref: blocked.id, recipients: ["people"] }]);
      });

      test("on screened text may be released by time, and on anything else may not", async () => {
        const { hold } = await opened({ about: "text", onTimeout: "release", grantFor: null });
        pass(hour);
        await made({ kind: "sweep" });
        expect((await read(store.hold(tenant, hold)))?.state).toBe("released");
        const wrong = holdOf({ about: "action", onTimeout: "release" });
        expect(await refused(decideChange({ verdict: "review", hold: wrong }))).toBe("input.malformed");
      });

      test("is frozen by a stop, and thaws when it is lifted", async () => {
        const { hold } = await opened();
        const id = freshId("stop");
        await made({ kind: "stop.put", id, scope: "org:o", reason: "r", until: null, by: person("p") });
        expect(await refused(answer(hold))).toBe("hold.frozen");
        await made({ kind: "stop.lift", id, by: person("p"), reason: "r" });
        await made(answer(hold));
      });

      test("is listed by risk and by age, page by page, and only the agents asked for", async () => {
        const holds = [];
        for (const [risk, agent] of [
          [10, "a"],
          [90, "a"],
          [90, "b"],
          [50, "a"],
        ] as const) {
          pass(1);
          holds.push((await opened({ risk }, { agent })).hold);
        }
        const [low, high, other, middle] = holds;
        const list = async (order: "risk" | "age", agents: string[] | null) => {
          const ids = [];
          let after: string | undefined;
          do {
            const page = await read(
              store.holds(tenant, { state: "open", agents, order, limit: 2, ...(after && { after }) }),
            );
            ids.push(...page.items.map(({ id }) => id));
            after = page.next ?? undefined;
          } while (after !== undefined);
          return ids;
        };
        expect(await list("risk", null)).toEqual([high, other, middle, low]);
        expect(await list("age", null)).toEqual([low, high, other, middle]);
        expect(await list("risk", ["b"])).toEqual([other]);
        expect(await list("risk", [])).toEqual([]);
      });

      test("can be an appeal of a refusal, which permits nothing", async () => {
        const block = decideChange({ verdict: "block", codes: ["url.private"] });
        await made(block);
        const appeal = (decision: string) =>
          ({
            kind: "appeal",
            decision,
            by: agentSelf,
            reason: "it is ours",
            hold: holdOf({ about: "appeal", grantFor: null }),
          }) as const;
        const first = appeal(block.id);
        await made(first);
        expect(await refused(appeal(block.id))).toBe("hold.exists");
        expect(await made(answer(first.hold.id))).toMatchObject({ state: "approved", grant: null });
        const allow = decideChange();
        await made(allow);
        expect(await refused(appeal(allow.id))).toBe("appeal.not_blocked");
        expect(await refused(appeal("dec_none"))).toBe("decision.unknown");
      });
    });

    describe("a stop", () => {
      const put = (scope: string, until: Millis | null = null) =>
        ({ kind: "stop.put", id: freshId("stop"), scope, reason: "r", until, by: person("p") }) as const;

      test.each(["tenant", "org:o", "agent:a"])("of %s stops deciding and redeeming there", async (scope) => {
        const before = decideChange();
        await made(before);
        await made(put(scope));
        expect(await refused(decideChange())).toBe("stopped");
        expect(await refused(decideChange({ verdict: "review", hold: holdOf() }))).toBe("stopped");
        expect(await refused(redeemOf(before.id))).toBe("stopped");
        await made(decideChange({ verdict: "block", codes: ["stopped"] }));
      });

      test("of another scope stops nothing here", async () => {
        await made(put("agent:b"));
        await made(put("tenant"), `${tenant}-other`);
        await made(decideChange());
      });

      test("with an end lifts itself", async () => {
        await made(put("tenant", now + hour));
        pass(hour - 1);
        expect(await refused(decideChange())).toBe("stopped");
        pass(1);
        await made(decideChange());
        expect(await read(store.stops(tenant))).toEqual([]);
      });

      test("is lifted by a person only", async () => {
        const stop = put("tenant");
        await made(stop);
        for (const by of [agentSelf, enforcer])
          expect(await refused({ kind: "stop.lift", id: stop.id, by, reason: "r" })).toBe("actor.not_allowed");
        expect(await refused({ kind: "stop.lift", id: "stop_none", by: person("p"), reason: "r" })).toBe(
          "stop.unknown",
        );
      });

      test("stops: it wins every race with a redemption, and nothing redeems after it", async () => {
        const all = Array.from({ length: 20 }, () => decideChange());
        for (const change of all) await made(change);
        const stop = put("tenant");
        const [stopped, ...answers] = await Promise.all([
          made(stop),
          ...all.map(async ({ id }) => store.commit(tenant, redeemOf(id))),
        ]);
        for (const answer of answers) if (answer.ok) expect(answer.value.seq).toBeLessThan(stopped.seq);
      });
    });

    describe("erasure", () => {
      const content = {
        fields: '{"to":"planted-name"}',
        salts: '{"to":"planted-salt"}',
        subjects: ["person:x"],
        keepFor: null,
      };

      test("destroys content and salt of one subject, and every proof still holds", async () => {
        const change = {
          ...paid("10"),
          content,
          idempotency: { key: "k", digest: "sha256:guess", answer: "planted", keepFor: day },
        };
        await made(change);
        await made(decideChange({ content: { ...content, subjects: ["person:y"] } }));
        const before = await read(store.entries(tenant, 0, 2));
        expect(
          (await made({ kind: "erase", what: { subject: "person:x" }, reason: "asked", by: person("p") })).erased,
        ).toBe(1);
        expect(await read(store.content(tenant, change.id))).toBeNull();
        expect(await read(store.decision(tenant, change.id))).toMatchObject({ actionDigest: null, erasedAt: now });
        expect((await facts({ idempotency: change.idempotency })).replay).toBeNull();
        expect(await read(store.entries(tenant, 0, 2))).toEqual(before);
        expect(
          (await made({ kind: "erase", what: { subject: "person:x" }, reason: "again", by: person("p") })).erased,
        ).toBe(0);
        expect(
          (await made({ kind: "erase", what: { subject: "person:y" }, reason: "asked", by: person("p") })).erased,
        ).toBe(1);
      });

      test("takes the digests of what was never kept or has gone by time, and everything, however much it is", async () => {
        const bare = decideChange({ agent: "f" });
        await made(bare);
        const gone = decideChange({ agent: "f", content: { ...content, subjects: ["agent:f"], keepFor: hour } });
        await made(gone);
        const other = decideChange({ agent: "g" });
        await made(other);
        pass(day);
        await made({ kind: "sweep" });
        const kept = Array.from({ length: 410 }, () =>
          decideChange({ agent: "f", content: { ...content, subjects: ["agent:f"] } }),
        );
        await Promise.all(kept.map((change) => made(change)));
        const by = person("p");
        const done = await read(eraseSubject(tenant, store, { subject: "agent:f", reason: "asked", by }));
        expect(done.erased).toBe(412);
        for (const { id } of [bare, gone, ...kept])
          expect(await read(store.decision(tenant, id))).toMatchObject({ actionDigest: null, erasedAt: now });
        expect(await read(store.decision(tenant, other.id))).toMatchObject({ erasedAt: null });
        expect((await read(eraseSubject(tenant, store, { subject: "agent:f", reason: "again", by }))).erased).toBe(0);
      });

      test("takes what later requests about the decision would confirm", async () => {
        const change = { ...paid("10"), content };
        await made(change);
        const idempotency = { key: "redeem k", digest: "sha256:guess", answer: "", keepFor: day };
        await made(redeemOf(change.id, { idempotency }));
        await made({ kind: "erase", what: { decision: change.id }, reason: "asked", by: person("p") });
        expect((await facts({ idempotency })).replay).toBeNull();
      });

      test("takes the digests of what was sent and came back, which the log never had", async () => {
        const told = { sent: `sha256:${"5".repeat(64)}`, received: `sha256:${"7".repeat(64)}` };
        const change = { ...paid("10"), content };
        await made(change);
        await made(redeemOf(change.id));
        const { seq } = await made(outcomeOf(change.id, told));
        const [entry] = await read(store.entries(tenant, seq, 1));
        expect(entry?.record).not.toContain("5555555555");
        expect(entry?.record).not.toContain("7777777777");
        const kept = await read(store.content(tenant, outcomeRef(change.id)));
        const fields = JSON.parse(kept?.fields ?? "{}");
        const salts = JSON.parse(kept?.salts ?? "{}");
        const { body } = JSON.parse(entry?.record ?? "{}");
        for (const name of ["sent", "received"] as const) {
          expect(fields[`${name}_${seq}`]).toBe(told[name]);
          const salt = decodeBase64url(salts[`${name}_${seq}`]) ?? new Uint8Array(0);
          expect(opensCommitment(body[name], told[name], salt, nodeSha256)).toBe(true);
        }
        await made({ kind: "erase", what: { decision: change.id }, reason: "asked", by: person("p") });
        expect(await read(store.content(tenant, outcomeRef(change.id)))).toBeNull();

        const unkept = paid("10");
        await made(unkept);
        await made(outcomeOf(unkept.id, told));
        expect(await read(store.content(tenant, outcomeRef(unkept.id)))).toBeNull();
      });

      test("of a decision that does not exist is refused", async () => {
        const what = { decision: "dec_none" };
        expect(await refused({ kind: "erase", what, reason: "", by: person("p") })).toBe("decision.unknown");
      });

      const erase = (decision: string) => made({ kind: "erase", what: { decision }, reason: "asked", by: person("p") });
      const moneyOf = async (decision: string) =>
        (await read(store.money(tenant, { limit: 99 }))).items.find((row) => row.decision === decision);

      test.each([
        { it: "reserved", until: [], closed: [] },
        { it: "redeemed", until: ["redeem"], closed: ["failed"] },
        { it: "redeemed, and executed later", until: ["redeem"], closed: ["executed"] },
        { it: "spent", until: ["redeem", "executed"], closed: [] },
      ] as const)("frees no money that was $it, and forgets at once what it was", async ({ until, closed }) => {
        const change = { ...paid("10"), content };
        const go = async (step: string) =>
          made(
            step === "redeem"
              ? redeemOf(change.id)
              : outcomeOf(change.id, { result: step as "executed", by: person("p") }),
          );
        await made(change);
        for (const step of until) await go(step);
        await erase(change.id);
        expect(await moneyOf(change.id)).toMatchObject({ lines: [], salt: null });
        expect((await read(store.sums(tenant, { limit: 9 }))).items).toEqual([]);
        expect(await spent()).toBe("10");
        for (const step of closed) await go(step);
        pass(hour);
        await made({ kind: "sweep" });
        expect(await spent()).toBe("10");
        expect(await refused(paid("91", "100"))).toBe("budget.exceeded");
        expect(await refused(paid("90", "100"))).toBe("made");
      });

      test("lets what was paid leave its window a quarter of an hour late at most, and never early", async () => {
        const change = { ...paid("10"), content };
        await made(change);
        await made({ ...paid("4"), content });
        await erase(change.id);
        expect(await spent()).toBe("14");
        pass(day - 1);
        expect(await spent()).toBe("10");
        pass(15 * minute + 1);
        expect(await spent()).toBe("0");
      });

      test("counts what was erased before and after in one sum, and what was not beside it", async () => {
        const all = ["1", "2.5", "4"].map((amount) => ({ ...paid(amount), content }));
        for (const change of all) {
          await made(change);
          await made(redeemOf(change.id));
        }
        for (const { id } of all.slice(0, 2)) await erase(id);
        expect(await spent()).toBe("7.5");
        await erase(all[2]?.id ?? "");
        expect(await spent()).toBe("7.5");
        await erase(all[2]?.id ?? "");
        expect(await spent()).toBe("7.5");
      });

      test("leaves not even an empty sum of what had been released", async () => {
        const change = { ...paid("10"), content };
        await made(change);
        pass(hour);
        await made({ kind: "sweep" });
        await erase(change.id);
        expect((await read(store.sums(tenant, { limit: 9 }))).items).toEqual([]);
        expect(await spent()).toBe("0");
      });

      test("takes what a waiting approval would permit", async () => {
        const hold = holdOf();
        const change = decideChange({ verdict: "review", hold, content });
        await made(change);
        const grant = freshId("grant");
        await made({
          kind: "hold.decide",
          hold: hold.id,
          by: person("p"),
          answer: "approve",
          reason: "",
          version: 1,
          grant,
        });
        await made({ kind: "erase", what: { decision: change.id }, reason: "asked", by: person("p") });
        expect((await facts()).grants).toEqual([]);
        expect(await refused(decideChange({ grant }))).not.toBe("made");
      });

      test("is not for agents", async () => {
        expect(await refused({ kind: "erase", what: { subject: "x" }, reason: "", by: agentSelf })).toBe(
          "actor.not_allowed",
        );
      });

      test("comes by time for content that is kept for a time, but not before its hold is over", async () => {
        const short = { ...content, keepFor: minute };
        const plain = decideChange({ content: short });
        const held = decideChange({ content: short, verdict: "review", hold: holdOf({ expiresIn: hour }) });
        await made(plain);
        await made(held);
        pass(minute);
        await made({ kind: "sweep" });
        expect(await read(store.content(tenant, plain.id))).toBeNull();
        expect(await read(store.content(tenant, held.id))).toMatchObject({ fields: content.fields });
        pass(hour);
        await made({ kind: "sweep" });
        expect(await read(store.content(tenant, held.id))).toBeNull();
      });
    });

    describe("content that is kept whole only for the person who decides", () => {
      const whileHeld = { fields: '{"to":"planted-name"}', salts: '{"to":"planted-salt"}' };
      const redacted = { fields: '{"to":"[redacted]"}', salts: "{}", subjects: ["person:x"], whileHeld };
      const shown = async (ref: string) => (await read(store.content(tenant, ref)))?.fields ?? null;
      const answer = (hold: string, how: "approve" | "reject") =>
        ({
          kind: "hold.decide",
          hold,
          by: person("p"),
          answer: how,
          reason: "",
          version: 1,
          grant: freshId("grant"),
        }) as const;

      test.each([
        { it: "is redacted when the hold is approved", how: "approve", keepFor: hour, left: redacted.fields },
        { it: "is redacted when the hold is rejected", how: "reject", keepFor: null, left: redacted.fields },
        { it: "goes with the answer where nothing is kept after it", how: "reject", keepFor: 0, left: null },
      ] as const)("$it", async ({ how, keepFor, left }) => {
        const hold = holdOf({ expiresIn: hour });
        const change = decideChange({ verdict: "review", hold, content: { ...redacted, keepFor } });
        await made(change);
        pass(minute);
        await made({ kind: "sweep" });
        expect(await shown(change.id)).toBe(whileHeld.fields);
        await made(answer(hold.id, how));
        expect(await shown(change.id)).toBe(left);
      });

      test("is whole as long as a second person has to look", async () => {
        const hold = holdOf({ approvers: 2 });
        const change = decideChange({ verdict: "review", hold, content: { ...redacted, keepFor: null } });
        await made(change);
        await made(answer(hold.id, "approve"));
        expect(await shown(change.id)).toBe(whileHeld.fields);
        await made({ ...answer(hold.id, "approve"), by: person("q"), version: 2 });
        expect(await shown(change.id)).toBe(redacted.fields);
      });

      test("is redacted, or goes, when the clock closes the hold", async () => {
        const held = [null, 0].map((keepFor) =>
          decideChange({
            verdict: "review",
            hold: holdOf({ expiresIn: minute }),
            content: { ...redacted, keepFor },
          }),
        );
        for (const change of held) await made(change);
        pass(minute);
        await made({ kind: "sweep" });
        expect(await Promise.all(held.map(({ id }) => shown(id)))).toEqual([redacted.fields, null]);
        expect(
          (await made({ kind: "erase", what: { subject: "person:x" }, reason: "asked", by: person("p") })).erased,
        ).toBe(1);
      });

      test("is erased with the rest", async () => {
        const change = decideChange({ verdict: "review", hold: holdOf(), content: { ...redacted, keepFor: null } });
        await made(change);
        await made({ kind: "erase", what: { subject: "person:x" }, reason: "asked", by: person("p") });
        expect(await shown(change.id)).toBeNull();
      });

      test("needs a hold to be kept for: without one it is redacted at once", async () => {
        const change = decideChange({ content: { ...redacted, keepFor: null } });
        await made(change);
        expect(await shown(change.id)).toBe(redacted.fields);
      });

      test("stays for a refusal that is appealed until somebody has looked", async () => {
        const change = decideChange({ verdict: "block", content: { ...redacted, keepFor: minute } });
        await made(change);
        const hold = holdOf({ about: "appeal", grantFor: null, expiresIn: hour });
        await made({ kind: "appeal", decision: change.id, by: agentSelf, reason: "", hold });
        pass(2 * minute);
        await made({ kind: "sweep" });
        expect(await shown(change.id)).toBe(redacted.fields);
        pass(hour);
        await made({ kind: "sweep" });
        await made({ kind: "sweep" });
        expect(await shown(change.id)).toBeNull();
      });
    });

    describe("policies, agents and keys", () => {
      const policy = (digest: string, replaces: string | null, scope = "org:o") =>
        ({
          kind: "policy.put",
          scope,
          id: freshId("pol"),
          digest,
          text: `text of ${digest}`,
          replaces,
          by: person("p"),
        }) as const;

      test("a policy replaces the version its author saw, and no other", async () => {
        expect((await made(policy("sha256:1", null))).version).toBe(1);
        expect(await refused(policy("sha256:2", null))).toBe("policy.exists");
        expect(await refused(policy("sha256:2", "sha256:0"))).toBe("policy.stale");
        expect((await made(policy("sha256:2", "sha256:1"))).version).toBe(2);
        expect((await made(policy("sha256:3", "any"))).version).toBe(3);
        const [current] = await read(store.policies(tenant, ["agent:none", "org:o"]));
        expect(current).toMatchObject({
          scope: "org:o",
          version: 3,
          digest: "sha256:3",
          text: "text of sha256:3",
          by: "p",
        });
        expect((await read(store.policyByDigest(tenant, "sha256:1")))?.text).toBe("text of sha256:1");
        expect((await read(store.policyHistory(tenant, "org:o", 2))).map(({ version }) => version)).toEqual([3, 2]);
        expect((await read(store.policyHistory(tenant, "org:o", 1, 3))).map(({ version }) => version)).toEqual([2]);
        expect((await read(store.policyHistory(tenant, "org:o", 9, 1))).map(({ version }) => version)).toEqual([]);
        expect(await read(store.policyScopes(tenant))).toEqual(["org:o"]);
        expect(await read(store.policyHeads(tenant, ["agent:none", "org:o"]))).toEqual([
          { scope: "org:o", version: 3, digest: "sha256:3" },
        ]);
        expect(await read(store.policyHeads(tenant, []))).toEqual([]);
        // More than a statement holds values of.
        const many = Array.from({ length: 40_000 }, (_, at) => `agent:a-${at}`);
        expect(await read(store.policyHeads(tenant, [...many, "org:o"]))).toMatchObject([{ scope: "org:o" }]);
        expect(await read(store.policyHeads(`${tenant}-other`, ["org:o"]))).toEqual([]);
      });

      test("why a policy changed is kept with the version and in the log", async () => {
        await made(policy("sha256:1", null));
        const change = { ...policy("sha256:2", "sha256:1"), reason: "a new shop", event: "policy.rollback" } as const;
        const { seq } = await made(change);
        const [latest, first] = await read(store.policyHistory(tenant, "org:o", 2));
        expect([latest?.reason, first?.reason]).toEqual(["a new shop", null]);
        const [entry] = await read(store.entries(tenant, seq, 1));
        expect(entry?.kind).toBe("policy.rollback");
        expect(entry?.record).toContain("a new shop");
      });

      test("no agent approves, reports money free, or edits its own guard", async () => {
        const by = agentSelf;
        expect(await refused({ ...policy("sha256:1", null), by })).toBe("actor.not_allowed");
        expect(await refused({ kind: "agent.put", id: "a", org: null, teams: [], state: "active", by })).toBe(
          "actor.not_allowed",
        );
        const key = {
          kind: "key.put",
          id: freshId("key"),
          hash: "00",
          name: "n",
          scopes: ["admin"],
          expiresAt: null,
        } as const;
        expect(await refused({ ...key, holder: { kind: "agent", agent: "a" }, by })).toBe("actor.not_allowed");
      });

      test("the directory knows agents, their teams and their state", async () => {
        for (const id of ["c", "a", "b"])
          await made({ kind: "agent.put", id, org: "o", teams: ["t", id], state: "active", by: person("p") });
        await made({ kind: "agent.put", id: "a", org: "o", teams: [], state: "disabled", by: person("p") });
        expect(await read(store.agent(tenant, "a"))).toEqual({
          id: "a",
          org: "o",
          teams: [],
          state: "disabled",
          display: null,
        });
        await made({
          kind: "agent.put",
          id: "a",
          org: "o",
          teams: [],
          state: "removed",
          display: "A",
          by: person("p"),
        });
        expect(await read(store.agent(tenant, "a"))).toMatchObject({ state: "removed", display: "A" });
        const first = await read(store.agents(tenant, { limit: 2 }));
        expect(first.items.map(({ id }) => id)).toEqual(["a", "b"]);
        expect((await read(store.agents(tenant, { limit: 2, after: first.next! }))).items.map(({ id }) => id)).toEqual([
          "c",
        ]);
        expect(await read(store.agent(`${tenant}-other`, "a"))).toBeNull();
      });

      test("a key is followed by another with an overlap, and revoked at once", async () => {
        const key = (parts: object = {}) =>
          ({
            kind: "key.put",
            id: freshId("key"),
            hash: "ab",
            name: "n",
            scopes: ["decide"],
            holder: { kind: "enforcer", id: "proxy", agents: ["a"] },
            expiresAt: null,
            by: person("p"),
            ...parts,
          }) as Extract<Change, { kind: "key.put" }>;
        const first = key();
        await made(first);
        expect(await refused(first)).toBe("key.exists");
        const second = key({ follows: { id: first.id, overlap: hour } });
        await made(second);
        expect(await read(store.key(tenant, first.id))).toMatchObject({
          expiresAt: now + hour,
          revokedAt: null,
          holder: first.holder,
        });
        await made({ kind: "key.revoke", id: second.id, by: person("p") });
        expect((await read(store.key(tenant, second.id)))?.revokedAt).toBe(now);
        expect(await refused({ kind: "key.revoke", id: second.id, by: person("p") })).toBe("key.unknown");
        expect(await refused(key({ follows: { id: second.id, overlap: hour } }))).toBe("key.unknown");
        expect(await read(store.key(`${tenant}-other`, first.id))).toBeNull();
        expect(await read(store.keys(tenant))).toHaveLength(2);
      });
    });

    describe("a claim", () => {
      const claim = (key: string, holder: string, digest = "sha256:1") =>
        ({ kind: "claim.open", key, digest, holder, holdFor: 1_000, progress: "reserved" }) as const;
      const keep = (key: string, holder: string, holdFor: number) =>
        ({ kind: "claim.keep", key, holder, holdFor, progress: "settled" }) as const;

      test("is taken once: one payment buys one answer, given to whoever claims the same", async () => {
        const answers = await Promise.all(
          Array.from({ length: 5 }, (_, index) => store.commit(tenant, claim("x402/1", `h${index}`))),
        );
        const taken = answers.findIndex((answer) => answer.ok);
        expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
        expect(await refused(claim("x402/1", "late"))).toBe("claim.pending");
        expect(await refused(claim("x402/1", "late", "sha256:2"))).toBe("claim.conflict");
        await made({ kind: "claim.answer", key: "x402/1", holder: `h${taken}`, answer: "the answer", keepFor: hour });
        expect(await made(claim("x402/1", "late"))).toMatchObject({ state: "answered", answer: "the answer" });
        expect(await refused(claim("x402/1", "late", "sha256:2"))).toBe("claim.conflict");
        expect(await refused({ kind: "claim.free", key: "x402/1", holder: `h${taken}` })).toBe("claim.unknown");
        expect(await refused(keep("x402/1", `h${taken}`, 0))).toBe("claim.unknown");
      });

      test("forgets its answer in time, and never that it was answered", async () => {
        await made(claim("x402/5", "a"));
        await made({ kind: "claim.answer", key: "x402/5", holder: "a", answer: "the answer", keepFor: hour });
        pass(hour - 1);
        expect(await made({ kind: "sweep" })).toMatchObject({ purged: 0 });
        expect(await made(claim("x402/5", "b"))).toMatchObject({ state: "answered", answer: "the answer" });
        pass(1);
        expect(await refused(claim("x402/5", "b"))).toBe("claim.conflict");
        expect(await made({ kind: "sweep" })).toMatchObject({ purged: 1 });
        expect(await made({ kind: "sweep" })).toMatchObject({ purged: 0 });
        expect(await refused(claim("x402/5", "b"))).toBe("claim.conflict");
        expect(await refused({ kind: "claim.free", key: "x402/5", holder: "a" })).toBe("claim.unknown");
      });

      test("that is freed can be taken again", async () => {
        await made(claim("x402/2", "a"));
        expect(await refused({ kind: "claim.free", key: "x402/2", holder: "b" })).toBe("claim.unknown");
        await made({ kind: "claim.free", key: "x402/2", holder: "a" });
        expect(await made(claim("x402/2", "b", "sha256:2"))).toMatchObject({ state: "new" });
      });

      test("that is freed and taken again at the same moment is taken once", async () => {
        await made(claim("x402/4", "a"));
        const free = { kind: "claim.free", key: "x402/4", holder: "a" } as const;
        const answers = await Promise.all(
          [free, claim("x402/4", "b"), claim("x402/4", "c")].map((change) => refused(change)),
        );
        expect(answers).toEqual(["made", "made", "claim.pending"]);
      });

      test("is gone on with from where it stands, when its holder has let go or is too slow", async () => {
        await made(claim("x402/3", "a"));
        await made(keep("x402/3", "a", 0));
        expect(await made(claim("x402/3", "b"))).toMatchObject({ state: "resumed", progress: "settled" });
        expect(await refused(claim("x402/3", "c"))).toBe("claim.pending");
        pass(999);
        expect(await refused(claim("x402/3", "c"))).toBe("claim.pending");
        pass(1);
        expect(await refused(claim("x402/3", "c", "sha256:2"))).toBe("claim.conflict");
        expect(await made(claim("x402/3", "c"))).toMatchObject({ state: "resumed", progress: "settled" });
      });

      test("is moved by its holder only, and by nobody who has lost it", async () => {
        await made(claim("x402/4", "a"));
        pass(1_000);
        await made(keep("x402/4", "a", 0));
        await made(claim("x402/4", "b"));
        const late = [
          keep("x402/4", "a", 1_000),
          { kind: "claim.answer", key: "x402/4", holder: "a", answer: "late", keepFor: hour },
          { kind: "claim.free", key: "x402/4", holder: "a" },
        ] as const;
        for (const change of late) expect(await refused(change)).toBe("claim.unknown");
        await made({ kind: "claim.answer", key: "x402/4", holder: "b", answer: "first", keepFor: hour });
        expect(await made(claim("x402/4", "a"))).toMatchObject({ state: "answered", answer: "first" });
      });
    });

    describe("events and deliveries", () => {
      test("resume by id, and are filtered by agent and kind", async () => {
        await made(decideChange());
        await made(decideChange({ agent: "b", codes: ["url.private"], verdict: "block" }));
        await made({ kind: "agent.put", id: "a", org: null, teams: [], state: "active", by: person("p") });
        const all = await read(store.events(tenant, { after: -1, agents: null, kinds: null, limit: 9 }));
        expect(all.map(({ id, kind, agent }) => [id, kind, agent])).toEqual([
          [0, "decide", "a"],
          [1, "decide", "b"],
          [2, "agent.put", "a"],
        ]);
        const rest = await read(store.events(tenant, { after: 0, agents: ["b"], kinds: ["decide"], limit: 9 }));
        expect(rest).toMatchObject([{ id: 1, codes: ["url.private"], verdict: "block", hold: null }]);
        const held = decideChange({ verdict: "review", hold: holdOf() });
        const { seq } = await made(held);
        expect(await read(store.events(tenant, { after: seq - 1, agents: null, kinds: null, limit: 1 }))).toMatchObject(
          [{ verdict: "review", hold: held.hold?.id }],
        );
        expect(await read(store.events(tenant, { after: -1, agents: [], kinds: null, limit: 9 }))).toEqual([]);
        expect(await read(store.events(`${tenant}-other`, { after: -1, agents: null, kinds: null, limit: 9 }))).toEqual(
          [],
        );
      });

      test("wake whoever watches, and nobody else", async () => {
        const woken: string[] = [];
        const stop = store.watch(tenant, () => void woken.push("here"));
        const other = store.watch(`${tenant}-other`, () => void woken.push("other"));
        await made(decideChange());
        await expect.poll(() => woken.length > 0, { timeout: 5000 }).toBe(true);
        stop();
        other();
        expect(woken).not.toContain("other");
      });

      test("go to each webhook that hears of them, are leased, retried, dead and replayed", async () => {
        const webhook = (id: string, parts: object = {}) =>
          ({
            kind: "webhook.put",
            id: `${tenant}/${id}`,
            url: "https://hooks.example/x",
            kinds: ["decide"],
            agents: null,
            secretVersion: 1,
            state: "active",
            by: person("p"),
            ...parts,
          }) as Extract<Change, { kind: "webhook.put" }>;
        const take = async () =>
          (await read(store.takeDeliveries({ limit: 50, leaseFor: minute }))).filter((item) => item.tenant === tenant);
        await made(decideChange());
        await made(webhook("w"));
        await made(webhook("only-b", { agents: ["b"] }));
        await made(webhook("off", { state: "disabled" }));
        const change = decideChange();
        await made(change);
        const [delivery, ...more] = await take();
        expect(more).toEqual([]);
        expect(delivery).toMatchObject({
          webhook: { id: `${tenant}/w` },
          event: { kind: "decide", ref: change.id },
          attempts: 0,
        });
        expect(await take()).toEqual([]);
        pass(minute);
        expect(await take()).toHaveLength(1);
        await read(store.settleDelivery(tenant, delivery!.id, { state: "due", after: hour, error: "503" }));
        pass(hour - 1);
        expect(await take()).toEqual([]);
        pass(1);
        expect(await take()).toMatchObject([{ attempts: 1 }]);
        await read(store.settleDelivery(tenant, delivery!.id, { state: "dead", error: "gone" }));
        pass(day);
        expect(await take()).toEqual([]);
        expect(await read(store.deadDeliveries(tenant, 9))).toMatchObject([{ id: delivery!.id, error: "gone" }]);
        expect(await read(store.replayDeliveries(`${tenant}-other`, { delivery: delivery!.id }))).toBe(0);
        expect(await read(store.replayDeliveries(tenant, { delivery: delivery!.id }))).toBe(1);
        expect(await take()).toMatchObject([{ id: delivery!.id, attempts: 0 }]);
        await read(store.settleDelivery(tenant, delivery!.id, { state: "delivered" }));
        pass(day);
        expect(await take()).toEqual([]);
        expect(await read(store.replayDeliveries(tenant, { webhook: `${tenant}/w`, since: 0 }))).toBe(1);
        expect(await take()).toHaveLength(1);
        await read(store.settleDelivery(tenant, delivery!.id, { state: "delivered" }));
        pass(30 * day);
        await made(decideChange());
        expect(await take()).toHaveLength(1);
        expect(await read(store.replayDeliveries(tenant, { delivery: delivery!.id }))).toBe(0);
      });

      test("of a hold go to the webhooks that the policy names, whatever kinds they ask for, and never past their agents", async () => {
        const webhook = (name: string, parts: object = {}) =>
          ({
            kind: "webhook.put",
            id: `${tenant}/${name}`,
            url: "https://hooks.example/x",
            kinds: ["stop.put"],
            agents: null,
            secretVersion: 1,
            state: "active",
            by: person("p"),
            ...parts,
          }) as Extract<Change, { kind: "webhook.put" }>;
        await made(webhook("named"));
        await made(webhook("other"));
        await made(webhook("only-b", { agents: ["b"] }));
        const take = async () => {
          const taken = await read(store.takeDeliveries({ limit: 50, leaseFor: minute }));
          return taken.filter((item) => item.tenant === tenant).map(({ webhook: { id }, event }) => [id, event.ref]);
        };
        const named = ["named", "only-b"].map((name) => `webhook:${tenant}/${name}`);
        const one = decideChange({
          verdict: "review",
          hold: holdOf({ notify: { recipients: named, remindBefore: null } }),
        });
        await made(one);
        expect(await take()).toEqual([[`${tenant}/named`, one.id]]);
        const all = decideChange({
          verdict: "review",
          hold: holdOf({ notify: { recipients: ["webhooks"], remindBefore: null } }),
        });
        await made(all);
        expect((await take()).sort()).toEqual([
          [`${tenant}/named`, all.id],
          [`${tenant}/other`, all.id],
        ]);
        await made(decideChange({ verdict: "review", hold: holdOf() }));
        expect(await take()).toEqual([]);
      });
    });

    test("a change of a webhook that was removed in the meantime does not bring it back", async () => {
      const webhook = {
        kind: "webhook.put",
        id: `${tenant}/w`,
        url: "https://hooks.example/x",
        kinds: [],
        agents: null,
        secretVersion: 1,
        state: "active",
        by: person("p"),
      } as const;
      await made(webhook);
      await made({ ...webhook, state: "disabled", onlyChange: true });
      await made({ kind: "webhook.remove", id: webhook.id, by: person("p") });
      expect(await refused({ ...webhook, onlyChange: true })).toBe("webhook.unknown");
      expect(await read(store.webhooks(tenant))).toEqual([]);
    });

    test("a webhook never goes back to a secret that was rotated away", async () => {
      const put = (secretVersion: number, state: "active" | "disabled") =>
        made({
          kind: "webhook.put",
          id: `${tenant}/w`,
          url: "https://hooks.example/x",
          kinds: [],
          agents: null,
          secretVersion,
          state,
          by: person("p"),
        });
      for (const version of [1, 2]) await put(version, "active");
      await put(1, "disabled");
      expect(await read(store.webhooks(tenant))).toMatchObject([{ secretVersion: 2, state: "disabled" }]);
    });

    test("a delivery is taken by one at a time, however many gates look for some", async () => {
      await made({
        kind: "webhook.put",
        id: `${tenant}/w`,
        url: "https://hooks.example/x",
        kinds: ["decide"],
        agents: null,
        secretVersion: 1,
        state: "active",
        by: person("p"),
      });
      for (let i = 0; i < 20; i += 1) await made(decideChange());
      const takes = async () => {
        const all = await Promise.all(
          Array.from({ length: 8 }, () => read(store.takeDeliveries({ limit: 200, leaseFor: minute }))),
        );
        return all.flat().flatMap((item) => (item.tenant === tenant ? [item.id] : []));
      };
      for (let round = 0; round < 5; round += 1) {
        const ids = await takes();
        expect(ids).toHaveLength(20);
        expect(new Set(ids).size).toBe(20);
        pass(minute);
      }
    });

    test("marks of an agent are remembered whichever credential it came with, and apart from those of credentials", async () => {
      await made(decideChange({ agent: "a", credential: "key_a", marks: ["seen"], nearMisses: 1 }));
      await made(decideChange({ agent: "a", credential: "key_b", nearMisses: 1 }));
      await made(decideChange({ agent: "b", credential: "key_a", nearMisses: 1 }));
      const found = await facts({ agent: "a", credential: "key_a", marksWithin: hour, agentMarksWithin: hour });
      expect(found.marks.map(({ mark }) => mark)).toEqual(["seen"]);
      expect(found.agentMarks.map(({ mark }) => mark).sort()).toEqual(["near_miss.0", "near_miss.1"]);
      expect((await facts({ agent: "a", credential: "key_a", marksWithin: hour })).agentMarks).toEqual([]);
    });

    test("near-misses that come at the same time are each remembered, and the latest three are kept", async () => {
      await Promise.all(Array.from({ length: 3 }, () => made(decideChange({ nearMisses: 1 }))));
      const kept = async () => {
        const { agentMarks } = await facts({ agentMarksWithin: hour });
        return agentMarks.map(({ at }) => at).sort((a, b) => a - b);
      };
      const [first, ...more] = await kept();
      expect(more).toHaveLength(2);
      pass(minute);
      await made(decideChange({ nearMisses: 2 }));
      const later = (await kept()).filter((at) => at >= first! + minute);
      expect(later).toHaveLength(2);
      expect(await kept()).toHaveLength(3);
      for (const nearMisses of [-1, 0.5, 4])
        expect(await refused(decideChange({ nearMisses }))).toBe("input.malformed");
    });

    test("a verdict that rests on what was not done is refused when it is done meanwhile", async () => {
      const { now: since } = await facts();
      const resting = (of: "credential" | "agent", mark: string) =>
        decideChange({ notLeft: { since, marks: [{ of, mark }] } });
      await made(resting("credential", "saw_untrusted"));
      await made(decideChange({ agent: "b", credential: "key_b", marks: ["saw_untrusted"], nearMisses: 1 }));
      await made(resting("credential", "saw_untrusted"));
      await made(resting("agent", "near_miss.0"));
      await made(decideChange({ marks: ["saw_untrusted"], nearMisses: 1 }));
      expect(await refused(resting("credential", "saw_untrusted"))).toBe("marks.moved");
      expect(await refused(resting("agent", "near_miss.0"))).toBe("marks.moved");
      await made(resting("agent", "near_miss.1"));
      await made({ ...resting("credential", "saw_untrusted"), verdict: "block" });
      pass(1);
      const { now } = await facts();
      await made(decideChange({ notLeft: { since: now, marks: [{ of: "credential", mark: "saw_untrusted" }] } }));
    });

    test("marks left in a session are its own and its credential's, and those of others are not there", async () => {
      const marks = async (session?: string) =>
        (await facts({ marksWithin: hour, ...(session === undefined ? {} : { session }) })).marks.map(
          ({ mark }) => mark,
        );
      const { now: since } = await facts();
      await made(decideChange({ session: "ses_1", marks: ["saw_untrusted"] }));
      await made(decideChange({ marks: ["read_private"] }));
      expect([(await marks()).sort(), await marks("ses_1"), await marks("ses_2")]).toEqual([
        ["read_private", "saw_untrusted"],
        ["saw_untrusted"],
        [],
      ]);
      const resting = (session: string) =>
        decideChange({ session, notLeft: { since, marks: [{ of: "credential", mark: "saw_untrusted" }] } });
      expect(await refused(resting("ses_1"))).toBe("marks.moved");
      await made(resting("ses_2"));
    });

    test("marks of a credential are remembered for as long as is asked", async () => {
      await made(decideChange({ marks: ["read_private", "saw_untrusted"] }));
      await made(decideChange({ credential: "key_b", marks: ["sent_outward"] }));
      pass(hour);
      await made(decideChange({ marks: ["read_private"] }));
      const marks = async (marksWithin: Millis) => (await facts({ marksWithin })).marks.map(({ mark }) => mark).sort();
      expect(await marks(day)).toEqual(["read_private", "saw_untrusted"]);
      expect(await marks(hour)).toEqual(["read_private"]);
    });

    test("tenants do not meet: with another tenant's ids everything answers as if it did not exist", async () => {
      const other = `${tenant}-other`;
      const by = person("p");
      const content = { fields: "{}", salts: "{}", subjects: ["person:x"], keepFor: null };
      const [held, stop, policy, key, webhook] = [
        holdOf(),
        freshId("stop"),
        freshId("pol"),
        freshId("key"),
        freshId("wh"),
      ];
      const change = decideChange({ ...paid("1"), content, chain: "wallet:1", marks: ["m"] });
      const grant = freshId("grant");
      await made(change);
      await made(decideChange({ verdict: "review", hold: held }));
      await made({ kind: "hold.decide", hold: held.id, by, answer: "approve", reason: "r", version: 1, grant });
      await made({ kind: "agent.put", id: "a", org: null, teams: [], state: "active", by });
      await made({ kind: "policy.put", scope: "org:o", id: policy, digest: "sha256:d", text: "t", replaces: null, by });
      await made({
        kind: "key.put",
        id: key,
        hash: "h",
        name: "n",
        scopes: [],
        holder: { kind: "person", person: "p" },
        expiresAt: null,
        by,
      });
      const hook = { id: webhook, url: "https://x.example", kinds: [], agents: null, secretVersion: 1 } as const;
      await made({ kind: "webhook.put", ...hook, state: "active", by });
      await made({ kind: "stop.put", id: stop, scope: "agent:z", reason: "r", until: null, by });
      await read(store.putCheckpoint(tenant, { size: 1, note: "n" }));

      const nothing = [
        store.decision(other, change.id),
        store.content(other, change.id),
        store.hold(other, held.id),
        store.grant(other, grant),
        store.agent(other, "a"),
        store.link(other, "wallet:1", 1),
        store.key(other, key),
        store.policyByDigest(other, "sha256:d"),
      ];
      for (const reading of nothing) expect(await read<unknown>(reading)).toBeNull();
      const none = [
        store.entries(other, 0, 9),
        store.entriesAbout(other, change.id),
        store.nodes(other, 0, 0, 9),
        store.chain(other, "wallet:1", 9),
        store.checkpoints(other, { limit: 9 }),
        store.events(other, { after: -1, agents: null, kinds: null, limit: 9 }),
        store.stops(other),
        store.policies(other, ["org:o"]),
        store.policyHistory(other, "org:o", 9),
        store.policyScopes(other),
        store.keys(other),
        store.webhooks(other),
        store.deadDeliveries(other, 9),
      ];
      for (const reading of none) expect(await read<readonly unknown[]>(reading)).toEqual([]);
      const pages = [
        store.decisions(other, { agents: null, limit: 9 }),
        store.holds(other, { state: "any", agents: null, order: "age", limit: 9 }),
        store.agents(other, { limit: 9 }),
        store.money(other, { limit: 9 }),
        store.sums(other, { limit: 9 }),
      ];
      for (const page of pages) expect(await read<unknown>(page)).toEqual({ items: [], next: null });
      expect((await read(store.head(other))).size).toBe(0);
      const theirs = {
        agent: "a",
        credential: "key_a",
        scopes: ["agent:z"],
        actionDigest: "sha256:aa",
        marksWithin: day,
      };
      const spentByAgent = [{ series: "agent:a", currency: "USD", window: { rolling: day } }];
      expect(await read(store.facts(other, { ...theirs, spent: spentByAgent }))).toMatchObject({
        spent: ["0"],
        stops: [],
        grants: [],
        marks: [],
        replay: null,
      });

      const codes = [
        await refused(redeemOf(change.id), other),
        await refused(outcomeOf(change.id), other),
        await refused(
          { kind: "hold.decide", hold: held.id, by, answer: "reject", reason: "r", version: 1, grant },
          other,
        ),
        await refused({ kind: "grant.revoke", grant, by, reason: "r" }, other),
        await refused({ kind: "stop.lift", id: stop, by, reason: "r" }, other),
        await refused({ kind: "key.revoke", id: key, by }, other),
        await refused({ kind: "webhook.remove", id: webhook, by }, other),
        await refused(decideChange({ grant }), other),
      ];
      expect(codes.filter((code) => !code.endsWith(".unknown"))).toEqual([]);
      expect((await made({ kind: "erase", what: { subject: "person:x" }, reason: "r", by }, other)).erased).toBe(0);
      expect(await read(store.content(tenant, change.id))).not.toBeNull();
    });

    test.each(["", "*", "a_b", "A", "a'b", "-a", "a".repeat(64), "\u0000"])("%j is no tenant", async (name) => {
      expect(await refused(decideChange(), name)).toBe("store.refused_input");
      const found = await store.decision(name, "dec_1");
      expect(found.ok ? found.value : null).toBeNull();
    });

    test("names the tenants that have a log, and those only", async () => {
      expect(await read(store.tenants())).not.toContain(tenant);
      await made(decideChange());
      expect(await read(store.tenants())).toContain(tenant);
      await read(store.decision(`${tenant}-other`, "dec_1"));
      expect(await read(store.tenants())).not.toContain(`${tenant}-other`);
    });

    test("rates count what came within the window", async () => {
      expect(await read(store.hit(tenant, "k", minute))).toBe(1);
      expect(await read(store.hit(tenant, "k", minute))).toBe(2);
      expect(await read(store.hit(tenant, "other", minute))).toBe(1);
      expect(await read(store.hit(`${tenant}-other`, "k", minute))).toBe(1);
    });

    test("decisions are listed newest first, page by page, filtered by agent and verdict", async () => {
      const ids = [];
      for (const [agent, verdict] of [
        ["a", "allow"],
        ["b", "block"],
        ["a", "block"],
      ] as const) {
        const change = decideChange({ agent, verdict });
        await made(change);
        ids.unshift(change.id);
      }
      const first = await read(store.decisions(tenant, { agents: null, limit: 2 }));
      expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
      const second = await read(store.decisions(tenant, { agents: null, limit: 2, after: first.next! }));
      expect(second.items.map(({ id }) => id)).toEqual(ids.slice(2));
      expect(second.next).toBeNull();
      const blocked = await read(store.decisions(tenant, { agents: ["a"], verdict: "block", limit: 9 }));
      expect(blocked.items.map(({ id }) => id)).toEqual([ids[0]]);
      expect((await read(store.decisions(`${tenant}-other`, { agents: null, limit: 9 }))).items).toEqual([]);
    });
  });
}
