import {
  chainName,
  type Delivery,
  err,
  type Head,
  inForce,
  type Log,
  type LogEntry,
  type Means,
  type Millis,
  ok,
  type PolicyHead,
  pageOf,
  type Result,
  rootOf,
  type Store,
  type StoreError,
  type TenantId,
  viewContent,
  viewDecision,
  viewEvent,
  viewGrant,
  viewHold,
  viewMoney,
  viewStop,
  viewWebhook,
} from "@countersign/core";
import type { Kysely, Selectable } from "kysely";
import { CODECS, type RawRow } from "./codec.ts";
import type { Database } from "./database.ts";
import { storeError } from "./storeError.ts";

/** Runs a read as one tenant, and turns what the driver throws into an error value. */
export type AsTenant = <T>(
  tenant: TenantId,
  read: (database: Kysely<Database>) => Promise<T>,
) => Promise<Result<T, StoreError>>;

export type Reads = Omit<
  Store,
  | "commit"
  | "tenants"
  | "facts"
  | "close"
  | "health"
  | "watch"
  | "hit"
  | "putCheckpoint"
  | "snapshot"
  | "takeDeliveries"
  | "settleDelivery"
  | "replayDeliveries"
>;

/** The time, asked on the connection that reads: waiting for another one, all of them in hand, would be waiting for oneself. */
export type Clock = (database: Kysely<Database>) => Promise<Millis>;

/** A page holds at most this many items, whatever is asked for. */
const largestPage = 1000;

