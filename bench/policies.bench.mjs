// Reading what is in force for one agent of many, before every decision: heads of seven scopes out of the store, and the
// composition that is kept for them. The yardstick is one Ed25519 signature, and composing anew each time.
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { composeParts, createMemoryStore, createStoredPolicies, digest, readPart } from "@countersign/core";
import { compare } from "./harness.mjs";

const AGENTS = 2_000;
const random = (length) => new Uint8Array(randomBytes(length));
const sha256 = (bytes) => new Uint8Array(createHash("sha256").update(bytes).digest());
const clock = () => 1_800_000_000_000;
const store = createMemoryStore({ clock, random, sha256 });

let ids = 0;
async function put(tenant, scope, document) {
  ids += 1;
  const committed = await store.commit(tenant, {
    kind: "policy.put",
    scope,
    id: `pol_${ids}`,
    digest: digest("countersign-policy-v1", [{ scope, document }]),
    text: JSON.stringify(document),
    replaces: null,
    by: { kind: "person", id: "bench" },
  });
  if (!committed.ok) throw new Error(committed.error.code);
}
const mandate = (count) => ({
  clauses: Array.from({ length: count }, (_, i) => ({
    id: `c${i}`,
    effect: "allow",
    match: { kind: ["file"], target_prefix: [`/work/${i}/`] },
  })),
  default: "block",
});

await put("operator", "platform:default", { mandate: mandate(10_000), screening: { mode: "enforce" } });
await put("acme", "org:acme", { mandate: mandate(1_000), network: { deny: ["evil.example.com"] } });
await put("acme", "team:ops", { review: { sla_seconds: 600 } });
for (let i = 0; i < AGENTS; i += 1) await put("acme", `agent:a${i}`, { mandate: mandate(5) });

const policies = createStoredPolicies({ store, operator: "operator", cards: null, clock });
let turn = 0;
async function effective() {
  turn = (turn + 1) % AGENTS;
  const read = await policies.effective({ tenant: "acme", agent: `a${turn}`, teams: ["ops"] });
  if (!read.ok || read.value?.sources.length !== 4) throw new Error("nothing is in force");
  return read.value;
}
for (let i = 0; i < AGENTS; i += 1) await effective();

const { privateKey } = generateKeyPairSync("ed25519");
const bytes = Buffer.alloc(400, 7);
await compare({
  name: `the policy in force, one of ${AGENTS} agents`,
  contenders: { effective, "node:crypto sign": () => sign(null, bytes, privateKey) },
  ratio: ["effective", "node:crypto sign"],
  floor: 1,
});

const inForce = await policies.inForce({ tenant: "acme", agent: "a1", teams: ["ops"] });
if (!inForce.ok) throw new Error(inForce.error.code);
const documents = inForce.value.parts.map(({ scope, document }) => ({ scope, document }));
await compare({
  name: "kept, beside reading and composing anew",
  contenders: {
    effective,
    anew: () => composeParts(documents.map(({ scope, document }) => readPart(document, scope).value)),
  },
  rounds: 7,
  ratio: ["effective", "anew"],
  floor: 100,
});
