// Makes a database of the version that this tree writes, with something of everything in it, and keeps it as JSON that
// every engine can load. Run once for each version, before the migration after it is written:
//   npm run build && node scripts/freezeDatabase.mjs
// The tests of later versions begin from it. A frozen version is never made again: databases like it are out there.
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { commitToFields, encodeBase64url, hex, issueCheckpoint } = await import(
  join(root, "packages/core/dist/index.js")
);
const { openSqliteStore } = await import(join(root, "packages/store/dist/index.js"));
const { openSqlite } = await import(join(root, "packages/store/dist/sqlite/driver.js"));
const { MIGRATIONS } = await import(join(root, "packages/store/dist/sql/migrations.js"));

const version = MIGRATIONS.length;
const target = join(root, `packages/store/fixtures/version-${version}.json`);
if (existsSync(target)) throw new Error(`version ${version} is frozen already`);

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const tenant = "acme";
const sha256 = (bytes) => new Uint8Array(createHash("sha256").update(bytes).digest());
const ada = { kind: "person", id: "ada", credential: "key_ada" };
const proxy = { kind: "enforcer", id: "proxy", credential: "key_proxy" };
const shopper = { kind: "agent", id: "shopper", credential: "key_shopper" };

const folder = mkdtempSync(join(tmpdir(), "countersign-freeze-"));
const path = join(folder, "gate.db");
let now = Date.UTC(2026, 0, 15, 12);
const opened = await openSqliteStore({ path, clock: () => now });
if (!opened.ok) throw new Error(opened.error.code);
const store = opened.value;
async function made(change) {
  const result = await store.commit(tenant, change);
  if (!result.ok) throw new Error(`${change.kind}: ${result.error.code}, ${result.error.message}`);
  now += 1_000;
  return result.value;
}

/** What was asked, and the record that commits to it. */
function asked(action, keepFor) {
  const fields = { action, facts: [] };
  const salts = new Map(Object.keys(fields).map((name) => [name, new Uint8Array(randomBytes(32))]));
  const text = Object.fromEntries([...salts].map(([name, salt]) => [name, encodeBase64url(salt)]));
  return {
    record: JSON.stringify({ commitments: commitToFields(fields, salts, sha256) }),
    content: { fields: JSON.stringify(fields), salts: JSON.stringify(text), subjects: ["agent:shopper"], keepFor },
  };
}
const action = { kind: "transaction", verb: "pay", target: "cart", counterparty: "shop" };
const decide = (id, rest = {}) => ({
  kind: "decide",
  id,
  agent: "shopper",
  credential: "key_shopper",
  verdict: "allow",
  actionDigest: "sha256:aa",
  policyDigest: "sha256:pp",
  codes: [],
  scopes: ["tenant", "org:acme", "team:buyers", "agent:shopper"],
  redeemFor: 5 * minute,
  reservations: [],
  ...asked(action, null),
  ...rest,
});
const paying = (amount) => ({
  reservations: [
    {
      amount,
      currency: "USD",
      series: ["agent:shopper", "agent:shopper/counterparty:shop", "org:acme"],
      budgets: [{ budget: "daily", series: "agent:shopper", window: { rolling: day }, limit: "100" }],
    },
  ],
});
const redeem = (decision) => ({
  kind: "redeem",
  decision,
  by: proxy,
  actionDigest: "sha256:aa",
  policyDigest: "sha256:pp",
  readUnder: { agent: "shopper", teams: ["buyers"], versions: [] },
});
const outcome = (decision, result) => ({
  kind: "outcome",
  decision,
  by: proxy,
  result,
  asApproved: true,
  breaker: `stop_${decision}`,
  sent: `sha256:${"ab".repeat(32)}`,
});
const hold = (id, rest = {}) => ({
  id,
  about: "action",
  risk: 40,
  approvers: 1,
  codes: ["mandate.review"],
  expiresIn: 3650 * day,
  onTimeout: "reject",
  grantFor: 3650 * day,
  ...rest,
});
const answer = (of, how, grant) => ({
  kind: "hold.decide",
  hold: of,
  by: ada,
  answer: how,
  reason: "looked at",
  version: 1,
  grant,
});

await made({
  kind: "policy.put",
  scope: "org:acme",
  id: "pol_1",
  digest: "sha256:p1",
  text: "{}",
  replaces: null,
  by: ada,
});
await made({
  kind: "policy.put",
  scope: "org:acme",
  id: "pol_2",
  digest: "sha256:p2",
  text: '{"expires":"2030-01-01T00:00:00Z"}',
  replaces: "sha256:p1",
  by: ada,
  reason: "ends",
});
await made({
  kind: "agent.put",
  id: "shopper",
  org: "acme",
  teams: ["buyers"],
  state: "active",
  display: "Shopper",
  by: ada,
});
await made({
  kind: "key.put",
  id: "key_shopper",
  hash: "ab".repeat(32),
  name: "shopper",
  scopes: ["decide"],
  holder: { kind: "agent", agent: "shopper" },
  expiresAt: null,
  by: ada,
});
await made({
  kind: "key.put",
  id: "key_old",
  hash: "cd".repeat(32),
  name: "old",
  scopes: ["audit"],
  holder: { kind: "person", person: "eve" },
  expiresAt: now + day,
  by: ada,
});
await made({ kind: "key.revoke", id: "key_old", by: ada });
await made({
  kind: "webhook.put",
  id: "whk_1",
  url: "https://hooks.example.com/gate",
  kinds: ["decide"],
  agents: null,
  secretVersion: 1,
  state: "active",
  by: ada,
});
await made({ kind: "stop.put", id: "stop_lifted", scope: "team:buyers", reason: "a look", until: null, by: ada });
await made({ kind: "stop.lift", id: "stop_lifted", by: ada, reason: "looked" });
await made({ kind: "stop.put", id: "stop_force", scope: "agent:other", reason: "leaving", until: null, by: ada });

