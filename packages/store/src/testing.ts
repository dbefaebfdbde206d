export {
  type PostgresOptions as TestPostgresOptions,
  startPostgres,
  type TestPostgres,
} from "./testing/startPostgres.ts";
