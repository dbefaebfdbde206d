import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { modelSuite, storeSuite } from "@countersign/core/testing";
import { openSqliteStore } from "./sqliteStore.ts";

async function open() {
  const folder = mkdtempSync(join(tmpdir(), "countersign-sqlite-"));
  let now = 0;
  const opened = await openSqliteStore({
    path: join(folder, "gate.db"),
    secret: new Uint8Array(32).fill(7),
    clock: () => now,
  });
  if (!opened.ok) throw new Error(opened.error.message);
  return {
    store: opened.value,
    setClock: (to: number) => {
      now = to;
    },
    close: async () => {
      await opened.value.close();
      rmSync(folder, { recursive: true });
    },
  };
}

storeSuite("the SQLite store", open);
modelSuite("the SQLite store", open, 60);
