import {
  type Change,
  type Committed,
  commitGroup,
  err,
  type LedgerError,
  type Means,
  type Millis,
  ok,
  type Result,
  type StoreError,
} from "@countersign/core";
import { type Fault, faultAt, InjectedFault, type Reached } from "../faults.ts";
import { nodeMeans } from "../means.ts";
import { storeError } from "../sql/storeError.ts";
import { startTask, type TaskArguments, type TaskName, type TaskResult } from "../sql/tasks.ts";
import { isFromEngine, openSqlite, type SqliteDatabase, sqliteError } from "./driver.ts";
import { rememberingTables } from "./remembered.ts";
import { samePlace } from "./samePlace.ts";
import { type SqliteTables, sqliteTables } from "./tables.ts";

export interface Submitted {
  readonly tenant: string;
  readonly clock: Millis;
  readonly change: Change;
}

export type Written = Result<Committed<Change["kind"]>, LedgerError>;

export interface SqliteWriter {
  /** One transaction for all of them; an answer for each, in order. */
  commit(batch: readonly Submitted[]): Written[];
  /** A write outside the ledger, in a transaction of its own. */
  task<N extends TaskName>(name: N, values: TaskArguments<N>): Result<TaskResult<N>, StoreError>;
  /** Whether something could be written now. */
  probe(): Result<void, StoreError>;
  close(): void;
}

/** The one connection of this process that writes. Runs in a thread of its own, as each commit waits for the disk. */
export function openWriter(path: string, secret: Means["secret"], fault?: Fault): SqliteWriter {
  const database = openSqlite(path);
  const tables = rememberingTables(database, sqliteTables(database));
  const reached = faultAt(fault);
  const means = nodeMeans(secret);
  const isThere = samePlace(path);
  return {
    commit(batch) {
      reached("received");
      if (!isThere()) return batch.map(() => err(storeError("store.unavailable")));
      const written = transact(database, batch, (group) => commitTenant(tables, group, means, reached), reached);
      if (written.ok) {
        // The write-ahead log still holds what was erased, until it is emptied.
        if (batch.some(({ change }) => change.kind === "erase" || change.kind === "sweep")) emptyLog(database);
        return written.answers;
      }
      tables.forget();
      // One change that the ledger cannot judge must not take its neighbours with it.
      if (written.broken && batch.length > 1) return batch.flatMap((one) => this.commit([one]));
      return batch.map(() => err(written.error));
    },
    task: (name, values) =>
      guarded(database, () => {
        database.run("begin immediate");
        const steps = startTask(name, values);
        let step = steps.next();
        while (!step.done) step = steps.next(database.all(step.value.sql, step.value.values));
        database.run("commit");
        return step.value;
      }),
    probe: () =>
      isThere("now")
        ? guarded(database, () => {
            database.run("begin immediate");
            database.run("rollback");
          })
        : err(storeError("store.unavailable")),
    close() {
      // So that the file alone is the whole database when nobody has it open.
      emptyLog(database);
      database.close();
    },
  };
}

type Transacted =
  | { readonly ok: true; readonly answers: Written[] }
  | { readonly ok: false; readonly error: LedgerError; readonly broken: boolean };

function transact(
  database: SqliteDatabase,
  batch: readonly Submitted[],
  commitTenant: (group: readonly Submitted[]) => readonly Written[],
  reached: Reached,
): Transacted {
  let committing = false;
  try {
    database.run("begin immediate");
    reached("begun");
    const answers = new Map<Submitted, Written>();
    for (const group of byTenant(batch)) {
      for (const [i, answer] of commitTenant(group).entries()) answers.set(group[i] as Submitted, answer);
    }
    reached("written");
    committing = true;
    database.run("commit");
    reached("committed");
    return { ok: true, answers: batch.map((one) => answers.get(one) as Written) };
  } catch (thrown) {
    rollback(database);
    const error = errorOf(thrown);
    // A commit that the disk failed may be found done when the file is opened again.
    const doubtful = committing && (error.code === "store.unavailable" || thrown instanceof InjectedFault);
    return { ok: false, error: doubtful ? storeError("store.in_doubt") : error, broken: !isFromEngine(thrown) };
  }
}

function commitTenant(
  tables: SqliteTables,
  group: readonly Submitted[],
  means: Means,
  reached: Reached,
): readonly Written[] {
  const tenant = group[0]?.tenant ?? "";
  const head = tables.headForWriting(tenant);
  reached("locked");
  const clock = Math.max(...group.map((one) => one.clock));
  const steps = commitGroup({ tenant, head, clock, changes: group.map((one) => one.change) }, means);
  let step = steps.next();
  while (!step.done) {
    const loaded = tables.load(tenant, step.value);
    reached("loaded");
    step = steps.next(loaded);
  }
  const { answers, writes } = step.value;
  reached("judged");
  if (writes !== undefined) tables.write(tenant, writes);
  return answers;
}

function byTenant(batch: readonly Submitted[]): Submitted[][] {
  const groups = new Map<string, Submitted[]>();
  for (const one of batch) {
    const group = groups.get(one.tenant);
    if (group === undefined) groups.set(one.tenant, [one]);
    else group.push(one);
  }
  return [...groups.values()];
}

/** Moves the write-ahead log into the file. Whoever still reads an older state is not waited for. */
function emptyLog(database: SqliteDatabase): void {
  guarded(database, () => {
    database.exec("pragma busy_timeout = 0");
    database.all("pragma wal_checkpoint(truncate)");
  });
  guarded(database, () => database.exec("pragma busy_timeout = 5000"));
}

function guarded<T>(database: SqliteDatabase, work: () => T): Result<T, StoreError> {
  try {
    return ok(work());
  } catch (thrown) {
    rollback(database);
    return err(errorOf(thrown));
  }
}

function rollback(database: SqliteDatabase): void {
  try {
    database.run("rollback");
  } catch {
    // The engine has rolled back by itself, as it does when the disk is full.
  }
}

const errorOf = (thrown: unknown) => (isFromEngine(thrown) ? sqliteError(thrown) : storeError("store.corrupt"));
