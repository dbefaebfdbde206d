import { closeSync, openSync } from "node:fs";
import { createRequire } from "node:module";
import type { StoreError } from "@countersign/core";
import type { RawRow, SqlValue } from "../sql/codec.ts";
import { storeError } from "../sql/storeError.ts";

/** One connection. Statements are prepared once; a statement takes one array of values and gives all its rows. */
export interface SqliteDatabase {
  all(sql: string, values?: readonly SqlValue[]): RawRow[];
  run(sql: string, values?: readonly SqlValue[]): void;
  exec(sql: string): void;
  close(): void;
}

interface Statement {
  all(values: readonly SqlValue[]): RawRow[];
  run(values: readonly SqlValue[]): void;
}

interface Engine {
  prepare(sql: string): Statement;
  exec(sql: string): void;
  close(): void;
}

/**
 * Opens a file, made with mode 0600 when it is not there, with full sync after every commit. `node:sqlite` where this
 * runtime has it, else `libsql`, which comes prebuilt.
 */
export function openSqlite(path: string): SqliteDatabase {
  createFile(path);
  const engine = nativeEngine(path) ?? libsqlEngine(path);
  try {
    for (const pragma of PRAGMAS) patiently(() => engine.exec(`pragma ${pragma}`));
  } catch (thrown) {
    engine.close();
    throw thrown;
  }
  const statements = new Map<string, Statement>();
  const prepared = (sql: string): Statement => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = engine.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  };
  return {
    all: (sql, values = []) => prepared(sql).all(values),
    run: (sql, values = []) => prepared(sql).run(values),
    exec: (sql) => engine.exec(sql),
    close: () => engine.close(),
  };
}

/** How long one waits for another that has the file, here and in SQLite's own busy handler. */
const BUSY_MS = 5_000;
const pause = new Int32Array(new SharedArrayBuffer(4));

/**
 * Tries until the file is free. SQLite does not wait by itself where waiting could deadlock: of two that turn on the
 * write-ahead log of a new file at once, one is told "busy" in the same instant, whatever the timeout.
 */
export function patiently(run: () => void): void {
  const until = Date.now() + BUSY_MS;
  for (;;) {
    try {
      run();
      return;
    } catch (thrown) {
      if (sqliteError(thrown).code !== "store.busy" || Date.now() >= until) throw thrown;
      Atomics.wait(pause, 0, 0, 10);
    }
  }
}

/**
 * Only ever opens a file that was not there: closing any descriptor of a file drops every lock that this process has on
 * it, and another process would then delete the write-ahead log under us, with commits that were answered.
 */
function createFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
  }
}

const PRAGMAS = [
  `busy_timeout = ${BUSY_MS}`,
  "journal_mode = WAL",
  "synchronous = FULL",
  "foreign_keys = ON",
  "trusted_schema = OFF",
  // What is deleted is overwritten, not left for whoever reads the file.
  "secure_delete = ON",
] as const;

const require = createRequire(import.meta.url);

type NodeSqlite = {
  DatabaseSync: new (
    path: string,
  ) => {
    prepare(sql: string): { all(...values: unknown[]): RawRow[]; run(...values: unknown[]): unknown };
    exec(sql: string): void;
    close(): void;
  };
};

function nativeEngine(path: string): Engine | undefined {
  const native = quietly(() => process.getBuiltinModule?.("node:sqlite") as NodeSqlite | undefined);
  if (native === undefined) return undefined;
  const database = new native.DatabaseSync(path);
  return {
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        all: (values) => statement.all(...values),
        run: (values) => void statement.run(...values),
      };
    },
    exec: (sql) => database.exec(sql),
    close: () => database.close(),
  };
}

/** Node 22 warns that its SQLite is experimental. That one warning is ours to have read, and no other is kept back. */
function quietly<T>(load: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (!String(warning).startsWith("SQLite is an experimental feature")) emitWarning(warning, ...rest);
  }) as typeof emitWarning;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

type Libsql = new (
  path: string,
  options: { readonly timeout: number },
) => {
  prepare(sql: string): { all(values: unknown[]): RawRow[]; run(values: unknown[]): unknown };
  exec(sql: string): void;
  close(): void;
};

/** Values always go in as one array: a lone object as parameter ends the process. */
function libsqlEngine(path: string): Engine {
  const Database = require("libsql") as Libsql;
  const database = new Database(path, { timeout: 5000 });
  return {
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        all: (values) => statement.all([...values]).map(withBytes),
        run: (values) => void statement.run([...values]),
      };
    },
    exec: (sql) => void database.exec(sql),
    close: () => database.close(),
  };
}

/** Blobs arrive as ArrayBuffer. */
function withBytes(row: RawRow): RawRow {
  for (const name in row) {
    const value = row[name];
    if (value instanceof ArrayBuffer) (row as Record<string, unknown>)[name] = new Uint8Array(value);
  }
  return row;
}

const FULL = 13;
const CODES: Readonly<Record<number, StoreError["code"]>> = {
  5: "store.busy",
  6: "store.busy",
  8: "store.read_only",
  10: "store.unavailable",
  11: "store.corrupt",
  [FULL]: "store.full",
  14: "store.unavailable",
  26: "store.corrupt",
};

const NAMES: Readonly<Record<string, number>> = {
  SQLITE_BUSY: 5,
  SQLITE_LOCKED: 6,
  SQLITE_READONLY: 8,
  SQLITE_IOERR: 10,
  SQLITE_CORRUPT: 11,
  SQLITE_FULL: FULL,
  SQLITE_CANTOPEN: 14,
  SQLITE_NOTADB: 26,
};

/** Whether the engine threw it. Anything else is a row that is not what we wrote. */
export const isFromEngine = (thrown: unknown): boolean =>
  thrown instanceof Error && "code" in thrown && /^(SQLITE|ERR_SQLITE)/.test(String(thrown.code));

/** The driver's error in our words: both engines number their errors as SQLite does, and name them differently. */
export function sqliteError(thrown: unknown): StoreError {
  if (thrown instanceof TypeError || thrown instanceof SyntaxError) return storeError("store.corrupt");
  if (/^(EACCES|EPERM|EROFS)$/.test(String((thrown as NodeJS.ErrnoException).code)))
    return storeError("store.read_only");
  const { code, errcode, rawCode } = (thrown ?? {}) as { code?: unknown; errcode?: unknown; rawCode?: unknown };
  const numbered = [errcode, rawCode].find((value) => typeof value === "number") as number | undefined;
  const named = typeof code === "string" ? /^SQLITE_[A-Z]+/.exec(code)?.[0] : undefined;
  const primary = numbered === undefined ? NAMES[named ?? ""] : numbered & 0xff;
  return storeError((primary === undefined ? undefined : CODES[primary]) ?? "store.unavailable");
}
