import { generateKeyPairSync, sign, verify } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Change } from "../gate/ledger/change.ts";
import type { Store } from "../gate/ports.ts";
import { verifyLog } from "../gate/verify/verifyLog.ts";
import { encodeUtf8 } from "../json/utf8.ts";
import { formatCheckpoint } from "../record/checkpoint.ts";
import { hex } from "../record/hex.ts";
import { recordText } from "../record/logRecord.ts";
import { leafHash } from "../record/merkle.ts";
import { type NoteKey, signNote, type VerifyEd25519 } from "../record/note.ts";
import { decideChange, freshId, holdOf, outcomeOf, payment, person, redeemOf } from "./ledgerChanges.ts";
import { nodeSha256 } from "./nodeSha256.ts";

/** A store whose rows a test can reach behind its back. */
export interface TamperedStore {
  readonly store: Store;
  /** Runs one statement of SQL, with `?` for values. */
  readonly sql: (text: string, values: readonly (string | number | null | Uint8Array)[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

const tenant = "verified";

/** What `log verify` notices, whatever was done to the tables. */
export function verifySuite(name: string, open: () => Promise<TamperedStore>): void {
  describe(`verifying the log of ${name}`, () => {
    let tampered: TamperedStore;
    let store: Store;
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const raw = Buffer.from(String(publicKey.export({ format: "jwk" }).x), "base64url");
    const key: NoteKey = { name: "log.example/verified", publicKey: new Uint8Array(raw) };
    const signer = { kid: "log", sign: async (bytes: Uint8Array) => new Uint8Array(sign(null, bytes, privateKey)) };
    const verifyEd25519: VerifyEd25519 = (_, message, signature) => verify(null, message, publicKey, signature);

    beforeEach(async () => {
      tampered = await open();
      store = tampered.store;
    });
    afterEach(() => tampered.close());

    const made = async (change: Change): Promise<void> => {
      const result = await store.commit(tenant, change);
      if (!result.ok) throw new Error(result.error.code);
    };
    const verified = async (since: readonly string[] = []) => {
      const result = await verifyLog(tenant, store, {
        trust: { keys: [key], verify: verifyEd25519 },
        since,
        sha256: nodeSha256,
      });
      if (!result.ok) throw new Error(result.error.code);
      return result.value;
    };
    const checkpoint = async (): Promise<string> => {
      const head = await store.head(tenant);
      if (!head.ok) throw new Error(head.error.code);
      const { size, root } = head.value;
      return signNote(
        formatCheckpoint({ origin: key.name, size: BigInt(size), root, extensions: [] }),
        key,
        signer,
        nodeSha256,
      );
    };

    /** A log with something of everything in it. */
    const lived = async (): Promise<void> => {
      const spent = decideChange({ reservations: [payment("10", "1000")], chain: "wallet:1" });
      await made(spent);
      await made(redeemOf(spent.id));
      await made(outcomeOf(spent.id));
      const failed = decideChange({ reservations: [payment("20.5", "1000")], chain: "wallet:1" });
      await made(failed);
      await made(redeemOf(failed.id));
      await made(outcomeOf(failed.id, { result: "failed" }));
      const hold = holdOf();
      await made(decideChange({ verdict: "review", hold }));
      const grant = freshId("grant");
      await made({
        kind: "hold.decide",
        hold: hold.id,
        by: person("p"),
        answer: "approve",
        reason: "ok",
        version: 1,
        grant,
      });
      await made(decideChange({ grant, reservations: [payment("1", "1000")] }));
      for (let i = 0; i < 3; i += 1) await made(decideChange({ reservations: [payment("3", "1000")] }));
    };

    test("finds nothing in a log that nobody touched", async () => {
      await lived();
      const note = await checkpoint();
      await store.putCheckpoint(tenant, { size: 12, note });
      await made(decideChange());
      expect(await verified([note])).toMatchObject({ healthy: true, size: 13, firstBad: null, problems: [] });
    });

    test("finds nothing in an empty log, nor in one of more than one stretch of kept hashes", async () => {
      expect(await verified()).toMatchObject({ healthy: true, size: 0 });
      await Promise.all(Array.from({ length: 600 }, () => made(decideChange())));
      expect(await verified()).toMatchObject({ healthy: true, size: 600 });
    });

    const editRecord = async (seq: number, from: string, to: string, rehash: boolean): Promise<void> => {
      const entries = await store.entries(tenant, seq, 1);
      if (!entries.ok) throw new Error(entries.error.code);
      const record = entries.value[0]!.record.replace(from, to);
      await tampered.sql("update entries set record = ? where tenant = ? and seq = ?", [record, tenant, seq]);
      if (!rehash) return;
      const leaf = leafHash(encodeUtf8(record), nodeSha256);
      await tampered.sql("update entries set leaf_hash = ? where tenant = ? and seq = ?", [leaf, tenant, seq]);
    };
    const swap = async (a: number, b: number): Promise<void> => {
      for (const [from, to] of [
        [a, 900],
        [b, a],
        [900, b],
      ] as const)
        await tampered.sql("update entries set seq = ? where tenant = ? and seq = ?", [to, tenant, from]);
    };
    const columns = "at, kind, ref, agent, codes, record, leaf_hash, chain";
    const copy = (from: number, to: number) =>
      tampered.sql(
        `insert into entries (tenant, seq, ${columns}) select tenant, ?, ${columns} from entries where tenant = ? and seq = ?`,
        [to, tenant, from],
      );
    const drop = (seq: number) => tampered.sql("delete from entries where tenant = ? and seq = ?", [tenant, seq]);

    test.each([
      {
        it: "edited",
        seq: 4,
        code: "log.edited",
        change: () => editRecord(4, '"kind":"redeem"', '"kind":"redeal"', false),
      },
      {
        it: "edited with its hash",
        seq: 4,
        code: "log.edited",
        change: () => editRecord(4, '"v":1}', '"v":1}', true).then(() => editRecord(4, "proxy", "other", true)),
      },
      { it: "made unreadable", seq: 4, code: "record.malformed", change: () => editRecord(4, "{", "", false) },
      {
        it: "spelled otherwise",
        seq: 4,
        code: "record.malformed",
        change: () => editRecord(4, '"v":1', '"v": 1', true),
      },
      { it: "dropped", seq: 5, code: "log.missing", change: () => drop(5) },
      { it: "moved", seq: 5, code: "record.misplaced", change: () => swap(5, 6) },
      {
        it: "repeated in place of another",
        seq: 6,
        code: "record.misplaced",
        change: () => drop(6).then(() => copy(5, 6)),
      },
      { it: "cut off", seq: 11, code: "log.cut_off", change: () => drop(11) },
      { it: "appended behind the head", seq: 12, code: "log.beyond_head", change: () => copy(11, 12) },
      {
        it: "given another time in the table",
        seq: 3,
        code: "record.columns",
        change: () => tampered.sql("update entries set at = at + 1 where tenant = ? and seq = ?", [tenant, 3]),
      },
      {
        it: "given another agent in the table",
        seq: 3,
        code: "record.columns",
        change: () => tampered.sql("update entries set agent = ? where tenant = ? and seq = ?", ["b", tenant, 3]),
      },
    ])("names the record that was $it", async ({ seq, code, change }) => {
      await lived();
      await change();
      const verdict = await verified();
      expect(verdict.healthy).toBe(false);
      expect(verdict.firstBad).toBe(seq);
      expect(verdict.problems.map((problem) => problem.code)).toContain(code);
    });

    test("notices that the head was changed", async () => {
      await lived();
      await tampered.sql("update heads set peaks = ? where tenant = ?", [new Uint8Array(64), tenant]);
      expect((await verified()).problems.map(({ code }) => code)).toContain("log.root");
    });

    test("notices a hash above the records that is not theirs", async () => {
      await Promise.all(Array.from({ length: 300 }, () => made(decideChange())));
      await tampered.sql("update nodes set hash = ? where tenant = ?", [new Uint8Array(32), tenant]);
      expect((await verified()).problems).toMatchObject([{ code: "log.node", seq: 0 }]);
    });

    test.each([
      {
        it: "in another state",
        code: "money.state",
        sql: "update decisions set money = 'released' where money = 'spent'",
      },
      {
        it: "of another amount",
        code: "money.lines",
        sql: "update decisions set rest = replace(rest, '20.5', '2.5')",
      },
      {
        it: "in another series",
        code: "money.lines",
        sql: 'update decisions set rest = replace(rest, \'"series":["\', \'"series":["0\')',
      },
      { it: "made up", code: "money.unknown", sql: "update decisions set money = 'spent' where money = 'none'" },
      { it: "lost", code: "money.missing", sql: "delete from decisions where money = 'reserved'" },
      {
        it: "at another time",
        code: "money.time",
        sql: "update decisions set rest = replace(rest, substr(rest, 1, 6), '[10000') where money <> 'none'",
      },
      { it: "summed wrongly", code: "money.sum", sql: "update sums set amount = '1' where shift = 0" },
      { it: "no longer summed", code: "money.sum", sql: "delete from sums" },
    ])("notices money that is $it", async ({ sql, code }) => {
      await lived();
      await tampered.sql(sql, []);
      expect((await verified()).problems.map((problem) => problem.code)).toContain(code);
    });

    /** One spent payment, as it stands when it was erased, and its sums. */
    const stripped = async (parts: readonly unknown[]): Promise<void> => {
      const rest = JSON.stringify([
        ...parts,
        "",
        "key_a",
        [],
        null,
        "sha256:pp",
        [],
        null,
        null,
        [],
        null,
        null,
        null,
        null,
      ]);
      await tampered.sql("update decisions set rest = ? where seq = 0", [rest]);
    };
    const atOf = async (): Promise<number> => {
      const money = await store.money(tenant, { limit: 1 });
      return money.ok ? (money.value.items[0]?.at ?? 0) : 0;
    };

    test("notices money whose lines are gone and that no record says was erased", async () => {
      const spent = decideChange({ reservations: [payment("10", "1000")] });
      await made(spent);
      await made(outcomeOf(spent.id));
      await stripped([await atOf()]);
      await tampered.sql("delete from sums", []);
      expect(await verified()).toMatchObject({ healthy: false, firstBad: 0 });
    });

    test("lets a sum be more than its lines where an earlier version left it when it erased, and nowhere else", async () => {
      const content = { fields: "{}", salts: "{}", subjects: ["person:x"], keepFor: null };
      const spent = decideChange({ reservations: [payment("10", "1000")], content });
      await made(spent);
      await made(outcomeOf(spent.id));
      const bucket = Math.floor((await atOf()) / 2 ** 28);
      await made({ kind: "erase", what: { subject: "person:x" }, reason: "asked", by: person("p") });
      expect((await verified()).healthy).toBe(true);
      const left = "insert into sums (tenant, series, shift, bucket, amount) values (?, 'left', 28, ?, '10')";
      await tampered.sql(left, [tenant, bucket]);
      expect((await verified()).healthy).toBe(true);
      await tampered.sql("update sums set bucket = bucket - 1 where shift = 28", []);
      expect((await verified()).problems).toMatchObject([{ code: "money.sum" }]);
    });

    test("notices a log that was cut off with its head, by a checkpoint kept elsewhere", async () => {
      await lived();
      const before = await store.head(tenant);
      const note = await checkpoint();
      await made(decideChange());
      const kept = await checkpoint();
      await drop(12);
      const peaks = before.ok ? before.value : undefined;
      expect(peaks?.size).toBe(12);
      const [, , last] = await Promise.all([note, kept, store.entries(tenant, 11, 1)]);
      const hashes = await peaksOf(12);
      await tampered.sql("update heads set size = 12, peaks = ?, last = ? where tenant = ?", [
        hashes,
        hex(last.ok ? last.value[0]!.leafHash : new Uint8Array(0)),
        tenant,
      ]);
      expect((await verified([note])).healthy).toBe(true);
      expect(await verified([kept])).toMatchObject({
        healthy: false,
        firstBad: 12,
        problems: [{ code: "log.cut_off" }],
      });
    });

    const peaksOf = async (size: number): Promise<Uint8Array> => {
      const { appendLeaf, emptyTree } = await import("../record/merkle.ts");
      const tree = emptyTree();
      const entries = await store.entries(tenant, 0, size);
      if (entries.ok) for (const { leafHash: leaf } of entries.value) appendLeaf(tree, leaf, nodeSha256);
      return Buffer.concat(tree.peaks);
    };

    test("notices a log that was rewritten as a whole, by a checkpoint kept elsewhere", async () => {
      for (let i = 0; i < 4; i += 1) await made(decideChange());
      const first = await checkpoint();
      for (let i = 0; i < 4; i += 1) await made(decideChange());
      const kept = await checkpoint();
      // Every record after the fourth again, with links and hashes that fit.
      const entries = await store.entries(tenant, 0, 8);
      if (!entries.ok) throw new Error(entries.error.code);
      let prev = hex(entries.value[3]!.leafHash);
      for (const entry of entries.value.slice(4)) {
        const parsed = JSON.parse(entry.record);
        const record = recordText({ ...parsed, prev, body: '{"forged":true}' });
        const leaf = leafHash(encodeUtf8(record), nodeSha256);
        prev = hex(leaf);
        await tampered.sql("update entries set record = ?, leaf_hash = ? where tenant = ? and seq = ?", [
          record,
          leaf,
          tenant,
          entry.seq,
        ]);
      }
      await tampered.sql("update heads set peaks = ?, last = ? where tenant = ?", [await peaksOf(8), prev, tenant]);
      expect((await verified()).healthy).toBe(true);
      expect((await verified([first])).healthy).toBe(true);
      expect(await verified([first, kept])).toMatchObject({
        healthy: false,
        firstBad: 4,
        problems: [{ code: "log.rewritten" }],
      });
    });

    test("takes no checkpoint that the log's key did not sign", async () => {
      await lived();
      const other = generateKeyPairSync("ed25519").privateKey;
      const forged = { kid: "x", sign: async (bytes: Uint8Array) => new Uint8Array(sign(null, bytes, other)) };
      const head = await store.head(tenant);
      const root = head.ok ? head.value.root : new Uint8Array(32);
      const text = formatCheckpoint({ origin: key.name, size: 12n, root, extensions: [] });
      const note = await signNote(text, key, forged, nodeSha256);
      expect((await verified([note])).problems).toMatchObject([{ code: "checkpoint.signature" }]);
      expect((await verified(["nonsense"])).problems).toMatchObject([{ code: "checkpoint.signature" }]);
      await store.putCheckpoint(tenant, { size: 12, note });
      expect((await verified()).healthy).toBe(false);
    });

    test("still holds after content was erased, with the money that it was about", async () => {
      const content = { fields: "{}", salts: "{}", subjects: ["person:x"], keepFor: null };
      const change = decideChange({ reservations: [payment("10", "1000")], content });
      await made(change);
      await made(redeemOf(change.id));
      await made({ kind: "erase", what: { subject: "person:x" }, reason: "asked", by: person("p") });
      expect((await verified()).healthy).toBe(true);
      await made(outcomeOf(change.id));
      expect((await verified()).healthy).toBe(true);
    });
  });
}
