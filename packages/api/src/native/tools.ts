import type { JsonObject } from "@countersign/core";
import * as z from "zod/mini";
import type { DialectTool } from "../dialect/tool.ts";
import {
  answerSchema,
  decisionIdSchema,
  decisionRequestSchema,
  decisionSummarySchema,
  docs,
  outcomeAnswerSchema,
  outcomeSchema,
} from "./schema.ts";

/** A schema as JSON Schema 2020-12, for OpenAPI and for tools. */
export function jsonSchemaOf(schema: z.core.$ZodType): JsonObject {
  const { $schema: _, ...structure } = z.toJSONSchema(schema, { metadata: docs, unrepresentable: "any" });
  return structure as JsonObject;
}

function tool(
  [name, title, description]: readonly [string, string, string],
  changes: "nothing" | "the log",
  [input, output]: readonly [z.core.$ZodType, z.core.$ZodType],
  [method, path]: readonly ["GET" | "POST", string],
): DialectTool {
  return {
    name,
    title,
    description,
    annotations: {
      title,
      readOnlyHint: changes === "nothing",
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    inputSchema: jsonSchemaOf(input),
    outputSchema: jsonSchemaOf(output),
    aliases: [],
    http: { method, path },
  };
}

export const decideTool = tool(
  [
    "decide",
    "Ask before acting",
    "Decides by the operator's policy whether an action may happen: allow, review or block, with reasons, recorded and signed. Ask right before the action, go on with allow only, and treat an error as block. After an approval ask again with the same action.",
  ],
  "the log",
  [decisionRequestSchema, answerSchema],
  ["POST", "/v1/decisions"],
);

export const getDecisionTool = tool(
  ["get_decision", "Look up a decision", "What was decided under an id, whether it was redeemed, and how it ended."],
  "nothing",
  [decisionIdSchema, decisionSummarySchema],
  ["GET", "/v1/decisions/{id}"],
);

export const reportOutcomeTool = tool(
  [
    "report_outcome",
    "Say how it ended",
    "Closes a decision with what really happened: executed, failed or unknown. A failure that an agent reports of itself frees no money.",
  ],
  "the log",
  [outcomeSchema, outcomeAnswerSchema],
  ["POST", "/v1/decisions/{id}/outcome"],
);
