import { canProduce } from "../../check/protected/operations.ts";
import type { JsonValue } from "../../json/value.ts";
import {
  type EscalatedOperation,
  type ForbiddenOperation,
  OPERATION_SEVERITIES,
  type ProtectedAsset,
  type ProtectedSurface,
  type Scope,
} from "../effective.ts";
import type { Report } from "../problem.ts";
import { readList, readObject, readOneOf, readText } from "../reader.ts";

export const PROTECTED_LIMITS = {
  items: 64,
  kind: 64,
  selector: 256,
  label: 120,
  reason: 200,
  pattern: 200,
  appliesTo: 256,
} as const;

/** `protected: {assets?, forbidden_operations?, escalation_required?}` */
export function readProtected(
  value: JsonValue,
  path: string,
  report: Report,
  scope: Scope,
): ProtectedSurface | undefined {
  const object = readObject(value, path, report);
  if (object === undefined) return undefined;
  const list = <T>(key: string, read: (value: JsonValue, path: string) => T | undefined): readonly T[] =>
    object.optional(key, (items, at) => readList(items, at, report, PROTECTED_LIMITS.items, read, 0)) ?? [];
  const assets = list("assets", (item, at) => readAsset(item, at, report, scope));
  const forbidden = list("forbidden_operations", (item, at) => readForbidden(item, at, report, scope));
  const escalations = list("escalation_required", (item, at) => readOperation(item, at, report, scope));
  object.close();
  return { assets, forbidden, escalations };
}

function readAsset(value: JsonValue, path: string, report: Report, scope: Scope): ProtectedAsset | undefined {
  const object = readObject(value, path, report);
  if (object === undefined) return undefined;
  const text = (most: number) => (one: JsonValue, at: string) => readText(one, at, report, most);
  const kind = object.required("kind", text(PROTECTED_LIMITS.kind), "a kind such as file, table or account");
  const selector = object.required("selector", text(PROTECTED_LIMITS.selector), "which one");
  const label = object.optional("label", text(PROTECTED_LIMITS.label));
  const reason = object.optional("reason", text(PROTECTED_LIMITS.reason));
  object.close();
  if (kind === undefined || selector === undefined) return undefined;
  if (kind.includes(":")) {
    report("policy.wrong_value", object.at("kind"), "a kind has no colon: it ends where the selector begins", "a name");
    return undefined;
  }
  return {
    scope,
    kind,
    selector,
    ...(label === undefined ? {} : { label }),
    ...(reason === undefined ? {} : { reason }),
  };
}

function readOperation(value: JsonValue, path: string, report: Report, scope: Scope): EscalatedOperation | undefined {
  const object = readObject(value, path, report);
  if (object === undefined) return undefined;
  const read = operationOf(object, report, scope);
  object.close();
  return read;
}

function readForbidden(value: JsonValue, path: string, report: Report, scope: Scope): ForbiddenOperation | undefined {
  const object = readObject(value, path, report);
  if (object === undefined) return undefined;
  const read = operationOf(object, report, scope);
  const severity = object.optional("severity", (one, at) => readOneOf(one, at, report, OPERATION_SEVERITIES));
  object.close();
  return read === undefined ? undefined : { ...read, severity: severity ?? "high" };
}

function operationOf(
  object: NonNullable<ReturnType<typeof readObject>>,
  report: Report,
  scope: Scope,
): EscalatedOperation | undefined {
  const pattern = object.required("pattern", (one, at) => readPattern(one, at, report), "what to look for");
  const reason = object.optional("reason", (one, at) => readText(one, at, report, PROTECTED_LIMITS.reason));
  const appliesTo = object.optional("applies_to", (list, at) =>
    readList(
      list,
      at,
      report,
      PROTECTED_LIMITS.items,
      (one, oneAt) => readText(one, oneAt, report, PROTECTED_LIMITS.appliesTo),
      0,
    ),
  );
  if (pattern === undefined) return undefined;
  return {
    scope,
    pattern,
    // As the card specification has it: an empty list is every asset.
    appliesTo: appliesTo === undefined || appliesTo.length === 0 ? null : appliesTo,
    ...(reason === undefined ? {} : { reason }),
  };
}

function readPattern(value: JsonValue, path: string, report: Report): string | undefined {
  const text = readText(value, path, report, PROTECTED_LIMITS.pattern);
  if (text === undefined || canProduce(text)) return text;
  report(
    "protected.unenforceable",
    path,
    "no action can ever match this pattern",
    "a verb, a tool name, 'verb target' or 'verb:label', with * for anything",
  );
  return undefined;
}

/** `kind:selector` of every asset that a document's operations name. */
export const namedAssets = (protection: ProtectedSurface): readonly string[] =>
  [...protection.forbidden, ...protection.escalations].flatMap(({ appliesTo }) => appliesTo ?? []);
