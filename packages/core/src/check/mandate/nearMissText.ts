import { formatDecimal } from "../../money/decimal.ts";
import { quoted } from "../../text/quoted.ts";
import type { MandateResult, NearMiss } from "./mandateResult.ts";
import type { Subject } from "./subject.ts";

/** Names of a list that are repeated in a reason. */
const LISTED = 5;

/** Why no clause decided: the near misses in clause order, then how many more there are. "" when there are none. */
export function nearMissText({ nearMisses, nearMissCount }: MandateResult, subject: Subject): string {
  const explained = nearMisses.map((miss) => `${quoted(miss.clause.id)} (${why(miss, subject)})`);
  const more = nearMissCount - nearMisses.length;
  return [...explained, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

/** Repeats what the mandate says, and of the action only its amount: a target can hold what nobody should read again. */
function why({ clause, failed }: NearMiss, { amount }: Subject): string {
  const { verb = [], maxAmount } = clause.match;
  const currency = maxAmount?.currency ?? "";
  switch (failed) {
    case "verb":
      return `verb not in list ${listed(verb)}`;
    case "target":
      return "target matches no permitted prefix";
    case "counterparty":
      return "counterparty not named";
    case "amount":
      return "clause bounds an amount but the request states none";
    case "currency":
      return `currency does not match the ceiling currency ${quoted(currency)}`;
    case "ceiling":
      return `amount ${amountText(amount)} exceeds the ceiling ${amountText(maxAmount)} ${bare(currency)}`;
  }
}

const amountText = (money: Subject["amount"]): string => (money === undefined ? "" : formatDecimal(money.amount));

const bare = (text: string): string => quoted(text).slice(1, -1);

const listed = (names: readonly string[]): string =>
  `[${names
    .slice(0, LISTED)
    .map((name) => quoted(name))
    .join(", ")}${names.length > LISTED ? `, and ${names.length - LISTED} more` : ""}]`;
