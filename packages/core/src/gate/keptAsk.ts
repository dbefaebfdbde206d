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
  if (material !== undefined && !isObject(material)) return undefined;
  return {
    asker,
    ...(read === undefined ? {} : { action: read }),
    ...(material === undefined ? {} : { material: material as unknown as Material }),
    ...(typeof session === "string" ? { session } : {}),
  };
}

function readAction(kept: JsonValue): Action | undefined {
  if (!isObject(kept)) return undefined;
  const { amount, ...rest } = kept;
  if (amount === undefined) return rest as unknown as Action;
  if (!isObject(amount) || typeof amount["value"] !== "string" || typeof amount["currency"] !== "string")
    return undefined;
  const money = parseMoney(amount["value"], amount["currency"]);
  return money.ok ? ({ ...rest, amount: money.value } as unknown as Action) : undefined;
}
