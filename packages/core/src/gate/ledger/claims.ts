import { ok } from "../../result.ts";
import { refuse } from "./refuse.ts";
import type { Step } from "./step.ts";

export const openClaimStep: Step<"claim.open"> = {
  want(change, work) {
    work.want("claims", change.key);
  },

  apply({ key, digest }, work) {
    const claim = work.get("claims", key);
    if (claim === null) {
      work.put("claims", { key, digest, state: "open", answer: null, at: work.now });
      return ok({ at: work.now, state: "new" as const });
    }
    if (claim.digest !== digest) return refuse("claim.conflict", "it was claimed before for something else");
    if (claim.answer === null) return refuse("claim.pending", "it is claimed, and has no answer yet");
    return ok({ at: claim.at, state: "answered" as const, answer: claim.answer });
  },
};

export const answerClaimStep: Step<"claim.answer"> = {
  want(change, work) {
    work.want("claims", change.key);
  },

  apply({ key, answer }, work) {
    const claim = work.get("claims", key);
    if (claim === null || claim.state !== "open") return refuse("claim.unknown", "there is no such open claim");
    work.put("claims", { ...claim, state: "answered", answer });
    return ok({ at: work.now });
  },
};

export const freeClaimStep: Step<"claim.free"> = {
  want(change, work) {
    work.want("claims", change.key);
  },

  apply({ key }, work) {
    const claim = work.get("claims", key);
    if (claim === null || claim.state !== "open") return refuse("claim.unknown", "there is no such open claim");
    work.remove("claims", key);
    return ok({ at: work.now });
  },
};
