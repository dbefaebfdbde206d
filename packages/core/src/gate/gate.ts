import type { Ask, Asker } from "../action/action.ts";
import { findSecrets } from "../check/credentials/findSecrets.ts";
import { freePlaces, nearMissesIn, type ScreenedText, screenTexts } from "../check/instructions/screenTexts.ts";
import { createSchemaCache, type SchemaCache } from "../check/schema/cache.ts";
import { withCompiledSchemas } from "../check/schema/contracts.ts";
import { type Marks, marksOf } from "../check/sequence/marks.ts";
import { awaitedMarks } from "../check/sequence/sequence.ts";
import { withDerivedAction } from "../check/typedData/derivedAction.ts";
import type { GrantInHand } from "../decision/compose.ts";
import { decide, factsNeeded } from "../decision/decide.ts";
import type { Decided } from "../decision/decision.ts";
import type { Finding } from "../decision/finding.ts";
import { remedyFor } from "../decision/remedy.ts";
import type { JsonValue } from "../json/value.ts";
import { formatMoney } from "../money/money.ts";
import type { EffectivePolicy, GateBand, Review } from "../policy/effective.ts";
import type { PolicySource } from "../policy/source.ts";
import { hasEnded } from "../policy/until.ts";
import { actionDigest } from "../record/actionDigest.ts";
import { digest } from "../record/digest.ts";
import type { HexSha256 } from "../record/hexSha256.ts";
import type { Sha256 } from "../record/merkle.ts";
import { assemble, receiptClaims, receiptHeader, STATEMENT_LIFETIME, signingInput } from "../record/receipt.ts";
import type { Signer } from "../record/signer.ts";
import { err, ok, type Result } from "../result.ts";
import { formatInstant, type Instant, instantFromMillis } from "../time/instant.ts";
import type { Answer, DecisionRequest, GateFault, Principal, ScreeningScore } from "./answer.ts";
import { type ContentKeeping, draftDecision, keepingUnder } from "./draft.ts";
import { type FactSource, type Gathered, gather } from "./gather.ts";
import { newId, type RandomBytes } from "./ids.ts";
import type { AwaitedMark, Millis, NewHold } from "./ledger/change.ts";
import type { LedgerError } from "./ledger/refusal.ts";
import type { Committed, Grant, Ledger } from "./ports.ts";
import { notifyOf } from "./recipients.ts";
import type { Sessions } from "./sessions.ts";

/** How long a person has to decide, and how long an approval can be used. */
export interface HoldRules {
  readonly expiresIn: Millis;
  readonly grantFor: Millis;
}

/** What a gate leans on. All of it is handed in: core has no clock, no randomness and no I/O of its own. */
export interface GatePorts {
  readonly ledger: Ledger;
  readonly policies: PolicySource;
  readonly sources: readonly FactSource[];
  /** Resolves when facts have been waited for long enough. What has not come by then is unknown, and a needed unknown blocks. */
  readonly deadline: () => Promise<void>;
  /** Gives the key that signs receipts now. Without one, answers carry none, and an executor that asks for a receipt refuses. */
  readonly signer: (() => Signer) | null;
  /** Milliseconds since the epoch. Only names windows and ids; decisions are made at the ledger's time. */
  readonly clock: () => Millis;
  readonly random: RandomBytes;
  readonly sha256: Sha256;
  /** The runtime's own SHA-256 to hexadecimal, for speed alone; without it a pure one is used. */
  readonly hexSha256?: HexSha256;
  /** Version, tables, model and library versions: decisions replay under the same one. */
  readonly engine: string;
  /** The gate's name in receipts. */
  readonly issuer: string;
  /** Opens a hold for each review; null leaves reviews without one, so that nothing can lift them. */
  readonly holds: HoldRules | null;
  /** The most that is kept; policies say what is kept of it. */
  readonly content: ContentKeeping;
  /** Where enforcers hold conversations apart. Without it, what a credential did counts in every one of them. */
  readonly sessions?: Pick<Sessions, "isOwn">;
}

export interface Gate {
  /**
   * Gathers, decides, records and signs, in this order. Never throws and never allows on a fault: an error is a block
   * for whoever asked.
   */
  decide(request: DecisionRequest): Promise<Result<Answer, GateFault>>;
}

/** How often figures may change under a decision before it is given up. */
const TRIES = 5;
const IDEMPOTENCY_KEPT: Millis = 86_400_000;

/** How many schemas of policies are kept compiled. */
const SCHEMAS_KEPT = 500;

