import { ok } from "../../result.ts";
import { forgetAnswers } from "./claims.ts";
import { removeContent, wantContent } from "./contents.ts";
import { expireHold, remindOf } from "./holds.ts";
import { wantLines } from "./money.ts";
import { isDue, releaseMoney } from "./redeem.ts";
import type { Step } from "./step.ts";
import type { Work } from "./work.ts";

/** Money past its receipt that a group releases on the way, so that a budget is never blocked by what time has freed. */
export const RELEASES_A_GROUP = 256;

/** How much one sweep does of each; a caller sweeps again while there was something to do. */
const most = 256;

export const sweepStep: Step<"sweep"> = {
  want(_, work) {
    wantReleases(work, most);
    for (const select of ["holdsDue", "contentsDue", "idempotencyDue", "claimsDue", "sealedDue"] as const)
      work.wantSelect({ select, now: work.now, limit: most });
    for (const { ref } of work.all("contents")) wantContent(ref, work);
    for (const { decision } of work.all("holds")) wantContent(decision, work);
  },

  apply(_, work) {
    const released = releaseDue(work);
    const open = work.all("holds").filter(({ state }) => state === "open");
    const ended = open.filter(({ expiresAt }) => work.now >= expiresAt);
    for (const hold of ended) expireHold(hold, work);
    const near = open.filter(
      (hold) => work.now < hold.expiresAt && hold.remindAt !== null && work.now >= hold.remindAt,
    );
    for (const hold of near) remindOf(hold, work);
    const contents = work
      .all("contents")
      .filter((row) => row.held === null && row.keepUntil !== null && work.now >= row.keepUntil);
    for (const content of contents) removeContent(content, work);
    const keys = work.all("idempotency").filter((row) => work.now >= row.expiresAt);
    for (const row of keys) work.remove("idempotency", row.key);
    const sealed = work.all("sealed").filter((row) => work.now >= row.until);
    for (const row of sealed) work.remove("sealed", row.id);
    const forgotten = forgetAnswers(work);
    const purged = contents.length + keys.length + sealed.length + forgotten;
    return ok({ at: work.now, released, expired: ended.length, reminded: near.length, purged });
  },
};

/** Asks for money that is due to go free, and for the counters that it is in. */
export function wantReleases(work: Work, limit: number): void {
  work.wantSelect({ select: "moneyDue", now: work.now, limit });
  for (const decision of work.all("decisions")) if (isDue(decision, work)) wantLines(decision, work);
}

export function releaseDue(work: Work): number {
  const due = work.all("decisions").filter((decision) => isDue(decision, work));
  for (const decision of due) releaseMoney(decision, work);
  return due.length;
}