await made(decide("dec_spent", { ...paying("10.5"), agentMarks: ["near:1"], marks: ["read_private"] }));
await made(redeem("dec_spent"));
await made(outcome("dec_spent", "executed"));
await made(decide("dec_failed", paying("7")));
await made(redeem("dec_failed"));
await made(outcome("dec_failed", "failed"));
await made(decide("dec_released", paying("3")));
now += 6 * minute;
await made({ kind: "sweep" });
await made(decide("dec_unclosed", paying("20")));
await made(redeem("dec_unclosed"));
await made(
  decide("dec_reserved", {
    ...paying("4.25"),
    redeemFor: 3650 * day,
    idempotency: { key: "key_shopper\nk1", digest: "sha256:asked", answer: "first answer", keepFor: 3650 * day },
  }),
);
await made(decide("dec_blocked", { verdict: "block", codes: ["mandate.block"] }));
await made({
  kind: "appeal",
  decision: "dec_blocked",
  by: shopper,
  reason: "it was wrong",
  hold: hold("hold_appeal", { about: "appeal", grantFor: null }),
});
await made(decide("dec_held", { verdict: "review", codes: ["mandate.review"], hold: hold("hold_open") }));
await made(decide("dec_two", { verdict: "review", hold: hold("hold_two", { approvers: 2 }) }));
await made(answer("hold_two", "approve", "grant_two"));
await made(decide("dec_rejected", { verdict: "review", hold: hold("hold_rejected") }));
await made(answer("hold_rejected", "reject", "grant_rejected"));
await made(decide("dec_approved", { verdict: "review", hold: hold("hold_approved") }));
await made(answer("hold_approved", "approve", "grant_open"));
await made(decide("dec_timed", asked(action, hour)));
await made(decide("dec_erased", { ...paying("1.5"), redeemFor: 1_000 }));
now += minute;
await made({ kind: "erase", what: { decision: "dec_erased" }, reason: "asked for", by: ada });
for (const ref of ["adv_1", "adv_2"])
  await made({
    kind: "note",
    type: "advice",
    ref,
    agent: "shopper",
    record: '{"dialect":"trade"}',
    chain: "wallet/0x1",
  });
const claim = { holder: "h1", holdFor: minute, progress: "verified" };
await made({ kind: "claim.open", key: "x402/answered", digest: "sha256:c1", ...claim });
await made({ kind: "claim.answer", key: "x402/answered", holder: "h1", answer: "paid", keepFor: 3650 * day });
await made({ kind: "claim.open", key: "x402/open", digest: "sha256:c2", ...claim });

const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
const signer = { kid: "log", sign: async (bytes) => new Uint8Array(sign(null, bytes, privateKey)) };
await issueCheckpoint(
  tenant,
  store,
  { key: { name: "frozen.example/acme", publicKey: new Uint8Array(raw) }, signer },
  sha256,
);
await made({ kind: "note", type: "advice", ref: "adv_3", agent: null, record: "{}" });
const [taken] = (await store.takeDeliveries({ limit: 100, leaseFor: minute })).value;
await store.settleDelivery(tenant, taken.id, { state: "dead", error: "http.500" });
const head = (await store.head(tenant)).value;
await store.close();

const database = openSqlite(path);
const names = database
  .all("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by rowid")
  .map(({ name }) => name);
const value = (cell) => (cell instanceof Uint8Array ? { hex: Buffer.from(cell).toString("hex") } : cell);
const tables = Object.fromEntries(
  names.map((name) => [
    name,
    database
      .all(`select * from "${name}"`)
      .map((row) => Object.fromEntries(Object.entries(row).map(([k, v]) => [k, value(v)]))),
  ]),
);
const schema = database.all("select sql from sqlite_master where sql is not null order by rowid").map(({ sql }) => sql);
database.close();
rmSync(folder, { recursive: true });

// Nodes are kept of 256 records; all others have something.
for (const [name, rows] of Object.entries(tables))
  if (rows.length === 0 && name !== "nodes") throw new Error(`nothing is in ${name}`);
const frozen = { version, at: now, tenant, size: head.size, root: hex(head.root), schema, tables };
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, `${JSON.stringify(frozen, null, 2)}\n`);
console.log(`${target}: ${head.size} records, ${readFileSync(target).length} bytes`);
