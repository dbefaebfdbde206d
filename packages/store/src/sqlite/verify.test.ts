import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verifySuite } from "@countersign/core/testing";
import { openSqlite } from "./driver.ts";
import { openSqliteStore } from "./sqliteStore.ts";

verifySuite("a SQLite file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-verify-"));
  const path = join(folder, "gate.db");
  const opened = await openSqliteStore({ path, secret: new Uint8Array(32).fill(7) });
  if (!opened.ok) throw new Error(opened.error.message);
  const behind = openSqlite(path);
  return {
    store: opened.value,
    sql: async (text, values) => behind.run(text, values),
    close: async () => {
      behind.close();
      await opened.value.close();
      rmSync(folder, { recursive: true });
    },
  };
});
