import { verifySuite } from "@countersign/core/testing";
import pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { startPostgres, type TestPostgres } from "../testing/startPostgres.ts";
import { openPostgresStore } from "./postgresStore.ts";
import { numbered } from "./tables.ts";

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres({ fsync: "off" });
});
afterAll(() => server.stop());

verifySuite("a PostgreSQL database", async () => {
  const opened = await openPostgresStore({ url: server.url, secret: new Uint8Array(32).fill(7) });
  if (!opened.ok) throw new Error(opened.error.message);
  // The superuser sees through row-level security, as whoever tampers might.
  const behind = new pg.Client({
    connectionString: server.superUrl.replace(/postgres$/, new URL(server.url).pathname.slice(1)),
  });
  await behind.connect();
  const { rows } = await behind.query(
    "select tablename from pg_tables where schemaname = 'public' and tablename <> 'schema_version'",
  );
  return {
    store: opened.value,
    sql: async (text, values) => void (await behind.query(numbered(text), [...values])),
    close: async () => {
      await behind.query(`truncate ${rows.map(({ tablename }) => `"${tablename}"`).join()}`);
      await behind.end();
      await opened.value.close();
    },
  };
});
