import { decimalParts } from "../json/numberText.ts";
import { ok, type Result } from "../result.ts";
import { type AmountError, refused } from "./amountError.ts";

declare const exact: unique symbol;

/**
 * An exact decimal: coefficient / 10^scale. Always reduced, so that equal decimals have equal parts: the last digit of
 * the coefficient is not zero unless the scale is. Made by the functions of this folder only.
 */
export interface Decimal {
  readonly coefficient: bigint;
  readonly scale: number;
  readonly [exact]: true;
}

/** Digits of an amount in all, before and after the point: as many as the largest 256-bit integer has. */
export const longestAmount = 78;

const unsignedForm = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

/** Reads `(0|[1-9]\d*)(\.\d+)?` in ASCII, at most 78 digits. Anything but a string is refused, and nothing is rounded. */
export function parseDecimal(text: unknown): Result<Decimal, AmountError> {
  const expected = 'a string of digits such as "12.50"';
  if (typeof text !== "string") return refused("amount.malformed", "an amount is not a string", expected);
  // One more for the point. Before the pattern, so that the length of what is matched is bounded.
  if (text.length > longestAmount + 1) return tooLong();
  const match = unsignedForm.exec(text);
  if (match === null) return refused("amount.malformed", "an amount is not a plain decimal", expected);
  const [, whole = "", fraction = ""] = match;
  if (whole.length + fraction.length > longestAmount) return tooLong();
  return ok(reduced(BigInt(whole + fraction), fraction.length));
}

/** As `parseDecimal`, with one leading "-" allowed. For balance deltas and profit or loss only. */
export function parseSignedDecimal(text: unknown): Result<Decimal, AmountError> {
  if (typeof text !== "string" || !text.startsWith("-")) return parseDecimal(text);
  const read = parseDecimal(text.slice(1));
  return read.ok ? ok(negated(read.value)) : read;
}

/**
 * What a JSON number means where a dialect's wire demands numbers: the shortest decimal that reads back as this double,
 * written out. Negative numbers are refused (`amount.negative`), and so is what needs more than 78 digits.
 */
export function decimalFromNumber(number: number): Result<Decimal, AmountError> {
  if (number < 0) return refused("amount.negative", "an amount is negative", "a number of at least 0");
  return signedDecimalFromNumber(number);
}

/** As `decimalFromNumber`, for numbers of either sign. */
export function signedDecimalFromNumber(number: number): Result<Decimal, AmountError> {
  if (!Number.isFinite(number))
    return refused("amount.malformed", "an amount is not a finite number", "a finite number");
  const { negative, digits, exponent } = decimalParts(String(number));
  const written = exponent >= 0 ? digits.length + exponent : Math.max(digits.length, 1 - exponent);
  if (written > longestAmount) return tooLong();
  const coefficient = BigInt(digits + "0".repeat(Math.max(exponent, 0)));
  return ok(reduced(negative ? -coefficient : coefficient, Math.max(-exponent, 0)));
}

/** The one spelling: no exponent, no zeros that say nothing, "-" only before what is below zero. */
export function formatDecimal({ coefficient, scale }: Decimal): string {
  const sign = coefficient < 0n ? "-" : "";
  const digits = (coefficient < 0n ? -coefficient : coefficient).toString();
  if (scale === 0) return sign + digits;
  const padded = digits.padStart(scale + 1, "0");
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

export const zero: Decimal = reduced(0n, 0);

export function compareDecimals(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const [left, right] = aligned(a, b);
  return left < right ? -1 : left > right ? 1 : 0;
}

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const [left, right] = aligned(a, b);
  return reduced(left + right, Math.max(a.scale, b.scale));
}

/** May be below zero. */
export function subtractDecimals(a: Decimal, b: Decimal): Decimal {
  return addDecimals(a, negated(b));
}

/** Exact: the product has as many fraction digits as both factors together. */
export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  return reduced(a.coefficient * b.coefficient, a.scale + b.scale);
}

/**
 * The nearest decimal with at most `scale` fraction digits in the direction that the caller names, since only the
 * caller knows which one is on the safe side: what is spent goes up, what is received goes down.
 */
export function roundDecimal(a: Decimal, scale: number, direction: "up" | "down"): Decimal {
  if (a.scale <= scale) return a;
  const unit = 10n ** BigInt(a.scale - scale);
  const below = a.coefficient / unit - (a.coefficient < 0n && a.coefficient % unit !== 0n ? 1n : 0n);
  const whole = direction === "down" || below * unit === a.coefficient ? below : below + 1n;
  return reduced(whole, scale);
}

const negated = (a: Decimal): Decimal => reduced(-a.coefficient, a.scale);

const tooLong = () =>
  refused("amount.too_long", "an amount has too many digits", `at most ${longestAmount} digits in all`);

function aligned(a: Decimal, b: Decimal): [bigint, bigint] {
  if (a.scale === b.scale) return [a.coefficient, b.coefficient];
  if (a.scale < b.scale) return [a.coefficient * 10n ** BigInt(b.scale - a.scale), b.coefficient];
  return [a.coefficient, b.coefficient * 10n ** BigInt(a.scale - b.scale)];
}

/** For the other files of this folder: everyone else goes through a parser. */
export function reduced(coefficient: bigint, scale: number): Decimal {
  let digits = coefficient;
  let fraction = scale;
  while (fraction > 0 && digits % 10n === 0n) {
    digits /= 10n;
    fraction -= 1;
  }
  return { coefficient: digits, scale: fraction } as Decimal;
}
