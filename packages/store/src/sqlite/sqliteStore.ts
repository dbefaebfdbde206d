import {
  type Change,
  type Delivery,
  err,
  gatherFacts,
  type Head,
  isTenantId,
  LOG_START,
  type Means,
  type Millis,
  ok,
  type Result,
  type Store,
  type StoreError,
  type TenantId,
} from "@countersign/core";
import type { Kysely } from "kysely";
import type { Fault } from "../faults.ts";
import { nodeMeans } from "../means.ts";
import { localRates } from "../rates.ts";
import { bind } from "../sql/binding.ts";
import { CODECS } from "../sql/codec.ts";
import type { Database } from "../sql/database.ts";
import { type AsTenant, snapshotLog, sqlReads } from "../sql/reader.ts";
import { storeError } from "../sql/storeError.ts";
import { takeFairly } from "../sql/takeFairly.ts";
import { watchers } from "../watchers.ts";
import { openSqlite, patiently, type SqliteDatabase, sqliteError } from "./driver.ts";
import { sqliteKysely } from "./kysely.ts";
import { migrateSqlite } from "./migrate.ts";
import { sqliteTables } from "./tables.ts";
import { startWriter } from "./writerClient.ts";

export interface SqliteOptions {
  /** The database file, made when it is not there. */
  readonly path: string;
  /**
   * 32 bytes kept elsewhere than the file, the same for everybody who opens it. Under them lie the names of chains and
   * what erased decisions count; without them no money that counts is erased.
   */
  readonly secret?: Uint8Array;
  /** For tests: the time, and where to fail. */
  readonly clock?: () => Millis;
  readonly fault?: Fault;
}

/**
 * The embedded store: one file, read on this thread, written by a thread of its own. Several processes may have it open
 * (a gate and the command line); SQLite's lock makes their commits follow each other.
 */