export function createGate(ports: GatePorts): Gate {
  const schemaCache = createSchemaCache(SCHEMAS_KEPT);
  return {
    async decide(request) {
      try {
        for (let tries = 0; tries < TRIES; tries += 1) {
          const answer = await decideOnce(ports, schemaCache, request);
          // Another policy was in force before this was recorded: what counts is that one.
          if (answer.ok || answer.error.code !== "policy.changed") return answer;
        }
        return err(KEEPS_CHANGING);
      } catch {
        return err({ code: "internal", message: "the gate failed, and nothing was allowed" });
      }
    },
  };
}

async function decideOnce(
  ports: GatePorts,
  schemaCache: SchemaCache,
  request: DecisionRequest,
): Promise<Result<Answer, GateFault>> {
  const { principal } = request;
  if (namesHoldSecrets(request)) return err(SECRET_NAME);
  const asked = askOf(request);
  const ask = withDerivedAction(asked);
  const inForce = await readPolicy(ports.policies, principal);
  if (!inForce.ok) return err(inForce.error);
  const { policy: effective, versions } = inForce.value;
  const policy = effective === null ? null : await withCompiledSchemas(effective, schemaCache);
  const covered = actionDigest(asked, ports.hexSha256);
  const audience = request.audience ?? ports.issuer;
  const session = await ownSession(ports, principal, request.session);
  if (!session.ok) return session;
  const idempotency =
    request.idempotencyKey === undefined
      ? undefined
      : {
          key: `decide\n${principal.agent}\n${request.idempotencyKey}`,
          digest: requestDigest(asked, audience, ports.hexSha256),
        };

  for (let tries = 0; tries < TRIES; tries += 1) {
    const gathered = await gather(
      ports.ledger,
      ports.sources,
      ports.deadline,
      {
        ask,
        policy,
        credential: principal.credential,
        ...(session.value === undefined ? {} : { session: session.value }),
        actionDigest: covered,
        ...(idempotency === undefined ? {} : { idempotency }),
        needs: (now) => (policy === null ? [] : factsNeeded(ask, policy, now)),
      },
      ports.clock(),
    );
    if (!gathered.ok) return err(gathered.error);
    if (gathered.value.ledger.replay === "conflict") return err(CONFLICT);

    const judged = judge(ask, policy, gathered.value);
    if (judged.kind === "fault") return err({ code: judged.code, message: judged.message });
    const { decided, grant } = judged;
    const id = newId("dec", ports.clock(), ports.random);
    const { now, facts } = gathered.value;
    const screened = policy === null ? [] : (screenTexts(ask, policy, facts, now) ?? []);
    const left = policy === null ? NO_MARKS : marksOf(ask, policy);
    const hold = holdFor(ports, ask, policy, decided, screened, covered);
    // Of what the asker wrote itself: an action that was derived is not its to change.
    const blocked = decided.verdict === "block" && policy !== null && asked.action !== undefined;
    const remedy = blocked ? remedyFor(ask, policy, facts, now, decided) : null;
    const answer: Answer = {
      id,
      verdict: decided.verdict,
      enforcement: observed(policy, gathered.value.now) ? "observe" : "enforce",
      basis: decided.basis,
      findings: decided.findings,
      action_digest: covered,
      policy_digest: policy?.digest ?? null,
      engine: ports.engine,
      ...(screened.length === 0 ? {} : { screening: screened.map((one) => scoreOf(one, policy)) }),
      ...(hold === undefined
        ? {}
        : {
            hold: {
              id: hold.id,
              expires_at: formatInstant(instantFromMillis(gathered.value.ledger.now + hold.expiresIn)),
              ...(policy?.review?.notice == null ? {} : { notice: policy.review.notice }),
            },
          }),
      ...(remedy === null ? {} : { remedy }),
    };
    const stored = { answer, audience, tenant: principal.tenant, agent: principal.agent };
    const committed = await ports.ledger.commit(
      principal.tenant,
      draftDecision(
        {
          ask,
          credential: principal.credential,
          session: session.value,
          decided,
          gathered: gathered.value,
          answer,
          audience,
          hold,
          grant: grant?.id,
          idempotency: idempotency && { ...idempotency, answer: JSON.stringify(stored), keepFor: IDEMPOTENCY_KEPT },
          redeemFor: STATEMENT_LIFETIME * 1000,
          content: keepingUnder(ports.content, policy?.content ?? null),
          sources: policy?.sources ?? [],
          exemptions: policy?.exemptions ?? [],
          versions,
          // What was read is seen, whatever the verdict; what was not allowed did not happen.
          marks: [...new Set([...left.ofTexts, ...(decided.verdict === "allow" ? left.ofAction : [])])],
          nearMisses: nearMissesIn(screened),
          notLeft:
            decided.verdict === "block" || policy === null ? [] : awaitedOf(ask, policy, screened, gathered.value),
        },
        ports.random,
        ports.sha256,
      ),
    );
    if (committed.ok) {
      // Asked before under this key: the first answer is given again, with the receipt that it had.
      const first = committed.value.replayed?.answer;
      return signed(ports, first ? (JSON.parse(first) as Stored) : stored, committed.value);
    }
    if (!canDecideAgain(committed.error)) return err(committed.error);
  }
  return err(KEEPS_CHANGING);
}

