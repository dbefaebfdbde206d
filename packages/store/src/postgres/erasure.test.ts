import pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { asText, erasureSuite, SECRET } from "../testing/erasureSuite.ts";
import { startPostgres, type TestPostgres } from "../testing/startPostgres.ts";
import { openPostgresStore } from "./postgresStore.ts";

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres({ fsync: "off" });
});
afterAll(() => server.stop());

erasureSuite("a database", async () => {
  const url = await server.newDatabase();
  let now = 0;
  const opened = await openPostgresStore({ url, secret: SECRET, clock: () => now });
  if (!opened.ok) throw new Error(opened.error.code);
  const name = new URL(url).pathname.slice(1);
  const owner = new pg.Client({ connectionString: server.superUrl.replace(/\/postgres$/, `/${name}`) });
  owner.on("error", () => {});
  await owner.connect();
  return {
    store: opened.value,
    setClock: (to) => {
      now = to;
    },
    dump: async () => {
      const tables = await owner.query("select tablename from pg_tables where schemaname = 'public'");
      const rows = [];
      for (const { tablename } of tables.rows)
        rows.push([tablename, (await owner.query(`select * from "${tablename}"`)).rows.map((row) => asText(row))]);
      return JSON.stringify(rows);
    },
    close: async () => {
      await owner.end();
      await opened.value.close();
    },
  };
});
