import type { Action } from "../action/action.ts";
import { TOOL_LABEL } from "../check/protected/operations.ts";
import type { JsonObject } from "../json/value.ts";
import { parseMoney } from "../money/money.ts";
import { err, ok, type Result } from "../result.ts";
import type { EffectivePolicy, ToolMapping } from "./effective.ts";
import { fillTemplate, type MappingError, parseTemplate } from "./template.ts";

/** What a call is, in the words of an action. The parameters are always all of its arguments. */
export interface MappedCall {
  readonly action: Action;
  /** Whether some scope mapped the tool; what nobody mapped needs a person. */
  readonly mapped: boolean;
}

/**
 * Maps the call of `server/tool` by the section `tools`. A tool that nobody mapped is an action of kind `unspecified`,
 * which no permit matches. Fails with `mapping.missing` or `mapping.refused`, which block.
 */
export function mapToolCall(
  { tools }: Pick<EffectivePolicy, "tools">,
  tool: string,
  args: JsonObject,
): Result<MappedCall, MappingError> {
  const label = `${TOOL_LABEL}${tool}`;
  const mapping = tools.find((one) => one.tool === tool);
  if (mapping === undefined) {
    const target = `tool://${tool}`;
    return ok({
      action: { kind: "unspecified", verb: "call", target, parameters: args, labels: [label] },
      mapped: false,
    });
  }
  const action = actionOf(mapping, args, label);
  return action.ok ? ok({ action: action.value, mapped: true }) : action;
}

function actionOf(mapping: ToolMapping, args: JsonObject, label: string): Result<Action, MappingError> {
  const { kind, verb } = mapping;
  const fault: { error?: MappingError } = {};
  const fill = (template: string, as: "address" | "text"): string => {
    const filled = fillTemplate(parseTemplate(template) ?? [], args, as);
    if (filled.ok) return filled.value;
    fault.error ??= filled.error;
    return "";
  };
  const target = fill(mapping.target, "address");
  const counterparty = mapping.counterparty === undefined ? undefined : fill(mapping.counterparty, "text");
  const assets = mapping.assets?.map((one) => fill(one, "text"));
  const labels = mapping.labels?.map((one) => fill(one, "text")) ?? [];
  const value = mapping.amount === undefined ? undefined : fill(mapping.amount.value, "text");
  const currency = mapping.amount === undefined ? undefined : fill(mapping.amount.currency, "text");
  if (fault.error !== undefined) return err(fault.error);
  const amount = value === undefined ? undefined : parseMoney(value, currency);
  if (amount !== undefined && !amount.ok)
    return err({ code: "mapping.refused", message: "the arguments hold no exact amount where the mapping takes one" });
  return ok({
    kind,
    verb,
    target,
    ...(counterparty === undefined ? {} : { counterparty }),
    ...(amount === undefined ? {} : { amount: amount.value }),
    parameters: args,
    ...(assets === undefined ? {} : { assets }),
    labels: [...labels, label],
  });
}
