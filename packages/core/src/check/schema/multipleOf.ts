import { decimalParts } from "../../json/numberText.ts";

/**
 * Whether `value` is a whole multiple of `step`, both taken for the shortest decimals that read back as these doubles,
 * exactly: 0.3 is a multiple of 0.1, and 0.00000005 is none of 0.01. Takes finite numbers and a positive `step`.
 */
export function isMultipleOf(value: number, step: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return value % step === 0;
  const dividend = decimalParts(String(Math.abs(value)));
  const divisor = decimalParts(String(step));
  if (dividend.digits === "") return true;
  const scale = Math.min(dividend.exponent, divisor.exponent);
  const whole = ({ digits, exponent }: { digits: string; exponent: number }): bigint =>
    BigInt(digits) * 10n ** BigInt(exponent - scale);
  return whole(dividend) % whole(divisor) === 0n;
}
