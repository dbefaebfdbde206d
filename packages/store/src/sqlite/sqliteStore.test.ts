import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storeSuite } from "@countersign/core/testing";
import { openSqliteStore } from "./sqliteStore.ts";

storeSuite("the SQLite store", async () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-sqlite-"));
  let now = 0;
  const opened = await openSqliteStore({ path: join(folder, "gate.db"), clock: () => now });
  if (!opened.ok) throw new Error(opened.error.message);
  return {
    store: opened.value,
    setClock: (to) => {
      now = to;
    },
    close: async () => {
      await opened.value.close();
      rmSync(folder, { recursive: true });
    },
  };
});
