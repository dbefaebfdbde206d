import {
  type Change,
  type Committed,
  commitGroup,
  err,
  LARGEST_GROUP,
  type LedgerError,
  type Means,
  type Millis,
  type Result,
  type StoreError,
  type TenantId,
} from "@countersign/core";
import type { Pool, PoolClient } from "pg";
import type { Reached } from "../faults.ts";
import { storeError } from "../sql/storeError.ts";
import { isAnswered, postgresError } from "./errors.ts";
import { load, lockHead, write } from "./tables.ts";

type Written = Result<Committed<Change["kind"]>, LedgerError>;

interface Waiting {
  readonly change: Change;
  readonly answer: (written: Written) => void;
}

/**
 * Commits in groups, one at a time a tenant: whatever waits when a group ends is the next group. Other gates are held
 * off by the lock on the head, and by nothing else.
 */
export function committer(pool: Pool, clock: (() => Millis) | undefined, means: Means, reached: Reached) {
  const queues = new Map<TenantId, Waiting[]>();

  async function run(tenant: TenantId, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      const group = queue.splice(0, LARGEST_GROUP);
      const answers = await commitChanges(
        tenant,
        group.map(({ change }) => change),
      );
      for (const [i, { answer }] of group.entries()) answer(answers[i] as Written);
      if (group.length > 0) reached("answered");
    }
    queues.delete(tenant);
  }

  async function commitChanges(tenant: TenantId, changes: readonly Change[]): Promise<readonly Written[]> {
    reached("received");
    const done = await transact(tenant, changes);
    if (done.ok) return done.value;
    // One change that the database or the ledger cannot take must not take its neighbours with it.
    if (!done.error.alone || changes.length === 1) return changes.map(() => err(done.error.error));
    const answers: Written[] = [];
    for (const change of changes) answers.push(...(await commitChanges(tenant, [change])));
    return answers;
  }

  async function transact(
    tenant: TenantId,
    changes: readonly Change[],
  ): Promise<Result<readonly Written[], { readonly error: StoreError; readonly alone: boolean }>> {
    let client: PoolClient;
    try {
      client = await pool.connect();
    } catch (thrown) {
      return err({ error: postgresError(thrown), alone: false });
    }
    let committing = false;
    try {
      const { head, clock: databaseTime } = await lockHead(client, tenant);
      reached("locked");
      const steps = commitGroup({ tenant, head, clock: clock?.() ?? databaseTime, changes }, means);
      let step = judging(() => steps.next());
      while (!step.done) {
        const loaded = await load(client, tenant, step.value);
        reached("loaded");
        step = judging(() => steps.next(loaded));
      }
      reached("judged");
      const { answers, writes } = step.value;
      if (writes !== undefined) await write(client, tenant, writes);
      reached("written");
      committing = true;
      await client.query("commit");
      reached("committed");
      client.release();
      return { ok: true, value: answers };
    } catch (thrown) {
      // A connection in an unknown state is not used again.
      client.release(true);
      const error = postgresError(thrown);
      if (committing && !isAnswered(thrown)) return err({ error: storeError("store.in_doubt"), alone: false });
      if (thrown instanceof BrokenLedger) return err({ error: storeError("store.corrupt"), alone: true });
      return err({ error, alone: error.code === "store.refused_input" || error.code === "store.corrupt" });
    }
  }

  return (tenant: TenantId, change: Change): Promise<Written> =>
    new Promise((resolve) => {
      const queue = queues.get(tenant);
      const waiting = { change, answer: resolve };
      if (queue !== undefined) return void queue.push(waiting);
      const started = [waiting];
      queues.set(tenant, started);
      // After what is asked in this same turn has joined: else the first one would go alone, and all others after it.
      queueMicrotask(() => void run(tenant, started));
    });
}

/** What the ledger read contradicts itself: told apart from a connection that broke, which is a plain error too. */
class BrokenLedger extends Error {
  override readonly name = "BrokenLedger";
}

function judging<T>(step: () => T): T {
  try {
    return step();
  } catch (thrown) {
    throw new BrokenLedger("the ledger cannot be judged", { cause: thrown });
  }
}
