import { ok, type Result } from "../result.ts";
import { type AmountError, refused } from "./amountError.ts";
import {
  addDecimals,
  compareDecimals,
  type Decimal,
  formatDecimal,
  parseDecimal,
  subtractDecimals,
} from "./decimal.ts";

/** An exact amount of one currency. Amounts of different currencies are never compared, and no rate is known here. */
export interface Money {
  readonly amount: Decimal;
  /** As `parseCurrency` gives it: compared letter by letter. */
  readonly currency: string;
}

/** An amount on the wire. */
export interface MoneyText {
  readonly value: string;
  readonly currency: string;
}

const longestCurrency = 128;
const onChain = /^eip155:(?:0|[1-9][0-9]{0,19})\/erc20:0x[0-9a-fA-F]{40}$/;

/**
 * A currency is a code (`USD`, `USDC.e`) in visible ASCII without spaces, at most 128 characters, and its letter case
 * counts. An asset on a chain, `eip155:1/erc20:0x…`, is its address: those come back in lower case.
 */
export function parseCurrency(text: unknown): Result<string, AmountError> {
  if (typeof text !== "string" || text.length > longestCurrency || !/^[!-~]+$/.test(text)) {
    const expected = 'a code such as "USD", or "eip155:1/erc20:0x…" for an asset on a chain';
    return refused("amount.currency_malformed", "a currency is not a code", expected);
  }
  return ok(onChain.test(text) ? text.toLowerCase() : text);
}

/** Reads an amount and its currency. The path of an error is `/value` or `/currency`. */
export function parseMoney(value: unknown, currency: unknown): Result<Money, AmountError> {
  const amount = parseDecimal(value);
  if (!amount.ok) return { ok: false, error: { ...amount.error, path: "/value" } };
  const code = parseCurrency(currency);
  if (!code.ok) return { ok: false, error: { ...code.error, path: "/currency" } };
  return ok({ amount: amount.value, currency: code.value });
}

/** The one spelling of an amount, for digests and answers. */
export const formatMoney = ({ amount, currency }: Money): MoneyText => ({ value: formatDecimal(amount), currency });

/** The order of two amounts of one currency; `amount.currency_mismatch` when there are two. */
export function compareMoney(a: Money, b: Money): Result<-1 | 0 | 1, AmountError> {
  return a.currency === b.currency ? ok(compareDecimals(a.amount, b.amount)) : mismatch();
}

export function addMoney(a: Money, b: Money): Result<Money, AmountError> {
  return a.currency === b.currency ? ok({ ...a, amount: addDecimals(a.amount, b.amount) }) : mismatch();
}

/** May be below zero. */
export function subtractMoney(a: Money, b: Money): Result<Money, AmountError> {
  return a.currency === b.currency ? ok({ ...a, amount: subtractDecimals(a.amount, b.amount) }) : mismatch();
}

const mismatch = () =>
  refused("amount.currency_mismatch", "amounts of two currencies cannot be compared", "two amounts of one currency");
