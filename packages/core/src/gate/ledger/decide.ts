import { NEAR_MISS_PLACES } from "../../check/instructions/nearMissPlaces.ts";
import { canonicalize } from "../../json/canonical.ts";
import { encodeBase64url } from "../../record/base64url.ts";
import { commitTo, SALT_LENGTH } from "../../record/commitment.ts";
import { ok, type Result } from "../../result.ts";
import type { Committed } from "../ports.ts";
import type { Decide, NewContent, NewHold, Note } from "./change.ts";
import { subjectKey } from "./contents.ts";
import { checkHold, openHold, told } from "./holds.ts";
import { checkReservations, countLines, wantReservations } from "./money.ts";
import type { Refusal } from "./refusal.ts";
import { refuse, refuseStopped } from "./refuse.ts";
import type { DecisionRow, GrantRow } from "./rows.ts";
import type { Step } from "./step.ts";
import { otherVersions, wantVersions } from "./versions.ts";
import type { Work } from "./work.ts";

const mostSubjects = 16;

export const decideStep: Step<"decide"> = {
  want(change, work) {
    work.want("decisions", change.id);
    work.wantSelect({ select: "stopsInForce", now: work.now });
    wantReservations(change.reservations, work);
    wantVersions(change.policyVersions ?? [], work);
    if (change.grant !== undefined) work.want("grants", change.grant);
    if (change.hold !== undefined) work.want("holds", change.hold.id);
    for (const { id } of [...marksLeft(change), ...placesOf(change), ...awaited(change)]) work.want("marks", id);
    wantKept(change, change.id, work);
  },

  apply(change, work) {
    const before = work.get("decisions", change.id);
    if (before !== null) return again(change, before);
    const refused = checkShape(change) ?? checkConditions(change, work);
    if (refused !== undefined) return refused;
    const lines = checkReservations(change.reservations, work);
    if (!lines.ok) return lines;

    const salt = lines.value.length === 0 ? null : work.means.random(SALT_LENGTH);
    const redeemUntil = change.verdict === "allow" ? work.now + change.redeemFor : null;
    const money = salt === null ? null : commitTo(lines.value.map(asJson), salt, work.means.sha256);
    const hold = change.hold === undefined ? null : holdPart(change.hold, work);
    const appended = work.append({
      kind: "decide",
      ref: change.id,
      agent: change.agent,
      codes: change.codes,
      body: decisionBody(change, { money, redeemUntil, hold }),
      chain: change.chain,
    });
    work.put("decisions", {
      id: change.id,
      seq: appended.seq,
      at: work.now,
      recordHash: appended.recordHash,
      agent: change.agent,
      credential: change.credential,
      verdict: change.verdict,
      codes: change.codes,
      actionDigest: change.actionDigest,
      policyDigest: change.policyDigest,
      scopes: change.scopes,
      redeemUntil,
      redeemedAt: null,
      redeemedBy: null,
      outcome: null,
      money: salt === null ? "none" : "reserved",
      lines: lines.value,
      moneySalt: salt === null ? null : encodeBase64url(salt),
      erasedAt: null,
      releaseAt: salt === null ? null : redeemUntil,
      grantId: change.grant ?? null,
      holdId: change.hold?.id ?? null,
    });
    countLines(lines.value, work.now, work);
    if (change.grant !== undefined) work.put("grants", { ...grantOf(change, work), usedBy: change.id });
    if (change.hold !== undefined) openHold(change.hold, change, change.id, work);
    keep(change.content, change.id, change.hold, work);
    for (const left of [...marksLeft(change), ...oldestPlaces(change, work)])
      work.put("marks", { ...left, at: work.now });
    const { at, seq, recordHash, chain } = appended;
    return ok({ at, seq, recordHash, chain, hold: change.hold?.id ?? null, redeemUntil });
  },
};

export const noteStep: Step<"note"> = {
  want(change, work) {
    wantKept(change, change.ref, work);
  },
  apply(change, work) {
    const subjects = change.content?.subjects ?? [];
    if (subjects.length > mostSubjects) return refuse("input.malformed", "content is about at most 16 subjects");
    const { at, seq, recordHash, chain } = work.append({
      kind: change.type,
      ref: change.ref,
      agent: change.agent,
      codes: change.codes ?? [],
      body: change.record,
      chain: change.chain,
    });
    keep(change.content, change.ref, undefined, work);
    return ok({ at, seq, recordHash, chain });
  },
};

/** The same id again is the same commit heard twice; with other members it is somebody else's id. */
function again(change: Decide, before: DecisionRow): Result<Committed<"decide">, Refusal> {
  const same =
    before.agent === change.agent &&
    before.verdict === change.verdict &&
    (before.erasedAt !== null || before.actionDigest === change.actionDigest);
  if (!same) return refuse("decision.conflict", "another decision has this id");
  return ok({
    at: before.at,
    seq: before.seq,
    recordHash: before.recordHash,
    chain: null,
    hold: before.holdId,
    redeemUntil: before.redeemUntil,
    replayed: { answer: null },
  });
}

function checkShape(change: Decide) {
  const { verdict, reservations, grant, hold, content } = change;
  if (verdict !== "allow" && (reservations.length > 0 || grant !== undefined))
    return refuse("input.malformed", "only an allow reserves money or uses a grant");
  if ((verdict === "allow" && hold !== undefined) || (hold?.grantFor != null && change.actionDigest === null))
    return refuse("input.malformed", "an allow opens no hold, and a grant needs the digest of an action");
  const { nearMisses = 0 } = change;
  if (!Number.isInteger(nearMisses) || nearMisses < 0 || nearMisses > NEAR_MISS_PLACES.length)
    return refuse("input.malformed", "a decision leaves at most three near-misses");
  if ((content?.subjects.length ?? 0) > mostSubjects)
    return refuse("input.malformed", "content is about at most 16 subjects");
  return undefined;
}

