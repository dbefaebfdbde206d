// The store beside the bare disk, and beside SQLite that is handed the same rows: what it costs to record a decision so
// that it is there whatever happens. Between the two lies what the tables and their indexes cost; beyond the second, the
// judging under the lock, the hashes of the log and the way to the thread that writes.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "@countersign/store";
import { openSqlite } from "../packages/store/dist/sqlite/driver.js";
import { sqliteTables } from "../packages/store/dist/sqlite/tables.js";
import { compare } from "./harness.mjs";
import { decision, must } from "./storeDecision.mjs";
import { groupWriter } from "./storeRows.mjs";

const folder = mkdtempSync(join(tmpdir(), "countersign-bench-"));
const store = must(await openSqliteStore({ path: join(folder, "gate.db") }));
const commit = async () => must(await store.commit("bench", decision()));
await commit();
const [entry] = must(await store.entries("bench", 0, 1));
const leaf = Buffer.from(entry.record);
const raw = openSync(join(folder, "raw"), "a");

/** Groups one after the other, the next one asked for while the last is on its way to the disk. */
const groups = async (number, size) => {
  let underWay = [];
  for (let i = 0; i < number; i += 1) {
    const next = Array.from({ length: size }, commit);
    await Promise.all(underWay);
    underWay = next;
  }
  await Promise.all(underWay);
};

for (const [number, size, rawFloor, rowsFloor] of [
  [1, 1, 0.3, 0.4],
  [8, 100, 0.1, 0.4],
]) {
  const path = join(folder, `rows-${size}.db`);
  await must(await openSqliteStore({ path })).close();
  const database = openSqlite(path);
  const tables = sqliteTables(database);
  const rows = groupWriter(size);
  const appended = () => {
    for (let i = 0; i < number; i += 1) {
      for (let row = 0; row < size; row += 1) writeSync(raw, leaf);
      fdatasyncSync(raw);
    }
  };
  const inserted = () => {
    for (let i = 0; i < number; i += 1) {
      database.run("begin immediate");
      tables.headForWriting("bench");
      tables.write("bench", rows());
      database.run("commit");
    }
  };
  const ours = () => (size === 1 ? commit() : groups(number, size));
  for (const [other, run, floor] of [
    ["append and fdatasync", appended, rawFloor],
    ["the same rows by SQLite alone", inserted, rowsFloor],
  ]) {
    await compare({
      name: `durable append, ${size} at a time, beside ${other}`,
      contenders: { store: ours, [other]: run },
      ratio: ["store", other],
      floor,
    });
  }
  database.close();
}

await store.close();
closeSync(raw);
rmSync(folder, { recursive: true });
