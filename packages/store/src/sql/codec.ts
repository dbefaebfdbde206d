import { type ColumnType, type Rows, TABLES, type TableName } from "@countersign/core";

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

/** Where the packed columns of a row are: a JSON list in the order of the table, to which columns are added at the end. */
const REST = "rest";

function codec<T extends TableName>(table: T): Codec<T> {
  const { key, columns } = TABLES[table];
  const all = Object.entries<ColumnType>(columns);
  const fields = all.filter(([, type]) => type !== "packed").map(([name, type]) => ({ name, sql: snake(name), type }));
  const packed = all.filter(([, type]) => type === "packed").map(([name]) => name);
  const rest = packed.length === 0 ? [] : [REST];
  return {
    table: quoted(table),
    key: quoted(key),
    columns: [...fields.map(({ name }) => quoted(name)), ...rest.map(quoted)],
    types: [...fields.map(({ type }) => (type === "integer" ? "integer" : "text")), ...rest.map(() => "text" as const)],
    // A plain loop: this runs for every row of every commit.
    values: (row) => {
      const members = row as unknown as Record<string, unknown>;
      const values: SqlValue[] = [];
      for (const { name, type } of fields) {
        const value = members[name];
        values.push(type === "json" && value !== null ? JSON.stringify(value) : (value as SqlValue));
      }
      if (packed.length === 0) return values;
      const rest: unknown[] = [];
      for (const name of packed) rest.push(members[name]);
      values.push(JSON.stringify(rest));
      return values;
    },
    row: (raw) => {
      const row: Record<string, unknown> = {};
      for (const { name, sql, type } of fields) {
        const value = raw[sql] ?? null;
        if (value === null) row[name] = null;
        else row[name] = type === "json" ? JSON.parse(String(value)) : type === "integer" ? Number(value) : value;
      }
      if (packed.length > 0) {
        const values: unknown[] = JSON.parse(String(raw[REST]));
        for (const [i, name] of packed.entries()) row[name] = values[i] ?? null;
      }
      return row as unknown as Rows[T];
    },
  };
}

export const CODECS = Object.fromEntries(Object.keys(TABLES).map((table) => [table, codec(table as TableName)])) as {
  readonly [T in TableName]: Codec<T>;
};
