import { randomBytes } from "node:crypto";
import {
  type Head,
  LOG_START,
  type Loaded,
  type LoadRequest,
  type Rows,
  rowsOf,
  type SumRow,
  type TableName,
  type Writes,
} from "@countersign/core";
import { CODECS, type SqlValue } from "../sql/codec.ts";
import { headFrom, joined } from "../sql/reader.ts";
import { selectionOf } from "../sql/selection.ts";
import type { SqliteDatabase } from "./driver.ts";

const deleteSum = "delete from sums where tenant = ? and series = ? and shift = ? and bucket = ?";

/** How many rows one statement inserts: fewer crossings into the engine, and few shapes of statement. */
const BATCHES = [64, 16, 4, 1] as const;

/** What the ledger reads and writes. Synchronous: run between `begin` and `commit` by whoever owns those. */
export interface SqliteTables {
  head(tenant: string): Head | undefined;
  /** The head of a tenant, made when there is none. */
  headForWriting(tenant: string): Head;
  load(tenant: string, request: LoadRequest): Loaded;
  write(tenant: string, writes: Writes): void;
}

export function sqliteTables(database: SqliteDatabase): SqliteTables {
  const entries = ["tenant", "seq", "at", "kind", "ref", "agent", "codes", "record", "leaf_hash", "chain"];
  const insertEntries = inserter(database, "entries", entries, "");
  const insertNodes = inserter(database, "nodes", ["tenant", "level", '"index"', "hash"], "");
  const upsertSums = inserter(
    database,
    "sums",
    ["tenant", "series", "shift", "bucket", "amount"],
    "on conflict (tenant, series, shift, bucket) do update set amount = excluded.amount",
  );
  const upserts = Object.fromEntries(
    Object.entries(CODECS).map(([table, { table: name, key, columns }]) => {
      const updates = columns.map((column) => `${column} = excluded.${column}`);
      const conflict = `on conflict (tenant, ${key}) do update set ${updates.join()}`;
      return [table, inserter(database, name, ["tenant", ...columns], conflict)];
    }),
  ) as Record<TableName, Insert>;

  function head(tenant: string): Head | undefined {
    const [row] = database.all(`select size, at, peaks, last, name_key, sealed from heads where tenant = ?`, [tenant]);
    return row === undefined ? undefined : headFrom(row);
  }

  function load(tenant: string, request: LoadRequest): Loaded {
    const rows: Record<string, Rows[TableName][]> = {};
    const add = (table: TableName, sql: string, values: readonly SqlValue[]): void => {
      const found = database.all(sql, values);
      if (found.length > 0) rows[table] = [...(rows[table] ?? []), ...found.map((raw) => CODECS[table].row(raw))];
    };
    for (const [table, keys] of Object.entries(request.keys) as [TableName, readonly string[]][]) {
      const { table: name, key, columns } = CODECS[table];
      const from = `select ${columns.join()} from ${name} where tenant = ? and ${key}`;
      if (keys.length === 1) add(table, `${from} = ?`, [tenant, keys[0] as string]);
      else add(table, `${from} in (select value from json_each(?))`, [tenant, JSON.stringify(keys)]);
    }
    for (const selector of request.select) {
      const { table, where, values, limit } = selectionOf(selector);
      const { table: name, columns } = CODECS[table];
      const sql = `select ${columns.join()} from ${name} where tenant = ? and ${where} limit ?`;
      add(table, sql, [tenant, ...values, limit]);
    }
    return { rows: rows as Loaded["rows"], sums: request.sums.flatMap((range) => sumsIn(tenant, range)) };
  }

  function sumsIn(tenant: string, { series, shift, from, to }: LoadRequest["sums"][number]): SumRow[] {
    const found = database.all(
      `select bucket, amount from sums where tenant = ? and series = ? and shift = ? and bucket between ? and ?`,
      [tenant, series, shift, from, to],
    );
    return found.map((row) => ({ series, shift, bucket: Number(row["bucket"]), amount: String(row["amount"]) }));
  }

  function write(tenant: string, writes: Writes): void {
    insertEntries(
      writes.entries.map(({ seq, at, kind, ref, agent, codes, record, leafHash, chain }) => {
        const listed = codes.length === 0 ? "[]" : JSON.stringify(codes);
        return [tenant, seq, at, kind, ref, agent, listed, record, leafHash, chain];
      }),
    );
    insertNodes(writes.nodes.map(({ level, index, hash }) => [tenant, level, index, hash]));
    for (const { series, shift, bucket } of writes.sumsGone) database.run(deleteSum, [tenant, series, shift, bucket]);
    upsertSums(writes.sums.map(({ series, shift, bucket, amount }) => [tenant, series, shift, bucket, amount]));
    for (const [table, rows] of [...rowsOf(writes.inserted), ...rowsOf(writes.rows)]) {
      const { values } = CODECS[table];
      upserts[table](
        rows.map((row) => {
          const list = values(row as never);
          list.unshift(tenant);
          return list;
        }),
      );
    }
    for (const [table, keys] of Object.entries(writes.deleted) as [TableName, readonly string[]][]) {
      const { table: name, key } = CODECS[table];
      for (const gone of keys) database.run(`delete from ${name} where tenant = ? and ${key} = ?`, [tenant, gone]);
    }
    const { size, at, peaks, last, sealed } = writes.head;
    database.run(`update heads set size = ?, at = ?, peaks = ?, last = ?, sealed = ? where tenant = ?`, [
      size,
      at,
      joined(peaks),
      last,
      sealed ? 1 : 0,
      tenant,
    ]);
  }

  function headForWriting(tenant: string): Head {
    const found = head(tenant);
    if (found !== undefined) return found;
    const nameKey = randomBytes(32).toString("hex");
    database.run(`insert into heads (tenant, size, at, peaks, last, name_key) values (?, 0, 0, x'', ?, ?)`, [
      tenant,
      LOG_START,
      nameKey,
    ]);
    return { size: 0, at: 0, peaks: [], last: LOG_START, nameKey, sealed: false };
  }

  return { head, headForWriting, load, write };
}

type Insert = (rows: readonly (readonly SqlValue[])[]) => void;

/** Inserts any number of rows by a few statements, whose texts are made once. */
function inserter(database: SqliteDatabase, table: string, columns: readonly string[], conflict: string): Insert {
  const places = `(${columns.map(() => "?").join()})`;
  const texts = BATCHES.map(
    (size) => `insert into ${table} (${columns.join()}) values ${Array(size).fill(places).join()} ${conflict}`,
  );
  return (rows) => {
    let done = 0;
    for (const [i, size] of BATCHES.entries()) {
      for (; rows.length - done >= size; done += size) {
        const values: SqlValue[] = [];
        for (let row = done; row < done + size; row += 1) values.push(...(rows[row] as readonly SqlValue[]));
        database.run(texts[i] as string, values);
      }
    }
  };
}
