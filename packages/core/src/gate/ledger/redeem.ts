import { canonicalize } from "../../json/canonical.ts";
import { encodeBase64url } from "../../record/base64url.ts";
import { commitToFields, SALT_LENGTH } from "../../record/commitment.ts";
import { ok } from "../../result.ts";
import { isRedacted } from "../log/exportLog.ts";
import type { MoneyState } from "../ports.ts";
import type { Outcome, ReadUnder } from "./change.ts";
import { outcomeRef } from "./contents.ts";
import { actorJson } from "./holds.ts";
import { countLines, uncountLines, wantLines } from "./money.ts";
import { refuse, refuseStopped } from "./refuse.ts";
import type { DecisionRow } from "./rows.ts";
import type { Step } from "./step.ts";
import { putStop } from "./stops.ts";
import { otherVersions, wantVersions } from "./versions.ts";
import type { Work } from "./work.ts";

export const redeemStep: Step<"redeem"> = {
  want(change, work) {
    work.wantSelect({ select: "stopsInForce", now: work.now });
    const decision = work.want("decisions", change.decision);
    if (decision?.grantId != null) work.want("grants", decision.grantId);
    work.want("agents", change.readUnder.agent);
    wantVersions(change.readUnder.versions, work);
  },

  apply(change, work) {
    const decision = work.get("decisions", change.decision);
    if (decision === null) return refuse("decision.unknown", "there is no such decision");
    if (decision.verdict !== "allow" || decision.redeemUntil === null)
      return refuse("redeem.not_allowed", "the decision did not allow");
    if (decision.redeemedAt !== null) return refuse("redeem.used", "the decision was redeemed before");
    if (decision.outcome !== null) return refuse("redeem.closed", "the outcome of the decision is known already");
    if (work.now >= decision.redeemUntil) return refuse("redeem.expired", "the time to redeem has passed");
    if (decision.actionDigest !== change.actionDigest)
      return refuse("redeem.other_action", "the action is not the one that was decided");
    if (decision.policyDigest !== change.policyDigest || hasMoved(change.readUnder, work))
      return refuse("policy.changed", "the policy has changed since; decide again");
    const stop = work.stopsInForce(decision.scopes);
    if (stop !== undefined) return refuseStopped(stop);
    const grant = decision.grantId === null ? null : work.get("grants", decision.grantId);
    if (grant !== null && grant.revokedAt !== null) return refuse("grant.revoked", "the grant was revoked");
    if (grant !== null && work.now >= grant.expiresAt) return refuse("grant.expired", "the grant has expired");

    work.put("decisions", {
      ...decision,
      redeemedAt: work.now,
      redeemedBy: change.by.id,
      money: decision.money === "reserved" ? "redeemed" : decision.money,
      releaseAt: null,
    });
    const { at, seq, recordHash } = append("redeem", decision, { by: actorJson(change.by) }, work);
    return ok({ at, seq, recordHash, redeemUntil: decision.redeemUntil });
  },
};

/** Whether the policy would be made from something else now. */
function hasMoved({ agent: id, teams, versions }: ReadUnder, work: Work): boolean {
  const agent = work.get("agents", id);
  const stays = agent === null || (agent.state === "active" && sameTexts(agent.teams, teams));
  return !stays || otherVersions(versions, work);
}

const sameTexts = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((text, i) => text === b[i]);

export const outcomeStep: Step<"outcome"> = {
  want(change, work) {
    work.wantSelect({ select: "stopsInForce", now: work.now });
    const decision = work.want("decisions", change.decision);
    if (decision != null) wantLines(decision, work);
    work.want("stops", change.breaker);
    work.want("contents", change.decision);
    work.want("contents", outcomeRef(change.decision));
  },

  apply(change, work) {
    const decision = work.get("decisions", change.decision);
    if (decision === null) return refuse("decision.unknown", "there is no such decision");
    const unlike = !change.asApproved || (decision.verdict !== "allow" && change.result === "executed");
    // Who was first to close it, the agent itself perhaps, does not keep the breaker from hearing the truth.
    const final = isFinal(decision, change);
    if (final && !unlike) return refuse("outcome.closed", "the outcome of the decision is known already");
    if (decision.verdict !== "allow" && !unlike)
      return refuse("outcome.not_allowed", "what was not allowed has no outcome");

    const standing = final && change.result !== "executed";
    const money = standing ? decision.money : moneyAfter(decision, change);
    if (counts(decision.money) && !counts(money)) uncountLines(decision.lines, decision.at, work);
    // It was executed after its receipt had run out: what was spent is spent, and counts again.
    if (!counts(decision.money) && counts(money)) countLines(decision.lines, decision.at, work);
    const outcome = standing ? decision.outcome : change.result;
    work.put("decisions", { ...decision, outcome, money, releaseAt: releaseAfter(decision, money) });
    const breaker = unlike ? trip(decision, change, work) : null;
    const told = toldBy(change);
    const salts = new Map(Object.keys(told).map((name) => [name, work.means.random(SALT_LENGTH)]));
    const committed = commitToFields(told, salts, work.means.sha256);
    const { at, seq, recordHash } = append(
      "outcome",
      decision,
      {
        as_approved: change.asApproved,
        breaker,
        by: actorJson(change.by),
        money,
        received: committed["received"] ?? null,
        result: change.result,
        sent: committed["sent"] ?? null,
      },
      work,
    );
    keepTold(decision.id, told, salts, seq, work);
    return ok({ at, seq, recordHash, money, breaker });
  },
};

