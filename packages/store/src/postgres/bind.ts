import { err, type Means, ok, type Result, type StoreError } from "@countersign/core";
import type { Pool } from "pg";
import { nodeMeans } from "../means.ts";
import { bind } from "../sql/binding.ts";
import { storeError } from "../sql/storeError.ts";
import { EVERY_TENANT, TENANT } from "./migrate.ts";
import { underOneGate } from "./oneGate.ts";
import { numbered } from "./tables.ts";

/** One gate at a time. */
export const bindPostgres = (pool: Pool, secret: Uint8Array | null): Promise<Result<Means["secret"], StoreError>> =>
  underOneGate(pool, async (client) => {
    const asTenant = (tenant: string) => ({ sql: `select set_config('${TENANT}', ?, true)`, values: [tenant] });
    const steps = bind(secret, asTenant, EVERY_TENANT, nodeMeans(null).sha256);
    let step = steps.next();
    while (!step.done) {
      const { rows } = await client.query(numbered(step.value.sql), [...step.value.values]);
      step = steps.next(rows);
    }
    return step.value === "other" ? err(storeError("store.other_secret")) : ok(step.value);
  });
