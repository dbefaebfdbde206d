import type { Action, Ask, Asker, Material } from "../action/action.ts";
import { parseJson } from "../json/parseJson.ts";
import { isObject, type JsonValue } from "../json/value.ts";
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
  const { action, material, session } = parsed.value;
  const read = action === undefined ? undefined : readAction(action);
  if (action !== undefined && read === undefined) return undefined;
  if (material !== undefined && !isObject(material)) return undefined;
  const ask: Ask = {
    asker,
    ...(read === undefined ? {} : { action: read }),
    ...(material === undefined ? {} : { material: material as unknown as Material }),
    ...(typeof session === "string" ? { session } : {}),
  };
  return actionDigest(ask) === digest ? ask : undefined;
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
