import type { Ask } from "../../action/action.ts";
import { actionsOfCalldata } from "../calldata/calldata.ts";
import { actionsOfTypedData } from "./typedData.ts";

/**
 * Calldata and typed data are actions: an ask that names none is judged by the one that its bytes would be, so that
 * mandates and budgets see spender, asset and amount. Bytes that do several things have no one action; whoever asks
 * must name it, and the checks compare.
 */
export function withDerivedAction(ask: Ask): Ask {
  if (ask.action !== undefined || ask.material === undefined) return ask;
  const [action, ...more] = [...actionsOfCalldata(ask.material), ...actionsOfTypedData(ask.material)];
  return action === undefined || more.length > 0 ? ask : { ...ask, action };
}
