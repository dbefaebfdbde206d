// The store beside the bare disk: what it costs to record a decision so that it is there whatever happens.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "@countersign/store";
import { compare } from "./harness.mjs";
import { decision, must } from "./storeDecision.mjs";

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

for (const [number, size, floor] of [
  [1, 1, 0.8],
  [8, 100, 0.35],
]) {
  await compare({
    name: `durable append, ${size} at a time, SQLite`,
    contenders: {
      store: () => (size === 1 ? commit() : groups(number, size)),
      "append and fdatasync": () => {
        for (let i = 0; i < number; i += 1) {
          for (let row = 0; row < size; row += 1) writeSync(raw, leaf);
          fdatasyncSync(raw);
        }
      },
    },
    ratio: ["store", "append and fdatasync"],
    floor,
  });
}

await store.close();
closeSync(raw);
rmSync(folder, { recursive: true });