function checkConditions(change: Decide, work: Work) {
  const stop = change.verdict === "block" ? undefined : work.stopsInForce(change.scopes);
  if (stop !== undefined) return refuseStopped(stop);
  if (change.verdict !== "block" && otherVersions(change.policyVersions ?? [], work))
    return refuse("policy.changed", "the policy has changed since; decide again");
  if (change.grant !== undefined) {
    const refused = checkGrant(work.get("grants", change.grant), change, work);
    if (refused !== undefined) return refused;
  }
  const since = change.notLeft?.since ?? work.now;
  // What is blocked gets no stricter.
  if (
    change.verdict !== "block" &&
    awaited(change).some(({ id }) => (work.get("marks", id)?.at ?? Number.NEGATIVE_INFINITY) >= since)
  )
    return refuse("marks.moved", "something was done meanwhile that the verdict rests on");
  return change.hold === undefined ? undefined : checkHold(change.hold, work);
}

function checkGrant(grant: GrantRow | null, change: Decide, work: Work) {
  if (grant === null) return refuse("grant.unknown", "there is no such grant");
  if (grant.agent !== change.agent) return refuse("grant.other_agent", "the grant is for another agent");
  if (grant.actionDigest !== change.actionDigest)
    return refuse("grant.other_action", "the grant is for another action");
  if (grant.revokedAt !== null) return refuse("grant.revoked", "the grant was revoked");
  if (grant.usedBy !== null) return refuse("grant.used", "the grant was used before");
  if (work.now >= grant.expiresAt) return refuse("grant.expired", "the grant has expired");
  return undefined;
}

function grantOf(change: Decide, work: Work): GrantRow {
  const grant = work.get("grants", change.grant ?? "");
  if (grant === null) throw new Error("a grant vanished after it was checked");
  return grant;
}

const holdPart = (hold: NewHold, work: Work) => ({
  id: hold.id,
  about: hold.about,
  approvers: hold.approvers,
  expires_at: work.now + hold.expiresIn,
  ...told(hold.notify?.recipients ?? []),
});

/** What the gate says of the decision, and beside it what happened under the lock. Members in canonical order. */
function decisionBody(
  change: Decide,
  parts: { readonly money: string | null; readonly redeemUntil: number | null; readonly hold: object | null },
): string {
  const { grant, record, verdict } = change;
  const hold = parts.hold === null ? "null" : canonicalize(parts.hold);
  const rest = `"hold":${hold},"money":${JSON.stringify(parts.money)},"redeem_until":${parts.redeemUntil},"verdict":"${verdict}"`;
  return `{"decision":${record},"grant":${JSON.stringify(grant ?? null)},${rest}}`;
}

/** As a JSON value; what the commitment to the money is over. */
export const asJson = ({ amount, currency, series }: DecisionRow["lines"][number]) => ({
  amount,
  currency,
  series: [...series],
});

function wantKept(change: Decide | Note, ref: string, work: Work): void {
  if (change.content !== undefined) work.want("contents", ref);
  for (const subject of change.content?.subjects ?? []) work.want("subjects", subjectKey(subject, ref));
  if (change.chain !== undefined) work.want("chains", work.chainId(change.chain));
}

function keep(content: NewContent | undefined, ref: string, hold: NewHold | undefined, work: Work): void {
  if (content === undefined) return;
  const { fields, salts, subjects, keepFor, whileHeld } = content;
  // The person who decides a hold has to see what will run, however short the time that content is kept.
  const least = hold === undefined || whileHeld !== undefined ? 0 : work.now + hold.expiresIn;
  const keepUntil = keepFor === null ? null : Math.max(work.now + keepFor, least);
  const held = hold === undefined || whileHeld === undefined ? null : JSON.stringify(whileHeld);
  work.put("contents", { ref, fields, salts, subjects, keepUntil, held });
  for (const subject of subjects) work.put("subjects", { id: subjectKey(subject, ref), subject, ref });
}

const markOf = (of: string, mark: string) => ({ id: `${of}\n${mark}`, credential: of, mark });

const marksLeft = ({ credential, session, marks = [] }: Decide) =>
  [credential, ...(session === undefined ? [] : [sessionMarksOf(credential, session)])].flatMap((of) =>
    marks.map((mark) => markOf(of, mark)),
  );

/** Of the agent, under a name that no credential has. */
const placesOf = ({ agent, nearMisses = 0 }: Decide) =>
  nearMisses === 0 ? [] : NEAR_MISS_PLACES.map((place) => markOf(agentMarksOf(agent), place));

/** Chosen under the lock, so that those who come at the same time do not take the same place. */
function oldestPlaces(change: Decide, work: Work) {
  const age = ({ id }: { readonly id: string }) => work.get("marks", id)?.at ?? Number.NEGATIVE_INFINITY;
  // Both may be free, and then their difference is no number.
  return placesOf(change)
    .sort((a, b) => (age(a) < age(b) ? -1 : Number(age(a) > age(b))))
    .slice(0, change.nearMisses);
}

function awaited({ credential, session, agent, notLeft }: Decide) {
  const own = session === undefined ? credential : sessionMarksOf(credential, session);
  return (notLeft?.marks ?? []).map(({ of, mark }) => markOf(of === "agent" ? agentMarksOf(agent) : own, mark));
}

/** Where what was done in one session of a credential is kept: under a name that no credential has. */
export const sessionMarksOf = (credential: string, session: string): string => `${credential}/${session}`;

/** Where what is remembered of an agent is kept. */
export const agentMarksOf = (agent: string): string => `agent:${agent}`;
