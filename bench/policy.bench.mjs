// Tools for policy authors. Two policies of 1,000 selective clauses are compared exactly, beside twenty times reading and
// indexing them: a ratio of the same machine, where the promise is 2 s. An adversarial pair has to come to its end (undecided)
// within the work of sixty such readings. Replaying an exported log stands beside deciding the same asks from memory.
import { createHash, randomBytes } from "node:crypto";
import {
  compileMandate,
  createGate,
  createMemoryStore,
  createSchemaCache,
  decide,
  diffMandates,
  exportLog,
  factsOf,
  lintPolicy,
  parseInstant,
  parseMoney,
  readPart,
  readPolicy,
  replayEntry,
  samePolicy,
  withCompiledSchemas,
} from "@countersign/core";
import { compare } from "./harness.mjs";

const NOW = parseInstant("2027-01-31T12:00:00Z").value;
const policyOf = (document) => {
  const read = readPolicy(document, "org:bench");
  if (!read.ok) throw new Error(JSON.stringify(read.error[0]));
  return read.value;
};

const selective = (most) => ({
  mandate: {
    default: "block",
    clauses: Array.from({ length: 1_000 }, (_, i) => ({
      id: `c${i}`,
      effect: "allow",
      match: {
        kind: ["transaction"],
        verb: ["transfer"],
        target_prefix: [`acct/team-${i}/`],
        counterparty: ["a", "b", "c", "d"].map((letter) => `${letter}${i}`),
        max_amount: { value: String(most + i), currency: "USD" },
      },
    })),
  },
});

/** Every condition of every clause takes other values together, so that hardly any two stay together. */
function adversarial(seed) {
  let state = seed;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  const some = (name) => {
    const names = Array.from({ length: 64 }, (_, i) => name(i)).filter(() => next() < 0.5);
    return names.length === 0 ? [name(0)] : names;
  };
  return {
    mandate: {
      default: "block",
      clauses: Array.from({ length: 1_000 }, (_, i) => ({
        id: `c${i}`,
        effect: ["allow", "review", "block"][Math.floor(next() * 3)],
        match: {
          kind: ["network"],
          verb: some((n) => `v${n}`),
          target_prefix: some((n) => `/t${n}/`),
          counterparty: some((n) => `p${n}`),
          max_amount: { value: String(Math.floor(next() * 1_000)), currency: "USD" },
        },
      })),
    },
  };
}

const [before, after] = [selective(1_000), selective(2_000)];
const [old, young] = [policyOf(before), policyOf(after)];
const readBoth = (times) => () => {
  let clauses = 0;
  for (let i = 0; i < times; i += 1)
    for (const document of [before, after])
      clauses += compileMandate(policyOf(document).mandates[0].mandate).byKind.size;
  return clauses;
};
const found = diffMandates(old, young, NOW);
if (found.outcome !== "differ" || found.differences.length !== 1_000)
  throw new Error("the policies differ in each clause");

await compare({
  name: "policy diff, 1,000 selective clauses, each changed",
  contenders: { diff: () => diffMandates(old, young, NOW), "20 readings": readBoth(20) },
  rounds: 7,
  ratio: ["diff", "20 readings"],
  floor: 3,
});

const [hard, harder] = [policyOf(adversarial(1)), policyOf(adversarial(2))];
if (diffMandates(hard, harder, NOW).outcome !== "undecided") throw new Error("the pair is adversarial");
await compare({
  name: "policy diff, adversarial, ends in undecided",
  contenders: { diff: () => diffMandates(hard, harder, NOW), "60 readings": readBoth(60) },
  rounds: 5,
  ratio: ["diff", "60 readings"],
  floor: 1,
});

const part = readPart(before, "org:bench");
if (!part.ok || lintPolicy([part.value], NOW).length > 0) throw new Error("nothing is to be said of the policy");
await compare({
  name: "policy lint, 1,000 selective clauses",
  contenders: { lint: () => lintPolicy([part.value], NOW), "60 readings": readBoth(60) },
  rounds: 5,
  ratio: ["lint", "60 readings"],
  floor: 2,
});

