import type { Ask } from "../action/action.ts";
import type { JsonObject, JsonValue } from "../json/value.ts";
import { formatMoney } from "../money/money.ts";
import { digest } from "./digest.ts";
import { type HexSha256, sha256Hex } from "./hexSha256.ts";

/**
 * The digest that a receipt, a grant and a redemption bind to: everything the executor will act on, and nothing that
 * only explains it. Null for material that asks for no action.
 */
export function actionDigest(ask: Ask, sha256: HexSha256 = sha256Hex): string | null {
  const { action, material } = ask;
  if (action === undefined && material?.calldata === undefined && material?.typed_data === undefined) return null;
  const covered: { [key: string]: JsonValue } = { tenant: ask.asker.tenant, agent: ask.asker.agent };
  if (action !== undefined) {
    covered["kind"] = action.kind;
    covered["verb"] = action.verb;
    covered["target"] = action.target;
    if (action.counterparty !== undefined) covered["counterparty"] = action.counterparty;
    if (action.amount !== undefined) covered["amount"] = { ...formatMoney(action.amount) };
    if (action.parameters !== undefined) covered["parameters"] = action.parameters;
    // A set: naming an asset twice or elsewhere in the list is the same action.
    if (action.assets !== undefined) covered["assets"] = [...new Set(action.assets)].sort();
  }
  if (material?.calldata !== undefined) covered["calldata"] = { ...material.calldata } as JsonObject;
  if (material?.typed_data !== undefined) covered["typed_data"] = material.typed_data;
  if (material?.urls !== undefined) covered["urls"] = material.urls;
  return digest("countersign-action-v1", covered, sha256);
}
