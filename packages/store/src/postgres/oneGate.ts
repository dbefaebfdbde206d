import { err, type Result, type StoreError } from "@countersign/core";
import type { Pool, PoolClient } from "pg";
import { postgresError } from "./errors.ts";

/** Any number, the same in every gate: what happens once a database happens under it. */
const ONE_GATE = 8402_2026;

/** Runs `work` in one transaction, one gate at a time. What it refuses or throws leaves the database as it was. */
export async function underOneGate<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result<T, StoreError>>,
): Promise<Result<T, StoreError>> {
  try {
    const client = await pool.connect();
    try {
      await client.query("begin");
      await client.query("select pg_advisory_xact_lock($1)", [ONE_GATE]);
      const done = await work(client);
      await client.query(done.ok ? "commit" : "rollback");
      return done;
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
