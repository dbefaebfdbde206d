import { createHmac } from "node:crypto";
import {
  type Delivery,
  err,
  gatherFacts,
  type Head,
  isTenantId,
  LOG_START,
  type Millis,
  ok,
  type Result,
  type Store,
  type StoreError,
  type TenantId,
} from "@countersign/core";
import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { type Fault, faultAt } from "../faults.ts";
import { nodeMeans } from "../means.ts";
import type { RawRow } from "../sql/codec.ts";
import type { Database } from "../sql/database.ts";
import { type AsTenant, type Clock, headFrom, headOf, snapshotLog, sqlReads } from "../sql/reader.ts";
import { storeError } from "../sql/storeError.ts";
import { takeFairly } from "../sql/takeFairly.ts";
import { startTask, type TaskArguments, type TaskName, type TaskResult } from "../sql/tasks.ts";
import { watchers } from "../watchers.ts";
import { bindPostgres } from "./bind.ts";
import { committer } from "./committer.ts";
import { postgresError } from "./errors.ts";
import { EVERY_TENANT, migratePostgres, TENANT } from "./migrate.ts";
import { DATABASE_TIME, load, numbered } from "./tables.ts";

export interface PostgresOptions {
  /** `postgres://user:password@host/database`. */
  readonly url: string;
  /** Connections this gate holds at most; one is used for each tenant that commits at the same time. 10 unless given. */
  readonly connections?: number;
  /**
   * 32 bytes kept elsewhere than the database, the same for every gate. Under them lie the names of chains and what
   * erased decisions count; without them no money that counts is erased.
   */
  readonly secret?: Uint8Array;
  /** For tests: the time instead of the database's, and where to fail. */
  readonly clock?: () => Millis;
  readonly fault?: Fault;
}

const int8 = 20;

