import { hex } from "../../record/hex.ts";
import { LOG_START } from "../../record/logRecord.ts";
import type { Millis } from "../ledger/change.ts";
import { getOrMake } from "../ledger/getOrMake.ts";
import type { EntryRow, Head, Rows, TableName } from "../ledger/rows.ts";
import {
  inForce,
  keyOf,
  keysOf,
  type Loaded,
  type LoadRequest,
  type Means,
  rowsOf,
  type Selector,
  type Writes,
} from "../ledger/work.ts";
import type { StoredCheckpoint, SumRow } from "../ports.ts";

export interface MemoryDelivery {
  readonly id: string;
  readonly webhook: string;
  readonly seq: number;
  readonly attempts: number;
  readonly dueAt: Millis;
  readonly state: "due" | "delivered" | "dead";
  readonly error: string;
}

/** Everything one tenant has. */
export interface MemoryTenant {
  head: Head;
  readonly rows: Map<TableName, Map<string, Rows[TableName]>>;
  readonly sums: Map<string, SumRow>;
  readonly entries: EntryRow[];
  readonly nodes: Map<string, Uint8Array>;
  readonly checkpoints: Map<number, StoredCheckpoint>;
  readonly deliveries: Map<string, MemoryDelivery>;
  readonly hits: Map<string, Millis[]>;
  readonly watchers: Set<() => void>;
}

export const newTenant = (means: Means): MemoryTenant => ({
  head: { size: 0, at: 0, peaks: [], last: LOG_START, nameKey: hex(means.random(32)), sealed: false },
  rows: new Map(),
  sums: new Map(),
  entries: [],
  nodes: new Map(),
  checkpoints: new Map(),
  deliveries: new Map(),
  hits: new Map(),
  watchers: new Set(),
});

export const rowsIn = <T extends TableName>(tenant: MemoryTenant, table: T): Map<string, Rows[T]> =>
  getOrMake(tenant.rows, table, () => new Map()) as Map<string, Rows[T]>;

export function load(tenant: MemoryTenant, request: LoadRequest): Loaded {
  const rows = new Map<TableName, Rows[TableName][]>();
  const found = (table: TableName, row: Rows[TableName] | undefined): void => {
    if (row !== undefined) getOrMake(rows, table, () => []).push(row);
  };
  for (const [table, keys] of keysOf(request.keys))
    for (const key of keys) found(table, rowsIn(tenant, table).get(key));
  for (const selector of request.select) {
    const [table, selected] = select(tenant, selector);
    for (const row of selected) found(table, row);
  }
  const sums = [...tenant.sums.values()].filter((sum) =>
    request.sums.some(
      ({ series, shift, from, to }) =>
        sum.series === series && sum.shift === shift && sum.bucket >= from && sum.bucket <= to,
    ),
  );
  return { rows: Object.fromEntries(rows) as Loaded["rows"], sums };
}

/** What a selector finds. Memory has no limit to it. */
function select(tenant: MemoryTenant, selector: Selector): [TableName, Rows[TableName][]] {
  const where = <T extends TableName>(table: T, matches: (row: Rows[T]) => boolean): [T, Rows[T][]] => [
    table,
    [...rowsIn(tenant, table).values()].filter(matches),
  ];
  switch (selector.select) {
    case "stopsInForce":
      return where("stops", (row) => inForce(row, selector.now));
    case "moneyDue":
      return where("decisions", ({ money, releaseAt }) => money === "reserved" && isPast(releaseAt, selector.now));
    case "holdsDue":
      return where(
        "holds",
        ({ state, expiresAt, remindAt }) =>
          state === "open" && (expiresAt <= selector.now || isPast(remindAt, selector.now)),
      );
    case "contentsDue":
      return where("contents", ({ keepUntil, held }) => held === null && isPast(keepUntil, selector.now));
    case "idempotencyDue":
      return where("idempotency", ({ expiresAt }) => expiresAt <= selector.now);
    case "claimsDue":
      return where("claims", ({ state, heldUntil }) => state === "answered" && heldUntil <= selector.now);
    case "sealedDue":
      return where("sealed", ({ until }) => until <= selector.now);
    case "idempotencyAbout":
      return where("idempotency", ({ ref }) => ref === selector.ref);
    case "subject":
      return where("subjects", ({ subject }) => subject === selector.subject);
    case "grantsFor":
      return where("grants", (row) => row.agent === selector.agent && row.actionDigest === selector.actionDigest);
    case "marksOf":
      return where("marks", ({ credential, at }) => credential === selector.credential && at > selector.since);
  }
}

const isPast = (at: Millis | null, now: Millis): boolean => at !== null && at <= now;

export function write(tenant: MemoryTenant, writes: Writes): void {
  tenant.head = writes.head;
  tenant.entries.push(...writes.entries);
  for (const { level, index, hash } of writes.nodes) tenant.nodes.set(`${level}/${index}`, hash);
  for (const { series, shift, bucket } of writes.sumsGone) tenant.sums.delete(`${series}/${shift}/${bucket}`);
  for (const sum of writes.sums) tenant.sums.set(`${sum.series}/${sum.shift}/${sum.bucket}`, sum);
  for (const [table, rows] of [...rowsOf(writes.inserted), ...rowsOf(writes.rows)]) {
    for (const row of rows) rowsIn(tenant, table).set(keyOf(table, row), row);
  }
  for (const [table, keys] of keysOf(writes.deleted)) for (const key of keys) rowsIn(tenant, table).delete(key);
}
