import { canonicalize } from "../../json/canonical.ts";
import { ok } from "../../result.ts";
import type { Actor } from "./change.ts";
import { actorJson } from "./holds.ts";
import { refuse } from "./refuse.ts";
import type { Step } from "./step.ts";
import type { Work } from "./work.ts";

export const putPolicyStep: Step<"policy.put"> = {
  want(change, work) {
    work.want("policies", change.scope);
    work.want("policyVersions", change.id);
  },

  apply(change, work) {
    if (change.by.kind === "agent") return refuse("actor.not_allowed", "an agent does not change a policy");
    if (work.get("policyVersions", change.id) !== null) return refuse("policy.exists", "a policy has this id already");
    const current = work.get("policies", change.scope);
    const { scope, id, digest, text, replaces } = change;
    if (replaces === null && current !== null) return refuse("policy.exists", "the scope has a policy already");
    if (replaces !== null && replaces !== "any" && replaces !== current?.digest)
      return refuse("policy.stale", "the policy in force is not the one that this one replaces");
    const version = (current?.version ?? 0) + 1;
    work.put("policies", { scope, version, digest });
    const reason = change.reason ?? null;
    work.put("policyVersions", { id, scope, version, digest, text, by: change.by.id, at: work.now, reason });
    const said = reason === null ? {} : { reason };
    return ok({
      ...append(change.event ?? "policy.put", id, { digest, scope, version, ...said }, change.by, work),
      version,
    });
  },
};

export const putAgentStep: Step<"agent.put"> = {
  want(change, work) {
    work.want("agents", change.id);
  },

  apply(change, work) {
    if (change.by.kind === "agent") return refuse("actor.not_allowed", "an agent does not change the directory");
    const { id, org, teams, state, reason } = change;
    work.put("agents", { id, org, teams, state, display: change.display ?? null });
    const said = reason === undefined ? {} : { reason };
    return ok(append("agent.put", id, { org, state, teams, ...said }, change.by, work));
  },
};

export const putKeyStep: Step<"key.put"> = {
  want(change, work) {
    work.want("keys", change.id);
    if (change.follows !== undefined) work.want("keys", change.follows.id);
  },

  apply(change, work) {
    if (change.by.kind === "agent") return refuse("actor.not_allowed", "an agent makes no keys");
    if (work.get("keys", change.id) !== null) return refuse("key.exists", "a key has this id already");
    const { id, hash, name, scopes, holder, expiresAt, follows } = change;
    const before = follows === undefined ? null : work.get("keys", follows.id);
    if (follows !== undefined && (before === null || before.revokedAt !== null))
      return refuse("key.unknown", "there is no such key to follow");
    if (before !== null && follows !== undefined) {
      const end = work.now + follows.overlap;
      work.put("keys", { ...before, expiresAt: before.expiresAt === null ? end : Math.min(before.expiresAt, end) });
    }
    work.put("keys", { id, hash, name, scopes, holder, createdAt: work.now, expiresAt, revokedAt: null });
    const body = { expires_at: expiresAt, follows: follows?.id ?? null, holder, name, scopes };
    return ok(append("key.put", id, body, change.by, work));
  },
};

export const revokeKeyStep: Step<"key.revoke"> = {
  want(change, work) {
    work.want("keys", change.id);
  },

  apply(change, work) {
    if (change.by.kind === "agent") return refuse("actor.not_allowed", "an agent revokes no keys");
    const key = work.get("keys", change.id);
    if (key === null || key.revokedAt !== null) return refuse("key.unknown", "there is no such key in use");
    work.put("keys", { ...key, revokedAt: work.now });
    return ok(append("key.revoke", key.id, {}, change.by, work));
  },
};

export const putWebhookStep: Step<"webhook.put"> = {
  want(change, work) {
    work.want("webhooks", change.id);
  },

  apply(change, work) {
    if (change.by.kind === "agent") return refuse("actor.not_allowed", "an agent adds no webhook");
    const before = work.get("webhooks", change.id);
    if (before === null && change.onlyChange === true) return refuse("webhook.unknown", "there is no such webhook");
    const { id, url, kinds, agents, state } = change;
    // A change that was begun before a rotation does not bring the secret back that was rotated away.
    const secretVersion = Math.max(before?.secretVersion ?? 0, change.secretVersion);
    const appended = append("webhook.put", id, { agents, kinds, state, version: secretVersion }, change.by, work);
    // A new one hears of what comes after it, not of the past.
    const cursor = before?.cursor ?? appended.seq;
    work.put("webhooks", { id, url, kinds, agents, secretVersion, state, cursor });
    return ok(appended);
  },
};

export const removeWebhookStep: Step<"webhook.remove"> = {
  want(change, work) {
    work.want("webhooks", change.id);
  },

  apply(change, work) {
    if (change.by.kind === "agent") return refuse("actor.not_allowed", "an agent removes no webhook");
    if (work.get("webhooks", change.id) === null) return refuse("webhook.unknown", "there is no such webhook");
    work.remove("webhooks", change.id);
    return ok(append("webhook.remove", change.id, {}, change.by, work));
  },
};

function append(kind: string, ref: string, body: object, by: Actor, work: Work) {
  const agent = kind === "agent.put" ? ref : null;
  const text = canonicalize({ ...body, by: actorJson(by) });
  const { at, seq, recordHash } = work.append({ kind, ref, agent, codes: [], body: text });
  return { at, seq, recordHash };
}
