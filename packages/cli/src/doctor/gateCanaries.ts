import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { ed25519Key, type KeySet, verifyAdvice, verifyReceipt } from "@countersign/api";
import {
  type Action,
  assemble,
  BLANK_POLICY,
  type DecisionRequest,
  decimalFromNumber,
  type EffectivePolicy,
  err,
  instantFromMillis,
  type Ledger,
  type Mandate,
  type Money,
  newId,
  parseDuration,
  receiptClaims,
  receiptHeader,
  type Signer,
  type SpendRules,
  type StatementKind,
  samePolicy,
  signingInput,
} from "@countersign/core";
import { createNodeSigner } from "@countersign/server";
import { createLocalGate, createLocalStore } from "../localGate.ts";
import { LOCAL_SCOPE } from "../policyFile.ts";
import { random } from "../random.ts";
import { type Canary, fakeSecret, INJECTION, type Outcome, PRIVATE_URL } from "./canary.ts";

const ISSUER = "countersign-doctor";
const PRINCIPAL = { tenant: "local", agent: "local", teams: [], credential: "doctor" } as const;
/** What the doctor's clause allows, and no real policy names. */
const PROBE: Action = { kind: "device", verb: "doctor.probe", target: "doctor:probe" };

/**
 * What must be denied, put to the whole gate in this process: it gathers, decides, records and signs. The policy stands as
 * it is, but for a clause in front that allows the probe, so that each canary is denied for its own reason.
 */
export function gateCanaries(given: EffectivePolicy | null): readonly Canary[] {
  const policy = given ?? BARE;
  const open = withProbe(policy);
  const texts = [{ surface: "incoming", text: INJECTION }] as const;
  return [
    { what: "what a clause allows is allowed, and its receipt verifies", flies: () => control(withProbe(BARE)) },
    { what: "without a policy everything is blocked", flies: () => denies("policy.none", null, { action: PROBE }) },
    {
      what: "an action that no clause names is not allowed",
      flies: () => denies(null, policy, { action: { ...PROBE, kind: "unspecified" } }),
    },
    {
      what: "a mandate that has expired allows nothing",
      flies: () => denies("mandate.expired", expired(open), { action: PROBE }),
    },
    {
      what: "a secret in an action is blocked",
      flies: () =>
        denies("credentials.found", open, { action: { ...PROBE, parameters: { token: fakeSecret(random) } } }),
    },
    {
      what: "a private address is blocked in every spelling",
      flies: () => denies("url.private_address", open, { action: PROBE, material: { urls: [PRIVATE_URL] } }),
    },
    {
      what: "a text with injected instructions does not pass",
      flies: () => denies("instructions.block", open, { action: PROBE, material: { texts } }),
    },
    {
      what: "a payment above its budget is blocked",
      flies: () => denies("spend.budget_exceeded", budgeted(open), { action: { ...PROBE, amount: money(2) } }),
    },
    { what: "spending that is not known blocks", flies: () => faults(open, { facts: forgets }) },
    { what: "what cannot be recorded is not allowed and not signed", flies: () => faults(open, { commit: forgets }) },
    { what: "a stop stops", flies: () => stops(open) },
    { what: "advice does not verify as a decision", flies: adviceIsNoDecision },
  ];
}

/** Nothing but texts screened as shipped: what the gate does by itself. */
const BARE: EffectivePolicy = {
  ...BLANK_POLICY,
  digest: `sha256:${"0".repeat(64)}`,
  origin: "operator",
  screening: {
    mode: "enforce",
    thresholds: { warn: 0.6, quarantine: 0.8, block: 0.95 },
    surfaces: { incoming: true, outgoing: true, tool_calls: true, tool_responses: true },
  },
};

const EMPTY: Mandate = {
  id: LOCAL_SCOPE,
  clauses: [],
  requiresHuman: [],
  otherwise: "block",
  matching: "native",
  verbs: "exact",
};

function withProbe(policy: EffectivePolicy): EffectivePolicy {
  const match = { kind: [PROBE.kind], verb: [PROBE.verb] };
  const allows = { id: "doctor", effect: "allow", match } as const;
  const mandates = policy.mandates.length === 0 ? [{ scope: LOCAL_SCOPE, mandate: EMPTY }] : policy.mandates;
  return {
    ...policy,
    mandates: mandates.map(({ scope, mandate }) => ({
      scope,
      mandate: { ...mandate, clauses: [allows, ...mandate.clauses] },
    })),
  };
}

const expired = (policy: EffectivePolicy): EffectivePolicy => ({
  ...policy,
  mandates: policy.mandates.map(({ scope, mandate }) => ({
    scope,
    mandate: { ...mandate, expires: { until: instantFromMillis(0), inclusive: false } },
  })),
});

function budgeted(policy: EffectivePolicy): EffectivePolicy {
  const day = parseDuration("P1D");
  if (!day.ok) throw new Error(day.error.code);
  const rules: SpendRules = {
    scope: LOCAL_SCOPE,
    ceilings: [],
    budgets: [{ id: "doctor", per: "agent", window: { rolling: day.value }, max: money(1) }],
    counterparties: { everyone: true },
    deniedCounterparties: [],
    amountRequired: [],
    otherCurrencies: "allow",
  };
  return { ...policy, spend: [...policy.spend, rules] };
}

/** In the currency code that ISO 4217 keeps for tests. */
function money(amount: number): Money {
  const read = decimalFromNumber(amount);
  if (!read.ok) throw new Error(read.error.code);
  return { amount: read.value, currency: "XTS" };
}

