import pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { frozenRows, migrationSuite } from "../testing/migrationSuite.ts";
import { startPostgres, type TestPostgres } from "../testing/startPostgres.ts";
import { migratePostgres } from "./migrate.ts";
import { openPostgresStore } from "./postgresStore.ts";

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres({ fsync: "off" });
});
afterAll(() => server.stop());

migrationSuite("a database", async (frozen) => {
  const url = await server.newDatabase();
  const pool = new pg.Pool({ connectionString: url });
  const migrated = await migratePostgres(pool, frozen.version);
  if (!migrated.ok) throw new Error(migrated.error.code);
  await pool.end();
  // No policy of a row keeps the superuser out.
  const name = new URL(url).pathname.slice(1);
  const owner = new pg.Client({ connectionString: server.superUrl.replace(/\/postgres$/, `/${name}`) });
  await owner.connect();
  for (const { table, columns, values } of frozenRows(frozen, (hex) => Buffer.from(hex, "hex"))) {
    const names = columns.map((column) => `"${column}"`).join();
    await owner.query(
      `insert into "${table}" (${names}) values (${columns.map((_, i) => `$${i + 1}`).join()})`,
      values,
    );
  }
  await owner.end();
  let now = 0;
  const opened = await openPostgresStore({ url, secret: new Uint8Array(32).fill(7), clock: () => now });
  if (!opened.ok) throw new Error(opened.error.code);
  return {
    store: opened.value,
    setClock: (to) => {
      now = to;
    },
    close: () => opened.value.close(),
  };
});
