import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Store, verifyLog } from "@countersign/core";
import { decideChange, nodeSha256, payment, person } from "@countersign/core/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FAULT_POINTS } from "../faults.ts";
import { MIGRATIONS } from "../sql/migrations.ts";
import { startGate } from "../testing/gates.ts";
import { openSqlite } from "./driver.ts";
import { migrateSqlite } from "./migrate.ts";
import { openSqliteStore, type SqliteOptions } from "./sqliteStore.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-faults-"));
  path = join(folder, "gate.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const opened = async (options: Partial<SqliteOptions> = {}): Promise<Store> => {
  const result = await openSqliteStore({ path, ...options });
  if (!result.ok) throw new Error(result.error.code);
  return result.value;
};
const codeOf = async (answer: Promise<{ ok: true } | { ok: false; error: { code: string } }>) => {
  const result = await answer;
  return result.ok ? "made" : result.error.code;
};
const paid = () => decideChange({ reservations: [payment("10", "10000")] });
const healthy = async (store: Store) => {
  const verdict = await verifyLog("t", store, { trust: "figures-only", since: [], sha256: nodeSha256 });
  return verdict.ok && verdict.value.healthy ? verdict.value.size : verdict;
};

describe("a step of a commit that fails", () => {
  test.each(FAULT_POINTS.filter((point) => point !== "received" && point !== "answered"))(
    "at '%s' answers an error to everyone in the group and leaves no trace of what was not done",
    async (point) => {
      const store = await opened({ fault: { point, nth: 2, how: "throw" } });
      expect(await codeOf(store.commit("t", paid()))).toBe("made");
      const change = paid();
      const failed = await codeOf(store.commit("t", change));
      // After the commit it is done, and whoever asked is told that nobody knows.
      expect(failed).toBe(point === "committed" ? "store.in_doubt" : "store.corrupt");
      expect(await healthy(store)).toBe(point === "committed" ? 2 : 1);
      expect(await codeOf(store.commit("t", change))).toBe("made");
      expect(await healthy(store)).toBe(2);
      await store.close();
    },
  );

  test("does not take the others of its group with it", async () => {
    const store = await opened();
    // An amount in the ledger that is none: whatever adds to that sum cannot be judged.
    await store.commit(
      "t",
      decideChange({ reservations: [payment("1", "100", { series: ["agent:bad"], budgets: [] })] }),
    );
    const behind = openSqlite(path);
    behind.run("update sums set amount = 'x'");
    const bad = decideChange({
      reservations: [
        payment("1", "9", {
          series: ["agent:bad"],
          budgets: [{ budget: "b", series: "agent:bad", window: { rolling: 86_400_000 }, limit: "9" }],
        }),
      ],
    });
    const answers = await Promise.all([
      codeOf(store.commit("t", bad)),
      codeOf(store.commit("t", decideChange())),
      codeOf(store.commit("u", paid())),
    ]);
    expect(answers).toEqual(["store.corrupt", "made", "made"]);
    behind.close();
    await store.close();
  });
});

const mounted = (at: string): boolean =>
  spawnSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", at], { stdio: "ignore" }).status === 0;

test("a full disk refuses, loses nothing, and is left when there is room again", async (context) => {
  const small = join(folder, "small");
  mkdirSync(small);
  if (!mounted(small)) return context.skip();
  try {
    const store = await opened({ path: join(small, "gate.db") });
    const content = { fields: JSON.stringify({ text: "x".repeat(20_000) }), salts: "{}", subjects: [], keepFor: null };
    const ids: string[] = [];
    let refused: string | undefined;
    while (refused === undefined) {
      const change = decideChange({ content });
      const code = await codeOf(store.commit("t", change));
      if (code === "made") ids.push(change.id);
      else refused = code;
    }
    expect(refused).toBe("store.full");
    expect(await codeOf(store.commit("t", decideChange({ content })))).toBe("store.full");
    expect(await healthy(store)).toBe(ids.length);
    spawnSync("mount", ["-o", "remount,size=8m", small]);
    expect(await codeOf(store.commit("t", decideChange({ content })))).toBe("made");
    expect(await healthy(store)).toBe(ids.length + 1);
    await store.close();
  } finally {
    spawnSync("umount", ["-l", small]);
  }
});

test("a file that may not be written is refused in plain words", async () => {
  await (await opened()).close();
  chmodSync(path, 0o444);
  chmodSync(folder, 0o555);
  if (process.getuid?.() !== 0) return expect(await openSqliteStore({ path })).toMatchObject({ ok: false });
  // The superuser may write everything, so somebody else has to try.
  chownSync(path, 0, 0);
  const program = `import(${JSON.stringify(new URL("../../dist/index.js", import.meta.url).href)})
    .then(({ openSqliteStore }) => openSqliteStore({ path: ${JSON.stringify(path)} }))
    .then((result) => console.log(result.ok ? "opened" : result.error.code))`;
  const { stdout } = spawnSync(process.execPath, ["-e", program], { uid: 65534, gid: 65534, encoding: "utf8" });
  expect(stdout.trim()).toMatch(/^store\.(read_only|unavailable)$/);
  return undefined;
});

