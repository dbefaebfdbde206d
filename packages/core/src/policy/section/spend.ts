import { KINDS } from "../../action/action.ts";
import type { JsonValue } from "../../json/value.ts";
import { parseMoney } from "../../money/money.ts";
import { parseDuration } from "../../time/duration.ts";
import { parseZone } from "../../time/zone.ts";
import type { Budget, BudgetWindow, Ceiling, Scope, SpendRules } from "../effective.ts";
import type { Names } from "../mandate.ts";
import type { Report } from "../problem.ts";
import { readList, readObject, readOneOf, readText } from "../reader.ts";
import { reportRepeatedIds } from "../repeatedIds.ts";
import { readMoney, readUntil } from "./mandate.ts";

const LIST_LIMIT = 64;

/** `spend: {ceilings?, budgets?, counterparties?, amount_required?, other_currencies?, expires?}` */
export function readSpend(value: JsonValue, path: string, report: Report, scope: Scope): SpendRules | undefined {
  const object = readObject(value, path, report);
  if (object === undefined) return undefined;
  const ceilings = object.optional("ceilings", (list, at) => readList(list, at, report, LIST_LIMIT, readCeiling));
  const budgets = object.optional("budgets", (list, at) => readList(list, at, report, LIST_LIMIT, readBudget));
  const parties = object.optional("counterparties", readCounterparties);
  const amountRequired = object.optional("amount_required", (list, at) =>
    readList(list, at, report, KINDS.length, (one, oneAt) => readOneOf(one, oneAt, report, KINDS), 0),
  );
  const others = object.optional("other_currencies", (one, at) => readOneOf(one, at, report, ["block", "allow"]));
  const expires = object.optional("expires", readUntil);
  object.close();
  reportRepeatedIds(budgets ?? [], object.at("budgets"), report, "budget");
  return {
    scope,
    ceilings: ceilings ?? [],
    budgets: budgets ?? [],
    counterparties: parties?.allow ?? { everyone: true },
    deniedCounterparties: parties?.deny ?? [],
    amountRequired: amountRequired ?? ["transaction"],
    otherCurrencies: others ?? "block",
    ...(expires === undefined ? {} : { expires }),
  };
}

function readCeiling(value: JsonValue, path: string, report: Report): Ceiling | undefined {
  const max = readMoney(value, path, report);
  return max === undefined ? undefined : { max, code: "spend.ceiling_exceeded" };
}

/** In seconds. So long money counts, erased or not. */
export const LONGEST_ROLLING = 366 * 86_400;

/** `{id, per, window: {rolling: P1D} | {calendar: day, zone: Europe/Rome}, currency, max: "100"}` */
function readBudget(value: JsonValue, path: string, report: Report): Budget | undefined {
  const object = readObject(value, path, report);
  if (object === undefined) return undefined;
  const id = object.required("id", (one, at) => readText(one, at, report, 128), "a name that no other budget has");
  const per = object.required(
    "per",
    (one, at) => readOneOf(one, at, report, ["agent", "team", "org", "tool", "counterparty"]),
    "agent, team, org, tool or counterparty",
  );
  const window = object.required("window", readWindow, "{rolling: P1D} or {calendar: day, zone: UTC}");
  const money = parseMoney(object.raw("max"), object.raw("currency"));
  object.close();
  if (!money.ok) report("policy.amount", path, money.error.message, 'max: "100" and currency: USD');
  if (id === undefined || per === undefined || window === undefined || !money.ok) return undefined;
  return { id, per, window, max: money.value };
}

function readWindow(value: JsonValue, path: string, report: Report): BudgetWindow | undefined {
  const object = readObject(value, path, report);
  if (object === undefined) return undefined;
  if (object.has("rolling")) {
    const rolling = parseDuration(object.raw("rolling"));
    object.close();
    if (rolling.ok && rolling.value > 0 && rolling.value <= LONGEST_ROLLING) return { rolling: rolling.value };
    report(
      "policy.duration",
      object.at("rolling"),
      rolling.ok ? "this length of time is not one that fits here" : rolling.error.message,
      "an ISO 8601 duration up to P366D, such as P1D or PT6H",
    );
    return undefined;
  }
  const calendar = object.required(
    "calendar",
    (one, at) => readOneOf(one, at, report, ["day", "week", "month"]),
    "day, week or month",
  );
  const zone = parseZone(object.raw("zone"));
  object.close();
  if (!zone.ok)
    report("policy.zone", object.at("zone"), "this is not a time zone", "an IANA name such as Europe/Rome or UTC");
  return calendar === undefined || !zone.ok ? undefined : { calendar, zone: zone.value };
}

function readCounterparties(
  value: JsonValue,
  path: string,
  report: Report,
): { readonly allow: Names; readonly deny: readonly string[] } | undefined {
  const object = readObject(value, path, report);
  if (object === undefined) return undefined;
  const names = (list: JsonValue, at: string) =>
    readList(list, at, report, LIST_LIMIT, (one, oneAt) => readText(one, oneAt, report), 0);
  const allow = object.optional("allow", names);
  const deny = object.optional("deny", names);
  object.close();
  // Natively an empty list is nobody; absent is everybody.
  return { allow: allow === undefined ? { everyone: true } : { only: allow }, deny: deny ?? [] };
}
