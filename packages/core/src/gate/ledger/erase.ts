import { canonicalize } from "../../json/canonical.ts";
import { ok } from "../../result.ts";
import type { Erase } from "./change.ts";
import { outcomeRef, removeContent, subjectKey, wantContent } from "./contents.ts";
import { actorJson } from "./holds.ts";
import { uncountLines, wantLines } from "./money.ts";
import { counts } from "./redeem.ts";
import { refuse } from "./refuse.ts";
import type { DecisionRow } from "./rows.ts";
import { canSeal, type SpentLines, sealSpent, wantSealing } from "./sealed.ts";
import type { Step } from "./step.ts";
import type { Work } from "./work.ts";

/** How much one change erases: each has rows of its own to be looked up, and its id in the record. */
export const ERASED_AT_ONCE = 200;

/**
 * Destroys content and salts, and with them every stored value that would confirm a guess of the content: the bare
 * action digests that decisions, holds and grants are found by, the request digests of idempotency keys, the amounts and
 * what they were counted in. Money that was reserved or redeemed counts as spent from then on. A hold on
 * erased content can still be rejected; its approval permits nothing, as nobody can say any more what would run.
 */
export const eraseStep: Step<"erase"> = {
  want(change, work) {
    if ("subject" in change.what)
      work.wantSelect({ select: "subject", subject: change.what.subject, limit: ERASED_AT_ONCE });
    for (const ref of refsOf(change.what, work)) {
      wantContent(ref, work);
      work.want("contents", outcomeRef(ref));
      const decision = work.want("decisions", ref);
      if (decision != null) {
        wantLines(decision, work);
        wantSealing(decision.lines, work);
      }
      if (decision?.holdId != null) {
        const hold = work.want("holds", decision.holdId);
        if (hold?.grantId != null) work.want("grants", hold.grantId);
      }
      if (decision?.grantId != null) {
        const grant = work.want("grants", decision.grantId);
        if (grant != null) work.want("holds", grant.hold);
      }
      work.wantSelect({ select: "idempotencyAbout", ref });
    }
  },

  apply(change, work) {
    if (change.by.kind === "agent") return refuse("actor.not_allowed", "an agent erases nothing");
    const named = refsOf(change.what, work);
    if (named.length > ERASED_AT_ONCE)
      return refuse("input.malformed", `one change erases at most ${ERASED_AT_ONCE} decisions`);
    const refs = named.filter((ref) => work.get("contents", ref) !== null || work.get("decisions", ref) !== null);
    if (refs.length < named.length && !("subject" in change.what))
      return refuse("decision.unknown", "there is no such decision");
    if (!canSeal(work) && refs.some((ref) => countsOn(work.get("decisions", ref))))
      return refuse("secret.missing", "money of this still counts, and there is no secret here to seal it under");
    sealSpent(
      refs.flatMap((ref) => takeMoney(work.get("decisions", ref), work)),
      work,
    );
    for (const ref of refs) eraseOne(ref, work);
    if ("subject" in change.what)
      for (const ref of named) work.remove("subjects", subjectKey(change.what.subject, ref));
    // The subject is not named: the record stays, and the name is what had to go.
    const { at, seq, recordHash } = work.append({
      kind: "erase",
      ref: "decision" in change.what ? change.what.decision : "subject",
      agent: null,
      codes: [],
      body: canonicalize({ by: actorJson(change.by), erased: refs, reason: change.reason }),
    });
    return ok({ at, seq, recordHash, erased: refs.length });
  },
};

function refsOf(what: Erase["what"], work: Work): readonly string[] {
  if ("decision" in what) return [what.decision];
  if ("decisions" in what) return [...new Set(what.decisions)];
  return work
    .all("subjects")
    .filter((row) => row.subject === what.subject)
    .slice(0, ERASED_AT_ONCE)
    .map((row) => row.ref);
}

const countsOn = (decision: DecisionRow | null): boolean =>
  decision !== null && decision.lines.length > 0 && counts(decision.money);

/**
 * Takes what a decision counts out of the sums, and gives it: no money is freed, and it goes on counting sealed. Where
 * nothing counts, not even the empty sums stay.
 */
function takeMoney(decision: DecisionRow | null, work: Work): readonly SpentLines[] {
  if (decision === null) return [];
  const { lines, at } = decision;
  if (countsOn(decision)) {
    uncountLines(lines, at, work);
    return [{ lines, at }];
  }
  for (const { series } of lines) for (const name of series) work.sums.touch(name, at);
  return [];
}

/** Which teams the agent was in then is content. Nothing of it is redeemed or approved any more that a stop would reach. */
const withoutTeams = (scopes: readonly string[]): readonly string[] =>
  scopes.filter((scope) => !scope.startsWith("team:"));

function eraseOne(ref: string, work: Work): void {
  const content = work.get("contents", ref);
  if (content !== null) removeContent(content, work);
  const told = work.get("contents", outcomeRef(ref));
  if (told !== null) removeContent(told, work);
  for (const row of work.all("idempotency")) if (row.ref === ref) work.remove("idempotency", row.key);
  const decision = work.get("decisions", ref);
  if (decision === null) return;
  const gone = {
    actionDigest: null,
    scopes: withoutTeams(decision.scopes),
    lines: [],
    moneySalt: null,
    releaseAt: null,
    erasedAt: decision.erasedAt ?? work.now,
  };
  work.put("decisions", { ...decision, ...gone });
  for (const hold of work.all("holds")) {
    if (hold.id === decision.holdId || hold.grantId === (decision.grantId ?? "")) {
      // The risk of a text is its score, which would confirm a guess of it.
      work.put("holds", { ...hold, actionDigest: null, risk: 0, scopes: withoutTeams(hold.scopes) });
      const grant = hold.grantId === null ? null : work.get("grants", hold.grantId);
      if (grant !== null) work.put("grants", { ...grant, actionDigest: "", revokedAt: grant.revokedAt ?? work.now });
    }
  }
}
