import { canonicalize } from "../../json/canonical.ts";
import { ok } from "../../result.ts";
import type { HoldState } from "../ports.ts";
import type { Recipient } from "../recipients.ts";
import type { Actor, Millis, NewHold } from "./change.ts";
import { removeContent, wantContent } from "./contents.ts";
import { refuse } from "./refuse.ts";
import type { HoldRow } from "./rows.ts";
import type { Step } from "./step.ts";
import type { Work } from "./work.ts";

const CLOCK: Actor = { kind: "clock", id: "clock" };

/** Whether this hold may be opened. */
export function checkHold(hold: NewHold, work: Work) {
  if (work.get("holds", hold.id) !== null) return refuse("hold.exists", "a hold has this id already");
  const sound =
    Number.isInteger(hold.risk) &&
    hold.risk >= 0 &&
    hold.risk <= 100 &&
    (hold.approvers === 1 || hold.approvers === 2) &&
    hold.expiresIn > 0;
  if (!sound) return refuse("input.malformed", "a hold has a risk from 0 to 100, 1 or 2 approvers and an expiry");
  if (hold.notify !== undefined && hold.notify.remindBefore !== null && !(hold.notify.remindBefore > 0))
    return refuse("input.malformed", "whoever is told of a hold is reminded before its end");
  // Actions, money, credentials and policy are never let go by the clock.
  if (hold.onTimeout === "release" && hold.about !== "text")
    return refuse("input.malformed", "only a hold on screened text may be released by the clock");
  if (hold.about === "appeal" && hold.grantFor !== null)
    return refuse("input.malformed", "approving an appeal permits nothing");
  return undefined;
}

/** What a hold is about. */
export interface Held {
  readonly agent: string;
  readonly actionDigest: string | null;
  readonly scopes: readonly string[];
}

export function openHold(hold: NewHold, held: Held, decision: string, work: Work): void {
  work.put("holds", {
    id: hold.id,
    decision,
    agent: held.agent,
    about: hold.about,
    state: "open",
    version: 1,
    risk: hold.risk,
    approvers: hold.approvers,
    approvals: [],
    codes: hold.codes,
    actionDigest: held.actionDigest,
    scopes: held.scopes,
    openedAt: work.now,
    expiresAt: work.now + hold.expiresIn,
    onTimeout: hold.onTimeout,
    grantFor: hold.grantFor,
    decidedBy: null,
    decidedAt: null,
    reason: null,
    grantId: null,
    recipients: hold.notify?.recipients ?? [],
    remindAt: reminderOf(hold, work),
  });
}

/** Whoever was told a moment ago that it opened is not reminded of it. */
function reminderOf({ notify, expiresIn }: NewHold, { now }: Work): Millis | null {
  const before = notify?.remindBefore ?? null;
  return before === null || before >= expiresIn ? null : now + expiresIn - before;
}

/** As a record says who is told. */
export const told = (recipients: readonly Recipient[]) =>
  recipients.length === 0 ? {} : { recipients: [...recipients] };

export const decideHoldStep: Step<"hold.decide"> = {
  want(change, work) {
    work.wantSelect({ select: "stopsInForce", now: work.now });
    const hold = work.want("holds", change.hold);
    if (hold != null) wantContent(hold.decision, work);
    work.want("grants", change.grant);
  },

  apply(change, work) {
    if (change.by.kind !== "person") return refuse("actor.not_allowed", "only a person decides a hold");
    const hold = work.get("holds", change.hold);
    if (hold === null) return refuse("hold.unknown", "there is no such hold");
    if (hold.state !== "open") return refuse("hold.closed", "the hold was decided before");
    if (work.now >= hold.expiresAt) return refuse("hold.expired", "the hold has expired");
    if (hold.version !== change.version) return refuse("hold.changed", "the hold has changed since it was shown");
    const person = change.by.id;
    if (change.answer === "reject")
      return ok({ ...close(hold, "rejected", change.by, change.reason, work), grant: null });
    const stop = work.stopsInForce(hold.scopes);
    if (stop !== undefined)
      return refuse("hold.frozen", "a stop is in force here, and the hold waits until it is lifted");
    if (hold.approvals.some((approval) => approval.person === person))
      return refuse("hold.same_person", "another person must approve too");

    const approvals = [...hold.approvals, { person, at: work.now, reason: change.reason }];
    const last = approvals.length >= hold.approvers;
    const permits = last && hold.grantFor !== null && hold.actionDigest !== null;
    if (permits && work.get("grants", change.grant) !== null)
      return refuse("input.malformed", "a grant has this id already");
    const approved: HoldRow = { ...hold, approvals, grantId: permits ? change.grant : null };
    if (!last) {
      const appended = append(approved, "hold.approve", change.by, change.reason, work);
      work.put("holds", { ...approved, version: hold.version + 1 });
      return ok({ ...appended, state: "open" as const, grant: null });
    }
    const closed = close(approved, "approved", change.by, change.reason, work);
    if (permits && hold.grantFor !== null && hold.actionDigest !== null) {
      work.put("grants", {
        id: change.grant,
        hold: hold.id,
        agent: hold.agent,
        actionDigest: hold.actionDigest,
        codes: hold.codes,
        approvedBy: approvals.map((approval) => approval.person),
        expiresAt: work.now + hold.grantFor,
        usedBy: null,
        revokedAt: null,
      });
    }
    return ok({ ...closed, grant: approved.grantId });
  },
};