/** The digests of content that an outcome tells. A record holds commitments to them, so that no guess is confirmed by it. */
const toldBy = ({ sent, received }: Outcome): { readonly [name in "sent" | "received"]?: string } => ({
  ...(sent === undefined ? {} : { sent }),
  ...(received === undefined ? {} : { received }),
});

/** Beside the record for as long as all of what was asked is, each under the index of its record. */
function keepTold(
  decision: string,
  told: { readonly [name: string]: string },
  salts: ReadonlyMap<string, Uint8Array>,
  seq: number,
  work: Work,
): void {
  const asked = work.get("contents", decision);
  if (asked === null || salts.size === 0 || isRedacted(asked)) return;
  const ref = outcomeRef(decision);
  const before = work.get("contents", ref);
  const added = (text: string | undefined, entries: readonly (readonly [string, string])[]): string =>
    JSON.stringify({ ...JSON.parse(text ?? "{}"), ...Object.fromEntries(entries.map(([k, v]) => [`${k}_${seq}`, v])) });
  const fields = added(before?.fields, Object.entries(told));
  const kept = added(
    before?.salts,
    [...salts].map(([name, salt]) => [name, encodeBase64url(salt)] as const),
  );
  work.put("contents", { ref, fields, salts: kept, subjects: [], keepUntil: asked.keepUntil, held: null });
}

/** Frees money whose receipt has run out unredeemed. */
export function releaseMoney(decision: DecisionRow, work: Work): void {
  uncountLines(decision.lines, decision.at, work);
  work.put("decisions", { ...decision, money: "released", releaseAt: null });
  append("release", decision, { money: "released" }, work);
}

export const isDue = (decision: DecisionRow, work: Work): boolean =>
  decision.money === "reserved" && decision.releaseAt !== null && work.now >= decision.releaseAt;

const COUNTS = {
  none: false,
  reserved: true,
  redeemed: true,
  spent: true,
  released: false,
} as const satisfies Record<MoneyState, boolean>;

export const counts = (money: MoneyState): boolean => COUNTS[money];

/**
 * Nothing more can be learned: it ran, or it failed and those who may say so said that its money is free. What was thought
 * to have failed and ran after all is spent.
 */
function isFinal({ outcome, money }: DecisionRow, { result }: Outcome): boolean {
  if (outcome === "executed") return true;
  return outcome === "failed" && money !== "reserved" && money !== "redeemed" && result !== "executed";
}

/**
 * Executed is spent, whoever says it. Failed frees money only on the word of an enforcer, a person or the chain: an agent
 * does not report its own money free. Not knowing counts as spent until somebody knows. Once it is erased, nobody can say
 * any more how much would be freed: then it is spent.
 */
function moneyAfter({ money, erasedAt }: DecisionRow, { result, by }: Outcome): MoneyState {
  if (money === "none") return "none";
  if (result === "executed") return "spent";
  if (money === "released") return "released";
  if (result === "unknown") return "redeemed";
  if (by.kind === "agent" || by.kind === "clock") return money;
  return erasedAt === null ? "released" : "spent";
}

const releaseAfter = (decision: DecisionRow, money: MoneyState): number | null =>
  money === "reserved" ? decision.releaseAt : null;

/** An agent whose action was not what was approved does nothing more until a person has looked. */
function trip(decision: DecisionRow, change: Outcome, work: Work): string {
  const scope = `agent:${decision.agent}`;
  const tripped = work
    .all("stops")
    .find((stop) => stop.cause === "breaker" && stop.scope === scope && stop.liftedAt === null);
  if (tripped !== undefined) return tripped.id;
  putStop(
    {
      id: change.breaker,
      scope,
      reason: "an outcome was unlike its approval",
      cause: "breaker",
      since: work.now,
      until: null,
      by: change.by.id,
      liftedAt: null,
    },
    change.by,
    work,
  );
  return change.breaker;
}

function append(kind: string, decision: DecisionRow, body: Record<string, unknown>, work: Work) {
  const { id, agent } = decision;
  return work.append({ kind, ref: id, agent, codes: [], body: canonicalize(body) });
}
