import {
  approveHold,
  getGrant,
  getHold,
  type InputOf,
  listHolds,
  PAGE,
  type Problem,
  problemOf,
  problemOfFault,
  rejectHold,
  revokeGrant,
  writeGrant,
  writeHold,
  writePage,
} from "@countersign/api";
import {
  type Decisions,
  err,
  formatInstant,
  type Grant,
  type Grants,
  type Hold,
  type Holds,
  idempotent,
  instantFromMillis,
  isObject,
  isRedacted,
  type JsonObject,
  jsonLimits,
  keptAsk,
  type Ledger,
  type Lifecycle,
  type Log,
  ok,
  parseJson,
  type Result,
  type Stops,
} from "@countersign/core";
import type { Standing } from "../auth/standing.ts";
import { actorOf, agentsSeen, type Caller, maySee, readerOf } from "../caller.ts";
import { handler, service } from "../face/service.ts";
import { among, given } from "./decisions.ts";
import { acceptsToken, issueToken, type TokenKeys } from "./reviewToken.ts";
import type { Waiting } from "./waiting.ts";

export interface HoldsFace {
  readonly store: Ledger & Holds & Grants & Decisions & Stops & Log;
  readonly lifecycle: Lifecycle;
  readonly keys: TokenKeys;
  readonly waiting: Waiting;
  readonly standing: Standing;
  readonly clock: () => number;
}

/** What waits for people, and their answers. */
export const holdsService = (face: HoldsFace) =>
  service("holds", [
    handler(listHolds, async ({ state = "open", order = "risk", agent, after, limit = PAGE }, caller) => {
      const agents = among(agentsSeen(caller), agent);
      const page = await face.store.holds(caller.tenant, { state, order, agents, limit, ...given("after", after) });
      if (!page.ok) return err(problemOfFault(page.error));
      return ok(writePage(page.value, (hold) => writeHold(hold, readerOf(caller))));
    }),
    handler(getHold, async (input, caller, gone) => {
      const hold = await waitFor(face, input, caller, gone());
      return hold.ok ? show(face, hold.value, caller) : hold;
    }),
    handler(approveHold, (input, caller) => decide(face, "approve", input, caller)),
    handler(rejectHold, (input, caller) => decide(face, "reject", input, caller)),
    handler(getGrant, async ({ id }, caller) => {
      const found = await grantSeen(face, id, caller);
      return found.ok ? ok(writeGrant(found.value, readerOf(caller))) : found;
    }),
    handler(revokeGrant, async ({ id, reason, idempotency_key: key }, caller) => {
      if (caller.holder.kind !== "person") return err(problemOf("actor.not_allowed"));
      const { tenant } = caller;
      const by = actorOf(caller);
      const done = idempotent("grant.revoke", by, key, { id, reason });
      const revoked = await face.store.commit(tenant, { kind: "grant.revoke", grant: id, reason, by, ...done });
      if (!revoked.ok) return err(problemOfFault(revoked.error));
      return ok({ id, revoked_at: formatInstant(instantFromMillis(revoked.value.at)) });
    }),
  ]);

const unknownHold = err(problemOf("hold.unknown"));

async function grantSeen({ store }: HoldsFace, id: string, caller: Caller): Promise<Result<Grant, Problem>> {
  const found = await store.grant(caller.tenant, id);
  if (!found.ok) return err(problemOfFault(found.error));
  return found.value !== null && maySee(caller, found.value.agent) ? ok(found.value) : err(problemOf("grant.unknown"));
}

/** The hold now, or when it has changed; what the caller may not see answers as what does not exist. */
async function waitFor(
  { store, waiting, standing }: HoldsFace,
  { id, wait = 0, version }: InputOf<typeof getHold>,
  caller: Caller,
  gone: AbortSignal,
): Promise<Result<Hold, Problem>> {
  let last: Result<Hold, Problem> = unknownHold;
  let waitsAt = version;
  const found = await waiting.until({
    tenant: caller.tenant,
    credential: caller.credential,
    millis: wait * 1000,
    gone,
    async look() {
      const read = await store.hold(caller.tenant, id);
      if (!read.ok) last = err(problemOfFault(read.error));
      else last = read.value === null || !maySee(caller, read.value.agent) ? unknownHold : ok(read.value);
      if (!last.ok) return last;
      waitsAt ??= last.value.version;
      return last.value.state === "open" && last.value.version === waitsAt ? undefined : last;
    },
  });
  // A credential that was revoked in the meantime is told nothing more.
  if (wait > 0 && !(await standing(caller))) return err(problemOf("credential.unknown"));
  return found ?? last;
}