export const appealStep: Step<"appeal"> = {
  want(change, work) {
    work.want("decisions", change.decision);
    work.want("holds", change.hold.id);
    work.want("contents", change.decision);
  },

  apply(change, work) {
    const decision = work.get("decisions", change.decision);
    if (decision === null) return refuse("decision.unknown", "there is no such decision");
    if (decision.verdict !== "block") return refuse("appeal.not_blocked", "only a refusal can be appealed");
    if (decision.holdId !== null) return refuse("hold.exists", "the refusal was appealed before");
    if (change.hold.about !== "appeal") return refuse("input.malformed", "an appeal opens a hold about an appeal");
    const refused = checkHold(change.hold, work);
    if (refused !== undefined) return refused;
    const { at, seq, recordHash } = work.append({
      kind: "appeal",
      ref: change.decision,
      agent: decision.agent,
      codes: decision.codes,
      body: canonicalize({
        by: actorJson(change.by),
        hold: change.hold.id,
        reason: change.reason,
        ...told(change.hold.notify?.recipients ?? []),
      }),
    });
    openHold(change.hold, decision, decision.id, work);
    keepWhileOpen(change.decision, change.hold, work);
    work.put("decisions", { ...decision, holdId: change.hold.id });
    return ok({ at, seq, recordHash });
  },
};

export const revokeGrantStep: Step<"grant.revoke"> = {
  want(change, work) {
    work.want("grants", change.grant);
  },

  apply(change, work) {
    if (change.by.kind === "agent") return refuse("actor.not_allowed", "an agent does not change a grant");
    const grant = work.get("grants", change.grant);
    if (grant === null) return refuse("grant.unknown", "there is no such grant");
    if (grant.revokedAt !== null) return refuse("grant.revoked", "the grant was revoked before");
    work.put("grants", { ...grant, revokedAt: work.now });
    const { at, seq, recordHash } = work.append({
      kind: "grant.revoke",
      ref: grant.id,
      agent: grant.agent,
      codes: [],
      body: canonicalize({ by: actorJson(change.by), reason: change.reason }),
    });
    return ok({ at, seq, recordHash });
  },
};

/** Closes a hold whose time is up: screened text may be released, everything else is rejected. */
export function expireHold(hold: HoldRow, work: Work): void {
  const released = hold.about === "text" && hold.onTimeout === "release";
  close(hold, released ? "released" : "expired", CLOCK, null, work);
}

/** Tells once more, as its end is near. What a person saw of it stays good. */
export function remindOf(hold: HoldRow, work: Work): void {
  work.append({
    kind: "hold.due",
    ref: hold.id,
    agent: hold.agent,
    codes: hold.codes,
    body: canonicalize({
      decision: hold.decision,
      expires_at: hold.expiresAt,
      version: hold.version,
      ...told(hold.recipients),
    }),
  });
  work.put("holds", { ...hold, remindAt: null });
}

const KIND = {
  approved: "hold.approve",
  rejected: "hold.reject",
  expired: "hold.expire",
  released: "hold.release",
} as const satisfies Record<Exclude<HoldState, "open">, string>;

function close(hold: HoldRow, state: Exclude<HoldState, "open">, by: Actor, reason: string | null, work: Work) {
  const appended = append({ ...hold, state }, KIND[state], by, reason, work);
  work.put("holds", {
    ...hold,
    state,
    version: hold.version + 1,
    decidedBy: by.id,
    decidedAt: work.now,
    reason,
    remindAt: null,
  });
  noLongerHeld(hold.decision, work);
  return { ...appended, state };
}

/** What a person has to look at does not go before they have. */
function keepWhileOpen(decision: string, { expiresIn }: NewHold, work: Work): void {
  const content = work.get("contents", decision);
  if (content === null || content.keepUntil === null) return;
  work.put("contents", { ...content, keepUntil: Math.max(content.keepUntil, work.now + expiresIn) });
}

/** What was kept for the person alone goes when the person has answered. */
function noLongerHeld(decision: string, work: Work): void {
  const content = work.get("contents", decision);
  if (content === null || content.held === null) return;
  if (content.keepUntil !== null && work.now >= content.keepUntil) removeContent(content, work);
  else work.put("contents", { ...content, held: null });
}

function append(hold: HoldRow, kind: string, by: Actor, reason: string | null, work: Work) {
  const { at, seq, recordHash } = work.append({
    kind,
    ref: hold.id,
    agent: hold.agent,
    codes: hold.codes,
    body: canonicalize({
      approvals: hold.approvals.map((approval) => approval.person),
      by: actorJson(by),
      decision: hold.decision,
      grant: hold.grantId,
      reason,
      state: hold.state,
      version: hold.version,
      ...(by.kind === "clock" ? told(hold.recipients) : {}),
    }),
  });
  return { at, seq, recordHash };
}

/** As a record says it. */
export const actorJson = ({ kind, id, credential }: Actor) => ({ kind, id, credential: credential ?? null });
