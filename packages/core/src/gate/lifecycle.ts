import type { EffectivePolicy } from "../policy/effective.ts";
import { scopesOf } from "../policy/scope.ts";
import type { PolicySource } from "../policy/source.ts";
import { err, ok, type Result } from "../result.ts";
import type { GateFault } from "./answer.ts";
import { idempotent } from "./idempotent.ts";
import { newId, type RandomBytes } from "./ids.ts";
import type { Actor, Millis, Outcome, ReadUnder } from "./ledger/change.ts";
import type { LedgerError } from "./ledger/refusal.ts";
import type {
  Agents,
  Appended,
  Decisions,
  HoldState,
  Ledger,
  MoneyState,
  Policies,
  Stops,
  Store,
  TenantId,
} from "./ports.ts";
import { notifyOf } from "./recipients.ts";
import { cardScope, exemptionScope } from "./storedPolicies.ts";

export interface LifecyclePorts {
  readonly store: Ledger & Decisions & Stops & Agents & Pick<Policies, "policyHeads"> & Pick<Store, "now">;
  readonly policies: PolicySource;
  readonly clock: () => Millis;
  readonly random: RandomBytes;
  /** How long an appeal waits for a person. */
  readonly appealFor: Millis;
}

/** Who does it, and to which tenant's things. */
interface Act {
  readonly tenant: TenantId;
  readonly by: Actor;
  /** A key of the caller's own making: the same act again under it is done once and answered the same. */
  readonly idempotencyKey?: string;
}

export interface RedeemAct extends Act {
  readonly decision: string;
  /** Of the action in the executor's hand. */
  readonly actionDigest: string;
}

export interface OutcomeAct extends Act {
  readonly decision: string;
  readonly result: Outcome["result"];
  readonly sent?: string;
  readonly received?: string;
  readonly asApproved: boolean;
  /** Of the action that ran, where the executor can tell; another one than decided is unlike what was approved. */
  readonly actionDigest?: string;
}

export interface AppealAct extends Act {
  readonly decision: string;
  readonly reason: string;
}

export interface ReviewAct extends Act {
  readonly hold: string;
  readonly answer: "approve" | "reject";
  readonly reason: string;
  /** The version of the hold that the person saw. */
  readonly version: number;
}

export type LifecycleFault = LedgerError | GateFault;

type Done<T> = Promise<Result<Appended & T, LifecycleFault>>;

/** What follows a decision. Each act is one durable change, or nothing. */
export interface Lifecycle {
  /** Claims an allow just before it is executed: one time, and only while all that allowed it still stands. */
  redeem(act: RedeemAct): Done<{ readonly redeemUntil: Millis }>;
  /** Closes a decision with what really happened. */
  reportOutcome(act: OutcomeAct): Done<{ readonly money: MoneyState; readonly breaker: string | null }>;
  /** Asks a person to look at a refusal. Approving it permits nothing by itself. */
  appeal(act: AppealAct): Done<{ readonly hold: string }>;
  /** A person's answer to a hold. */
  review(act: ReviewAct): Done<{ readonly state: HoldState; readonly grant: string | null }>;
}

/** An appeal is looked at after what waits for a permission. */
const APPEAL_RISK = 10;