type Question = Pick<DecisionRequest, "action" | "material">;

interface Bench {
  readonly signer: Signer;
  readonly keys: KeySet;
}

function bench(kid: string): Bench {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const key = ed25519Key(bytesOf(publicKey));
  if (key === undefined) throw new Error("the runtime made a weak key");
  return { signer: createNodeSigner(kid, privateKey), keys: new Map([[kid, key]]) };
}

const bytesOf = (key: KeyObject): Uint8Array =>
  new Uint8Array(Buffer.from(key.export({ format: "jwk" }).x ?? "", "base64url"));

function decide(policy: EffectivePolicy | null, question: Question, { signer }: Bench, ledger: Ledger) {
  const gate = createLocalGate({ ledger, policies: samePolicy(policy), signer: () => signer, issuer: ISSUER });
  return gate.decide({ ...question, principal: PRINCIPAL });
}

/** Denied, for the reason that the canary is about. */
async function denies(code: string | null, policy: EffectivePolicy | null, question: Question): Promise<Outcome> {
  const answer = await decide(policy, question, bench("receipts"), createLocalStore());
  if (!answer.ok) return { held: false, detail: `it was denied by a fault (${answer.error.code})` };
  const { verdict, findings } = answer.value;
  const codes = findings.filter(({ severity }) => severity !== "advisory").map((one) => one.code);
  const held = verdict !== "allow" && (code === null || codes.includes(code));
  return {
    held,
    detail: held ? (code ?? codes[0] ?? verdict) : `${verdict}${code === null ? "" : `, without ${code}`}`,
  };
}

async function faults(policy: EffectivePolicy, broken: Partial<Ledger>): Promise<Outcome> {
  const store = createLocalStore();
  const ledger: Ledger = { facts: store.facts, commit: store.commit, ...broken };
  const answer = await decide(policy, { action: PROBE }, bench("receipts"), ledger);
  return answer.ok ? { held: false, detail: answer.value.verdict } : { held: true, detail: answer.error.code };
}

const forgets = async () => err({ code: "store.unavailable", message: "the doctor took the log away" } as const);

async function stops(policy: EffectivePolicy): Promise<Outcome> {
  const store = createLocalStore();
  const stop = await store.commit(PRINCIPAL.tenant, {
    kind: "stop.put",
    id: newId("stop", Date.now(), random),
    scope: "tenant",
    reason: "doctor",
    until: null,
    by: { kind: "person", id: "doctor" },
  });
  if (!stop.ok) return { held: false, detail: stop.error.code };
  const answer = await decide(policy, { action: PROBE }, bench("receipts"), store);
  const held =
    answer.ok && answer.value.verdict === "block" && answer.value.findings.some(({ code }) => code === "stopped");
  return { held, detail: held ? "stopped" : "the stop was passed over" };
}

async function control(policy: EffectivePolicy): Promise<Outcome> {
  const here = bench("receipts");
  const answer = await decide(policy, { action: PROBE }, here, createLocalStore());
  if (!answer.ok) return { held: false, detail: answer.error.code };
  const { verdict, receipt, action_digest: digest } = answer.value;
  if (verdict !== "allow" || receipt === undefined)
    return { held: false, detail: `${verdict}, receipt ${receipt === undefined ? "missing" : "given"}` };
  const verified = await verifyReceipt(receipt, expected(here.keys, digest ?? ""));
  return { held: verified.ok, detail: verified.ok ? "allow" : verified.error.code };
}

const expected = (keys: KeySet, actionDigest: string) => ({
  keys,
  issuer: ISSUER,
  audience: ISSUER,
  tenant: PRINCIPAL.tenant,
  subject: PRINCIPAL.agent,
  actionDigest,
  verdict: "allow" as const,
  now: Date.now() / 1000,
  clockSkew: 5,
  replay: "accepted" as const,
});

/** Signed rightly, by the key for advice and even by the key for receipts: it is advice in both cases. */
async function adviceIsNoDecision(): Promise<Outcome> {
  const digest = `sha256:${"1".repeat(64)}`;
  const [receipts, advice] = [bench("receipts"), bench("advice")];
  const sign = async (kind: StatementKind, { signer }: Bench): Promise<string> => {
    const claims = receiptClaims({
      kind,
      issuer: ISSUER,
      audience: ISSUER,
      tenant: PRINCIPAL.tenant,
      subject: PRINCIPAL.agent,
      id: newId("dec", Date.now(), random),
      issuedAt: Math.floor(Date.now() / 1000),
      verdict: "allow",
      actionDigest: digest,
      policyDigest: digest,
      recordHash: digest,
    });
    const input = signingInput(receiptHeader(kind, signer.kid), claims);
    return assemble(input, await signer.sign(input));
  };
  const ours = await sign("advice", advice);
  const byReceiptKey = await sign("advice", receipts);
  const genuine = await verifyAdvice(ours, expected(advice.keys, digest));
  const passed = [
    await verifyReceipt(ours, expected(receipts.keys, digest)),
    await verifyReceipt(ours, expected(advice.keys, digest)),
    await verifyReceipt(byReceiptKey, expected(receipts.keys, digest)),
  ].filter(({ ok }) => ok).length;
  const held = genuine.ok && passed === 0;
  return {
    held,
    detail: held ? "receipt.type_refused" : genuine.ok ? "advice passed for a receipt" : genuine.error.code,
  };
}
