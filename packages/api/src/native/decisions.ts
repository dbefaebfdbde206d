import * as z from "zod/mini";
import { idOf, type NativeOperation, operation, pageOf, paging, reason, time } from "./operation.ts";
import {
  actionSchema,
  contentDigest,
  decisionId,
  decisionSummarySchema,
  described,
  idempotencyKey,
  materialSchema,
  name,
  outcomeSchema,
  verdict,
} from "./schema.ts";
import { reportOutcomeTool } from "./tools.ts";

export const listDecisions = operation(
  {
    name: "list_decisions",
    title: "List decisions",
    description: "What was decided, newest first: of every agent that the credential may see.",
    needs: [],
    changes: "nothing",
  },
  ["GET", "/v1/decisions"],
  z.strictObject({
    agent: z.optional(name(128)),
    verdict: z.optional(verdict),
    unclosed: z.optional(described(z.boolean(), "Only those that were redeemed and have no outcome yet.")),
    ...paging,
  }),
  pageOf(decisionSummarySchema),
);

/** The tool `report_outcome`, as an operation of the client. */
export const reportOutcome: NativeOperation<typeof outcomeSchema> = {
  ...reportOutcomeTool,
  input: outcomeSchema,
  needs: ["outcome", "review"],
};

export const redeemDecision = operation(
  {
    name: "redeem",
    title: "Claim an allow",
    description:
      "The executor's one-time claim on an allow, just before it executes. Refused when a stop is in force, the time has passed, the grant was revoked, or the policy has changed since: then decide again.",
    needs: ["enforce"],
    changes: "the log",
  },
  ["POST", "/v1/decisions/{id}/redeem"],
  z.strictObject({
    id: decisionId,
    action_digest: z.optional(described(contentDigest, "Of the action in the executor's hand, or that action itself:")),
    action: z.optional(actionSchema),
    material: z.optional(described(materialSchema, "What of it is in the digest: URLs, calldata, typed data.")),
    idempotency_key: z.optional(idempotencyKey),
  }),
  z.strictObject({
    id: decisionId,
    redeemed_at: time,
    redeem_until: described(time, "Do not begin after this."),
    record_hash: described(z.string(), "The leaf of this claim in the log."),
  }),
);

export const appealDecision = operation(
  {
    name: "appeal",
    title: "Say that a refusal was wrong",
    description:
      "Puts a refusal into the queue of the people who review, once. Approving an appeal permits nothing by itself: it says that the policy should be looked at.",
    needs: ["decide"],
    changes: "the log",
  },
  ["POST", "/v1/decisions/{id}/appeal"],
  z.strictObject({ id: decisionId, reason, idempotency_key: z.optional(idempotencyKey) }),
  z.strictObject({ id: decisionId, hold: idOf("hold") }),
);
