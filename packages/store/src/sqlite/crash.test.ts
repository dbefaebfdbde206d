import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FAULT_POINTS } from "../faults.ts";
import { crashSuite } from "../testing/crashSuite.ts";
import { openSqliteStore } from "./sqliteStore.ts";

crashSuite("one SQLite file", FAULT_POINTS, async () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-crash-"));
  const path = join(folder, "gate.db");
  return {
    engine: "sqlite",
    where: path,
    open: async () => {
      const opened = await openSqliteStore({ path });
      if (!opened.ok) throw new Error(opened.error.message);
      return opened.value;
    },
    close: async () => rmSync(folder, { recursive: true }),
  };
});