/** The reading half of a store, the same on every engine. */
export function sqlReads(asTenant: AsTenant, clock: Clock, means: Means): Reads {
  const bounded = (limit: number): number => Math.max(0, Math.min(Math.trunc(limit), largestPage));
  const nowOf = async (database: Kysely<Database>, tenant: string): Promise<Millis> =>
    Math.max(await clock(database), (await headOf(database, tenant)).at);

  return {
    durable: true,
    now: (tenant) => asTenant(tenant, (database) => nowOf(database, tenant)),

    decision: (tenant, id) =>
      asTenant(tenant, async (database) => {
        const row = await database
          .selectFrom("decisions")
          .selectAll()
          .where("tenant", "=", tenant)
          .where("id", "=", id)
          .executeTakeFirst();
        return row === undefined ? null : viewDecision(CODECS.decisions.row(row));
      }),

    decisions: (tenant, { agents, verdict, unclosed, after, limit }) =>
      asTenant(tenant, async (database) => {
        // The log gives the order: it is where decisions are numbered.
        let query = database
          .selectFrom("entries")
          .innerJoin("decisions", (join) =>
            join.onRef("decisions.tenant", "=", "entries.tenant").onRef("decisions.id", "=", "entries.ref"),
          )
          .selectAll("decisions")
          .where("entries.tenant", "=", tenant)
          .where("entries.kind", "=", "decide")
          .orderBy("entries.seq", "desc")
          .limit(bounded(limit) + 1);
        if (agents !== null) query = query.where("decisions.agent", "in", nonEmpty(agents));
        if (verdict !== undefined) query = query.where("decisions.verdict", "=", verdict);
        if (after !== undefined) query = query.where("entries.seq", "<", number(after));
        if (unclosed === true) {
          query = query
            .where("decisions.redeemed_at", "is not", null)
            .where((is) => is.or([is("decisions.outcome", "is", null), is("decisions.money", "=", "redeemed")]));
        }
        const rows = await query.execute();
        return pageOf(rows.map(CODECS.decisions.row).map(viewDecision), bounded(limit), ({ seq }) => String(seq));
      }),

    content: (tenant, ref) =>
      asTenant(tenant, async (database) => {
        const row = await database
          .selectFrom("contents")
          .selectAll()
          .where("tenant", "=", tenant)
          .where("ref", "=", ref)
          .executeTakeFirst();
        return row === undefined ? null : viewContent(CODECS.contents.row(row));
      }),

    hold: (tenant, id) =>
      asTenant(tenant, async (database) => {
        const row = await database
          .selectFrom("holds")
          .selectAll()
          .where("tenant", "=", tenant)
          .where("id", "=", id)
          .executeTakeFirst();
        return row === undefined ? null : viewHold(CODECS.holds.row(row), await nowOf(database, tenant));
      }),

    holds: (tenant, { state, agents, order, after, limit }) =>
      asTenant(tenant, async (database) => {
        const now = await nowOf(database, tenant);
        let query = database
          .selectFrom("holds")
          .selectAll()
          .where("tenant", "=", tenant)
          .limit(bounded(limit) + 1);
        if (order === "risk") query = query.orderBy("risk", "desc");
        query = query.orderBy("opened_at").orderBy("id");
        if (agents !== null) query = query.where("agent", "in", nonEmpty(agents));
        if (state === "open") query = query.where("state", "=", "open").where("expires_at", ">", now);
        // Those that time has closed and no sweep has yet are still called open in their row.
        if (state === "expired" || state === "released") {
          query = query.where((is) =>
            is.or([
              is("state", "=", state),
              is.and([
                is("state", "=", "open"),
                is("expires_at", "<=", now),
                is("on_timeout", "=", state === "released" ? "release" : "reject"),
              ]),
            ]),
          );
        }
        if (state === "approved" || state === "rejected") query = query.where("state", "=", state);
        if (after !== undefined) {
          const [risk, openedAt, ...id] = after.split("/");
          query = query.where((is) => {
            const later = is.or([
              is("opened_at", ">", number(openedAt)),
              is.and([is("opened_at", "=", number(openedAt)), is("id", ">", id.join("/"))]),
            ]);
            if (order === "age") return later;
            return is.or([is("risk", "<", number(risk)), is.and([is("risk", "=", number(risk)), later])]);
          });
        }
        const holds = (await query.execute()).map((row) => viewHold(CODECS.holds.row(row), now));
        return pageOf(holds, bounded(limit), (hold) => `${hold.risk}/${hold.openedAt}/${hold.id}`);
      }),

    grant: (tenant, id) =>
      asTenant(tenant, async (database) => {
        const row = await database
          .selectFrom("grants")
          .selectAll()
          .where("tenant", "=", tenant)
          .where("id", "=", id)
          .executeTakeFirst();
        return row === undefined ? null : viewGrant(CODECS.grants.row(row));
      }),

    stops: (tenant) =>
      asTenant(tenant, async (database) => {
        const rows = await database
          .selectFrom("stops")
          .selectAll()
          .where("tenant", "=", tenant)
          .where("lifted_at", "is", null)
          .orderBy("since", "desc")
          .execute();
        const now = await nowOf(database, tenant);
        return rows
          .map(CODECS.stops.row)
          .filter((stop) => inForce(stop, now))
          .map(viewStop);
      }),

    agent: (tenant, id) =>
      asTenant(tenant, async (database) => {
        const row = await database
          .selectFrom("agents")
          .selectAll()
          .where("tenant", "=", tenant)
          .where("id", "=", id)
          .executeTakeFirst();
        return row === undefined ? null : CODECS.agents.row(row);
      }),

    agents: (tenant, { after, limit }) =>
      asTenant(tenant, async (database) => {
        let query = database.selectFrom("agents").selectAll().where("tenant", "=", tenant).orderBy("id");
        if (after !== undefined) query = query.where("id", ">", after);
        const rows = await query.limit(bounded(limit) + 1).execute();
        return pageOf(rows.map(CODECS.agents.row), bounded(limit), ({ id }) => id);
      }),

    policyHeads: (tenant, scopes) =>
      asTenant(tenant, async (database) => {
        const heads = new Map<string, PolicyHead>();
        // A statement holds only so many values, and a tenant may have more scopes.
        for (let from = 0; from < scopes.length; from += largestPage) {
          const rows = await database
            .selectFrom("policies")
            .selectAll()
            .where("tenant", "=", tenant)
            .where("scope", "in", nonEmpty(scopes.slice(from, from + largestPage)))
            .execute();
          for (const row of rows) heads.set(row.scope, CODECS.policies.row(row));
        }
        return scopes.flatMap((scope) => heads.get(scope) ?? []);
      }),

    policies: (tenant, scopes) =>
      asTenant(tenant, async (database) => {
        const rows = await database
          .selectFrom("policies")
          .innerJoin("policy_versions", (join) =>
            join
              .onRef("policy_versions.tenant", "=", "policies.tenant")
              .onRef("policy_versions.scope", "=", "policies.scope")
              .onRef("policy_versions.version", "=", "policies.version"),
          )
          .selectAll("policy_versions")
          .where("policies.tenant", "=", tenant)
          .where("policies.scope", "in", nonEmpty(scopes))
          .execute();
        const versions = rows.map(CODECS.policyVersions.row);
        return scopes.flatMap((scope) => versions.filter((version) => version.scope === scope));
      }),

    policyByDigest: (tenant, digest) =>
      asTenant(tenant, async (database) => {
        const row = await database
          .selectFrom("policy_versions")
          .selectAll()
          .where("tenant", "=", tenant)
          .where("digest", "=", digest)
          .orderBy("at", "desc")
          .limit(1)
          .executeTakeFirst();
        return row === undefined ? null : CODECS.policyVersions.row(row);
      }),

    policyHistory: (tenant, scope, limit, before) =>
      asTenant(tenant, async (database) => {
        const rows = await database
          .selectFrom("policy_versions")
          .selectAll()
          .where("tenant", "=", tenant)
          .where("scope", "=", scope)
          .$if(before !== undefined, (query) => query.where("version", "<", before as number))
          .orderBy("version", "desc")
          .limit(bounded(limit))
          .execute();
        return rows.map(CODECS.policyVersions.row);
      }),

    policyScopes: (tenant) =>
      asTenant(tenant, async (database) => {
        const rows = await database
          .selectFrom("policies")
          .select("scope")
          .where("tenant", "=", tenant)
          .orderBy("scope")
          .execute();
        return rows.map(({ scope }) => scope);
      }),

    key: (tenant, id) =>
      asTenant(tenant, async (database) => {
        const row = await database
          .selectFrom("keys")
          .selectAll()
          .where("tenant", "=", tenant)
          .where("id", "=", id)
          .executeTakeFirst();
        return row === undefined ? null : CODECS.keys.row(row);
      }),

    keys: (tenant) =>
      asTenant(tenant, async (database) => {
        const rows = await database.selectFrom("keys").selectAll().where("tenant", "=", tenant).orderBy("id").execute();
        return rows.map(CODECS.keys.row);
      }),

    head: (tenant) =>
      asTenant(tenant, async (database) => {
        const head = await headOf(database, tenant);
        return { size: head.size, at: head.at, root: rootOf(head, means.sha256) };
      }),

    entries: (tenant, from, limit) =>
      asTenant(tenant, async (database) => {
        const rows = await database
          .selectFrom("entries")
          .select(ENTRY)
          .where("tenant", "=", tenant)
          .where("seq", ">=", from)
          .orderBy("seq")
          .limit(bounded(limit))
          .execute();
        return rows.map(entryOf);
      }),

    entriesAbout: (tenant, ref) =>
      asTenant(tenant, async (database) => {
        const rows = await database
          .selectFrom("entries")
          .select(ENTRY)
          .where("tenant", "=", tenant)
          .where("ref", "=", ref)
          .orderBy("seq")
          .limit(largestPage)
          .execute();
        return rows.map(entryOf);
      }),

    nodes: (tenant, level, from, to) =>
      asTenant(tenant, async (database) => {
        if (level === 0) {
          const rows = await database
            .selectFrom("entries")
            .select("leaf_hash")
            .where("tenant", "=", tenant)
            .where("seq", ">=", from)
            .where("seq", "<", to)
            .orderBy("seq")
            .execute();
          return rows.map((row) => row.leaf_hash);
        }
        const rows = await database
          .selectFrom("nodes")
          .select("hash")
          .where("tenant", "=", tenant)
          .where("level", "=", level)
          .where("index", ">=", from)
          .where("index", "<", to)
          .orderBy("index")
          .execute();
        return rows.map((row) => row.hash);
      }),

    chain: (tenant, subject, limit) =>
      asTenant(tenant, async (database) => {
        const { nameKey } = await headOf(database, tenant);
        const rows = await database
          .selectFrom("entries")
          .select(ENTRY)
          .where("tenant", "=", tenant)
          .where("chain", "=", chainName(nameKey, subject, means))
          .orderBy("seq", "desc")
          .limit(bounded(limit))
          .execute();
        return rows.map(entryOf);
      }),

    link: (tenant, subject, seq) =>
      asTenant(tenant, async (database) => {
        if (seq < 1) return null;
        const { nameKey } = await headOf(database, tenant);
        // Chains have no gaps and nothing is taken out of them, so a number is a place.
        const row = await database
          .selectFrom("entries")
          .select(ENTRY)
          .where("tenant", "=", tenant)
          .where("chain", "=", chainName(nameKey, subject, means))
          .orderBy("seq")
          .limit(1)
          .offset(seq - 1)
          .executeTakeFirst();
        return row === undefined ? null : entryOf(row);
      }),

    checkpoints: (tenant, { upTo, limit }) =>
      asTenant(tenant, async (database) => {
        let query = database
          .selectFrom("checkpoints")
          .select(["size", "note"])
          .where("tenant", "=", tenant)
          .orderBy("size", "desc");
        if (upTo !== undefined) query = query.where("size", "<=", upTo);
        const rows = await query.limit(bounded(limit)).execute();
        return rows.map(({ size, note }) => ({ size: Number(size), note }));
      }),

    money: (tenant, { after, limit }) =>
      asTenant(tenant, async (database) => {
        let query = database
          .selectFrom("decisions")
          .selectAll()
          .where("tenant", "=", tenant)
          .where("money", "<>", "none")
          .orderBy("seq");
        if (after !== undefined) query = query.where("seq", ">", number(after));
        const rows = await query.limit(bounded(limit) + 1).execute();
        return pageOf(rows.map(CODECS.decisions.row).map(viewMoney), bounded(limit), ({ seq }) => String(seq));
      }),

    sums: (tenant, { after, limit }) =>
      asTenant(tenant, async (database) => {
        let query = database
          .selectFrom("sums")
          .select(["series", "shift", "bucket", "amount"])
          .where("tenant", "=", tenant)
          .orderBy("series")
          .orderBy("shift")
          .orderBy("bucket");
        if (after !== undefined) {
          const [series = "", shift, bucket] = after.split("/");
          query = query.where((is) =>
            is.or([
              is("series", ">", series),
              is.and([is("series", "=", series), is("shift", ">", number(shift))]),
              is.and([is("series", "=", series), is("shift", "=", number(shift)), is("bucket", ">", number(bucket))]),
            ]),
          );
        }
        const rows = await query.limit(bounded(limit) + 1).execute();
        const sums = rows.map((row) => ({ ...row, shift: Number(row.shift), bucket: Number(row.bucket) }));
        return pageOf(sums, bounded(limit), ({ series, shift, bucket }) => `${series}/${shift}/${bucket}`);
      }),

    events: (tenant, { after, agents, kinds, limit }) =>
      asTenant(tenant, async (database) => {
        let query = database
          .selectFrom("entries")
          .select(["seq", "at", "kind", "ref", "agent", "codes", "record", "leaf_hash"])
          .where("tenant", "=", tenant)
          .where("seq", ">", after)
          .orderBy("seq")
          .limit(bounded(limit));
        if (agents !== null) query = query.where("agent", "in", nonEmpty(agents));
        if (kinds !== null) query = query.where("kind", "in", nonEmpty(kinds));
        return (await query.execute()).map((row) => viewEvent({ ...entryOf(row), chain: null }));
      }),

    webhooks: (tenant) =>
      asTenant(tenant, async (database) => {
        const rows = await database
          .selectFrom("webhooks")
          .selectAll()
          .where("tenant", "=", tenant)
          .orderBy("id")
          .execute();
        return rows.map(CODECS.webhooks.row).map(viewWebhook);
      }),

    deadDeliveries: (tenant, limit) =>
      asTenant(tenant, async (database) => {
        const rows = await database
          .selectFrom("deliveries")
          .select(["id", "webhook", "seq", "attempts", "error"])
          .where("tenant", "=", tenant)
          .where("state", "=", "dead")
          .orderBy("seq", "desc")
          .limit(bounded(limit))
          .execute();
        const shown = await Promise.all(
          rows.map(async (row) => {
            const delivery = await deliveryOf(database, tenant, row);
            return delivery === null ? [] : [{ ...delivery, error: row.error }];
          }),
        );
        return shown.flat();
      }),
  };
}

