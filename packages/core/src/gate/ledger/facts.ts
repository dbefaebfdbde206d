import { addDecimals, formatDecimal } from "../../money/decimal.ts";
import type { FactsQuery, LedgerFacts } from "../ports.ts";
import type { Millis } from "./change.ts";
import { agentMarksOf, sessionMarksOf } from "./decide.ts";
import { windowStart } from "./money.ts";
import type { Head } from "./rows.ts";
import { sealedSince, wantSealed } from "./sealed.ts";
import { rangesSince } from "./sums.ts";
import { RELEASES_A_GROUP, releaseDue, wantReleases } from "./sweep.ts";
import { viewGrant, viewStop } from "./views.ts";
import { inForce, type Loaded, type LoadRequest, type Means, seriesName, Work } from "./work.ts";

/** What a decision has to know, read without a lock: driven as `commitGroup` is, and nothing is written. */
export function* gatherFacts(
  at: { readonly tenant: string; readonly head: Head; readonly clock: Millis },
  query: FactsQuery,
  means: Means,
): Generator<LoadRequest, LedgerFacts, Loaded> {
  const work = new Work(at.tenant, at.head, Math.max(at.clock, at.head.at), means);
  const { agent, actionDigest, credential, idempotency, marksWithin, agentMarksWithin } = query;
  const spent = query.spent.map(({ series, currency, window }) => ({
    name: work.nameHash(seriesName(series, currency)),
    from: windowStart(window, work.now),
  }));
  const own = query.session === undefined ? credential : sessionMarksOf(credential, query.session);
  const marked = [
    { of: own, within: marksWithin },
    { of: agentMarksOf(agent), within: agentMarksWithin },
  ] as const;
  for (;;) {
    work.wantSelect({ select: "stopsInForce", now: work.now });
    if (actionDigest !== null) work.wantSelect({ select: "grantsFor", agent, actionDigest, now: work.now });
    for (const { of, within } of marked) {
      if (within !== undefined) work.wantSelect({ select: "marksOf", credential: of, since: work.now - within });
    }
    if (idempotency !== undefined) work.want("idempotency", idempotency.key);
    for (const { name, from } of spent) {
      work.wantSums(rangesSince(name, from));
      wantSealed(name, work);
    }
    if (spent.length > 0) wantReleases(work, RELEASES_A_GROUP);
    const request = work.takeRequest();
    if (request === undefined) break;
    work.accept(request, yield request);
  }
  const marksOf = (of: string) =>
    work
      .all("marks")
      .filter((row) => row.credential === of)
      .map(({ mark, at: leftAt }) => ({ mark, at: leftAt }));
  // What the next commit will release does not count any more.
  releaseDue(work);
  const stored = idempotency === undefined ? null : work.get("idempotency", idempotency.key);
  const live = stored !== null && work.now < stored.expiresAt ? stored : null;
  return {
    now: work.now,
    spent: spent.map(({ name, from }) =>
      formatDecimal(addDecimals(work.sums.since(name, from), sealedSince(name, from, work))),
    ),
    stops: work
      .all("stops")
      .filter((stop) => inForce(stop, work.now) && query.scopes.includes(stop.scope))
      .map(viewStop),
    grants: work
      .all("grants")
      .filter((grant) => grant.usedBy === null && grant.revokedAt === null && work.now < grant.expiresAt)
      .map(viewGrant),
    marks: marksOf(own),
    agentMarks: marksOf(agentMarksOf(agent)),
    replay:
      live === null ? null : live.digest === idempotency?.digest ? { answer: live.answer, at: live.at } : "conflict",
  };
}
