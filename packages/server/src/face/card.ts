import { CARD_TOOLS, problemOf, readDraft } from "@countersign/api";
import { err, type JsonObject, type JsonValue, ok } from "@countersign/core";
import { type Tried, tryDraft } from "../cards/cardEndpoints.ts";
import type { PolicyDesk } from "../policies/policyEndpoints.ts";
import type { Dialect } from "./dialect.ts";

/** Drafts of protection cards, composed with what is in force and judged. Nothing is saved, and nothing is permitted. */
export const cardDialect = (desk: Pick<PolicyDesk, "store" | "policies" | "clock">): Dialect => ({
  name: "card",
  tools: CARD_TOOLS,
  numbers: "plain",
  async answer(tool, input, caller) {
    if (!CARD_TOOLS.some(({ name }) => name === tool)) return err(problemOf("tool.unknown"));
    const draft = readDraft(input as JsonValue);
    if (!draft.ok) {
      const [first] = draft.error;
      const where = first === undefined || first.path === "" ? "" : `${first.path}: `;
      const more = draft.error.length > 1 ? ` (and ${draft.error.length - 1} more)` : "";
      return ok({
        ok: false,
        composition_valid: false,
        conflicts_count: 0,
        summary: `The draft is no card: ${where}${first?.message ?? "it cannot be read"}${more}.`,
        full_report: null,
      });
    }
    const tried = await tryDraft(desk, caller.tenant, draft.value);
    return tried.ok ? ok(report(tried.value, draft.value.scope.slice("agent:".length))) : tried;
  },
});

function report({ conflicts, outside }: Tried, agent: string): JsonObject {
  const count = conflicts.length;
  return {
    ok: outside.length === 0,
    composition_valid: true,
    conflicts_count: count,
    summary: summaryOf(count, outside.length),
    full_report:
      count === 0
        ? null
        : {
            method: "POST",
            path: `/v1/protection/agent/${agent}/preview-compose`,
            note: "Send the same draft there for the composed card and each conflict, with who won it.",
          },
  };
}

function summaryOf(conflicts: number, outside: number): string {
  if (outside > 0) return `${outside} trusted source${outside === 1 ? " is" : "s are"} outside the platform's ceiling.`;
  if (conflicts === 0) return "The draft composes, and weakens nothing.";
  return `The draft composes; the scopes above tighten ${conflicts} of its fields.`;
}
