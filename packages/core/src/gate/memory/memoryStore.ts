import { rootOf } from "../../record/merkle.ts";
import { err, ok, type Result } from "../../result.ts";
import type { Change, Millis } from "../ledger/change.ts";
import { gatherFacts } from "../ledger/facts.ts";
import { getOrMake } from "../ledger/getOrMake.ts";
import { commitGroup } from "../ledger/group.ts";
import type { LedgerError, StoreError } from "../ledger/refusal.ts";
import type { DecisionRow } from "../ledger/rows.ts";
import {
  viewContent,
  viewDecision,
  viewEntry,
  viewEvent,
  viewGrant,
  viewHold,
  viewMoney,
  viewStop,
  viewWebhook,
} from "../ledger/views.ts";
import { chainName, inForce, type Loaded, type LoadRequest, type Means } from "../ledger/work.ts";
import { pageOf } from "../page.ts";
import type { Committed, Store, TenantId } from "../ports.ts";
import { isTenantId } from "../tenantId.ts";
import { memoryDeliveries } from "./deliveries.ts";
import { load, type MemoryTenant, newTenant, rowsIn, write } from "./tenant.ts";

export interface MemoryMeans extends Omit<Means, "secret"> {
  readonly clock: () => Millis;
}

/**
 * The whole store in memory: the default of the library, and the model that the databases are compared with. Nothing of
 * it is durable, and everything else is as the ports say.
 */
