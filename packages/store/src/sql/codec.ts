import { type Rows, TABLES, type TableName } from "@countersign/core";

/** `policyVersions` is `policy_versions` in SQL. */
export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Several column names are words of SQL. */
export const quoted = (name: string): string => `"${snake(name)}"`;

export type SqlValue = string | number | null | Uint8Array;

export type RawRow = Readonly<Record<string, unknown>>;

/** How the rows of one table are written and read back. */
export interface Codec<T extends TableName> {
  readonly table: string;
  readonly key: string;
  /** Quoted, in the order of `values`. */
  readonly columns: readonly string[];
  readonly types: readonly ("text" | "integer")[];
  values(row: Rows[T]): SqlValue[];
  row(raw: RawRow): Rows[T];
}

function codec<T extends TableName>(table: T): Codec<T> {
  const { key, columns } = TABLES[table];
  const fields = Object.entries<string>(columns).map(([name, type]) => ({ name, sql: snake(name), type }));
  return {
    table: quoted(table),
    key: quoted(key),
    columns: fields.map(({ name }) => quoted(name)),
    types: fields.map(({ type }) => (type === "integer" ? "integer" : "text")),
    values: (row) =>
      fields.map(({ name, type }) => {
        const value = (row as unknown as Record<string, unknown>)[name];
        return type === "json" && value !== null ? JSON.stringify(value) : (value as SqlValue);
      }),
    row: (raw) =>
      Object.fromEntries(
        fields.map(({ name, sql, type }) => {
          const value = raw[sql] ?? null;
          if (value === null) return [name, null];
          return [name, type === "json" ? JSON.parse(String(value)) : type === "integer" ? Number(value) : value];
        }),
      ) as unknown as Rows[T],
  };
}

export const CODECS = Object.fromEntries(Object.keys(TABLES).map((table) => [table, codec(table as TableName)])) as {
  readonly [T in TableName]: Codec<T>;
};
