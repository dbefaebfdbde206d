import { afterAll, beforeAll } from "vitest";
import { crashSuite } from "../testing/crashSuite.ts";
import { startPostgres, type TestPostgres } from "../testing/startPostgres.ts";
import { openPostgresStore } from "./postgresStore.ts";

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres({ fsync: "on" });
});
afterAll(() => server.stop());

crashSuite(
  "one PostgreSQL",
  ["received", "locked", "loaded", "judged", "written", "committed", "answered"],
  async () => {
    const url = await server.newDatabase();
    return {
      engine: "postgres",
      where: url,
      open: async () => {
        const opened = await openPostgresStore({ url });
        if (!opened.ok) throw new Error(opened.error.message);
        return opened.value;
      },
      close: async () => {},
    };
  },
);