/** The store of many gates: stateless all of them, one database. Time is the database's. */
export async function openPostgresStore(options: PostgresOptions): Promise<Result<Store, StoreError>> {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections ?? 10,
    connectionTimeoutMillis: 5_000,
    // A gate that hangs inside a transaction must not hold everybody else's lock.
    idle_in_transaction_session_timeout: 10_000,
    lock_timeout: 5_000,
    statement_timeout: 10_000,
    // Every integer we keep is exact as a number.
    types: {
      getTypeParser: ((oid: number, format: "text") =>
        oid === int8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  });
  // A connection that breaks tells it twice: to whoever waits for a query, and as an event, which would end the process
  // if nobody listened. The pool listens to idle ones only.
  pool.on("error", () => {});
  pool.on("connect", (client) => void client.on("error", () => {}));
  const migrated = await migratePostgres(pool);
  const bound = migrated.ok ? await bindPostgres(pool, options.secret ?? null) : migrated;
  if (!bound.ok) {
    await pool.end();
    return bound;
  }
  const means = nodeMeans(bound.value);
  const kysely = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  const fairly = takeFairly();
  const commit = committer(pool, options.clock, means, faultAt(options.fault));
  let closed = false;

  const asTenant: AsTenant = async (tenant, read) => {
    if (closed) return err(storeError("store.closed"));
    if (tenant !== EVERY_TENANT && !isTenantId(tenant)) return err(storeError("store.refused_input"));
    try {
      const value = await kysely.connection().execute(async (connection) => {
        // Names of tenants are checked, so one can stand in the text: then beginning takes one message and not two.
        await sql.raw(`begin read only; select set_config('${TENANT}', '${tenant}', true)`).execute(connection);
        try {
          return await read(connection);
        } finally {
          await sql`commit`.execute(connection);
        }
      });
      return ok(value);
    } catch (thrown) {
      return err(postgresError(thrown));
    }
  };

  const clock: Clock = async (database) => {
    if (options.clock !== undefined) return options.clock();
    const { rows } = await sql<{ now: number }>`select ${sql.raw(DATABASE_TIME)} as now`.execute(database);
    return Number(rows[0]?.now);
  };

  /** On a connection that is in hand. */
  const timeOn = async (client: pg.PoolClient): Promise<Millis> => {
    if (options.clock !== undefined) return options.clock();
    const { rows } = await client.query(`select ${DATABASE_TIME} as now`);
    return Number(rows[0]?.now);
  };

  async function task<N extends TaskName>(
    tenant: TenantId,
    name: N,
    values: (now: Millis) => TaskArguments<N>,
  ): Promise<Result<TaskResult<N>, StoreError>> {
    if (closed) return err(storeError("store.closed"));
    try {
      const client = await pool.connect();
      try {
        const now = await timeOn(client);
        await client.query("begin");
        await client.query(`select set_config('${TENANT}', $1, true)`, [tenant]);
        const steps = startTask(name, values(now));
        let step = steps.next();
        while (!step.done) {
          const { rows } = await client.query(numbered(step.value.sql), [...step.value.values]);
          step = steps.next(rows as RawRow[]);
        }
        await client.query("commit");
        client.release();
        return ok(step.value);
      } catch (thrown) {
        client.release(true);
        throw thrown;
      }
    } catch (thrown) {
      return err(postgresError(thrown));
    }
  }

  const watched = watchers(async (tenant) => {
    const head = await asTenant(tenant, (database) => headOf(database, tenant));
    return head.ok ? String(head.value.size) : undefined;
  });

  return ok({
    ...sqlReads(asTenant, clock, means),

    commit: async (tenant, change) => {
      if (closed) return err(storeError("store.closed"));
      if (!isTenantId(tenant)) return err(storeError("store.refused_input"));
      const answer = await commit(tenant, change);
      if (answer.ok) watched.wake(tenant);
      return answer as never;
    },

    facts: async (tenant, query) => {
      if (closed) return err(storeError("store.closed"));
      try {
        const client = await pool.connect();
        try {
          await client.query("begin isolation level repeatable read read only");
          await client.query(`select set_config('${TENANT}', $1, true)`, [tenant]);
          const { rows } = await client.query({
            name: "facts head",
            text: `select h.*, ${DATABASE_TIME} as now
              from (select 1) as one left join heads h on h.tenant = $1`,
            values: [tenant],
          });
          const row = rows[0] as RawRow;
          const head = row["name_key"] === null ? noHead : headFrom(row);
          const at = { tenant, head, clock: options.clock?.() ?? Number(row["now"]) };
          const steps = gatherFacts(at, query, means);
          let step = steps.next();
          while (!step.done) step = steps.next(await load(client, tenant, step.value));
          await client.query("commit");
          client.release();
          return ok(step.value);
        } catch (thrown) {
          client.release(true);
          throw thrown;
        }
      } catch (thrown) {
        return err(postgresError(thrown));
      }
    },

    snapshot: async (tenant, read) => {
      if (closed) return err(storeError("store.closed"));
      try {
        const value = await kysely
          .transaction()
          .setIsolationLevel("repeatable read")
          .setAccessMode("read only")
          .execute(async (transaction) => {
            await sql`select set_config(${TENANT}, ${tenant}, true)`.execute(transaction);
            const within: AsTenant = async (_, part) => ok(await part(transaction));
            return read(snapshotLog(sqlReads(within, clock, means)));
          });
        return ok(value);
      } catch (thrown) {
        return err(postgresError(thrown));
      }
    },

    health: async () => {
      try {
        const { rows } = await pool.query(
          "select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as no",
        );
        return rows[0]?.no === true ? err(storeError("store.read_only")) : ok(undefined);
      } catch (thrown) {
        return err(postgresError(thrown));
      }
    },

    tenants: async () => {
      const found = await asTenant(EVERY_TENANT, (database) =>
        database.selectFrom("heads").select("tenant").where("size", ">", 0).orderBy("tenant").execute(),
      );
      return found.ok ? ok(found.value.map(({ tenant }) => tenant)) : found;
    },

    watch: watched.watch,

    hit: async (tenant, counted, window) => {
      if (closed) return err(storeError("store.closed"));
      // What is counted may be a name: it is not kept as one.
      const key = createHmac("sha256", typeof means.secret === "object" ? (means.secret ?? "") : "")
        .update(counted)
        .digest("hex");
      try {
        const client = await pool.connect();
        try {
          const now = await timeOn(client);
          const slot = Math.floor(now / 1000);
          await client.query("begin; set local synchronous_commit = off");
          await client.query(`select set_config('${TENANT}', $1, true)`, [tenant]);
          await client.query(
            `insert into rates (tenant, "key", slot, hits) values ($1, $2, $3, 1)
              on conflict (tenant, "key", slot) do update set hits = rates.hits + 1`,
            [tenant, key, slot],
          );
          const { rows } = await client.query(
            `with gone as (delete from rates where tenant = $1 and "key" = $2 and slot <= $3)
              select sum(hits)::bigint as hits from rates where tenant = $1 and "key" = $2 and slot > $3`,
            [tenant, key, slot - Math.ceil(window / 1000)],
          );
          await client.query("commit");
          client.release();
          return ok(Number(rows[0]?.hits));
        } catch (thrown) {
          client.release(true);
          throw thrown;
        }
      } catch (thrown) {
        return err(postgresError(thrown));
      }
    },

    putCheckpoint: (tenant, checkpoint) => task(tenant, "putCheckpoint", () => [tenant, checkpoint]),
    settleDelivery: (tenant, id, result) => task(tenant, "settleDelivery", (now) => [tenant, id, result, now]),
    replayDeliveries: (tenant, what) => task(tenant, "replayDeliveries", (now) => [tenant, what, now]),
    takeDeliveries: async ({ limit, leaseFor }) => {
      const tenants = await asTenant(EVERY_TENANT, (database) =>
        database.selectFrom("webhooks").select("tenant").distinct().where("state", "=", "active").execute(),
      );
      if (!tenants.ok) return tenants;
      return fairly<Delivery>(
        tenants.value.map(({ tenant }) => tenant),
        limit,
        (tenant, atMost) => task(tenant, "takeDeliveries", (now) => [{ tenant, limit: atMost, leaseFor, now }]),
      );
    },

    close: async () => {
      if (closed) return;
      closed = true;
      watched.close();
      await pool.end();
    },
  });
}

const noHead: Head = { size: 0, at: 0, peaks: [], last: LOG_START, nameKey: "", sealed: false };
