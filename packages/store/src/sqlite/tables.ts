import { randomBytes } from "node:crypto";
import type { Head, Loaded, LoadRequest, Rows, SumRow, TableName, Writes } from "@countersign/core";
import { CODECS, type SqlValue } from "../sql/codec.ts";
import { selectionOf } from "../sql/selection.ts";
import type { SqliteDatabase } from "./driver.ts";

/** How many rows one statement inserts: fewer crossings into the engine, and few shapes of statement. */
const BATCHES = [64, 8, 1] as const;

/** What the ledger reads and writes, in SQL. Synchronous: run between `begin` and `commit` by whoever owns those. */
export function sqliteTables(database: SqliteDatabase) {
  function head(tenant: string): Head | undefined {
    const [row] = database.all(`select size, at, peaks, last, name_key from heads where tenant = ?`, [tenant]);
    if (row === undefined) return undefined;
    return {
      size: Number(row["size"]),
      at: Number(row["at"]),
      peaks: JSON.parse(String(row["peaks"])),
      last: String(row["last"]),
      nameKey: String(row["name_key"]),
    };
  }

  function load(tenant: string, request: LoadRequest): Loaded {
    const rows: Record<string, Rows[TableName][]> = {};
    const add = (table: TableName, sql: string, values: readonly SqlValue[]): void => {
      const found = database.all(sql, values);
      if (found.length > 0) rows[table] = [...(rows[table] ?? []), ...found.map((raw) => CODECS[table].row(raw))];
    };
    for (const [table, keys] of Object.entries(request.keys) as [TableName, readonly string[]][]) {
      const { table: name, key, columns } = CODECS[table];
      const sql = `select ${columns.join()} from ${name} where tenant = ? and ${key} = ?`;
      for (const wanted of keys) add(table, sql, [tenant, wanted]);
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
    insert(
      `entries (tenant, seq, at, kind, ref, agent, codes, record, leaf_hash, chain)`,
      "",
      writes.entries.map(({ seq, at, kind, ref, agent, codes, record, leafHash, chain }) => [
        tenant,
        seq,
        at,
        kind,
        ref,
        agent,
        JSON.stringify(codes),
        record,
        leafHash,
        chain,
      ]),
    );
    insert(
      `nodes (tenant, level, "index", hash)`,
      "",
      writes.nodes.map(({ level, index, hash }) => [tenant, level, index, hash]),
    );
    insert(
      `sums (tenant, series, shift, bucket, amount)`,
      "on conflict (tenant, series, shift, bucket) do update set amount = excluded.amount",
      writes.sums.map(({ series, shift, bucket, amount }) => [tenant, series, shift, bucket, amount]),
    );
    for (const [table, rows] of Object.entries(writes.rows) as [TableName, readonly Rows[TableName][]][]) {
      const codec = CODECS[table];
      const updates = codec.columns.map((column) => `${column} = excluded.${column}`);
      insert(
        `${codec.table} (tenant, ${codec.columns.join()})`,
        `on conflict (tenant, ${codec.key}) do update set ${updates.join()}`,
        rows.map((row) => [tenant, ...codec.values(row as never)]),
      );
    }
    for (const [table, keys] of Object.entries(writes.deleted) as [TableName, readonly string[]][]) {
      const { table: name, key } = CODECS[table];
      for (const gone of keys) database.run(`delete from ${name} where tenant = ? and ${key} = ?`, [tenant, gone]);
    }
    const { size, at, peaks, last } = writes.head;
    database.run(`update heads set size = ?, at = ?, peaks = ?, last = ? where tenant = ?`, [
      size,
      at,
      JSON.stringify(peaks),
      last,
      tenant,
    ]);
  }

  function insert(into: string, conflict: string, rows: readonly (readonly SqlValue[])[]): void {
    let done = 0;
    for (const size of BATCHES) {
      const places = `(${Array(rows[0]?.length ?? 0).fill("?")})`;
      while (rows.length - done >= size) {
        const sql = `insert into ${into} values ${Array(size).fill(places)} ${conflict}`;
        database.run(sql, rows.slice(done, done + size).flat());
        done += size;
      }
    }
  }

  /** The head of a tenant, made when there is none. */
  function headForWriting(tenant: string, start: string): Head {
    const found = head(tenant);
    if (found !== undefined) return found;
    const nameKey = randomBytes(32).toString("hex");
    database.run(`insert into heads (tenant, size, at, peaks, last, name_key) values (?, 0, 0, '[]', ?, ?)`, [
      tenant,
      start,
      nameKey,
    ]);
    return { size: 0, at: 0, peaks: [], last: start, nameKey };
  }

  return { head, headForWriting, load, write };
}
