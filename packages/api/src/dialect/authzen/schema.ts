import type { JsonObject } from "@countersign/core";
import type { InputSchema } from "../../schema/inputFaults.ts";

const text = { type: "string", minLength: 1, maxLength: 512 } as const;
const properties = { type: "object" } as const;

const subject = { type: "object", properties: { type: text, id: text, properties }, required: ["type", "id"] } as const;
const action = { type: "object", properties: { name: text, properties }, required: ["name"] } as const;
const resource = {
  type: "object",
  properties: { type: text, id: { type: "string", minLength: 1, maxLength: 16_384 }, properties },
  required: ["type", "id"],
} as const;

/** One evaluation. Members that the specification does not have are passed over, as it asks. */
export const evaluationInput: InputSchema & JsonObject = {
  type: "object",
  properties: { subject, action, resource, context: properties },
  required: ["subject", "action", "resource"],
};

export const SEMANTICS = ["execute_all", "deny_on_first_deny", "permit_on_first_permit"] as const;
export type Semantic = (typeof SEMANTICS)[number];

export const MOST_EVALUATIONS = 100;

/** Several evaluations; what stands outside of them is what each of them says where it says nothing. */
export const evaluationsInput: InputSchema & JsonObject = {
  type: "object",
  properties: {
    subject: properties,
    action: properties,
    resource: properties,
    context: properties,
    evaluations: { type: "array", items: { type: "object" }, maxItems: MOST_EVALUATIONS },
    options: { type: "object", properties: { evaluations_semantic: { type: "string", enum: [...SEMANTICS] } } },
  },
};

const decision: JsonObject = {
  type: "object",
  properties: {
    decision: { type: "boolean", description: "True for allow; false for review, block and whatever failed." },
    context: {
      type: "object",
      description:
        "What the gate says beside it. More members may come; nobody has to read any of them to enforce the decision.",
      properties: {
        id: { type: "string", description: "Of the decision, in the log." },
        verdict: { type: "string", enum: ["allow", "review", "block"] },
        enforcement: { type: "string", enum: ["enforce", "observe"] },
        reason: { type: "string", description: "The first of `reasons`; the verdict where there are none." },
        reasons: {
          type: "array",
          items: { type: "string" },
          description: "The codes of everything that stands against it, each once.",
        },
        findings: { type: "array", items: { type: "object" } },
        action_digest: { type: ["string", "null"] },
        policy_digest: { type: ["string", "null"] },
        hold: { type: "object", description: "Of a review: what a person decides." },
        receipt: { type: "string", description: "A signed statement of this decision, valid for 300 seconds." },
        remedy: {
          type: "object",
          description:
            "Of a block: the smallest change that would pass, decided again before it was named. `changes` point into the evaluation; there are none where the policy derived the action from the resource.",
          properties: {
            text: { type: "string" },
            changes: {
              type: "array",
              items: {
                type: "object",
                properties: { path: { type: "string" }, value: { type: "string" } },
                required: ["path", "value"],
              },
            },
            verdict: { type: "string", enum: ["allow", "review"] },
          },
          required: ["text", "changes", "verdict"],
        },
        error: { type: "object", description: "Of an evaluation among several that failed by itself." },
      },
    },
  },
  required: ["decision"],
};

export const evaluationOutput = decision;

export const evaluationsOutput: JsonObject = {
  type: "object",
  properties: {
    decision: { type: "boolean" },
    context: { type: "object" },
    evaluations: { type: "array", items: decision },
  },
};
