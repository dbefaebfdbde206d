import * as z from "zod/mini";
import { operation } from "./operation.ts";
import { described } from "./schema.ts";

const wallet = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/));
const seq = described(
  z.int().check(z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER)),
  "`audit_seq` of the verdict that the trade was made on.",
);
const dollars = z.string().check(z.regex(/^-?(?:0|[1-9][0-9]{0,19})(?:\.[0-9]{1,18})?$/));

export const reportTradeOutcome = operation(
  {
    name: "report_trade_outcome",
    title: "Report what a trade realised",
    description:
      "What was gained or lost counts towards the 24 hour limit of the wallet and of its agent. A gain counts only on the word of a credential that is not the agent's own. The first report about a verdict stands.",
    needs: ["outcome"],
    changes: "the log",
  },
  ["POST", "/v1/trade/outcomes"],
  z.strictObject({ wallet, audit_seq: seq, realised_usd: described(dollars, "Dollars; a loss is below zero.") }),
  z.strictObject({ wallet, audit_seq: seq, counted_usd: dollars }),
);
