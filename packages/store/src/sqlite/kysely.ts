import { Kysely, type SqliteDatabase as KyselyDatabase, SqliteDialect } from "kysely";
import type { SqlValue } from "../sql/codec.ts";
import type { Database } from "../sql/database.ts";
import type { SqliteDatabase } from "./driver.ts";

/** Kysely over our driver. For reading: every statement is taken for one that gives rows. */
export function sqliteKysely(database: SqliteDatabase): Kysely<Database> {
  const adapted = {
    prepare: (sql: string) => ({
      reader: true,
      all: (values: readonly unknown[]) => database.all(sql, values as readonly SqlValue[]),
      run: () => ({ changes: 0, lastInsertRowid: 0 }),
      iterate: (): never => {
        throw new Error("reads are not streamed");
      },
    }),
    close: () => database.close(),
  };
  return new Kysely<Database>({ dialect: new SqliteDialect({ database: adapted as unknown as KyselyDatabase }) });
}