test("a database file is readable by its owner only", async () => {
  await (await opened()).close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("damaged pages are noticed: nothing is committed over them unseen, and nothing throws", async () => {
  const store = await opened();
  for (let i = 0; i < 40; i += 1) await store.commit("t", paid());
  await store.close();
  const { size } = statSync(path);
  const file = openSync(path, "r+");
  for (let at = 8192; at < size; at += 4096) writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, at);
  closeSync(file);
  const result = await openSqliteStore({ path });
  if (!result.ok) return expect(result.error.code).toBe("store.corrupt");
  const damaged = result.value;
  const answers = [await codeOf(damaged.commit("t", paid())), await codeOf(damaged.entries("t", 0, 100))];
  expect(answers).toContain("store.corrupt");
  expect(await healthy(damaged)).not.toBe(40);
  await damaged.close();
  return undefined;
});

test("a file that was deleted or moved away takes nothing, and goes on when it is back", async (context) => {
  // Windows lets nobody move a file that is open.
  if (process.platform === "win32") return context.skip();
  const store = await opened();
  expect(await codeOf(store.commit("t", paid()))).toBe("made");
  renameSync(path, `${path}.away`);
  expect(await codeOf(store.health())).toBe("store.unavailable");
  expect(await codeOf(store.commit("t", paid()))).toBe("store.unavailable");
  writeFileSync(path, "");
  expect(await codeOf(store.commit("t", paid()))).toBe("store.unavailable");
  renameSync(`${path}.away`, path);
  expect(await codeOf(store.health())).toBe("made");
  expect(await codeOf(store.commit("t", paid()))).toBe("made");
  expect(await healthy(store)).toBe(2);
  await store.close();
  return undefined;
});

test("a file that is no database is refused", async () => {
  const file = openSync(path, "w");
  writeSync(file, "this is not a database, but it is long enough to look like one to somebody".repeat(100));
  closeSync(file);
  expect(await openSqliteStore({ path })).toMatchObject({ ok: false, error: { code: "store.corrupt" } });
});

test("two stores of one name on one file follow each other", async () => {
  const [one, two] = [await opened(), await opened()];
  const limit = () => decideChange({ reservations: [payment("10", "55")] });
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => codeOf((i % 2 === 0 ? one : two).commit("t", limit()))),
  );
  expect(answers.filter((code) => code === "made")).toHaveLength(5);
  await one.commit("t", { kind: "stop.put", id: "stop_1", scope: "tenant", reason: "r", until: null, by: person("p") });
  // What one remembers of the tables is forgotten when the other has written.
  expect(await codeOf(two.commit("t", decideChange()))).toBe("stopped");
  await two.commit("t", { kind: "stop.lift", id: "stop_1", by: person("p"), reason: "r" });
  expect(await codeOf(one.commit("t", decideChange()))).toBe("made");
  expect(await healthy(one)).toBe(8);
  await one.close();
  await two.close();
});

test("a store that is closed answers so, and its thread ends", async () => {
  const store = await opened();
  await store.close();
  expect(await codeOf(store.commit("t", paid()))).toBe("store.closed");
  expect(await codeOf(store.decision("t", "x"))).toBe("store.closed");
});

test("a writer that is gone answers what it was doing as in doubt", async () => {
  const gate = startGate({
    engine: "sqlite",
    where: path,
    tenant: "t",
    limit: "1000",
    callers: 2,
    rounds: 2,
    fault: { point: "received", nth: 1, how: "throw" },
    name: "g",
  });
  const told = await gate.told;
  expect(told.refused[0]).toBe("store.in_doubt");
  expect(told.refused.at(-1)).toBe("store.unavailable");
});

describe("migrations", () => {
  test("of a later version are refused, and the file is left as it is", async () => {
    const database = openSqlite(path);
    database.exec(`pragma user_version = ${MIGRATIONS.length + 1}`);
    expect(await openSqliteStore({ path })).toMatchObject({ ok: false, error: { code: "store.newer" } });
    expect(database.all("pragma user_version")).toMatchObject([{ user_version: MIGRATIONS.length + 1 }]);
    database.close();
  });

  test.each(Array.from({ length: MIGRATIONS.length }, (_, version) => version))(
    "from version %i reach the newest, once",
    async (version) => {
      const database = openSqlite(path);
      expect(migrateSqlite(database, version)).toEqual({ ok: true, value: version });
      expect(migrateSqlite(database)).toEqual({ ok: true, value: MIGRATIONS.length });
      expect(migrateSqlite(database)).toEqual({ ok: true, value: MIGRATIONS.length });
      database.close();
      const store = await opened();
      expect(await codeOf(store.commit("t", paid()))).toBe("made");
      await store.close();
    },
  );
});
