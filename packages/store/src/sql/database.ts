import type { EntryRow, Rows, StoredCheckpoint, SumRow, TableName } from "@countersign/core";

type Snake<S extends string> = S extends `${infer Head}${infer Rest}`
  ? Head extends Lowercase<Head>
    ? `${Head}${Snake<Rest>}`
    : `_${Lowercase<Head>}${Snake<Rest>}`
  : S;

/** Lists and objects are JSON text. */
type Column<V> = [V] extends [string | number | null | Uint8Array] ? V : string | Extract<V, null>;

type SqlRow<R> = { [K in keyof R & string as Snake<K>]: Column<R[K]> } & { tenant: string };

export interface DeliveryRow {
  readonly id: string;
  readonly webhook: string;
  readonly seq: number;
  readonly attempts: number;
  readonly dueAt: number;
  readonly state: "due" | "delivered" | "dead";
  readonly error: string;
}

interface HeadColumns {
  readonly size: number;
  readonly at: number;
  readonly peaks: Uint8Array;
  readonly last: string;
  readonly nameKey: string;
  readonly sealed: number;
}

interface NodeColumns {
  readonly level: number;
  readonly index: number;
  readonly hash: Uint8Array;
}

/** The tables as Kysely sees them. */
export type Database = { [T in Exclude<TableName, "decisions"> as Snake<T>]: SqlRow<Rows[T]> } & {
  decisions: SqlRow<
    Pick<Rows["decisions"], "id" | "seq" | "agent" | "verdict" | "redeemedAt" | "outcome" | "money" | "releaseAt">
  > & { readonly rest: string };

  heads: SqlRow<HeadColumns>;
  entries: SqlRow<EntryRow>;
  nodes: SqlRow<NodeColumns>;
  sums: SqlRow<SumRow>;
  checkpoints: SqlRow<StoredCheckpoint>;
  deliveries: SqlRow<DeliveryRow>;
};
