import type { Action, Ask, Asker, Material } from "../action/action.ts";
import { withDerivedAction } from "../check/typedData/derivedAction.ts";
import { parseJson } from "../json/parseJson.ts";
import { isObject, type JsonObject, type JsonValue } from "../json/value.ts";
import { parseMoney } from "../money/money.ts";
import { actionDigest } from "../record/actionDigest.ts";
import type { KeptContent } from "./ports.ts";

/** Content is at most what a face takes, its facts beside it. */
const limits = { bytes: 16 << 20, depth: 256 };

/**
 * The ask that a decision was about, from what was kept beside its record. Undefined when that cannot be read, or does
 * not have the digest that was decided: whoever is shown it must be able to rely on it.
 */
export function keptAsk({ fields }: Pick<KeptContent, "fields">, asker: Asker, digest: string | null): Ask | undefined {
  const parsed = parseJson(fields, limits, "plain");
  if (!parsed.ok || !isObject(parsed.value)) return undefined;
  const ask = askOfFields(parsed.value, asker);
  if (ask === undefined) return undefined;
  return actionDigest(ask) === digest || isDerivedFrom(ask, digest) ? ask : undefined;
}

/** Kept with the action that calldata or typed data would be, an ask has the digest of what was asked: those bytes alone. */
function isDerivedFrom(ask: Ask, digest: string | null): boolean {
  const { action, ...asked } = ask;
  return (
    action !== undefined &&
    digest !== null &&
    actionDigest(asked) === digest &&
    actionDigest(withDerivedAction(asked)) === actionDigest(ask)
  );
}

/** The ask that kept fields hold, whoever it was that asked. Undefined when they are not what a gate keeps. */
export function askOfFields({ action, material, session }: JsonObject, asker: Asker): Ask | undefined {
  const read = action === undefined ? undefined : readAction(action);
  if (action !== undefined && read === undefined) return undefined;
  if (material !== undefined && !isMaterial(material)) return undefined;
  return {
    asker,
    ...(read === undefined ? {} : { action: read }),
    ...(material === undefined ? {} : { material: material as unknown as Material }),
    ...(typeof session === "string" ? { session } : {}),
  };
}

const isText = (value: JsonValue | undefined): value is string => typeof value === "string";
const isTexts = (value: JsonValue): boolean => Array.isArray(value) && value.every(isText);
const maybe = (value: JsonValue | undefined, is: (value: JsonValue) => boolean): boolean =>
  value === undefined || is(value);

function readAction(kept: JsonValue): Action | undefined {
  if (!isObject(kept)) return undefined;
  const { amount, ...rest } = kept;
  const { kind, verb, target, counterparty, parameters, assets } = rest;
  const whole =
    [kind, verb, target].every(isText) &&
    maybe(counterparty, isText) &&
    maybe(parameters, isObject) &&
    maybe(assets, isTexts);
  if (!whole) return undefined;
  if (amount === undefined) return rest as unknown as Action;
  if (!isObject(amount) || !isText(amount["value"]) || !isText(amount["currency"])) return undefined;
  const money = parseMoney(amount["value"], amount["currency"]);
  return money.ok ? ({ ...rest, amount: money.value } as unknown as Action) : undefined;
}

/** What of it is digested and decoded has the form that a face lets in. */
const isMaterial = (kept: JsonValue): boolean =>
  isObject(kept) &&
  maybe(kept["urls"], isTexts) &&
  maybe(kept["typed_data"], isObject) &&
  maybe(kept["calldata"], isCalldata);

const isCalldata = (kept: JsonValue): boolean =>
  isObject(kept) &&
  /^eip155:[0-9]{1,20}$/.test(String(kept["chain"])) &&
  /^0x[0-9a-fA-F]{40}$/.test(String(kept["to"])) &&
  /^0x(?:[0-9a-fA-F]{2})*$/.test(String(kept["data"])) &&
  maybe(kept["value"], (value) => isText(value) && /^[0-9]{1,78}$/.test(value)) &&
  maybe(kept["from"], isText);
