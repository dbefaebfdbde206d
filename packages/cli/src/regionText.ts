import {
  type Action,
  type AmountRange,
  formatDecimal,
  formatMoney,
  type JsonObject,
  type NameSet,
  type Region,
} from "@countersign/core";

/** Names of a list that a person is shown. */
const SHOWN = 6;

/** A region in one line: what an action in it has. What may be anything is left out. */
export function regionText({ kinds, verbs, targets, counterparties, amounts }: Region): string {
  const targetTexts = targets.map(({ under, except }) => {
    const start = under === "" ? "any" : `${under}…`;
    return except.length === 0 ? start : `${start} but not ${listed(except.map((prefix) => `${prefix}…`))}`;
  });
  const parts = [
    `kind ${listed(kinds)}`,
    isAny(verbs) ? "" : `verb ${namesText(verbs)}`,
    targetTexts.join() === "any" ? "" : `target ${listed(targetTexts, " or ")}`,
    isAny(counterparties) ? "" : `counterparty ${namesText(counterparties)}`,
    amounts === null ? "" : `amount ${listed(amounts.map(rangeText), " or ")}`,
  ];
  return parts.filter((part) => part !== "").join("; ");
}

const isAny = (names: NameSet): boolean => "not" in names && names.not.length === 0;

const namesText = (names: NameSet): string =>
  "only" in names ? listed(names.only) : `other than ${listed(names.not)}`;

function listed(names: readonly string[], join = ", "): string {
  const more = names.length - SHOWN;
  return names.slice(0, SHOWN).join(join) + (more > 0 ? `${join}${more} more` : "");
}

function rangeText(range: AmountRange): string {
  if ("otherThan" in range) return range.otherThan.length === 0 ? "none" : `none, or not in ${listed(range.otherThan)}`;
  const above = range.above === null ? "" : `above ${formatDecimal(range.above)}`;
  const upTo = range.upTo === null ? "" : `up to ${formatDecimal(range.upTo)}`;
  return `${[above, upTo].filter((part) => part !== "").join(" ") || "any"} ${range.currency}`;
}

/** An action in one line. */
export function actionText({ kind, verb, target, counterparty, amount }: Action): string {
  const money = amount === undefined ? undefined : formatMoney(amount);
  return [
    kind,
    verb,
    target,
    ...(money === undefined ? [] : [`${money.value} ${money.currency}`]),
    ...(counterparty === undefined ? [] : [`to ${counterparty}`]),
  ].join(" ");
}

/** An action as an ask has it. */
export function actionJson({ amount, ...rest }: Action): JsonObject {
  return { ...rest, ...(amount === undefined ? {} : { amount: { ...formatMoney(amount) } }) } as JsonObject;
}

export function regionJson({ amounts, ...rest }: Region): JsonObject {
  const range = (one: AmountRange): JsonObject =>
    "otherThan" in one
      ? { other_than: [...one.otherThan] }
      : {
          currency: one.currency,
          ...(one.above === null ? {} : { above: formatDecimal(one.above) }),
          ...(one.upTo === null ? {} : { up_to: formatDecimal(one.upTo) }),
        };
  return { ...rest, amounts: amounts === null ? null : amounts.map(range) } as unknown as JsonObject;
}
