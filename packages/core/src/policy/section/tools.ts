import { KINDS } from "../../action/action.ts";
import type { JsonValue } from "../../json/value.ts";
import type { Scope, ToolMapping } from "../effective.ts";
import { folded } from "../fold.ts";
import type { Report } from "../problem.ts";
import { readList, readObject, readOneOf, readText } from "../reader.ts";
import { parseTemplate } from "../template.ts";

export const TOOL_LIMIT = 1_000;
const LIST_LIMIT = 64;
const TOOL = /^[A-Za-z0-9._-]{1,64}[/][A-Za-z0-9._/-]{1,128}$/;
const VERB = /^[A-Za-z0-9._:-]{1,64}$/;

/** `tools: [{tool, kind, verb, target, counterparty?, amount?, assets?, labels?}]` */
export function readTools(
  value: JsonValue,
  path: string,
  report: Report,
  scope: Scope,
): readonly ToolMapping[] | undefined {
  const read = readList(value, path, report, TOOL_LIMIT, (item, at) => readTool(item, at, report, scope));
  const seen = new Set<string>();
  for (const [index, { tool }] of (read ?? []).entries()) {
    const key = folded(tool);
    if (seen.has(key)) {
      const message = "another entry maps this tool, or one that differs only in letter case";
      report("policy.duplicate_id", `${path}/${index}/tool`, message, "one entry a tool");
    }
    seen.add(key);
  }
  return read;
}

function readTool(value: JsonValue, path: string, report: Report, scope: Scope): ToolMapping | undefined {
  const object = readObject(value, path, report);
  if (object === undefined) return undefined;
  const template = (one: JsonValue, at: string) => readTemplate(one, at, report);
  const templates = (list: JsonValue, at: string) => readList(list, at, report, LIST_LIMIT, template, 0);
  const tool = object.required("tool", (one, at) => matching(one, at, report, TOOL, "server/tool"), "server/tool");
  const kind = object.required("kind", (one, at) => readOneOf(one, at, report, KINDS), "a kind of action");
  const verb = object.required("verb", (one, at) => matching(one, at, report, VERB, "a verb"), "a verb");
  const target = object.required("target", template, "what it is done to, such as api://repo/{/owner}/{/name}");
  const counterparty = object.optional("counterparty", template);
  const amount = object.optional("amount", (one, at) => {
    const inner = readObject(one, at, report);
    if (inner === undefined) return undefined;
    const amountValue = inner.required("value", template, "an amount or where it stands");
    const currency = inner.required("currency", template, "a currency or where it stands");
    inner.close();
    return amountValue === undefined || currency === undefined ? undefined : { value: amountValue, currency };
  });
  const assets = object.optional("assets", templates);
  const labels = object.optional("labels", templates);
  object.close();
  if (tool === undefined || kind === undefined || verb === undefined || target === undefined) return undefined;
  return {
    scope,
    tool,
    kind,
    verb,
    target,
    ...(counterparty === undefined ? {} : { counterparty }),
    ...(amount === undefined ? {} : { amount }),
    ...(assets === undefined ? {} : { assets }),
    ...(labels === undefined ? {} : { labels }),
  };
}

function matching(value: JsonValue, path: string, report: Report, form: RegExp, expected: string): string | undefined {
  if (typeof value === "string" && form.test(value)) return value;
  report("policy.wrong_value", path, "this is not a name of the form it must have", expected);
  return undefined;
}

function readTemplate(value: JsonValue, path: string, report: Report): string | undefined {
  const text = readText(value, path, report, 512);
  if (text === undefined || parseTemplate(text) !== null) return text;
  report("policy.template", path, "this is no template", "text with {/pointer} for values of the arguments");
  return undefined;
}
