import { normalText } from "../text/normalText.ts";

/**
 * The spelling under which names and patterns are compared: NFKC and lower case, until neither changes anything. Lower
 * case can undo NFKC and the other way round, so that once is not always enough.
 */
export function folded(text: string): string {
  let before = text;
  for (let round = 0; round < 4; round += 1) {
    const after = normalText(before, "NFKC").toLowerCase();
    if (after === before) break;
    before = after;
  }
  return before;
}
