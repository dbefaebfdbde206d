import {
  ACTION_GATE_TOOL,
  type AdviceGiven,
  actionGate,
  actionGateRefusal,
  type Problem,
  problemOf,
  type Signals,
} from "@countersign/api";
import {
  assemble,
  createSchemaCache,
  draftAdvice,
  err,
  type HexSha256,
  instantFromMillis,
  type JsonValue,
  type Ledger,
  newId,
  ok,
  type Result,
  receiptClaims,
  receiptHeader,
  type SchemaCache,
  type Sha256,
  type Signer,
  signingInput,
} from "@countersign/core";
import { adviceFor, type Caller } from "../caller.ts";
import type { Dialect } from "./dialect.ts";

export interface ActionGateFace {
  readonly ledger: Ledger;
  /** Of advice, and of nothing else: what it signs never verifies as a decision. */
  readonly signer: () => Signer;
  /** The gate's name in advice. Advice is for nobody in particular, so it is its audience too. */
  readonly issuer: string;
  readonly clock: () => number;
  readonly random: (length: number) => Uint8Array;
  readonly sha256: Sha256;
  readonly hexSha256: HexSha256;
  /** The start setting `action-gate.signals`. */
  readonly signals: Signals;
}

/** What comes with an action, judged by what comes with it. Signed advice is recorded first, as commitments to digests. */
export function actionGateDialect(face: ActionGateFace): Dialect {
  const schemas = schemasByCaller(face.hexSha256);
  return {
    name: "action-gate",
    tools: [ACTION_GATE_TOOL],
    numbers: "plain",
    answer: (_tool, input, caller) =>
      actionGate(input as JsonValue, {
        now: instantFromMillis(face.clock()),
        signals: face.signals,
        sha256: face.hexSha256,
        schemas: schemas(caller),
        advise: (advice) => recordAndSign(face, caller, advice),
      }),
    refusal: (_tool, input) => actionGateRefusal(input as JsonValue, instantFromMillis(face.clock())),
  };
}

async function recordAndSign(
  { ledger, signer, issuer, clock, random, sha256 }: ActionGateFace,
  caller: Caller,
  { dialect, verdict, actionDigest, policyDigest }: AdviceGiven,
): Promise<Result<string, Problem>> {
  const id = newId("adv", clock(), random);
  const digests = { action: actionDigest, policy: policyDigest };
  const note = draftAdvice({ dialect, id, agent: adviceFor(caller), outcome: verdict, digests }, { random, sha256 });
  const committed = await ledger.commit(caller.tenant, note);
  if (!committed.ok) return err(problemOf(committed.error.code));
  try {
    const key = signer();
    const claims = receiptClaims({
      kind: "advice",
      issuer,
      audience: issuer,
      tenant: caller.tenant,
      subject: adviceFor(caller),
      id,
      issuedAt: Math.floor(committed.value.at / 1000),
      verdict,
      actionDigest,
      policyDigest,
      recordHash: committed.value.recordHash,
    });
    const bytes = signingInput(receiptHeader("advice", key.kid), claims);
    return ok(assemble(bytes, await key.sign(bytes)));
  } catch {
    return err(problemOf("signer.failed"));
  }
}

const MOST_CALLERS = 256;
const MOST_SCHEMAS = 32;

/** A cache for each credential, as two callers' schemas never meet; the one not asked for the longest goes first. */
function schemasByCaller(sha256: HexSha256): (caller: Caller) => SchemaCache {
  const caches = new Map<string, SchemaCache>();
  return ({ tenant, credential }) => {
    const name = JSON.stringify([tenant, credential]);
    const cache = caches.get(name) ?? createSchemaCache(MOST_SCHEMAS, undefined, sha256);
    caches.delete(name);
    caches.set(name, cache);
    for (const oldest of caches.keys()) {
      if (caches.size <= MOST_CALLERS) break;
      caches.delete(oldest);
    }
    return cache;
  };
}