export function createMemoryStore(given: MemoryMeans): Store {
  let secret: Uint8Array | undefined;
  // Made when it is first needed: nothing of it outlives the process.
  const means = {
    ...given,
    get secret() {
      secret ??= given.random(32);
      return secret;
    },
  };
  const tenants = new Map<TenantId, MemoryTenant>();
  const of = (tenant: TenantId): MemoryTenant => {
    // What cannot be a tenant has nothing, and nothing is kept for it.
    return isTenantId(tenant) ? getOrMake(tenants, tenant, () => newTenant(means)) : newTenant(means);
  };
  const chainOf = (id: TenantId, subject: string) => {
    const { head, entries } = of(id);
    const key = chainName(head.nameKey, subject, means);
    return entries.filter((entry) => entry.chain === key);
  };
  const nowOf = ({ head }: MemoryTenant): Millis => Math.max(means.clock(), head.at);
  const holdsOf = (tenant: MemoryTenant) =>
    [...rowsIn(tenant, "holds").values()].map((row) => viewHold(row, nowOf(tenant)));
  const decisionsOf = (tenant: MemoryTenant) => [...rowsIn(tenant, "decisions").values()].sort((a, b) => b.seq - a.seq);

  function commit<C extends Change>(id: TenantId, change: C): Promise<Result<Committed<C["kind"]>, LedgerError>> {
    if (!isTenantId(id)) return Promise.resolve(err(NO_TENANT));
    const tenant = of(id);
    const group = { tenant: id, head: tenant.head, clock: means.clock(), changes: [change] };
    const { answers, writes } = drive(commitGroup(group, means), tenant);
    if (writes !== undefined) write(tenant, writes);
    if (writes !== undefined) for (const watcher of [...tenant.watchers]) watcher();
    return Promise.resolve(answers[0] as Result<Committed<C["kind"]>, LedgerError>);
  }

  const store: Store = {
    durable: false,
    commit,
    // What is committed while the reads run is seen by them: memory has no older state to show.
    snapshot: async (_, read) => ok(await read(store)),
    facts: async (id, query) => {
      const tenant = of(id);
      return ok(drive(gatherFacts({ tenant: id, head: tenant.head, clock: means.clock() }, query, means), tenant));
    },
    tenants: async () =>
      ok(
        [...tenants]
          .filter(([, { head }]) => head.size > 0)
          .map(([id]) => id)
          .sort(),
      ),
    now: async (id) => ok(nowOf(of(id))),
    health: async () => ok(undefined),
    close: async () => {},

    decision: async (id, ref) => ok(mapped(rowsIn(of(id), "decisions").get(ref), viewDecision)),
    decisions: async (id, { agents, verdict, unclosed, after, limit }) => {
      const found = decisionsOf(of(id)).filter(
        (row) =>
          isOneOf(row.agent, agents) &&
          (verdict === undefined || row.verdict === verdict) &&
          (unclosed !== true || isUnclosed(row)) &&
          (after === undefined || row.seq < Number(after)),
      );
      return ok(pageOf(found.map(viewDecision), limit, ({ seq }) => String(seq)));
    },
    content: async (id, ref) => ok(mapped(rowsIn(of(id), "contents").get(ref), viewContent)),

    hold: async (id, ref) => ok(mapped(rowsIn(of(id), "holds").get(ref), (row) => viewHold(row, nowOf(of(id))))),
    holds: async (id, { state, agents, order, after, limit }) => {
      const rank = order === "risk" ? riskRank : ageRank;
      const found = holdsOf(of(id))
        .filter((hold) => (state === "any" || hold.state === state) && isOneOf(hold.agent, agents))
        .map((hold) => ({ hold, rank: rank(hold) }))
        .filter((item) => after === undefined || item.rank > after)
        .sort((a, b) => (a.rank < b.rank ? -1 : 1));
      const page = pageOf(found, limit, (item) => item.rank);
      return ok({ items: page.items.map((item) => item.hold), next: page.next });
    },
    grant: async (id, ref) => ok(mapped(rowsIn(of(id), "grants").get(ref), viewGrant)),
    stops: async (id) => {
      const tenant = of(id);
      const found = [...rowsIn(tenant, "stops").values()].filter((stop) => inForce(stop, nowOf(tenant)));
      return ok(found.sort((a, b) => b.since - a.since).map(viewStop));
    },

    agent: async (id, ref) => ok(rowsIn(of(id), "agents").get(ref) ?? null),
    agents: async (id, { after, limit }) => {
      const found = [...rowsIn(of(id), "agents").values()].filter((agent) => after === undefined || agent.id > after);
      return ok(pageOf(found.sort(byId), limit, (agent) => agent.id));
    },
    policyHeads: async (id, scopes) => {
      const heads = rowsIn(of(id), "policies");
      return ok(scopes.flatMap((scope) => heads.get(scope) ?? []));
    },
    policies: async (id, scopes) => {
      const tenant = of(id);
      const versions = [...rowsIn(tenant, "policyVersions").values()];
      const current = scopes.map((scope) => rowsIn(tenant, "policies").get(scope));
      return ok(
        current.flatMap((now) => versions.filter((row) => row.scope === now?.scope && row.version === now.version)),
      );
    },
    policyByDigest: async (id, digest) =>
      ok([...rowsIn(of(id), "policyVersions").values()].findLast((row) => row.digest === digest) ?? null),
    policyHistory: async (id, scope, limit, before = Number.POSITIVE_INFINITY) => {
      const found = [...rowsIn(of(id), "policyVersions").values()].filter(
        (row) => row.scope === scope && row.version < before,
      );
      return ok(found.sort((a, b) => b.version - a.version).slice(0, limit));
    },
    policyScopes: async (id) => ok([...rowsIn(of(id), "policies").keys()].sort()),
    key: async (id, ref) => ok(rowsIn(of(id), "keys").get(ref) ?? null),
    keys: async (id) => ok([...rowsIn(of(id), "keys").values()].sort(byId)),

    head: async (id) => {
      const { head } = of(id);
      return ok({ size: head.size, root: rootOf(head, means.sha256), at: head.at });
    },
    entries: async (id, from, limit) =>
      ok(
        of(id)
          .entries.slice(from, from + Math.min(limit, 1000))
          .map(viewEntry),
      ),
    entriesAbout: async (id, ref) =>
      ok(
        of(id)
          .entries.filter((entry) => entry.ref === ref)
          .map(viewEntry),
      ),
    nodes: async (id, level, from, to) => {
      const { entries, nodes } = of(id);
      const hashes = Array.from({ length: to - from }, (_, i) =>
        level === 0 ? entries[from + i]?.leafHash : nodes.get(`${level}/${from + i}`),
      );
      return ok(hashes.filter((hash) => hash !== undefined));
    },
    chain: async (id, subject, limit) => ok(chainOf(id, subject).reverse().slice(0, limit).map(viewEntry)),
    link: async (id, subject, seq) => {
      const entry = chainOf(id, subject)[seq - 1];
      return ok(entry === undefined ? null : viewEntry(entry));
    },
    putCheckpoint: async (id, checkpoint) => ok(void of(id).checkpoints.set(checkpoint.size, checkpoint)),
    checkpoints: async (id, { upTo, limit }) => {
      const found = [...of(id).checkpoints.values()].filter(({ size }) => upTo === undefined || size <= upTo);
      return ok(found.sort((a, b) => b.size - a.size).slice(0, limit));
    },
    money: async (id, { after, limit }) => {
      const found = decisionsOf(of(id))
        .filter((row) => row.money !== "none" && (after === undefined || row.seq > Number(after)))
        .reverse();
      return ok(pageOf(found.map(viewMoney), limit, ({ seq }) => String(seq)));
    },
    sums: async (id, { after, limit }) => {
      const found = [...of(id).sums].filter(([key]) => after === undefined || key > after);
      const page = pageOf(
        found.sort(([a], [b]) => (a < b ? -1 : 1)),
        limit,
        ([key]) => key,
      );
      return ok({ items: page.items.map(([, sum]) => sum), next: page.next });
    },

    events: async (id, { after, agents, kinds, limit }) =>
      ok(
        of(id)
          .entries.slice(after + 1)
          .filter((entry) => isOneOf(entry.agent, agents) && isOneOf(entry.kind, kinds))
          .slice(0, limit)
          .map(viewEvent),
      ),
    watch: (id, onChange) => {
      const { watchers } = of(id);
      const watcher = () => onChange();
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },

    webhooks: async (id) => ok([...rowsIn(of(id), "webhooks").values()].sort(byId).map(viewWebhook)),
    ...memoryDeliveries(tenants, of, means.clock),

    hit: async (id, key, window) => {
      const now = means.clock();
      const hits = getOrMake(of(id).hits, key, () => []);
      while (hits[0] !== undefined && hits[0] <= now - window) hits.shift();
      hits.push(now);
      return ok(hits.length);
    },
  };
  return store;
}

/** As every adapter answers. */
const NO_TENANT: StoreError = { code: "store.refused_input", message: "the store cannot keep this input" };

/** Memory answers at once: the same generator that waits for a database elsewhere. */
function drive<T>(steps: Generator<LoadRequest, T, Loaded>, tenant: MemoryTenant): T {
  let step = steps.next();
  while (!step.done) step = steps.next(load(tenant, step.value));
  return step.value;
}

const mapped = <A, B>(value: A | undefined, to: (value: A) => B): B | null => (value === undefined ? null : to(value));

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1);

const isOneOf = (value: string | null, wanted: readonly string[] | null): boolean =>
  wanted === null || (value !== null && wanted.includes(value));

const isUnclosed = (row: DecisionRow): boolean =>
  row.redeemedAt !== null && (row.outcome === null || row.money === "redeemed");

const padded = (n: number): string => String(n).padStart(15, "0");

const ageRank = (hold: { readonly openedAt: Millis; readonly id: string }): string =>
  `${padded(hold.openedAt)}/${hold.id}`;

const riskRank = (hold: { readonly risk: number; readonly openedAt: Millis; readonly id: string }): string =>
  `${String(100 - hold.risk).padStart(3, "0")}/${ageRank(hold)}`;
