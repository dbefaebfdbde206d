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

for (const [count, floor] of [
  [1, 0.8],
  [100, 0.35],
]) {
  await compare({
    name: `durable append, ${count} at a time, SQLite`,
    contenders: {
      store: () => Promise.all(Array.from({ length: count }, commit)),
      "append and fdatasync": () => {
        for (let i = 0; i < count; i += 1) writeSync(raw, leaf);
        fdatasyncSync(raw);
      },
    },
    ratio: ["store", "append and fdatasync"],
    floor,
  });
}

await store.close();
closeSync(raw);
rmSync(folder, { recursive: true });
