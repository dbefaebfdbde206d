import { createHash, randomBytes } from "node:crypto";
import {
  type Head,
  LOG_START,
  type Loaded,
  type LoadRequest,
  type Rows,
  rowsOf,
  type TableName,
  type Writes,
} from "@countersign/core";
import type { ClientBase, QueryResult } from "pg";
import { CODECS, type RawRow, type SqlValue } from "../sql/codec.ts";
import { headFrom, joined } from "../sql/reader.ts";
import { selectionOf } from "../sql/selection.ts";
import { TENANT } from "./migrate.ts";

/** Milliseconds since 1970, of the one clock that all gates share. */
export const DATABASE_TIME = "floor(extract(epoch from clock_timestamp()) * 1000)::bigint";

/** What is answered as done is on a disk, also where the database is set to say so before. */
const DURABLE = `case when current_setting('synchronous_commit') = 'off'
  then set_config('synchronous_commit', 'on', true) end`;

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
  const lock = `select size, at, peaks, last, name_key, sealed, ${DATABASE_TIME} as now
    from heads where tenant = ${own} for update`;
  const results = await client.query(`begin; select set_config('${TENANT}', ${own}, true), ${DURABLE}; ${lock}`);
  let row = lastRows(results as unknown as QueryResult[]).at(-1);
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

const lastRows = (results: readonly QueryResult[]): readonly RawRow[] => results.at(-1)?.rows ?? [];

/**
 * Everything a request asks for, in one statement: each part comes back as a list of JSON. One message to the database
 * and one back, as the others wait for the lock meanwhile.
 */
export async function load(client: ClientBase, tenant: string, request: LoadRequest): Promise<Loaded> {
  const values: unknown[] = [tenant];
  const parts: string[] = [];
  const tables: (TableName | "sums")[] = [];
  const name: string[] = [];
  const part = (table: TableName | "sums", called: string, text: string): void => {
    tables.push(table);
    name.push(called);
    parts.push(`(select coalesce(json_agg(r), '[]') from (${text}) r) as part${parts.length}`);
  };
  const place = (value: unknown): string => `$${values.push(value)}`;
  for (const [table, keys] of Object.entries(request.keys) as [TableName, readonly string[]][]) {
    const { table: from, key, columns } = CODECS[table];
    part(table, table, `select ${columns.join()} from ${from} where tenant = $1 and ${key} = any(${place(keys)})`);
  }
  for (const selector of request.select) {
    const { table, where, values: wanted, limit } = selectionOf(selector);
    const { table: from, columns } = CODECS[table];
    const filled = [...wanted];
    const condition = where.replace(/\?/g, () => place(filled.shift() as SqlValue));
    part(
      table,
      selector.select,
      `select ${columns.join()} from ${from} where tenant = $1 and ${condition} limit ${place(limit)}`,
    );
  }
  if (request.sums.length > 0) {
    const column = (of: "series" | "shift" | "from" | "to") => place(request.sums.map((range) => range[of]));
    const arrays = `${column("series")}::text[], ${column("shift")}::bigint[], ${column("from")}::bigint[], ${column("to")}::bigint[]`;
    part(
      "sums",
      "sums",
      `select s.series, s.shift, s.bucket, s.amount from unnest(${arrays}) as q (series, shift, lo, hi)
        join sums s on s.tenant = $1 and s.series = q.series and s.shift = q.shift and s.bucket between q.lo and q.hi`,
    );
  }
  const { rows: found } = await client.query({ name: shapeName("load", name), text: `select ${parts.join()}`, values });
  const rows: Record<string, Rows[TableName][]> = {};
  let sums: Loaded["sums"] = [];
  for (const [i, table] of tables.entries()) {
    const list: RawRow[] = found[0]?.[`part${i}`] ?? [];
    if (table === "sums") sums = list as unknown as Loaded["sums"];
    else if (list.length > 0) rows[table] = [...(rows[table] ?? []), ...list.map((raw) => CODECS[table].row(raw))];
  }
  return { rows: rows as Loaded["rows"], sums };
}

