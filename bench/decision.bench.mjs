// A whole decision on an ask of 1 KiB, from bytes to verdict and digest: strict reading, a mandate of 10,000 clauses, a
// data contract, spend rules and the action digest, without texts and without a record; the same with the signature of a
// receipt; and with what an operator's gate does besides: the schema of the ask and the search for secrets. The yardstick
// is one Ed25519 signature.
import { isUtf8 } from "node:buffer";
import { createHash, generateKeyPairSync, hash, sign } from "node:crypto";
import { readDecision } from "@countersign/api";
import {
  actionDigest,
  assemble,
  decide,
  factsOf,
  instantFromMillis,
  jsonLimits,
  NO_FACTS,
  parseJson,
  parseMoney,
  readPolicy,
  receiptClaims,
  receiptHeader,
  signingInput,
} from "@countersign/core";
import { createNodeSigner } from "@countersign/server";
import { compare } from "./harness.mjs";

const CLAUSES = 10_000;
const document = {
  mandate: {
    clauses: Array.from({ length: CLAUSES }, (_, i) => ({
      id: `clause-${i}`,
      effect: "allow",
      match: {
        kind: ["transaction"],
        verb: ["transfer"],
        target_prefix: [`acct/team-${i}/`],
        counterparty: [`a-${i}`, `b-${i}`, `c-${i}`, `d-${i}`],
        max_amount: { value: String(100 + i), currency: "USD" },
      },
    })),
    default: "block",
  },
  spend: { ceilings: [{ value: "1000000", currency: "USD" }] },
  contracts: [
    {
      id: "order",
      fields: { "order.id": { type: "string", required: true }, "order.total": { type: "number", min: 0 } },
      required_for: ["transaction"],
    },
  ],
};
const policy = readPolicy(document, "platform:default");
if (!policy.ok) throw new Error(JSON.stringify(policy.error));

const body = Buffer.from(
  JSON.stringify({
    action: {
      kind: "transaction",
      verb: "transfer",
      target: `acct/team-${CLAUSES - 1}/main`,
      counterparty: `d-${CLAUSES - 1}`,
      amount: { value: "99.50", currency: "USD" },
      parameters: {
        memo: "m".repeat(300),
        lines: Array.from({ length: 8 }, (_, i) => ({ sku: `sku-${i}`, count: i + 1, price: 9.5 + i })),
      },
    },
    material: { data: { order: { id: "o-1", total: 99.5 } } },
    idempotency_key: "k".repeat(32),
  }),
);
const asker = { tenant: "acme", agent: "shopper", teams: [] };
const now = instantFromMillis(1_800_000_000_000);
const noStops = factsOf([
  {
    key: { fact: "stops", of: "tenant\norg:acme\nagent:shopper" },
    fact: { state: "known", value: [], source: "bench", at: "2027-01-15T08:00:00Z" },
  },
]);
const sha256Hex =
  hash === undefined ? (text) => createHash("sha256").update(text).digest("hex") : (text) => hash("sha256", text);

const advised = { ...policy.value, origin: "caller" };
const decode = (bytes) => (isUtf8(bytes) ? bytes.toString("utf8") : undefined);

/** Reading, mandate, contract, spend and digest, and nothing else. */
function judgeOnly() {
  const { action, material } = parseJson(body, jsonLimits, "plain", decode).value;
  const amount = parseMoney(action.amount.value, action.amount.currency);
  const ask = { asker, action: { ...action, amount: amount.value }, material };
  return { outcome: decide(ask, advised, NO_FACTS, now), digest: actionDigest(ask, sha256Hex) };
}

function decideOnce() {
  const question = readDecision(parseJson(body, jsonLimits, "plain", decode).value);
  const { action, material } = question.value;
  const ask = { asker, action, material };
  return { outcome: decide(ask, policy.value, noStops, now), digest: actionDigest(ask, sha256Hex) };
}
for (const probe of [judgeOnly(), decideOnce()]) {
  if (probe.outcome.verdict !== "allow") throw new Error(JSON.stringify(probe.outcome));
}

const { privateKey } = generateKeyPairSync("ed25519");
const signer = createNodeSigner("bench", privateKey);
const bytes = Buffer.alloc(400, 7);

async function judgeAndSign() {
  const { outcome, digest } = judgeOnly();
  const input = signingInput(
    receiptHeader("receipt", signer.kid),
    receiptClaims({
      kind: "receipt",
      issuer: "https://gate.example",
      audience: "https://pay.example",
      tenant: "acme",
      subject: "shopper",
      id: "dec_01890000-0000-7000-8000-000000000000",
      issuedAt: 1_800_000_000,
      verdict: outcome.verdict,
      actionDigest: digest,
      policyDigest: policy.value.digest,
      recordHash: digest,
    }),
  );
  return assemble(input, await signer.sign(input));
}

// Floors are ratios of speed: at most 0.8 of a signature in time is at least 1.25 in speed, at most 2.0 at least 0.5.
const rows = [
  [`a decision: ${body.length} bytes, ${CLAUSES} clauses`, "judge", judgeOnly, 1.25],
  ["the same with a signed receipt", "judge and sign", judgeAndSign, 0.5],
  ["a decision with its schema and the search for secrets", "decide", decideOnce, 0.3],
];
for (const [name, contender, run, floor] of rows) {
  await compare({
    name,
    contenders: { [contender]: run, "node:crypto sign": () => sign(null, bytes, privateKey) },
    ratio: [contender, "node:crypto sign"],
    floor,
  });
}
