import {
  appealDecision,
  type InputOf,
  listDecisions,
  PAGE,
  type Problem,
  problemOf,
  problemOfFault,
  readDecision,
  redeemDecision,
  writePage,
  writeSummary,
} from "@countersign/api";
import {
  actionDigest,
  type Decisions,
  err,
  formatInstant,
  instantFromMillis,
  type JsonObject,
  type Lifecycle,
  ok,
  type Result,
} from "@countersign/core";
import { actorOf, actsFor, agentsSeen, type Caller } from "../caller.ts";
import { handler, service } from "../face/service.ts";

export interface DecisionsFace {
  readonly store: Decisions;
  readonly lifecycle: Lifecycle;
}

/** What was decided, and what an executor and its agent do with it. */
export const decisionsService = ({ store, lifecycle }: DecisionsFace) =>
  service("decisions", [
    handler(listDecisions, async ({ agent, verdict, unclosed, after, limit = PAGE }, caller) => {
      const page = await store.decisions(caller.tenant, {
        agents: among(agentsSeen(caller), agent),
        limit,
        ...given("verdict", verdict),
        ...given("unclosed", unclosed),
        ...given("after", after),
      });
      return page.ok ? ok(writePage(page.value, writeSummary)) : err(problemOfFault(page.error));
    }),
    handler(redeemDecision, async (input, caller) => {
      const { id, idempotency_key: key } = input;
      const own = await mayActOn(store, id, caller);
      if (!own.ok) return own;
      const inHand = digestInHand(input, caller.tenant, own.value.agent);
      if (!inHand.ok) return inHand;
      const actionDigest = inHand.value;
      const claimed = await lifecycle.redeem({
        ...acting(caller),
        decision: id,
        actionDigest,
        ...given("idempotencyKey", key),
      });
      if (!claimed.ok) return err(problemOfFault(claimed.error));
      const { at, redeemUntil, recordHash } = claimed.value;
      return ok({ id, redeemed_at: timeOf(at), redeem_until: timeOf(redeemUntil), record_hash: recordHash });
    }),
    handler(appealDecision, async ({ id, reason, idempotency_key: key }, caller) => {
      const own = await mayActOn(store, id, caller);
      if (!own.ok) return own;
      const appealed = await lifecycle.appeal({
        ...acting(caller),
        decision: id,
        reason,
        ...given("idempotencyKey", key),
      });
      return appealed.ok ? ok({ id, hold: appealed.value.hold }) : err(problemOfFault(appealed.error));
    }),
  ]);

/** Of the agents that a caller sees, the one that is asked for. */
export const among = (seen: readonly string[] | null, agent: string | undefined): readonly string[] | null =>
  agent === undefined ? seen : seen === null || seen.includes(agent) ? [agent] : [];

/** A member that is there, or is not. */
export const given = <K extends string, V>(name: K, value: V | undefined): { readonly [N in K]?: V } =>
  (value === undefined ? {} : { [name]: value }) as { readonly [N in K]?: V };

const timeOf = (millis: number): string => formatInstant(instantFromMillis(millis));

export const acting = (caller: Caller) => ({ tenant: caller.tenant, by: actorOf(caller) });

/** A decision about an agent that the caller acts for; any other answers as if it did not exist. */
export async function mayActOn(store: Decisions, id: string, caller: Caller) {
  const found = await store.decision(caller.tenant, id);
  if (!found.ok) return err(problemOfFault(found.error));
  return found.value !== null && actsFor(caller, found.value.agent)
    ? ok(found.value)
    : err(problemOf("decision.unknown"));
}

/** The digest as it was given, or of the action that was given: what is claimed is what will be executed. */
function digestInHand(
  { action_digest: named, action, material }: InputOf<typeof redeemDecision>,
  tenant: string,
  agent: string,
): Result<string, Problem> {
  const asked = action !== undefined || material !== undefined;
  if (asked === (named !== undefined))
    return err(
      problemOf({
        code: "request.invalid",
        message: "name the action once",
        expected: "action_digest, or action with its material",
      }),
    );
  if (named !== undefined) return ok(named);
  const question = { ...given("action", action), ...given("material", material), idempotency_key: "redeem" };
  const read = readDecision(question as unknown as JsonObject);
  if (!read.ok) return read;
  const { action: does, material: brought } = read.value;
  const digest = actionDigest({
    asker: { tenant, agent, teams: [] },
    ...given("action", does),
    ...given("material", brought),
  });
  return digest === null ? err(problemOf("redeem.other_action")) : ok(digest);
}
