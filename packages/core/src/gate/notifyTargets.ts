import { isObject, type JsonObject } from "../json/value.ts";
import type { Scope } from "../policy/effective.ts";
import type { Names } from "../policy/mandate.ts";
import type { PolicyProblem } from "../policy/problem.ts";
import type { PolicyPart } from "../policy/readPart.ts";
import { isAgentScope, isPlatform } from "../policy/scope.ts";
import { suggest } from "../policy/suggest.ts";
import { ok, type Result } from "../result.ts";
import type { Millis } from "./ledger/change.ts";
import type { StoreError } from "./ledger/refusal.ts";
import type { Keys, StoredKey, TenantId, Webhook, Webhooks } from "./ports.ts";

/** Where those whom a policy may name are found. */
export type NotifyTargets = Pick<Keys, "keys"> & Pick<Webhooks, "webhooks">;

/**
 * Everybody named in `review.notify` who would never hear of anything: people without a key to review with, webhooks
 * that are not there, are switched off, or are not told of the agent that the document is for.
 */
export async function deafTargets(
  targets: NotifyTargets,
  tenant: TenantId,
  { scope, sections, document }: PolicyPart,
  now: Millis,
): Promise<Result<readonly PolicyProblem[], StoreError>> {
  const notify = sections.review?.notify;
  if (notify === undefined) return ok([]);
  const people = namesIn(notify.sse);
  const hooks = namesIn(notify.webhooks);
  if (people.length + hooks.length === 0) return ok([]);
  if (isPlatform(scope)) return ok([FOR_EVERY_TENANT]);
  const keys = people.length === 0 ? ok([]) : await targets.keys(tenant);
  if (!keys.ok) return keys;
  const webhooks = hooks.length === 0 ? ok([]) : await targets.webhooks(tenant);
  if (!webhooks.ok) return webhooks;
  const reviewers = reviewersOf(keys.value, now);
  return ok([
    ...people.flatMap((name) => {
      if (reviewers.has(name)) return [];
      const meant = suggest(name, [...reviewers]);
      return {
        code: "policy.unknown_target",
        path: placeOf(document, "sse", name),
        message: `nobody of this name holds a key to review with${meant === undefined ? "" : `; did you mean ${meant}?`}`,
        expected: "a person with a key of the scope review",
      };
    }),
    ...hooks.flatMap((id) => {
      const message = deafness(
        webhooks.value.find((one) => one.id === id),
        scope,
      );
      if (message === undefined) return [];
      const path = placeOf(document, "webhooks", id);
      return {
        code: "policy.unknown_target",
        path,
        message,
        expected: "an active webhook, as GET /v1/webhooks lists them",
      };
    }),
  ]);
}

const namesIn = (names: Names): readonly string[] => ("only" in names ? names.only : []);

const FOR_EVERY_TENANT: PolicyProblem = {
  code: "policy.unknown_target",
  path: "/review/notify",
  message: "a document of the platform is for every tenant, and names nobody of one of them",
  expected: "true, or names in a document of the organisation",
};

function reviewersOf(keys: readonly StoredKey[], now: Millis): ReadonlySet<string> {
  const good = keys.filter(
    ({ scopes, revokedAt, expiresAt }) =>
      scopes.includes("review") && revokedAt === null && (expiresAt === null || now < expiresAt),
  );
  return new Set(good.flatMap(({ holder }) => (holder.kind === "person" ? holder.person : [])));
}

function deafness(webhook: Webhook | undefined, scope: Scope): string | undefined {
  if (webhook === undefined) return "there is no such webhook";
  if (webhook.state !== "active") return "this webhook is switched off";
  const of = isAgentScope(scope) ? scope.slice("agent:".length) : null;
  return of !== null && webhook.agents !== null && !webhook.agents.includes(of)
    ? "this webhook is not told about this agent"
    : undefined;
}

function placeOf(document: JsonObject, list: "sse" | "webhooks", name: string): string {
  const review = document["review"] ?? null;
  const notify = isObject(review) ? (review["notify"] ?? null) : null;
  const written = isObject(notify) ? notify[list] : undefined;
  return `/review/notify/${list}/${Array.isArray(written) ? written.indexOf(name) : 0}`;
}