const KEEPS_CHANGING: GateFault = {
  code: "store.busy",
  message: "what the decision rests on changed each time it was made",
};

/** The session that was named, where the gate gave it to this credential for this agent. Any other name changes nothing. */
async function ownSession(
  { sessions }: GatePorts,
  principal: Principal,
  named: string | undefined,
): Promise<Result<string | undefined, GateFault>> {
  if (sessions === undefined || named === undefined) return ok(undefined);
  const own = await sessions.isOwn(principal, named);
  return own.ok ? ok(own.value ? named : undefined) : own;
}

/** With the versions that it was made from, where the source knows of any. */
async function readPolicy(policies: PolicySource, asker: Asker) {
  if (policies.versioned !== undefined) return policies.versioned(asker);
  const read = await policies.effective(asker);
  return read.ok ? ok({ policy: read.value, versions: [] }) : read;
}

/** These are kept and signed as they are, so a secret in one of them is refused before anything is written. */
const namesHoldSecrets = ({ principal, session, audience, idempotencyKey }: DecisionRequest): boolean =>
  [principal.agent, session, audience, idempotencyKey].some(
    (name) => name !== undefined && findSecrets(name).length > 0,
  );

const SECRET_NAME: GateFault = {
  code: "request.invalid",
  message: "agent, session, audience and idempotency key are names, and one of these looks like a secret",
};

interface Judged {
  readonly kind: "judged";
  readonly decided: Decided;
  readonly grant: Grant | undefined;
}

/**
 * Judges without a grant first: one is used up only where it turns a review into an allow. Behind it stand as many people
 * as the policy asks for now, which may be more than when they approved.
 */
function judge(ask: Ask, policy: EffectivePolicy | null, { facts, now, ledger }: Gathered) {
  const bare = decide(ask, policy, facts, now);
  if (bare.kind === "fault") return bare;
  if (bare.verdict === "review") {
    const approvers = policy?.review?.approvers ?? 1;
    for (const grant of ledger.grants.filter(({ approvedBy }) => approvedBy.length >= approvers)) {
      const inHand: GrantInHand = { id: grant.id, codes: grant.codes };
      const lifted = decide(ask, policy, facts, now, inHand);
      if (lifted.kind === "decided" && lifted.verdict === "allow")
        return { kind: "judged", decided: lifted, grant } satisfies Judged;
    }
  }
  return { kind: "judged", decided: bare, grant: undefined } satisfies Judged;
}

const askOf = ({ principal, action, material, session }: DecisionRequest): Ask => ({
  asker: { tenant: principal.tenant, agent: principal.agent, teams: principal.teams },
  ...(action === undefined ? {} : { action }),
  ...(material === undefined ? {} : { material }),
  ...(session === undefined ? {} : { session }),
});

/** Everything that was asked, wording and texts included: the same key must not answer for anything else. */
function requestDigest({ asker, action, material, session }: Ask, audience: string, sha256?: HexSha256): string {
  const { amount, ...rest } = action ?? {};
  const asked = {
    asker: { tenant: asker.tenant, agent: asker.agent },
    action: action === undefined ? null : { ...rest, amount: amount === undefined ? null : { ...formatMoney(amount) } },
    material: (material ?? null) as JsonValue,
    session: session ?? null,
    audience,
  };
  return digest("countersign-record-v1", asked, sha256);
}

const NO_MARKS: Marks = { ofTexts: [], ofAction: [] };

const scoreOf = (
  { path, score, postureScore, band, trusted }: ScreenedText,
  policy: EffectivePolicy | null,
): ScreeningScore => ({
  path,
  // Nothing is scored where the mode is off.
  mode: policy?.screening?.mode === "nudge" ? "nudge" : policy?.screening?.mode === "observe" ? "observe" : "enforce",
  score,
  posture_score: postureScore,
  band,
  ...(trusted === null ? {} : { trusted }),
});

/**
 * The hold that this verdict opens, by the section `review`. An action that needs a person always gets one. A text does
 * from the band on that the section names, also where it stays blocked: then a person can only say that it was a false
 * alarm. Only such a hold may be let go by the clock.
 */
