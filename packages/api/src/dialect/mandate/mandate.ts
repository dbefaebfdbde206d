import { type ExactJson, err, type JsonObject, ok, type Result } from "@countersign/core";
import { type Problem, problemOf } from "../../problem.ts";
import { checkAction, type MandateDeps } from "./checkAction.ts";
import { MANDATE_TOOLS } from "./schema.ts";
import { validateMandate } from "./validateMandate.ts";

/** Mandates that come with the request: two tools that judge by them. Advice, which may be signed; see `MandateDeps`. */
export const mandate = {
  tools: MANDATE_TOOLS,
  /**
   * Answers a tool by its name. Whatever the input is, the answer is the dialect's own; the only error is
   * `tool.unknown`. The input has to be what our reader made of the bytes in the mode "exact", since digests depend on
   * how numbers were written.
   */
  async call(tool: string, input: ExactJson, deps: MandateDeps): Promise<Result<JsonObject, Problem>> {
    if (tool === "check_action") return ok(await checkAction(input, deps));
    if (tool === "validate_mandate") return ok(validateMandate(input, deps));
    return err(problemOf("tool.unknown"));
  },
} as const;