/** The log as one snapshot shows it. Nothing is written from there, and a snapshot of it is itself. */
export function snapshotLog(reads: Reads): Log {
  const log: Log = {
    ...reads,
    snapshot: async (_, read) => ok(await read(log)),
    putCheckpoint: async () => err(storeError("store.read_only")),
  };
  return log;
}

/** A delivery with its endpoint and event; null when the endpoint is gone or off. */
export async function deliveryOf(
  database: Kysely<Database>,
  tenant: string,
  delivery: { readonly id: string; readonly webhook: string; readonly seq: number; readonly attempts: number },
): Promise<Delivery | null> {
  const webhook = await database
    .selectFrom("webhooks")
    .selectAll()
    .where("tenant", "=", tenant)
    .where("id", "=", delivery.webhook)
    .where("state", "=", "active")
    .executeTakeFirst();
  const entry = await database
    .selectFrom("entries")
    .select(["seq", "at", "kind", "ref", "agent", "codes", "record", "leaf_hash"])
    .where("tenant", "=", tenant)
    .where("seq", "=", delivery.seq)
    .executeTakeFirst();
  if (webhook === undefined || entry === undefined) return null;
  return {
    id: delivery.id,
    webhook: viewWebhook(CODECS.webhooks.row(webhook)),
    event: viewEvent({ ...entryOf(entry), chain: null }),
    attempts: Number(delivery.attempts),
  };
}

