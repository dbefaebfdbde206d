import { formatInstant, type Grant, type Hold, instantFromMillis, isPerson, type JsonObject } from "@countersign/core";
import * as z from "zod/mini";
import { idOf, maybeTime, operation, pageOf, paging, reason, time } from "./operation.ts";
import { contentDigest, decisionId, described, name, once, text } from "./schema.ts";

const holdId = idOf("hold");
const state = z.enum(["open", "approved", "rejected", "expired", "released"]);

const holdMembers = {
  id: holdId,
  decision: decisionId,
  agent: z.string(),
  about: described(
    z.enum(["action", "text", "appeal"]),
    "What waits: an action, a text that was screened, or a refusal that its agent appeals.",
  ),
  state,
  version: described(z.int(), "Changes with every approval. An answer names the version that its person saw."),
  risk: described(z.int(), "From 0 to 100; the highest is looked at first."),
  approvers: described(z.int(), "How many different people have to approve."),
  approvals: z.array(
    z.strictObject({
      person: described(z.nullable(z.string()), "Told to people only."),
      at: time,
      reason: z.string(),
    }),
  ),
  codes: described(z.array(z.string()), "Why it is held. A grant covers these and no others."),
  action_digest: z.nullable(contentDigest),
  opened_at: time,
  expires_at: time,
  on_timeout: z.enum(["reject", "release"]),
  recipients: described(
    z.array(z.string()),
    "Whom the policy wants told: `people`, `person:…`, `webhooks`, `webhook:…`. Who the people are is told to people only.",
  ),
  remind_at: described(maybeTime, "When they are told that its end is near; null when they are not, or were."),
  decided_by: described(z.nullable(z.string()), "Told to people only; `clock` when time decided."),
  decided_at: maybeTime,
  reason: z.nullable(z.string()),
  grant: described(z.nullable(z.string()), "What the approval permits: this action, once."),
};

export const holdSchema = z.strictObject(holdMembers);

const anyJson = z.nullable(z.record(z.string(), z.unknown()));

export const shownHoldSchema = z.strictObject({
  ...holdMembers,
  frozen_by: described(z.nullable(z.string()), "A stop that keeps it from being approved."),
  shown: described(
    anyJson,
    "Exactly what will run, as it was asked: `action`, `material`, `session`. It has the digest above, or `withheld` says why not.",
  ),
  withheld: described(
    z.nullable(z.enum(["people_only", "not_kept", "redacted", "does_not_match"])),
    "Why nothing is shown: only people may see it, it was not kept or was erased, or what was kept is not what was asked. `redacted` where what is shown is not all of it.",
  ),
  findings: described(
    z.array(
      z.strictObject({ check: z.string(), code: z.string(), severity: z.string(), path: z.optional(z.string()) }),
    ),
    "What the checks found.",
  ),
  token: described(
    z.nullable(z.string()),
    "Goes with an answer to this hold as it stands, from this credential, for ten minutes. Null where it cannot be answered.",
  ),
});

export const listHolds = operation(
  {
    name: "list_holds",
    title: "List holds",
    description: "What waits for a person: of every agent that the credential may see.",
    needs: [],
    changes: "nothing",
  },
  ["GET", "/v1/holds"],
  z.strictObject({
    state: z.optional(described(z.enum([...state.options, "any"]), "`open` unless told otherwise.")),
    order: z.optional(
      described(z.enum(["risk", "age"]), "`risk`: highest first, the oldest of equals first. `age`: oldest first."),
    ),
    agent: z.optional(name(128)),
    ...paging,
  }),
  pageOf(holdSchema),
);

export const getHold = operation(
  {
    name: "get_hold",
    title: "Show a hold",
    description:
      "What waits, why, and for a person exactly what will run, with the token that an answer needs. `wait` gives the answer when the hold changes, or after so many seconds. Looking never decides.",
    needs: [],
    changes: "nothing",
  },
  ["GET", "/v1/holds/{id}"],
  z.strictObject({
    id: holdId,
    wait: z.optional(described(z.int().check(z.minimum(0), z.maximum(30)), "Seconds.")),
    version: z.optional(described(z.int().check(z.minimum(1)), "Wait while the hold has this version.")),
  }),
  shownHoldSchema,
);