/** What a person has to know to answer. Programs are told how it stands, and not what it is about. */
async function show(face: HoldsFace, hold: Hold, caller: Caller): Promise<Result<JsonObject, Problem>> {
  const { store, keys, clock } = face;
  const { tenant, credential } = caller;
  const person = caller.holder.kind === "person" && caller.scopes.has("review");
  const stops = await store.stops(tenant);
  if (!stops.ok) return err(problemOfFault(stops.error));
  const recorded = await store.entriesAbout(tenant, hold.decision);
  if (!recorded.ok) return err(problemOfFault(recorded.error));
  const decided = decisionIn(recorded.value.find(({ kind }) => kind === "decide")?.record);
  // What can be let go here is shown whole, or not at all. Approving an appeal permits nothing.
  const lessWillDo = decided["content"] === "redacted" && (hold.state !== "open" || hold.about === "appeal");
  const content = person ? await shown(store, tenant, hold, lessWillDo) : ok({ shown: null, withheld: "people_only" });
  if (!content.ok) return content;
  const subject = { tenant, hold: hold.id, version: hold.version, credential };
  return ok({
    ...writeHold(hold, readerOf(caller)),
    frozen_by: stops.value.find(({ scope }) => hold.scopes.includes(scope))?.id ?? null,
    ...content.value,
    // As the record has them: code and place, and no words of whoever asked.
    findings: Array.isArray(decided["findings"]) ? decided["findings"] : [],
    token: person && hold.state === "open" ? await issueToken(subject, keys, clock()) : null,
  });
}

async function shown(
  store: Decisions,
  tenant: string,
  { decision, agent, actionDigest }: Hold,
  lessWillDo: boolean,
): Promise<Result<{ readonly shown: JsonObject | null; readonly withheld: string | null }, Problem>> {
  const kept = await store.content(tenant, decision);
  if (!kept.ok) return err(problemOfFault(kept.error));
  if (kept.value === null) return ok({ shown: null, withheld: "not_kept" });
  const redacted = lessWillDo && isRedacted(kept.value);
  const ask = keptAsk(kept.value, { tenant, agent, teams: [] }, actionDigest);
  const fields = parseJson(kept.value.fields, { ...jsonLimits, bytes: 16 << 20 }, "plain");
  if ((ask === undefined && !redacted) || !fields.ok || !isObject(fields.value))
    return ok({ shown: null, withheld: "does_not_match" });
  const { facts: _facts, ...asked } = fields.value;
  return ok({ shown: asked, withheld: redacted ? "redacted" : null });
}

/** Whether approving would permit what nobody can be shown: it was not kept, or is not what was asked. */
async function isUnseen(store: Decisions, tenant: string, hold: Hold): Promise<Result<boolean, Problem>> {
  // What was answered before is answered alike. Approving anything but an action that has a digest permits nothing.
  if (hold.state !== "open" || hold.about !== "action" || hold.actionDigest === null) return ok(false);
  const seen = await shown(store, tenant, hold, false);
  return seen.ok ? ok(seen.value.shown === null) : seen;
}

/** What the record says of the decision. */
function decisionIn(record: string | undefined): JsonObject {
  const parsed = record === undefined ? undefined : parseJson(record, { ...jsonLimits, bytes: 4 << 20 }, "rounded");
  const body = parsed?.ok === true && isObject(parsed.value) ? parsed.value["body"] : undefined;
  const decision = isObject(body) ? body["decision"] : undefined;
  return isObject(decision) ? decision : {};
}

async function decide(
  { store, lifecycle, keys, clock }: HoldsFace,
  answer: "approve" | "reject",
  { id, version, token, reason }: InputOf<typeof approveHold>,
  caller: Caller,
): Promise<Result<JsonObject, Problem>> {
  const { tenant, credential } = caller;
  if (caller.holder.kind !== "person") return err(problemOf("actor.not_allowed"));
  const found = await store.hold(tenant, id);
  if (!found.ok) return err(problemOfFault(found.error));
  if (found.value === null) return unknownHold;
  const subject = { tenant, hold: id, version, credential };
  if (!(await acceptsToken(token, subject, keys, clock()))) return err(problemOf("hold.token_refused"));
  if (answer === "approve") {
    const unseen = await isUnseen(store, tenant, found.value);
    if (!unseen.ok) return unseen;
    if (unseen.value) return err(problemOf("hold.not_shown"));
  }
  // The token is the key: sent twice, it is one answer.
  const by = actorOf(caller);
  const decided = await lifecycle.review({ tenant, by, hold: id, answer, reason, version, idempotencyKey: token });
  if (!decided.ok) return err(problemOfFault(decided.error));
  const { state, grant, recordHash } = decided.value;
  return ok({ id, state, grant, record_hash: recordHash });
}
