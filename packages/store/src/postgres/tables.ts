import { randomBytes } from "node:crypto";
import {
  type Head,
  LOG_START,
  type Loaded,
  type LoadRequest,
  type Rows,
  type TableName,
  type Writes,
} from "@countersign/core";
import type { ClientBase, QueryResult } from "pg";
import { CODECS, type RawRow, type SqlValue } from "../sql/codec.ts";
import { headFrom, joined } from "../sql/reader.ts";
import { selectionOf } from "../sql/selection.ts";
import { TENANT } from "./migrate.ts";

/** A `?` becomes the next `$n`. */
export function numbered(sql: string): string {
  let n = 0;
  return sql.replace(/\?/g, () => {
    n += 1;
    return `$${n}`;
  });
}

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/**
 * Begins a transaction of one tenant and takes the lock on its head, in one message. Gives the head and the time of the
 * database, the same for every gate; it may be from before the lock was waited for, and then the head's is later.
 */
export async function lockHead(client: ClientBase, tenant: string): Promise<{ head: Head; clock: number }> {
  const own = quote(tenant);
  const lock = `select size, at, peaks, last, name_key, floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now
    from heads where tenant = ${own} for update`;
  const results = await client.query(`begin; select set_config('${TENANT}', ${own}, true); ${lock}`);
  let row = rowsOf(results as unknown as QueryResult[]).at(-1);
  if (row === undefined) {
    const key = randomBytes(32).toString("hex");
    await client.query(
      `insert into heads (tenant, size, at, peaks, last, name_key) values ($1, 0, 0, '', $2, $3) on conflict do nothing`,
      [tenant, LOG_START, key],
    );
    row = (await client.query(lock)).rows[0] as RawRow;
  }
  return { head: headFrom(row), clock: Number(row["now"]) };
}

const rowsOf = (results: readonly QueryResult[]): readonly RawRow[] => results.at(-1)?.rows ?? [];

export async function load(client: ClientBase, tenant: string, request: LoadRequest): Promise<Loaded> {
  const rows: Record<string, Rows[TableName][]> = {};
  const add = async (table: TableName, name: string, text: string, values: unknown[]): Promise<void> => {
    const found = await client.query({ name, text, values });
    if (found.rows.length > 0)
      rows[table] = [...(rows[table] ?? []), ...found.rows.map((raw) => CODECS[table].row(raw))];
  };
  for (const [table, keys] of Object.entries(request.keys) as [TableName, readonly string[]][]) {
    const { table: name, key, columns } = CODECS[table];
    const text = `select ${columns.join()} from ${name} where tenant = $1 and ${key} = any($2)`;
    await add(table, `load ${table}`, text, [tenant, keys]);
  }
  for (const selector of request.select) {
    const { table, where, values, limit } = selectionOf(selector);
    const { table: name, columns } = CODECS[table];
    const text = numbered(`select ${columns.join()} from ${name} where tenant = ? and ${where} limit ?`);
    await add(table, `select ${selector.select}`, text, [tenant, ...values, limit]);
  }
  if (request.sums.length === 0) return { rows: rows as Loaded["rows"], sums: [] };
  const column = <K extends "series" | "shift" | "from" | "to">(name: K) => request.sums.map((range) => range[name]);
  const sums = await client.query({
    name: "load sums",
    text: `select s.series, s.shift, s.bucket, s.amount
      from unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) as r (series, shift, lo, hi)
      join sums s on s.tenant = $1 and s.series = r.series and s.shift = r.shift and s.bucket between r.lo and r.hi`,
    values: [tenant, column("series"), column("shift"), column("from"), column("to")],
  });
  return { rows: rows as Loaded["rows"], sums: sums.rows };
}

/** One statement a table, however many rows. */
export async function write(client: ClientBase, tenant: string, writes: Writes): Promise<void> {
  const insert = async (
    into: string,
    types: readonly string[],
    conflict: string,
    rows: readonly (readonly SqlValue[])[],
  ): Promise<void> => {
    if (rows.length === 0) return;
    const arrays = types.map((type, i) => `$${i + 2}::${type}[]`);
    const text = `insert into ${into} select $1, * from unnest(${arrays.join()}) ${conflict}`;
    const values = types.map((_, i) => rows.map((row) => row[i]));
    await client.query({ name: `write ${into.slice(0, 20)}`, text, values: [tenant, ...values] });
  };
  await insert(
    "entries (tenant, seq, at, kind, ref, agent, codes, record, leaf_hash, chain)",
    ["bigint", "bigint", "text", "text", "text", "text", "text", "bytea", "text"],
    "",
    writes.entries.map(({ seq, at, kind, ref, agent, codes, record, leafHash, chain }) => [
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
  await insert(
    'nodes (tenant, level, "index", hash)',
    ["bigint", "bigint", "bytea"],
    "",
    writes.nodes.map(({ level, index, hash }) => [level, index, hash]),
  );
  await insert(
    "sums (tenant, series, shift, bucket, amount)",
    ["text", "bigint", "bigint", "text"],
    "on conflict (tenant, series, shift, bucket) do update set amount = excluded.amount",
    writes.sums.map(({ series, shift, bucket, amount }) => [series, shift, bucket, amount]),
  );
  for (const [table, rows] of Object.entries(writes.rows) as [TableName, readonly Rows[TableName][]][]) {
    const { table: name, key, columns, types, values } = CODECS[table];
    const updates = columns.map((column) => `${column} = excluded.${column}`);
    await insert(
      `${name} (tenant, ${columns.join()})`,
      types.map((type) => (type === "integer" ? "bigint" : "text")),
      `on conflict (tenant, ${key}) do update set ${updates.join()}`,
      rows.map((row) => values(row as never)),
    );
  }
  for (const [table, keys] of Object.entries(writes.deleted) as [TableName, readonly string[]][]) {
    const { table: name, key } = CODECS[table];
    const text = `delete from ${name} where tenant = $1 and ${key} = any($2)`;
    await client.query({ name: `delete ${table}`, text, values: [tenant, keys] });
  }
  const { size, at, peaks, last } = writes.head;
  await client.query({
    name: "write head",
    text: `update heads set size = $2, at = $3, peaks = $4, last = $5 where tenant = $1`,
    values: [tenant, size, at, joined(peaks), last],
  });
}
