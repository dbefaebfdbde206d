import { err, ok, type Result, type StoreError } from "@countersign/core";
import type { Pool } from "pg";
import { type Dialect, MIGRATIONS } from "../sql/migrations.ts";
import { storeError } from "../sql/storeError.ts";
import { underOneGate } from "./oneGate.ts";

const dialect: Dialect = {
  int: "bigint",
  text: 'text collate "C"',
  blob: "bytea",
  table: "",
  keyed: "",
  unlogged: true,
};

/** Brings the database up to this version, one gate at a time. A newer one is refused, and left as it is. */
export const migratePostgres = (pool: Pool, upTo = MIGRATIONS.length): Promise<Result<number, StoreError>> =>
  underOneGate(pool, async (client) => {
    await client.query("create table if not exists schema_version (version int not null)");
    const found = await client.query("select coalesce(max(version), 0) as version from schema_version");
    const version = Number(found.rows[0]?.version);
    if (version > MIGRATIONS.length) return err(storeError("store.newer"));
    for (const [i, migration] of MIGRATIONS.slice(version, upTo).entries()) {
      for (const statement of migration(dialect)) await client.query(statement);
      await client.query("insert into schema_version values ($1)", [version + i + 1]);
    }
    await secure((text) => client.query(text));
    return ok(Math.max(version, upTo));
  });

/** Which tenant's rows a transaction sees. Without it, none. */
export const TENANT = "countersign.tenant";

/** Asks across tenants, where a table has a policy for that; no tenant has this name. */
export const EVERY_TENANT = "*";

/**
 * Every table with tenants shows a transaction the rows of its own tenant only, the owner of the table included. One
 * exception: what is done for all of them (sweeping, sending) may ask which tenants have a log, and which have webhooks.
 */
async function secure(query: (text: string) => Promise<{ rows: { name: string }[] }>): Promise<void> {
  const { rows } = await query(`select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant' and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and not c.relforcerowsecurity`);
  for (const { name } of rows) {
    // In a query of its own, so that it is looked up once a statement and not once a row.
    const own = `tenant = (select current_setting('${TENANT}', true))`;
    await query(`alter table "${name}" enable row level security`);
    await query(`alter table "${name}" force row level security`);
    await query(`create policy own_tenant on "${name}" using (${own}) with check (${own})`);
    if (name === "webhooks" || name === "heads")
      await query(
        `create policy every_tenant on "${name}" for select using (current_setting('${TENANT}', true) = '${EVERY_TENANT}')`,
      );
  }
}
