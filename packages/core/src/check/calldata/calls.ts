import { BATCH_CALLS } from "./batchCalls.ts";
import { PERMIT2_CALLS } from "./permit2Calls.ts";
import type { CallRule } from "./rule.ts";
import { SWAP_CALLS } from "./swapCalls.ts";
import { TOKEN_CALLS } from "./tokenCalls.ts";

/** Every call that is understood, by its selector. What is not here is unknown, and somebody looks at it. */
export const CALLS: ReadonlyMap<string, CallRule> = new Map([
  ...TOKEN_CALLS,
  ...BATCH_CALLS,
  ...PERMIT2_CALLS,
  ...SWAP_CALLS,
]);
