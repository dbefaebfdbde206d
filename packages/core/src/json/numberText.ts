/**
 * A JSON number as it was written, kept where the text says more than its double: `1.0`, `-0`, `1e2`, digits beyond
 * what a double holds. Made by `parseJson` in the mode "exact"; numbers in their shortest spelling stay doubles.
 */
export class NumberText {
  /** Matches the number grammar of RFC 8259. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A decimal as its significant digits (no leading or trailing zeros; "" is zero) times ten to the exponent. */
export interface DecimalParts {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

const form = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Takes a number in JSON's grammar, or `String` of a finite double, apart. Linear in the text. */
export function decimalParts(text: string): DecimalParts {
  const match = form.exec(text);
  if (match === null) throw new Error("not the text of a number");
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  const all = whole + fraction;
  let start = 0;
  while (all.charCodeAt(start) === 48) start += 1;
  let end = all.length;
  while (end > start && all.charCodeAt(end - 1) === 48) end -= 1;
  if (start === end) return { negative: sign === "-", digits: "", exponent: 0 };
  return {
    negative: sign === "-",
    digits: all.slice(start, end),
    exponent: Number(exponent) - fraction.length + (all.length - end),
  };
}

/** Whether `text` names another decimal than the shortest one of `double`, its nearest double. The sign of zero is not lost. */
export function isLossy(text: string, double: number): boolean {
  if (!Number.isFinite(double)) return true;
  const shortest = String(double);
  if (shortest === text) return false;
  const written = decimalParts(text);
  const kept = decimalParts(shortest);
  return written.digits !== kept.digits || written.exponent !== kept.exponent;
}