function holdFor(
  { holds, clock, random }: GatePorts,
  { action }: Ask,
  policy: EffectivePolicy | null,
  { verdict, findings }: Decided,
  screened: readonly ScreenedText[],
  covered: string | null,
): NewHold | undefined {
  if (holds === null || verdict === "allow") return undefined;
  const review = policy?.review ?? null;
  const about = action === undefined && findings.every(isAboutText) ? "text" : "action";
  if (about === "text" ? !opensHold(review, policy, screened) : verdict !== "review") return undefined;
  const weighty = findings.filter(({ severity }) => severity !== "advisory");
  const scored = Math.max(0, ...screened.map(({ postureScore }) => Math.round(100 * postureScore)));
  return {
    id: newId("hold", clock(), random),
    about,
    risk: Math.max(Math.min(100, 20 + 20 * weighty.length), about === "text" ? scored : 0),
    approvers: review?.approvers ?? 1,
    codes: [...new Set(weighty.map(({ code }) => code))],
    expiresIn: review === null || review.sla === null ? holds.expiresIn : review.sla * 1000,
    onTimeout: about === "text" && verdict === "review" ? (review?.onTimeout ?? "reject") : "reject",
    // Material that asks for nothing has nothing that a grant could permit: a person can only say what is to be thought of it.
    grantFor: about === "text" || covered === null ? null : holds.grantFor,
    ...notifyOf(review),
  };
}

const isAboutText = ({ check, severity }: Finding): boolean => severity === "advisory" || check === "instructions";

function opensHold(review: Review | null, policy: EffectivePolicy | null, screened: readonly ScreenedText[]): boolean {
  if (policy?.screening?.mode !== "enforce") return false;
  if (review === null) return screened.some(({ band }) => band === "quarantine");
  return (
    review.enabled &&
    screened.some(
      ({ surface, band }) => BANDS.indexOf(band) >= BANDS.indexOf(review.gateOn[surface]) && band !== "pass",
    )
  );
}

/** From the one that stops nothing to the one that nothing reaches. */
const BANDS: readonly (GateBand | "pass")[] = ["pass", "warn", "quarantine", "block", "off"];

const observed = (policy: EffectivePolicy | null, now: Instant): boolean =>
  policy !== null && policy.enforcement !== "enforce" && !hasEnded(policy.enforcement.observe, now);

/** What others may be leaving at this moment, and would have counted. What is blocked already gets no stricter. */
const awaitedOf = (
  ask: Ask,
  policy: EffectivePolicy,
  screened: readonly ScreenedText[],
  { facts, now }: Gathered,
): readonly AwaitedMark[] => [
  ...awaitedMarks(ask, policy, facts, now).map((mark) => ({ of: "credential", mark }) as const),
  ...freePlaces(screened, facts, now).map((mark) => ({ of: "agent", mark }) as const),
];

/** A condition that no longer held: gathering again gives the figures of now. Everything else is a fault. */
function canDecideAgain({ code }: LedgerError): boolean {
  switch (code) {
    case "budget.exceeded":
    case "stopped":
    case "window.moved":
    case "marks.moved":
    case "grant.unknown":
    case "grant.used":
    case "grant.expired":
    case "grant.revoked":
      return true;
    default:
      return false;
  }
}

const CONFLICT: GateFault = {
  code: "idempotency.conflict",
  message: "this idempotency key was used for another ask",
};

interface Stored {
  readonly answer: Answer;
  readonly audience: string;
  readonly tenant: string;
  readonly agent: string;
}

/** The receipt is made after the record, from the record's own time and hash. No record, no signature. */
async function signed(
  { signer, issuer }: GatePorts,
  { answer, audience, tenant, agent }: Stored,
  committed: Committed<"decide">,
): Promise<Result<Answer, GateFault>> {
  if (signer === null || answer.action_digest === null || answer.policy_digest === null) return ok(answer);
  try {
    const key = signer();
    const input = signingInput(
      receiptHeader("receipt", key.kid),
      receiptClaims({
        kind: "receipt",
        issuer,
        audience,
        tenant,
        subject: agent,
        id: answer.id,
        issuedAt: Math.floor(committed.at / 1000),
        verdict: answer.verdict,
        actionDigest: answer.action_digest,
        policyDigest: answer.policy_digest,
        recordHash: committed.recordHash,
      }),
    );
    return ok({ ...answer, receipt: assemble(input, await key.sign(input)) });
  } catch {
    return err({ code: "signer.failed", message: "the decision was recorded and could not be signed" });
  }
}