export function createLifecycle(ports: LifecyclePorts): Lifecycle {
  const { store, clock, random } = ports;
  const id = (prefix: "hold" | "grant" | "stop") => newId(prefix, clock(), random);
  return {
    async redeem({ tenant, by, decision, actionDigest, idempotencyKey }) {
      const found = await store.decision(tenant, decision);
      if (!found.ok) return found;
      if (found.value === null) return unknownDecision;
      const policy = await policyNow(ports, tenant, found.value.agent);
      if (!policy.ok) return policy;
      const claimed = await store.commit(tenant, {
        kind: "redeem",
        decision,
        by,
        actionDigest,
        policyDigest: policy.value.effective?.digest ?? null,
        readUnder: policy.value.readUnder,
        ...idempotent("redeem", by, idempotencyKey, { decision, actionDigest }),
      });
      return claimed.ok && claimed.value.replayed !== undefined
        ? stillGood(ports, { tenant, decision, policyDigest: policy.value.effective?.digest ?? null }, claimed.value)
        : claimed;
    },

    async reportOutcome({ tenant, by, decision, result, sent, received, asApproved, actionDigest, idempotencyKey }) {
      const found = actionDigest === undefined ? null : await store.decision(tenant, decision);
      if (found !== null && !found.ok) return found;
      const other = found !== null && found.value !== null && found.value.actionDigest !== actionDigest;
      const said = {
        decision,
        result,
        asApproved: asApproved && !other,
        ...(sent === undefined ? {} : { sent }),
        ...(received === undefined ? {} : { received }),
      };
      return store.commit(tenant, {
        kind: "outcome",
        by,
        breaker: id("stop"),
        ...said,
        ...idempotent("outcome", by, idempotencyKey, said),
      });
    },

    async appeal({ tenant, by, decision, reason, idempotencyKey }) {
      const found = await store.decision(tenant, decision);
      if (!found.ok) return found;
      if (found.value === null) return unknownDecision;
      const policy = await policyNow(ports, tenant, found.value.agent);
      if (!policy.ok) return policy;
      const hold = id("hold");
      const committed = await store.commit(tenant, {
        kind: "appeal",
        decision,
        by,
        reason,
        hold: {
          id: hold,
          about: "appeal",
          risk: APPEAL_RISK,
          approvers: 1,
          codes: found.value.codes,
          expiresIn: ports.appealFor,
          onTimeout: "reject",
          grantFor: null,
          ...notifyOf(policy.value.effective?.review ?? null),
        },
        ...idempotent("appeal", by, idempotencyKey, { decision, reason }, hold),
      });
      if (!committed.ok) return committed;
      return ok({ ...committed.value, hold: committed.value.replayed?.answer ?? hold });
    },

    async review({ tenant, by, hold, answer, reason, version, idempotencyKey }) {
      return store.commit(tenant, {
        kind: "hold.decide",
        hold,
        by,
        answer,
        reason,
        version,
        grant: id("grant"),
        ...idempotent("review", by, idempotencyKey, { hold, answer, reason, version }),
      });
    },
  };
}

/**
 * A claim that is answered again was good when it was made; the executor goes on only if it is good now, and has not been
 * there before.
 */
async function stillGood<T extends { readonly redeemUntil: Millis }>(
  { store }: LifecyclePorts,
  {
    tenant,
    decision,
    policyDigest,
  }: { readonly tenant: TenantId; readonly decision: string; policyDigest: string | null },
  claimed: T,
): Promise<Result<T, LifecycleFault>> {
  const found = await store.decision(tenant, decision);
  if (!found.ok) return found;
  if (found.value === null) return unknownDecision;
  if (found.value.outcome !== null)
    return err({ code: "redeem.closed", message: "the outcome of the decision is known already" });
  if (found.value.policyDigest !== policyDigest)
    return err({ code: "policy.changed", message: "the policy has changed since; decide again" });
  const now = await store.now(tenant);
  if (!now.ok) return now;
  if (now.value >= claimed.redeemUntil)
    return err({ code: "redeem.expired", message: "the time to redeem has passed" });
  const stops = await store.stops(tenant);
  if (!stops.ok) return stops;
  const { scopes } = found.value;
  const stop = stops.value.find(({ scope }) => scopes.includes(scope));
  if (stop === undefined) return ok(claimed);
  return err({ code: "stopped", message: "a stop is in force here", stop: stop.id, scope: stop.scope });
}

const unknownDecision = err<GateFault>({ code: "decision.unknown", message: "there is no such decision" });

/**
 * What is in force for an agent now, and what it was read under: what comes between reading and claiming is
 * seen under the lock. An agent that is disabled has nothing in force.
 */
async function policyNow(
  { store, policies }: LifecyclePorts,
  tenant: TenantId,
  id: string,
): Promise<Result<{ readonly effective: EffectivePolicy | null; readonly readUnder: ReadUnder }, LifecycleFault>> {
  const agent = await store.agent(tenant, id);
  if (!agent.ok) return agent;
  const asker = { tenant, agent: id, teams: agent.value?.teams ?? [] };
  const scopes = [...scopesOf(asker).flatMap((scope) => [scope, cardScope(scope)]), exemptionScope(id)];
  // Read before the policy is: a version that comes in between is another one then.
  const heads = await store.policyHeads(tenant, scopes);
  if (!heads.ok) return heads;
  const versions = scopes.map((scope) => ({
    scope,
    version: heads.value.find((head) => head.scope === scope)?.version ?? 0,
  }));
  const readUnder: ReadUnder = { agent: id, teams: asker.teams, versions };
  if (agent.value !== null && agent.value.state !== "active") return ok({ effective: null, readUnder });
  const effective = await policies.effective(asker);
  return effective.ok ? ok({ effective: effective.value, readUnder }) : effective;
}
