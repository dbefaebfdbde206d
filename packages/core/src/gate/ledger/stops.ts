import { canonicalize } from "../../json/canonical.ts";
import { ok } from "../../result.ts";
import type { Actor } from "./change.ts";
import { actorJson } from "./holds.ts";
import { refuse } from "./refuse.ts";
import type { StopRow } from "./rows.ts";
import type { Step } from "./step.ts";
import type { Work } from "./work.ts";

export const putStopStep: Step<"stop.put"> = {
  want(change, work) {
    work.wantSelect({ select: "stopsInForce", now: work.now });
    work.want("stops", change.id);
  },

  apply(change, work) {
    if (work.get("stops", change.id) !== null) return refuse("stop.exists", "a stop has this id already");
    const { id, scope, reason, until, by } = change;
    if (until !== null && until <= work.now)
      return refuse("input.malformed", "the stop would have ended before it began");
    const row = { id, scope, reason, cause: "person", since: work.now, until, by: by.id, liftedAt: null } as const;
    return ok(putStop(row, by, work));
  },
};

export const liftStopStep: Step<"stop.lift"> = {
  want(change, work) {
    work.want("stops", change.id);
  },

  apply(change, work) {
    if (change.by.kind !== "person") return refuse("actor.not_allowed", "only a person lifts a stop");
    const stop = work.get("stops", change.id);
    if (stop === null || stop.liftedAt !== null) return refuse("stop.unknown", "there is no such stop in force");
    work.put("stops", { ...stop, liftedAt: work.now });
    const { at, seq, recordHash } = work.append({
      kind: "stop.lift",
      ref: stop.id,
      agent: null,
      codes: [],
      body: canonicalize({ by: actorJson(change.by), reason: change.reason, scope: stop.scope }),
    });
    return ok({ at, seq, recordHash });
  },
};

export function putStop(stop: StopRow, by: Actor, work: Work) {
  work.put("stops", stop);
  const { at, seq, recordHash } = work.append({
    kind: "stop.put",
    ref: stop.id,
    agent: null,
    codes: [],
    body: canonicalize({
      by: actorJson(by),
      cause: stop.cause,
      reason: stop.reason,
      scope: stop.scope,
      until: stop.until,
    }),
  });
  return { at, seq, recordHash };
}
