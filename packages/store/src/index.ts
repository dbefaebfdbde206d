export { FAULT_POINTS, type Fault, type FaultPoint } from "./faults.ts";
export { openPostgresStore, type PostgresOptions } from "./postgres/postgresStore.ts";
export { openSqliteStore, type SqliteOptions } from "./sqlite/sqliteStore.ts";