export async function openSqliteStore(options: SqliteOptions): Promise<Result<Store, StoreError>> {
  const clock = options.clock ?? Date.now;
  let database: SqliteDatabase;
  try {
    database = openSqlite(options.path);
  } catch (thrown) {
    return err(sqliteError(thrown));
  }
  const migrated = migrateSqlite(database);
  const bound = migrated.ok ? bindSqlite(database, options.secret ?? null) : migrated;
  const started = bound.ok ? await startWriter(options.path, bound.value, options.fault) : bound;
  if (!bound.ok || !started.ok) {
    database.close();
    return started.ok ? (bound as never) : started;
  }
  const means = nodeMeans(bound.value);
  const writer = started.value;
  const tables = sqliteTables(database);
  const kysely = sqliteKysely(database);
  const watched = watchers(async () => dataVersion(database));
  const fairly = takeFairly();
  const snapshot = turnSnapshot(database);
  let closed = false;

  async function asking<T>(read: () => T | Promise<T>): Promise<Result<T, StoreError>> {
    if (closed) return err(storeError("store.closed"));
    try {
      return ok(await read());
    } catch (thrown) {
      return err(sqliteError(thrown));
    }
  }
  const readsOn =
    (on: Kysely<Database>): AsTenant =>
    (_, read) =>
      asking(() => read(on));

  return ok({
    ...sqlReads(readsOn(kysely), async () => clock(), means),

    // Asked at every decision, so not by way of the query builder.
    agent: (tenant, id) =>
      asking(() => {
        const [row] = database.all(AGENT, [tenant, id]);
        return row === undefined ? null : CODECS.agents.row(row);
      }),

    commit: async <C extends Change>(tenant: TenantId, change: C) => {
      if (!isTenantId(tenant)) return err(storeError("store.refused_input"));
      const answer = await writer.commit({ tenant, clock: clock(), change });
      // Whoever asks after this answer sees what was committed.
      snapshot.end();
      if (answer.ok) watched.wake(tenant);
      return answer as never;
    },

    facts: async (tenant, query) => {
      if (closed) return err(storeError("store.closed"));
      try {
        snapshot.begin();
        const head = tables.head(tenant) ?? noHead;
        const steps = gatherFacts({ tenant, head, clock: clock() }, query, means);
        let step = steps.next();
        while (!step.done) step = steps.next(tables.load(tenant, step.value));
        return ok(step.value);
      } catch (thrown) {
        snapshot.end();
        return err(sqliteError(thrown));
      }
    },

    // On a connection of its own: a long read there keeps none of the others waiting.
    snapshot: async (_, read) => {
      if (closed) return err(storeError("store.closed"));
      let own: SqliteDatabase | undefined;
      try {
        own = openSqlite(options.path);
        own.exec("begin");
        return ok(await read(snapshotLog(sqlReads(readsOn(sqliteKysely(own)), async () => clock(), means))));
      } catch (thrown) {
        return err(sqliteError(thrown));
      } finally {
        // A read that never ends would keep the write-ahead log from ever being emptied.
        if (own !== undefined) endRead(own);
        own?.close();
      }
    },

    tenants: () =>
      asking(() =>
        database.all("select tenant from heads where size > 0 order by tenant").map(({ tenant }) => String(tenant)),
      ),

    health: () => writer.probe(),
    watch: watched.watch,
    hit: localRates(clock),
    putCheckpoint: (tenant, checkpoint) => writer.task("putCheckpoint", [tenant, checkpoint]),
    settleDelivery: (tenant, id, result) => writer.task("settleDelivery", [tenant, id, result, clock()]),
    replayDeliveries: (tenant, what) => writer.task("replayDeliveries", [tenant, what, clock()]),
    takeDeliveries: async ({ limit, leaseFor }) => {
      if (closed) return err(storeError("store.closed"));
      let tenants: readonly TenantId[];
      try {
        const rows = database.all("select distinct tenant from webhooks where state = 'active'");
        tenants = rows.map(({ tenant }) => String(tenant));
      } catch (thrown) {
        return err(sqliteError(thrown));
      }
      return fairly<Delivery>(tenants, limit, (tenant, atMost) =>
        writer.task("takeDeliveries", [{ tenant, limit: atMost, leaseFor, now: clock() }]),
      );
    },

    close: async () => {
      if (closed) return;
      closed = true;
      watched.close();
      snapshot.end();
      await writer.close();
      database.close();
    },
  });
}

const AGENT = `select ${CODECS.agents.columns.join()} from agents where tenant = ? and id = ?`;
const noHead: Head = { size: 0, at: 0, peaks: [], last: LOG_START, nameKey: "", sealed: false };

/** One at a time, under the write lock of SQLite. */
function bindSqlite(database: SqliteDatabase, secret: Uint8Array | null): Result<Means["secret"], StoreError> {
  try {
    patiently(() => database.exec("begin immediate"));
    const steps = bind(secret, () => null, "", nodeMeans(null).sha256);
    let step = steps.next();
    while (!step.done) step = steps.next(database.all(step.value.sql, step.value.values));
    database.exec("commit");
    return step.value === "other" ? err(storeError("store.other_secret")) : ok(step.value);
  } catch (thrown) {
    return err(sqliteError(thrown));
  }
}

/** Changes when another process has committed: SQLite counts that for us. */
function dataVersion(database: SqliteDatabase): string | undefined {
  try {
    return String(database.all("pragma data_version")[0]?.["data_version"]);
  } catch {
    return undefined;
  }
}

/** One state of the database for all that is asked in one turn of the event loop: opening it costs as much as two questions. */
function turnSnapshot(database: SqliteDatabase): { begin(): void; end(): void } {
  let open = false;
  const end = () => {
    if (open) endRead(database);
    open = false;
  };
  return {
    begin() {
      if (open) return;
      database.exec("begin");
      open = true;
      setImmediate(end);
    },
    end,
  };
}

function endRead(database: SqliteDatabase): void {
  try {
    database.exec("rollback");
  } catch {
    // The read ended by itself, when it failed.
  }
}
