import {
  DELIVERED_FOR,
  type Delivery,
  type EntryRow,
  hears,
  type Millis,
  type StoredCheckpoint,
  type TenantId,
  viewEvent,
  viewWebhook,
  type Webhooks,
} from "@countersign/core";
import { CODECS, type RawRow, type SqlValue } from "./codec.ts";

/** One statement, with a `?` for each value. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Writes outside the ledger, as steps that any engine drives: SQLite in the writer's thread, PostgreSQL by queries. */
export type Task<T> = Generator<Statement, T, readonly RawRow[]>;

export function* putCheckpoint(tenant: TenantId, { size, note }: StoredCheckpoint): Task<void> {
  const keep = "on conflict (tenant, size) do update set note = excluded.note";
  yield { sql: `insert into checkpoints (tenant, size, note) values (?, ?, ?) ${keep}`, values: [tenant, size, note] };
}

/** How far one look goes through the log for each endpoint; the next look goes on from there. */
const eventsAtOnce = 500;

export interface Taking {
  readonly tenant: TenantId;
  readonly limit: number;
  readonly leaseFor: Millis;
  readonly now: Millis;
}

export function* takeDeliveries({ tenant, limit, leaseFor, now }: Taking): Task<Delivery[]> {
  const webhooks = yield {
    sql: `select * from webhooks where tenant = ? and state = 'active'`,
    values: [tenant],
  };
  for (const raw of webhooks) yield* plan(tenant, raw, now);
  const due = yield {
    sql: `select id, webhook, seq, attempts from deliveries
      where tenant = ? and state = 'due' and due_at <= ? and webhook in
      (select id from webhooks where tenant = ? and state = 'active') order by due_at, seq limit ?`,
    values: [tenant, now, tenant, limit],
  };
  const taken: Delivery[] = [];
  for (const row of due) {
    // Another gate may have found the same one: whoever changes the row first has it.
    const [mine] = yield {
      sql: `update deliveries set due_at = ? where tenant = ? and id = ? and state = 'due' and due_at <= ? returning id`,
      values: [now + leaseFor, tenant, String(row["id"]), now],
    };
    if (mine === undefined) continue;
    const [entry] = yield {
      sql: `select ${eventColumns} from entries where tenant = ? and seq = ?`,
      values: [tenant, Number(row["seq"])],
    };
    const webhook = webhooks.find((raw) => raw["id"] === row["webhook"]);
    if (entry === undefined || webhook === undefined) continue;
    taken.push({
      id: String(row["id"]),
      webhook: viewWebhook(CODECS.webhooks.row(webhook)),
      event: viewEvent(eventRow(entry)),
      attempts: Number(row["attempts"]),
    });
  }
  return taken;
}

/** Makes deliveries of the events an endpoint has not been told of, once each. */
function* plan(tenant: TenantId, raw: RawRow, now: Millis): Task<void> {
  const webhook = CODECS.webhooks.row(raw);
  const entries = yield {
    sql: `select ${eventColumns} from entries where tenant = ? and seq > ? order by seq limit ?`,
    values: [tenant, webhook.cursor, eventsAtOnce],
  };
  const last = entries.at(-1);
  if (last === undefined) return;
  for (const entry of entries.map(eventRow)) {
    if (!hears(webhook, entry)) continue;
    yield {
      sql: `insert into deliveries (tenant, id, webhook, seq, attempts, due_at, state, error)
        values (?, ?, ?, ?, 0, ?, 'due', '') on conflict (tenant, id) do nothing`,
      values: [tenant, `${webhook.id}/${entry.seq}`, webhook.id, entry.seq, now],
    };
  }
  yield {
    sql: `delete from deliveries where tenant = ? and state = 'delivered' and due_at <= ?`,
    values: [tenant, now - DELIVERED_FOR],
  };
  yield {
    sql: `update webhooks set "cursor" = ? where tenant = ? and id = ?`,
    values: [Number(last["seq"]), tenant, webhook.id],
  };
}

const eventColumns = "seq, at, kind, ref, agent, codes, record, leaf_hash";

const eventRow = (raw: RawRow): EntryRow => ({
  seq: Number(raw["seq"]),
  at: Number(raw["at"]),
  kind: String(raw["kind"]),
  ref: String(raw["ref"]),
  agent: raw["agent"] as string | null,
  codes: JSON.parse(String(raw["codes"])),
  record: String(raw["record"]),
  leafHash: raw["leaf_hash"] as Uint8Array,
  chain: null,
});

type Settled = Parameters<Webhooks["settleDelivery"]>[2];

export function* settleDelivery(tenant: TenantId, id: string, result: Settled, now: Millis): Task<void> {
  const due = result.state === "due" ? now + result.after : now;
  const error = result.state === "delivered" ? "" : result.error;
  yield {
    sql: `update deliveries set attempts = attempts + 1, state = ?, error = ?, due_at = ? where tenant = ? and id = ?`,
    values: [result.state, error, due, tenant, id],
  };
}

type Replayed = Parameters<Webhooks["replayDeliveries"]>[1];

export function* replayDeliveries(tenant: TenantId, what: Replayed, now: Millis): Task<number> {
  const [where, values]: [string, SqlValue[]] =
    "delivery" in what ? ["id = ?", [what.delivery]] : ["webhook = ? and seq >= ?", [what.webhook, what.since]];
  const rows = yield {
    sql: `update deliveries set state = 'due', attempts = 0, due_at = ? where tenant = ? and ${where} returning id`,
    values: [now, tenant, ...values],
  };
  return rows.length;
}

/** By name, so that a task can be sent to the thread that does it. */
export const TASKS = { putCheckpoint, takeDeliveries, settleDelivery, replayDeliveries } as const;

export type TaskName = keyof typeof TASKS;

export type TaskArguments<N extends TaskName> = Parameters<(typeof TASKS)[N]>;

export type TaskResult<N extends TaskName> = ReturnType<(typeof TASKS)[N]> extends Task<infer T> ? T : never;

export const startTask = <N extends TaskName>(name: N, values: TaskArguments<N>): Task<TaskResult<N>> =>
  (TASKS[name] as (...values: TaskArguments<N>) => Task<TaskResult<N>>)(...values);