// Replay: payments, fetches and files under a policy with budgets; no texts, no schemas.
const DECISIONS = 400;
const random = (length) => new Uint8Array(randomBytes(length));
const sha256 = (bytes) => new Uint8Array(createHash("sha256").update(bytes).digest());
const shop = policyOf({
  ...before,
  spend: {
    ceilings: [{ value: "5000", currency: "USD" }],
    budgets: [{ id: "daily", per: "agent", window: { rolling: "P1D" }, currency: "USD", max: "100000000" }],
    counterparties: { deny: ["eve"] },
  },
  network: { schemes: ["https"] },
});
const asker = { tenant: "bench", agent: "a", teams: [] };
const TEXT = "The delivery leaves on Monday and arrives two days later; the invoice is attached. ".repeat(8);

/** Asks, the log of them that a gate kept, and their facts. */
async function keptLog(policy, materialOf) {
  const asks = Array.from({ length: DECISIONS }, (_, i) => ({
    asker,
    action: {
      kind: "transaction",
      verb: "transfer",
      target: `acct/team-${i * 2}/main`,
      counterparty: `a${i * 2}`,
      amount: parseMoney(String(500 + 3 * i), "USD").value,
      parameters: {
        memo: "x".repeat(300),
        lines: Array.from({ length: 8 }, (_, n) => ({ sku: `sku-${n}`, count: n + 1 })),
        reference: `order-${i}`,
      },
    },
    material: materialOf(i),
  }));
  const clock = () => 1_800_000_000_000;
  const store = createMemoryStore({ clock, random, sha256 });
  const gate = createGate({
    ledger: store,
    policies: samePolicy(policy),
    sources: [],
    deadline: () => new Promise(() => {}),
    signer: null,
    clock,
    random,
    sha256,
    engine: "bench/1",
    issuer: "gate",
    holds: null,
    content: { keep: "full", keepFor: null },
  });
  for (const { action, material } of asks) {
    await gate.decide({ principal: { ...asker, credential: "k" }, action, material });
  }
  const read = await exportLog("bench", store, 0, 1_000);
  const exported = read.value.filter(({ record }) => record.includes('"kind":"decide"'));
  const replayed = exported.map((entry) => replayEntry(entry, () => policy, sha256));
  if (replayed.length !== DECISIONS || replayed.some((one) => one?.after?.verdict !== one?.before))
    throw new Error("replay agrees");
  const facts = exported.map(({ content }) =>
    factsOf(JSON.parse(content.fields).facts.map(({ fact, of, ...rest }) => ({ key: { fact, of }, fact: rest }))),
  );
  return { asks, exported, facts };
}

const withTexts = policyOf({
  ...before,
  screening: { mode: "enforce" },
  contracts: [{ id: "order", schema: { type: "object", properties: { total: { type: "number", minimum: 0 } } } }],
});
const withSchemas = await withCompiledSchemas(withTexts, createSchemaCache(8));
for (const [name, policy, materialOf, floor] of [
  [
    "policy replay of a log, deciding from memory",
    shop,
    (i) => ({ urls: [`https://shop.example.com/order/${i}`] }),
    0.3,
  ],
  [
    "the same with texts and schemas",
    withSchemas,
    (i) => ({ texts: [{ surface: "incoming", source: "mail", text: TEXT }], data: { total: i } }),
    // Told, not promised: texts are parsed and searched anew.
    0.05,
  ],
]) {
  const { asks, exported, facts } = await keptLog(policy, materialOf);
  let turn = 0;
  const next = () => {
    turn = (turn + 1) % DECISIONS;
    return turn;
  };
  await compare({
    name,
    contenders: {
      replay: () => replayEntry(exported[next()], () => policy, sha256),
      memory: () => {
        const at = next();
        return decide(asks[at], policy, facts[at], NOW);
      },
    },
    ratio: ["replay", "memory"],
    floor,
  });
}
