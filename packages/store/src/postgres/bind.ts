import { err, type Means, ok, type Result, type StoreError } from "@countersign/core";
import type { Pool } from "pg";
import { nodeMeans } from "../means.ts";
import { bind } from "../sql/binding.ts";
import { storeError } from "../sql/storeError.ts";
import { postgresError } from "./errors.ts";
import { EVERY_TENANT, ONE_GATE, TENANT } from "./migrate.ts";
import { numbered } from "./tables.ts";

/** One gate at a time. */
export async function bindPostgres(
  pool: Pool,
  secret: Uint8Array | null,
): Promise<Result<Means["secret"], StoreError>> {
  try {
    const client = await pool.connect();
    try {
      await client.query("begin");
      await client.query("select pg_advisory_xact_lock($1)", [ONE_GATE]);
      const asTenant = (tenant: string) => ({ sql: `select set_config('${TENANT}', ?, true)`, values: [tenant] });
      const steps = bind(secret, asTenant, EVERY_TENANT, nodeMeans(null).sha256);
      let step = steps.next();
      while (!step.done) {
        const { rows } = await client.query(numbered(step.value.sql), [...step.value.values]);
        step = steps.next(rows);
      }
      await client.query("commit");
      return step.value === "other" ? err(storeError("store.other_secret")) : ok(step.value);
    } catch (thrown) {
      await client.query("rollback").catch(() => {});
      throw thrown;
    } finally {
      client.release();
    }
  } catch (thrown) {
    return err(postgresError(thrown));
  }
}
