import type { Finding, Severity } from "../../decision/finding.ts";
import type { TradeEvaluation, TradeReason } from "./trade.ts";

const SEVERITY = {
  deny: "block",
  review: "review",
  caution: "advisory",
  advisory: "advisory",
} as const satisfies Record<Exclude<TradeReason["weight"], "note">, Severity>;

/** Reasons that asking again later may remove. */
const PASSING: ReadonlySet<string> = new Set([
  "trade.stopped",
  "trade.stop_unknown",
  "trade.blocklist_unknown",
  "trade.token_unknown",
  "trade.no_price",
  "trade.rate",
  "trade.rate_unknown",
  "trade.loss_limit",
  "trade.loss_unknown",
]);

/** A trade's reasons as findings; notes are no findings. */
export function tradeFindings({ reasons }: TradeEvaluation, path: string): readonly Finding[] {
  return reasons.flatMap(({ weight, code, text }): readonly Finding[] =>
    weight === "note"
      ? []
      : [
          {
            check: "trade",
            code,
            severity: SEVERITY[weight],
            path,
            message: text,
            retry: PASSING.has(code) ? "later" : "changed",
          },
        ],
  );
}
