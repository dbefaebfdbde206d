import { ok, type Result } from "../../result.ts";
import type { Committed } from "../ports.ts";
import type { Change, Idempotency, Millis } from "./change.ts";
import { answerClaimStep, freeClaimStep, keepClaimStep, openClaimStep } from "./claims.ts";
import { decideStep, noteStep } from "./decide.ts";
import {
  putAgentStep,
  putKeyStep,
  putPolicyStep,
  putWebhookStep,
  removeWebhookStep,
  revokeKeyStep,
} from "./directory.ts";
import { eraseStep } from "./erase.ts";
import { appealStep, decideHoldStep, revokeGrantStep } from "./holds.ts";
import { outcomeStep, redeemStep } from "./redeem.ts";
import type { Refusal } from "./refusal.ts";
import { refuse } from "./refuse.ts";
import type { Head } from "./rows.ts";
import type { Step } from "./step.ts";
import { liftStopStep, putStopStep } from "./stops.ts";
import { RELEASES_A_GROUP, releaseDue, sweepStep, wantReleases } from "./sweep.ts";
import { type Loaded, type LoadRequest, type Means, Work, type Writes } from "./work.ts";

/** The most changes that are made in one transaction. */
export const LARGEST_GROUP = 128;

const STEPS: { readonly [K in Change["kind"]]: Step<K> } = {
  decide: decideStep,
  note: noteStep,
  "hold.decide": decideHoldStep,
  appeal: appealStep,
  "grant.revoke": revokeGrantStep,
  redeem: redeemStep,
  outcome: outcomeStep,
  "stop.put": putStopStep,
  "stop.lift": liftStopStep,
  "policy.put": putPolicyStep,
  "agent.put": putAgentStep,
  "key.put": putKeyStep,
  "key.revoke": revokeKeyStep,
  erase: eraseStep,
  "claim.open": openClaimStep,
  "claim.keep": keepClaimStep,
  "claim.answer": answerClaimStep,
  "claim.free": freeClaimStep,
  "webhook.put": putWebhookStep,
  "webhook.remove": removeWebhookStep,
  sweep: sweepStep,
};

export interface Group {
  readonly tenant: string;
  /** As it is under the lock. */
  readonly head: Head;
  /** The clock; the group's time is this or the head's, whichever is later. */
  readonly clock: Millis;
  readonly changes: readonly Change[];
}

export type ChangeAnswer = Result<Committed<Change["kind"]>, Refusal>;

export interface JudgedGroup {
  /** One for each change, in order. */
  readonly answers: readonly ChangeAnswer[];
  /** Undefined when nothing is to be written. */
  readonly writes: Writes | undefined;
}

/**
 * Judges a group of changes one after the other, as if each had the lock for itself. Yields what has to be read, and is
 * resumed with it; a database drives it with queries, memory with look-ups. Pure: one text for every engine.
 */
export function* commitGroup(group: Group, means: Means): Generator<LoadRequest, JudgedGroup, Loaded> {
  const { tenant, head, changes } = group;
  const work = new Work(tenant, head, Math.max(group.clock, head.at), means);
  for (;;) {
    wantReleases(work, RELEASES_A_GROUP);
    for (const change of changes) want(change, work);
    const request = work.takeRequest();
    if (request === undefined) break;
    work.accept(request, yield request);
  }
  releaseDue(work);
  const answers = changes.map((change) => judge(change, work));
  return { answers, writes: work.writes === 0 ? undefined : work.finish() };
}

function want<K extends Change["kind"]>(change: Extract<Change, { kind: K }>, work: Work): void {
  const key = idempotencyOf(change);
  if (key !== undefined) work.want("idempotency", key.key);
  stepOf<K>(change).want(change, work);
}

function judge<K extends Change["kind"]>(change: Extract<Change, { kind: K }>, work: Work): ChangeAnswer {
  const key = idempotencyOf(change);
  const stored = key === undefined ? null : work.get("idempotency", key.key);
  if (key !== undefined && stored !== null && work.now < stored.expiresAt) {
    if (stored.digest !== key.digest)
      return refuse("idempotency.conflict", "the idempotency key was used for another request");
    return ok({ ...stored.committed, replayed: { answer: stored.answer } } as unknown as Committed<K>);
  }
  const before = work.writes;
  const answer = stepOf<K>(change).apply(change, work);
  if (!answer.ok && work.writes !== before) throw new Error(`a refused ${change.kind} left a trace`);
  if (answer.ok && key !== undefined) {
    work.put("idempotency", {
      key: key.key,
      ref: refOf(change),
      digest: key.digest,
      answer: key.answer,
      committed: { ...answer.value },
      at: work.now,
      expiresAt: work.now + key.keepFor,
    });
  }
  return answer;
}

const stepOf = <K extends Change["kind"]>(change: Change): Step<K> => STEPS[change.kind] as unknown as Step<K>;

const idempotencyOf = (change: Change): Idempotency | undefined =>
  "idempotency" in change ? change.idempotency : undefined;

/** What a change is about: what is remembered of it goes when that is erased. */
const refOf = (change: Change): string =>
  "id" in change ? change.id : "ref" in change ? change.ref : "decision" in change ? change.decision : "";
