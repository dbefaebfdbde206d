import { modelSuite, storeSuite } from "@countersign/core/testing";
import { startPostgres } from "../testing/startPostgres.ts";
import { openPostgresStore } from "./postgresStore.ts";

async function open() {
  const server = await startPostgres({ fsync: "off" });
  let now = 0;
  const opened = await openPostgresStore({ url: server.url, secret: new Uint8Array(32).fill(7), clock: () => now });
  if (!opened.ok) throw new Error(opened.error.message);
  return {
    store: opened.value,
    setClock: (to: number) => {
      now = to;
    },
    close: async () => {
      await opened.value.close();
      await server.stop();
    },
  };
}

storeSuite("the PostgreSQL store", open);
modelSuite("the PostgreSQL store", open, 30);
