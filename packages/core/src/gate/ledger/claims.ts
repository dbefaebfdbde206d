import { ok, type Result } from "../../result.ts";
import type { Refusal } from "./refusal.ts";
import { refuse } from "./refuse.ts";
import type { ClaimRow } from "./rows.ts";
import type { Step } from "./step.ts";
import type { Work } from "./work.ts";

export const openClaimStep: Step<"claim.open"> = {
  want(change, work) {
    work.want("claims", change.key);
  },

  apply({ key, digest, holder, holdFor, progress }, work) {
    const claim = work.get("claims", key);
    const heldUntil = work.now + holdFor;
    if (claim === null) {
      work.put("claims", { key, digest, state: "open", holder, heldUntil, progress, answer: null, at: work.now });
      return ok({ at: work.now, state: "new" as const });
    }
    if (claim.state === "forgotten")
      return refuse("claim.conflict", "it was claimed before, and its answer is no longer kept");
    if (claim.digest !== digest) return refuse("claim.conflict", "it was claimed before for something else");
    if (claim.state !== "open")
      return claim.answer !== null && work.now < claim.heldUntil
        ? ok({ at: claim.at, state: "answered" as const, answer: claim.answer })
        : refuse("claim.conflict", "it was claimed before, and its answer is no longer kept");
    if (work.now < claim.heldUntil) return refuse("claim.pending", "it is claimed, and has no answer yet");
    work.put("claims", { ...claim, holder, heldUntil });
    return ok({ at: claim.at, state: "resumed" as const, progress: claim.progress });
  },
};

export const keepClaimStep: Step<"claim.keep"> = {
  want(change, work) {
    work.want("claims", change.key);
  },

  apply({ key, holder, holdFor, progress }, work) {
    const claim = held(key, holder, work);
    if (!claim.ok) return claim;
    work.put("claims", { ...claim.value, progress, heldUntil: work.now + holdFor });
    return ok({ at: work.now });
  },
};

export const answerClaimStep: Step<"claim.answer"> = {
  want(change, work) {
    work.want("claims", change.key);
  },

  apply({ key, holder, answer, keepFor }, work) {
    const claim = held(key, holder, work);
    if (!claim.ok) return claim;
    work.put("claims", { ...claim.value, state: "answered", answer, heldUntil: work.now + keepFor });
    return ok({ at: work.now });
  },
};

export const freeClaimStep: Step<"claim.free"> = {
  want(change, work) {
    work.want("claims", change.key);
  },

  apply({ key, holder }, work) {
    const claim = held(key, holder, work);
    if (!claim.ok) return claim;
    work.remove("claims", key);
    return ok({ at: work.now });
  },
};

/**
 * Answers that are kept no longer go, and with them what they were about; that they were given stays, so that nothing is
 * claimed a second time.
 */
export function forgetAnswers(work: Work): number {
  const due = work.all("claims").filter(({ state, heldUntil }) => state === "answered" && work.now >= heldUntil);
  for (const claim of due) work.put("claims", { ...claim, state: "forgotten", digest: "", progress: "", answer: null });
  return due.length;
}

/** Whoever was slow and has lost the claim to another holder changes nothing any more. */
function held(key: string, holder: string, work: Work): Result<ClaimRow, Refusal> {
  const claim = work.get("claims", key);
  return claim !== null && claim.state === "open" && claim.holder === holder
    ? ok(claim)
    : refuse("claim.unknown", "there is no such open claim of this holder");
}