const review = (name: "approve_hold" | "reject_hold", title: string, description: string, path: string) =>
  operation(
    { name, title, description, needs: ["review"], changes: "the log" },
    ["POST", path],
    z.strictObject({
      id: holdId,
      version: described(z.int().check(z.minimum(1)), "What the person saw."),
      token: described(text(512), "From showing the hold. The same answer with the same token is given once."),
      reason,
    }),
    z.strictObject({
      id: holdId,
      state: described(state, "Still `open` when another person has to approve too."),
      grant: z.nullable(z.string()),
      record_hash: z.string(),
    }),
  );

export const approveHold = review(
  "approve_hold",
  "Approve a hold",
  "Permits exactly this action, once, for this agent. A credential of a person; no agent approves anything.",
  "/v1/holds/{id}/approve",
);

export const rejectHold = review(
  "reject_hold",
  "Reject a hold",
  "Closes a hold without a permission. A credential of a person.",
  "/v1/holds/{id}/reject",
);

const grantId = idOf("grant");

export const grantSchema = z.strictObject({
  id: grantId,
  hold: holdId,
  agent: z.string(),
  action_digest: z.nullable(contentDigest),
  codes: described(z.array(z.string()), "What the people saw. Another reason to review opens another hold."),
  approved_by: described(z.array(z.string()), "Told to people only."),
  expires_at: time,
  used_by: described(z.nullable(z.string()), "The decision that it allowed."),
  revoked_at: maybeTime,
});

export const getGrant = operation(
  {
    name: "get_grant",
    title: "Show a grant",
    description: "What an approval permits: one action of one agent, once, until it expires.",
    needs: [],
    changes: "nothing",
  },
  ["GET", "/v1/grants/{id}"],
  z.strictObject({ id: grantId }),
  grantSchema,
);

export const revokeGrant = operation(
  {
    name: "revoke_grant",
    title: "Take an approval back",
    description:
      "The grant allows nothing any more, and a decision that it allowed is not redeemed. What was redeemed has been handed out. A credential of a person.",
    needs: ["review"],
    changes: "the log",
  },
  ["DELETE", "/v1/grants/{id}"],
  z.strictObject({ id: grantId, reason, ...once }),
  z.strictObject({ id: grantId, revoked_at: time }),
);

const timeOf = (millis: number): string => formatInstant(instantFromMillis(millis));
const maybeTimeOf = (millis: number | null): string | null => (millis === null ? null : timeOf(millis));

export const writeGrant = (grant: Grant, reader: "person" | "program"): JsonObject => ({
  id: grant.id,
  hold: grant.hold,
  agent: grant.agent,
  // Erased content leaves no digest behind.
  action_digest: grant.actionDigest === "" ? null : grant.actionDigest,
  codes: grant.codes,
  approved_by: reader === "person" ? grant.approvedBy : [],
  expires_at: timeOf(grant.expiresAt),
  used_by: grant.usedBy,
  revoked_at: maybeTimeOf(grant.revokedAt),
});

export const recipientsFor = (reader: "person" | "program", recipients: readonly string[]): readonly string[] =>
  reader === "person" ? recipients : recipients.filter((one) => !isPerson(one));

/** A hold as it goes over the wire. Who the people are is told to people only. */
export function writeHold(hold: Hold, reader: "person" | "program"): JsonObject {
  const named = (person: string | null) => (reader === "person" || person === "clock" ? person : null);
  return {
    id: hold.id,
    decision: hold.decision,
    agent: hold.agent,
    about: hold.about,
    state: hold.state,
    version: hold.version,
    risk: hold.risk,
    approvers: hold.approvers,
    approvals: hold.approvals.map(({ person, at, reason: why }) => ({
      person: named(person),
      at: timeOf(at),
      reason: why,
    })),
    codes: hold.codes,
    action_digest: hold.actionDigest,
    opened_at: timeOf(hold.openedAt),
    expires_at: timeOf(hold.expiresAt),
    on_timeout: hold.onTimeout,
    recipients: recipientsFor(reader, hold.recipients),
    remind_at: maybeTimeOf(hold.remindAt),
    decided_by: named(hold.decidedBy),
    decided_at: maybeTimeOf(hold.decidedAt),
    reason: hold.reason,
    grant: hold.grant,
  };
}
