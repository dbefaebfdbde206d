import { err, ok, type Result, type StoreError } from "@countersign/core";
import { type Dialect, MIGRATIONS } from "../sql/migrations.ts";
import { storeError } from "../sql/storeError.ts";
import { patiently, type SqliteDatabase, sqliteError } from "./driver.ts";

const dialect: Dialect = {
  int: "integer",
  text: "text",
  blob: "blob",
  table: " strict",
  keyed: " strict, without rowid",
  unlogged: false,
};

/** Brings a file up to this version under the write lock of SQLite. A newer file is refused, and left as it is. */
export function migrateSqlite(database: SqliteDatabase, upTo = MIGRATIONS.length): Result<number, StoreError> {
  try {
    patiently(() => database.exec("begin immediate"));
    const version = Number(database.all("pragma user_version")[0]?.["user_version"]);
    if (version > MIGRATIONS.length) {
      database.exec("rollback");
      return err(storeError("store.newer"));
    }
    for (const migration of MIGRATIONS.slice(version, upTo))
      for (const statement of migration(dialect)) database.exec(statement);
    database.exec(`pragma user_version = ${Math.max(version, upTo)}`);
    database.exec("commit");
    return ok(Math.max(version, upTo));
  } catch (thrown) {
    return err(sqliteError(thrown));
  }
}
