import { ok, type Result } from "../result.ts";
import { type AmountError, refused } from "./amountError.ts";
import { type Decimal, longestAmount, reduced } from "./decimal.ts";

/**
 * Whole units of an asset that cannot be divided further (1 USDC is 1,000,000 of them at 6 decimals). Refuses what does
 * not fit (`amount.too_precise`): a rounded limit is another limit.
 */
export function toAtomic(amount: Decimal, decimals: number): Result<bigint, AmountError> {
  if (amount.scale > decimals) {
    const expected = `at most ${decimals} fraction digits`;
    return refused("amount.too_precise", "an amount has more fraction digits than its asset", expected);
  }
  return ok(amount.coefficient * 10n ** BigInt(decimals - amount.scale));
}

/** The inverse of `toAtomic`. */
export const fromAtomic = (units: bigint, decimals: number): Decimal => reduced(units, decimals);

/** Reads atomic units from digits, at most 78: no sign, no leading zero, no point. */
export function parseAtomic(text: unknown): Result<bigint, AmountError> {
  const expected = `a string of at most ${longestAmount} digits`;
  if (typeof text !== "string") return refused("amount.malformed", "an atomic amount is not a string", expected);
  if (text.length > longestAmount) return refused("amount.too_long", "an atomic amount has too many digits", expected);
  if (!/^(?:0|[1-9][0-9]*)$/.test(text)) {
    return refused("amount.malformed", "an atomic amount is not a string of digits", expected);
  }
  return ok(BigInt(text));
}