/** Statements are prepared once for each shape. A name longer than the server keeps would make two shapes one. */
function shapeName(kind: string, parts: readonly string[]): string {
  const name = `${kind} ${parts.join(" ")}`;
  return name.length < 60 ? name : `${kind} ${createHash("sha256").update(name).digest("hex").slice(0, 40)}`;
}

/** Everything that has to be written, in one statement, however many rows of however many tables. */
export async function write(client: ClientBase, tenant: string, writes: Writes): Promise<void> {
  const values: unknown[] = [tenant];
  const parts: string[] = [];
  const name: string[] = [];
  const place = (value: unknown): string => `$${values.push(value)}`;
  const part = (called: string, text: string): void => {
    parts.push(`part${parts.length} as (${text})`);
    name.push(called);
  };
  const insert = (
    called: string,
    into: string,
    types: readonly string[],
    conflict: string,
    rows: readonly (readonly SqlValue[])[],
  ): void => {
    if (rows.length === 0) return;
    const arrays = types.map((type, i) => `${place(rows.map((row) => row[i]))}::${type}[]`);
    part(called, `insert into ${into} select $1, * from unnest(${arrays.join()}) ${conflict}`);
  };
  insert(
    "entries",
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
  insert(
    "nodes",
    'nodes (tenant, level, "index", hash)',
    ["bigint", "bigint", "bytea"],
    "",
    writes.nodes.map(({ level, index, hash }) => [level, index, hash]),
  );
  insert(
    "sums",
    "sums (tenant, series, shift, bucket, amount)",
    ["text", "bigint", "bigint", "text"],
    "on conflict (tenant, series, shift, bucket) do update set amount = excluded.amount",
    writes.sums.map(({ series, shift, bucket, amount }) => [series, shift, bucket, amount]),
  );
  const insertRows = (called: string, table: TableName, rows: readonly Rows[TableName][], conflict: string): void => {
    const { table: into, columns, types, values: valuesOf } = CODECS[table];
    const sqlTypes = types.map((type) => (type === "integer" ? "bigint" : "text"));
    const lists = rows.map((row) => valuesOf(row as never));
    insert(called, `${into} (tenant, ${columns.join()})`, sqlTypes, conflict, lists);
  };
  // A plain insert costs the database half of one that may meet a row.
  for (const [table, rows] of rowsOf(writes.inserted)) insertRows(`+${table}`, table, rows, "");
  for (const [table, rows] of rowsOf(writes.rows)) {
    const { key, columns } = CODECS[table];
    const updates = columns.map((column) => `${column} = excluded.${column}`);
    insertRows(table, table, rows, `on conflict (tenant, ${key}) do update set ${updates.join()}`);
  }
  for (const [table, keys] of Object.entries(writes.deleted) as [TableName, readonly string[]][]) {
    const { table: from, key } = CODECS[table];
    part(`-${table}`, `delete from ${from} where tenant = $1 and ${key} = any(${place(keys)})`);
  }
  if (writes.sumsGone.length > 0) {
    const column = (of: "series" | "shift" | "bucket") => place(writes.sumsGone.map((sum) => sum[of]));
    const arrays = `${column("series")}::text[], ${column("shift")}::bigint[], ${column("bucket")}::bigint[]`;
    part(
      "-sums",
      `delete from sums s using unnest(${arrays}) as q (series, shift, bucket)
        where s.tenant = $1 and s.series = q.series and s.shift = q.shift and s.bucket = q.bucket`,
    );
  }
  const { size, at, peaks, last, sealed } = writes.head;
  const head = [
    `size = ${place(size)}`,
    `at = ${place(at)}`,
    `peaks = ${place(joined(peaks))}`,
    `last = ${place(last)}`,
    `sealed = ${place(sealed ? 1 : 0)}`,
  ];
  const before = parts.length === 0 ? "" : `with ${parts.join()} `;
  await client.query({
    name: shapeName("write", name),
    text: `${before}update heads set ${head.join()} where tenant = $1`,
    values,
  });
}
