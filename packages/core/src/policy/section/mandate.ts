import { KINDS } from "../../action/action.ts";
import type { JsonValue } from "../../json/value.ts";
import { type Money, parseMoney } from "../../money/money.ts";
import { parseInstant } from "../../time/instant.ts";
import type { Clause, ClauseMatch, Mandate, Until } from "../mandate.ts";
import type { Report } from "../problem.ts";
import { readList, readObject, readOneOf, readText } from "../reader.ts";
import { reportRepeatedIds } from "../repeatedIds.ts";
import { isPlatform } from "../scope.ts";

export const CLAUSE_LIMIT = 1_000;
export const PLATFORM_CLAUSE_LIMIT = 10_000;
const LIST_LIMIT = 64;
const PREFIX_BYTES = 256;
const VERB = /^[A-Za-z0-9._:-]{1,64}$/;

/** `mandate: {clauses, requires_human?, default, expires?}` */
export function readMandate(value: JsonValue, path: string, report: Report, id: string): Mandate | undefined {
  const object = readObject(value, path, report);
  if (object === undefined) return undefined;
  const most = isPlatform(id) ? PLATFORM_CLAUSE_LIMIT : CLAUSE_LIMIT;
  const clauses = object.required(
    "clauses",
    (list, at) => readList(list, at, report, most, readClause),
    "a list of clauses",
  );
  const requiresHuman = object.optional("requires_human", (list, at) =>
    readList(list, at, report, KINDS.length, (kind, kindAt) => readOneOf(kind, kindAt, report, KINDS), 0),
  );
  const otherwise = object.required(
    "default",
    (one, at) => readOneOf(one, at, report, ["block", "review"]),
    "block or review",
  );
  const expires = object.optional("expires", readUntil);
  object.close();
  if (clauses !== undefined) reportRepeatedIds(clauses, object.at("clauses"), report, "clause");
  if (clauses === undefined || otherwise === undefined) return undefined;
  return {
    id,
    clauses,
    requiresHuman: requiresHuman ?? [],
    otherwise,
    matching: "native",
    verbs: "exact",
    ...(expires === undefined ? {} : { expires }),
  };
}

/** RFC 3339; the instant itself no longer counts. */
export function readUntil(value: JsonValue, path: string, report: Report): Until | undefined {
  const instant = parseInstant(value);
  if (instant.ok) return { until: instant.value, inclusive: false };
  report("policy.time", path, instant.error.message, "RFC 3339 with an offset, such as 2027-01-31T00:00:00Z");
  return undefined;
}

function readClause(value: JsonValue, path: string, report: Report): Clause | undefined {
  const object = readObject(value, path, report);
  if (object === undefined) return undefined;
  const id = object.required("id", (one, at) => readText(one, at, report, 128), "a name that no other clause has");
  const effect = object.required(
    "effect",
    (one, at) => readOneOf(one, at, report, ["allow", "review", "block"]),
    "allow, review or block",
  );
  const match = object.required("match", readMatch, "what has to hold");
  const note = object.optional("note", (one, at) => readText(one, at, report, 1_000));
  object.close();
  if (id === undefined || effect === undefined || match === undefined) return undefined;
  return { id, effect, match, ...(note === undefined ? {} : { note }) };
}

export function readMatch(value: JsonValue, path: string, report: Report): ClauseMatch | undefined {
  const object = readObject(value, path, report);
  if (object === undefined) return undefined;
  const names = (list: JsonValue, at: string) =>
    readList(list, at, report, LIST_LIMIT, (one, oneAt) => readText(one, oneAt, report));
  const kind = object.required(
    "kind",
    (list, at) => readList(list, at, report, KINDS.length, (one, oneAt) => readOneOf(one, oneAt, report, KINDS)),
    "a list of kinds",
  );
  const verb = object.optional("verb", (list, at) => readList(list, at, report, LIST_LIMIT, readVerb));
  const targetPrefix = object.optional("target_prefix", (list, at) =>
    readList(list, at, report, LIST_LIMIT, readPrefix),
  );
  const counterparty = object.optional("counterparty", names);
  const maxAmount = object.optional("max_amount", readMoney);
  object.close();
  if (kind === undefined) return undefined;
  return {
    kind,
    ...(verb === undefined ? {} : { verb }),
    ...(targetPrefix === undefined ? {} : { targetPrefix }),
    ...(counterparty === undefined ? {} : { counterparty }),
    ...(maxAmount === undefined ? {} : { maxAmount }),
  };
}

function readVerb(value: JsonValue, path: string, report: Report): string | undefined {
  if (typeof value === "string" && VERB.test(value)) return value;
  report("policy.wrong_value", path, "this is not a verb", "1 to 64 of A-Z a-z 0-9 . _ : -");
  return undefined;
}

function readPrefix(value: JsonValue, path: string, report: Report): string | undefined {
  const text = readText(value, path, report, PREFIX_BYTES);
  if (text === undefined || utf8Bytes(text) <= PREFIX_BYTES) return text;
  report("policy.out_of_range", path, `a prefix holds at most ${PREFIX_BYTES} bytes`, `at most ${PREFIX_BYTES} bytes`);
  return undefined;
}

const utf8Bytes = (text: string): number =>
  [...text].reduce((bytes, point) => {
    const code = point.codePointAt(0) ?? 0;
    return bytes + (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);
  }, 0);

/** `{value: "12.50", currency: "USD"}` */
export function readMoney(value: JsonValue, path: string, report: Report): Money | undefined {
  const object = readObject(value, path, report);
  if (object === undefined) return undefined;
  const amount = object.raw("value");
  const currency = object.raw("currency");
  object.close();
  const money = parseMoney(amount, currency);
  if (money.ok) return money.value;
  report(
    "policy.amount",
    `${path}${money.error.path ?? ""}`,
    money.error.message,
    'an amount such as {value: "12.50", currency: USD}',
  );
  return undefined;
}