/** The head of a tenant, as of one that has nothing when there is none. */
export async function headOf(database: Kysely<Database>, tenant: string): Promise<Head> {
  const row = await database.selectFrom("heads").selectAll().where("tenant", "=", tenant).executeTakeFirst();
  return row === undefined ? { size: 0, at: 0, peaks: [], last: "", nameKey: "", sealed: false } : headFrom(row);
}

export const headFrom = (row: RawRow): Head => ({
  size: Number(row["size"]),
  at: Number(row["at"]),
  peaks: unjoined(row["peaks"] as Uint8Array),
  last: String(row["last"]),
  nameKey: String(row["name_key"]),
  sealed: Number(row["sealed"]) === 1,
});

const hashLength = 32;

/** Hashes one after the other, as they are stored. */
export const joined = (hashes: readonly Uint8Array[]): Uint8Array => Buffer.concat(hashes);

const unjoined = (bytes: Uint8Array): Uint8Array[] =>
  Array.from({ length: bytes.length / hashLength }, (_, i) => bytes.subarray(i * hashLength, (i + 1) * hashLength));

/** What a reader of the log is shown of an entry. */
const ENTRY = ["seq", "at", "kind", "ref", "agent", "codes", "record", "leaf_hash"] as const;

type EntryColumns = Omit<Selectable<Database["entries"]>, "tenant" | "chain">;

const entryOf = (row: EntryColumns): LogEntry => ({
  seq: Number(row.seq),
  at: Number(row.at),
  kind: row.kind,
  ref: row.ref,
  agent: row.agent,
  codes: JSON.parse(row.codes),
  record: row.record,
  leafHash: row.leaf_hash,
});

/** `in ()` is no SQL, and a list without members finds nothing. */
const nonEmpty = (values: readonly string[]): readonly string[] => (values.length === 0 ? ["\uffff"] : values);

/** A page token comes from outside: one that is not ours finds nothing. */
function number(text: string | undefined): number {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : -1;
}
