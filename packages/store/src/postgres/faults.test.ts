import type { Store } from "@countersign/core";
import { verifyLog } from "@countersign/core";
import { decideChange, nodeSha256, payment } from "@countersign/core/testing";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MIGRATIONS } from "../sql/migrations.ts";
import { type CuttingProxy, cuttingProxy } from "../testing/cuttingProxy.ts";
import { startPostgres, type TestPostgres } from "../testing/startPostgres.ts";
import { openPostgresStore } from "./postgresStore.ts";
import { lockHead } from "./tables.ts";

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres({ fsync: "off" });
});
afterAll(() => server.stop());

const opened = async (url: string): Promise<Store> => {
  const result = await openPostgresStore({ url });
  if (!result.ok) throw new Error(result.error.code);
  return result.value;
};
const codeOf = async (answer: Promise<{ ok: true } | { ok: false; error: { code: string } }>) => {
  const result = await answer;
  return result.ok ? "made" : result.error.code;
};
const paid = () => decideChange({ reservations: [payment("10", "100")] });
const healthy = async (store: Store) => {
  const verdict = await verifyLog("t", store, { trust: "figures-only", since: [], sha256: nodeSha256 });
  return verdict.ok && verdict.value.healthy ? verdict.value.size : verdict;
};

describe("when the line to the database is cut", () => {
  let proxy: CuttingProxy;
  let store: Store;
  let url: string;
  beforeEach(async () => {
    url = await server.newDatabase();
    proxy = await cuttingProxy(url);
    store = await opened(proxy.url);
    expect(await codeOf(store.commit("t", paid()))).toBe("made");
  });
  afterEach(async () => {
    await store.close();
    await proxy.close();
  });

  test("while it commits, the answer is in doubt, and the same id settles it once", async () => {
    const change = paid();
    // The statement, and not the setting that has the word in its name.
    proxy.cutAfter("commit\0");
    expect(await codeOf(store.commit("t", change))).toBe("store.in_doubt");
    expect(await codeOf(store.commit("t", change))).toBe("made");
    expect(await healthy(store)).toBe(2);
  });

  test.each(["for update", "load decisions", "write entries"])(
    "after it said '%s', nothing is done, and nothing is held up",
    async (text) => {
      const change = paid();
      proxy.cutAfter(text);
      expect(await codeOf(store.commit("t", change))).toBe("store.unavailable");
      expect(await healthy(store)).toBe(1);
      expect(await codeOf(store.commit("t", change))).toBe("made");
      expect(await healthy(store)).toBe(2);
    },
  );

  test("and comes back, commits, facts and reads fail in between and work again", async () => {
    await proxy.down();
    expect(await codeOf(store.commit("t", paid()))).toBe("store.unavailable");
    expect(await codeOf(store.decision("t", "dec_1"))).toBe("store.unavailable");
    expect(await codeOf(store.health())).toBe("store.unavailable");
    await proxy.up();
    expect(await codeOf(store.health())).toBe("made");
    expect(await codeOf(store.commit("t", paid()))).toBe("made");
    expect(await healthy(store)).toBe(2);
  });
});

test("a gate whose connection is ended by the server inside a transaction has done nothing", async () => {
  const url = await server.newDatabase();
  const store = await opened(url);
  await store.commit("t", paid());
  const behind = new pg.Client({ connectionString: url });
  await behind.connect();
  await behind.query("begin; select set_config('countersign.tenant', 't', true); select * from heads for update");
  const waiting = codeOf(store.commit("t", paid()));
  const superuser = new pg.Client({ connectionString: server.superUrl });
  await superuser.connect();
  const end = "select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock'";
  await expect.poll(async () => (await superuser.query(end)).rowCount).toBeGreaterThan(0);
  expect(await waiting).toBe("store.unavailable");
  await behind.query("rollback");
  await behind.end();
  await superuser.end();
  expect(await healthy(store)).toBe(1);
  await store.close();
});

test("a commit waits for the disk, also in a database that is set not to", async () => {
  const url = await server.newDatabase();
  const store = await opened(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("set synchronous_commit = off");
  await lockHead(client, "t");
  expect((await client.query("show synchronous_commit")).rows).toEqual([{ synchronous_commit: "on" }]);
  await client.query("rollback");
  await client.query("set synchronous_commit = remote_apply");
  await lockHead(client, "t");
  expect((await client.query("show synchronous_commit")).rows).toEqual([{ synchronous_commit: "remote_apply" }]);
  await client.end();
  await store.close();
});

test("a database that cannot be written takes nothing and says so", async () => {
  const url = await server.newDatabase();
  const store = await opened(url);
  await store.commit("t", paid());
  const role = new URL(url).username;
  const superuser = new pg.Client({ connectionString: server.superUrl });
  await superuser.connect();
  await superuser.query(`alter role ${role} set default_transaction_read_only = on`);
  const readOnly = new pg.Pool({ connectionString: url });
  await readOnly.end();
  await store.close();
  expect(await openPostgresStore({ url })).toMatchObject({ ok: false, error: { code: "store.read_only" } });
  await superuser.query(`alter role ${role} reset default_transaction_read_only`);
  await superuser.end();
});

test("more readers than connections wait for each other and not for themselves", async () => {
  const opened = await openPostgresStore({ url: await server.newDatabase(), connections: 2 });
  if (!opened.ok) throw new Error(opened.error.code);
  const store = opened.value;
  const reading = () => store.holds("t", { state: "open", agents: null, order: "risk", limit: 9 });
  const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(reading())));
  expect(codes.filter((code) => code !== "made")).toEqual([]);
  await store.close();
});

describe("a tenant", () => {
  test("never sees another one's rows, whatever the query asks for", async () => {
    const url = await server.newDatabase();
    const store = await opened(url);
    await store.commit("one", paid());
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const count = async () => (await client.query("select count(*)::int as n from decisions")).rows[0].n;
    expect(await count()).toBe(0);
    await client.query("begin; select set_config('countersign.tenant', 'two', true)");
    expect(await count()).toBe(0);
    const forged = `insert into agents (tenant, id, org, teams, state) values ('one', 'x', null, '[]', 'active')`;
    await expect(client.query(forged)).rejects.toMatchObject({ code: "42501" });
    await client.query("rollback");
    await client.query("begin; select set_config('countersign.tenant', 'one', true)");
    expect(await count()).toBe(1);
    await client.query("rollback");
    const { rows } = await client.query(`select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid
      where a.attname = 'tenant' and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and not (c.relrowsecurity and c.relforcerowsecurity)`);
    expect(rows).toEqual([]);
    await client.end();
    await store.close();
  });
});

describe("migrations", () => {
  test("are done once, by many gates that start at the same time", async () => {
    const url = await server.newDatabase();
    const stores = await Promise.all(Array.from({ length: 6 }, () => opened(url)));
    expect(await codeOf(stores[5]!.commit("t", paid()))).toBe("made");
    expect(await codeOf(stores[0]!.commit("t", paid()))).toBe("made");
    await Promise.all(stores.map((store) => store.close()));
  });

  test("of a later version are refused, and the database is left as it is", async () => {
    const url = await server.newDatabase();
    await (await opened(url)).close();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("insert into schema_version values ($1)", [MIGRATIONS.length + 1]);
    expect(await openPostgresStore({ url })).toMatchObject({ ok: false, error: { code: "store.newer" } });
    const { rows } = await client.query("select max(version)::int as version from schema_version");
    expect(rows).toEqual([{ version: MIGRATIONS.length + 1 }]);
    await client.end();
  });
});
