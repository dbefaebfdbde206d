import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MIGRATIONS } from "../sql/migrations.ts";
import { FROZEN, type FrozenDatabase, frozenRows, migrationSuite } from "../testing/migrationSuite.ts";
import { openSqlite } from "./driver.ts";
import { migrateSqlite } from "./migrate.ts";
import { openSqliteStore } from "./sqliteStore.ts";

migrationSuite("a file", async (frozen) => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-migrate-"));
  const path = join(folder, "gate.db");
  thaw(path, frozen);
  let now = 0;
  const opened = await openSqliteStore({ path, secret: new Uint8Array(32).fill(7), clock: () => now });
  if (!opened.ok) throw new Error(opened.error.code);
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

function thaw(path: string, frozen: FrozenDatabase): void {
  const database = openSqlite(path);
  for (const statement of frozen.schema) database.exec(statement);
  for (const { table, columns, values } of frozenRows(frozen, (hex) => Buffer.from(hex, "hex"))) {
    const names = columns.map((column) => `"${column}"`).join();
    database.run(`insert into "${table}" (${names}) values (${columns.map(() => "?").join()})`, values);
  }
  database.exec(`pragma user_version = ${frozen.version}`);
  database.close();
}

test("every version before the newest is frozen, so that no migration goes untried", () => {
  const versions = FROZEN.map(({ version }) => version);
  expect(versions).toEqual(Array.from({ length: MIGRATIONS.length - 1 }, (_, i) => i + 1));
});

test.each(FROZEN.map(({ version, schema }) => ({ version, schema })))(
  "the migrations up to version $version are as they were when it was frozen",
  ({ version, schema }) => {
    const folder = mkdtempSync(join(tmpdir(), "countersign-migrate-"));
    const database = openSqlite(join(folder, "gate.db"));
    expect(migrateSqlite(database, version)).toEqual({ ok: true, value: version });
    const made = database.all("select sql from sqlite_master where sql is not null order by rowid");
    expect(made.map(({ sql }) => sql)).toEqual(schema);
    database.close();
    rmSync(folder, { recursive: true });
  },
);
