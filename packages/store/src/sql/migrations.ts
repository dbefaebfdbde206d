/** The words in which the engines differ. */
export interface Dialect {
  readonly int: string;
  /** Compared and ordered by code points. */
  readonly text: string;
  readonly blob: string;
  /** After the closing parenthesis of every table. */
  readonly table: string;
  /** The same for narrow tables that are read by their key only. */
  readonly keyed: string;
  /** Whether it has tables that a crash may empty. */
  readonly unlogged: boolean;
}

/**
 * Numbered from 1, in order, never changed once released: a database of any version is brought up by those after it.
 * Statements that only one engine needs are in its own list.
 */
export const MIGRATIONS: readonly ((sql: Dialect) => readonly string[])[] = [
  ({ int, text, blob, table, keyed, unlogged }) => [
    `create table heads (tenant ${text} primary key, size ${int} not null, at ${int} not null, peaks ${blob} not null,
      last ${text} not null, name_key ${text} not null)${keyed}`,
    `create table entries (tenant ${text} not null, seq ${int} not null, at ${int} not null, kind ${text} not null,
      ref ${text} not null, agent ${text}, codes ${text} not null, record ${text} not null, leaf_hash ${blob} not null, chain ${text},
      primary key (tenant, seq))${table}`,
    `create index entries_ref on entries (tenant, ref, seq)`,
    `create index entries_chain on entries (tenant, chain, seq) where chain is not null`,
    `create table nodes (tenant ${text} not null, level ${int} not null, "index" ${int} not null, hash ${blob} not null,
      primary key (tenant, level, "index"))${keyed}`,
    `create table sums (tenant ${text} not null, series ${text} not null, shift ${int} not null, bucket ${int} not null,
      amount ${text} not null, primary key (tenant, series, shift, bucket))${keyed}`,
    `create table decisions (tenant ${text} not null, id ${text} not null, seq ${int} not null, agent ${text} not null,
      verdict ${text} not null, redeemed_at ${int}, outcome ${text}, money ${text} not null, release_at ${int},
      rest ${text} not null, primary key (tenant, id))${keyed}`,
    `create index decisions_release on decisions (tenant, release_at) where release_at is not null`,
    `create index decisions_money on decisions (tenant, seq) where money <> 'none'`,
    `create index decisions_redeemed on decisions (tenant, seq) where redeemed_at is not null`,
    `create table holds (tenant ${text} not null, id ${text} not null, decision ${text} not null, agent ${text} not null,
      about ${text} not null, state ${text} not null, version ${int} not null, risk ${int} not null,
      approvers ${int} not null, approvals ${text} not null, codes ${text} not null, action_digest ${text},
      scopes ${text} not null, opened_at ${int} not null, expires_at ${int} not null, on_timeout ${text} not null,
      grant_for ${int}, decided_by ${text}, decided_at ${int}, reason ${text}, grant_id ${text},
      primary key (tenant, id))${table}`,
    `create index holds_risk on holds (tenant, state, risk desc, opened_at, id)`,
    `create index holds_age on holds (tenant, state, opened_at, id)`,
    `create table grants (tenant ${text} not null, id ${text} not null, hold ${text} not null, agent ${text} not null,
      action_digest ${text} not null, codes ${text} not null, approved_by ${text} not null, expires_at ${int} not null,
      used_by ${text}, revoked_at ${int}, primary key (tenant, id))${table}`,
    `create index grants_open on grants (tenant, agent, action_digest) where used_by is null and revoked_at is null`,
    `create table stops (tenant ${text} not null, id ${text} not null, scope ${text} not null, reason ${text} not null,
      cause ${text} not null, since ${int} not null, "until" ${int}, "by" ${text} not null, lifted_at ${int},
      primary key (tenant, id))${table}`,
    `create index stops_in_force on stops (tenant) where lifted_at is null`,
    `create table idempotency (tenant ${text} not null, "key" ${text} not null, ref ${text} not null, digest ${text} not null,
      answer ${text} not null, committed ${text} not null, at ${int} not null, expires_at ${int} not null,
      primary key (tenant, "key"))${table}`,
    `create index idempotency_due on idempotency (tenant, expires_at)`,
    `create index idempotency_ref on idempotency (tenant, ref)`,
    `create table marks (tenant ${text} not null, id ${text} not null, credential ${text} not null, mark ${text} not null,
      at ${int} not null, primary key (tenant, id))${table}`,
    `create index marks_credential on marks (tenant, credential, at)`,
    `create table contents (tenant ${text} not null, ref ${text} not null, fields ${text} not null, salts ${text} not null,
      subjects ${text} not null, keep_until ${int}, primary key (tenant, ref))${table}`,
    `create index contents_due on contents (tenant, keep_until) where keep_until is not null`,
    `create table subjects (tenant ${text} not null, id ${text} not null, subject ${text} not null, ref ${text} not null,
      primary key (tenant, id))${table}`,
    `create index subjects_subject on subjects (tenant, subject)`,
    `create table chains (tenant ${text} not null, id ${text} not null, seq ${int} not null, hash ${text} not null,
      primary key (tenant, id))${keyed}`,
    `create table policies (tenant ${text} not null, scope ${text} not null, version ${int} not null, digest ${text} not null,
      primary key (tenant, scope))${keyed}`,
    `create table policy_versions (tenant ${text} not null, id ${text} not null, scope ${text} not null,
      version ${int} not null, digest ${text} not null, text ${text} not null, "by" ${text} not null, at ${int} not null,
      reason ${text},
      primary key (tenant, id))${table}`,
    `create unique index policy_versions_scope on policy_versions (tenant, scope, version)`,
    `create index policy_versions_digest on policy_versions (tenant, digest)`,
    `create table agents (tenant ${text} not null, id ${text} not null, org ${text}, teams ${text} not null, state ${text} not null,
      display ${text}, primary key (tenant, id))${table}`,
    `create table keys (tenant ${text} not null, id ${text} not null, hash ${text} not null, name ${text} not null,
      scopes ${text} not null, holder ${text} not null, created_at ${int} not null, expires_at ${int}, revoked_at ${int},
      primary key (tenant, id))${table}`,
    `create table claims (tenant ${text} not null, "key" ${text} not null, digest ${text} not null, state ${text} not null,
      holder ${text} not null, held_until ${int} not null, progress ${text} not null, answer ${text},
      at ${int} not null, primary key (tenant, "key"))${table}`,
    `create index claims_due on claims (tenant, held_until) where state = 'answered'`,
    `create table webhooks (tenant ${text} not null, id ${text} not null, url ${text} not null, kinds ${text} not null,
      agents ${text}, secret_version ${int} not null, state ${text} not null, "cursor" ${int} not null,
      primary key (tenant, id))${table}`,
    `create table deliveries (tenant ${text} not null, id ${text} not null, webhook ${text} not null, seq ${int} not null,
      attempts ${int} not null, due_at ${int} not null, state ${text} not null, error ${text} not null,
      primary key (tenant, id))${table}`,
    `create index deliveries_due on deliveries (due_at) where state = 'due'`,
    `create index deliveries_delivered on deliveries (tenant, due_at) where state = 'delivered'`,
    `create index deliveries_dead on deliveries (tenant, seq) where state = 'dead'`,
    `create table checkpoints (tenant ${text} not null, size ${int} not null, note ${text} not null,
      primary key (tenant, size))${table}`,
    ...(unlogged
      ? [
          `create unlogged table rates (tenant ${text} not null, "key" ${text} not null, slot ${int} not null,
            hits ${int} not null, primary key (tenant, "key", slot))`,
        ]
      : []),
  ],
  ({ int, text, table, keyed }) => [
    `alter table contents add column held ${text}`,
    `alter table heads add column sealed ${int} not null default 0`,
    `create table sealed (tenant ${text} not null, id ${text} not null, "until" ${int} not null, text ${text} not null,
      primary key (tenant, id))${table}`,
    `create index sealed_due on sealed (tenant, "until")`,
    `create table bindings (id ${text} primary key, mark ${text} not null)${keyed}`,
    `alter table holds add column recipients ${text} not null default '[]'`,
    `alter table holds add column remind_at ${int}`,
  ],
];
