import { isPlain, NotJsonError } from "./canonical.ts";
import { decimalParts, NumberText } from "./numberText.ts";
import { deepest } from "./parseJson.ts";
import { loneSurrogateAt } from "./utf8.ts";
import type { ExactJson } from "./value.ts";

/**
 * The canonical text of the mandate dialect, all ASCII: members sorted by code point, no spaces, other characters as
 * lower-case `\uXXXX`, integers as written, other numbers as the shortest `repr` of their double. What Python's
 * `json.dumps(value, sort_keys=True, separators=(",", ":"))` prints.
 * A double given as `number` counts as an integer when its shortest spelling is one (`1e20` does, `1e21` does not).
 * Throws `NotJsonError` on the same values as `canonicalize`.
 */
export function mandateForm(value: ExactJson): string {
  return write(value, 1);
}

function write(value: ExactJson, depth: number): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return asciiString(value);
  if (typeof value === "number") return mandateNumber(String(value));
  if (typeof value !== "object") throw new NotJsonError(`the value holds something of type ${typeof value}`);
  if (value instanceof NumberText) return mandateNumber(value.text);
  if (depth > deepest) throw new NotJsonError("the value is nested too deeply or contains itself");
  if (Array.isArray(value)) return `[${Array.from(value, (item: ExactJson) => write(item, depth + 1)).join(",")}]`;
  if (!isPlain(value)) throw new NotJsonError("the value holds an object that is not plain");
  const object = value as { readonly [key: string]: ExactJson };
  const members = Object.keys(object)
    .sort(byCodePoint)
    .map((key) => `${asciiString(key)}:${write(object[key] as ExactJson, depth + 1)}`);
  return `{${members.join(",")}}`;
}

function asciiString(text: string): string {
  if (loneSurrogateAt(text) >= 0) throw new NotJsonError("half of a surrogate pair stands alone in a string");
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Unlike the order of UTF-16 units, puts U+E000 to U+FFFF before the characters beyond them. */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    // Surrogates stand for the highest code points: lifted above all other units, units compare as points do.
    if (left !== right)
      return (isSurrogate(left) ? left + 0x10000 : left) - (isSurrogate(right) ? right + 0x10000 : right);
  }
  return a.length - b.length;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

/** A number's text as the mandate's form prints it: an integer as it is written, else the `repr` of the double. */
export function mandateNumber(text: string): string {
  if (/^-?[0-9]+$/.test(text)) return text === "-0" ? "0" : text;
  const double = Number(text);
  if (!Number.isFinite(double)) throw new NotJsonError("the value holds a number that is not finite");
  const { digits, exponent } = decimalParts(String(double));
  const sign = double < 0 || Object.is(double, -0) ? "-" : "";
  if (digits === "") return `${sign}0.0`;
  // Where the point stands, counted from the first digit.
  const point = digits.length + exponent;
  if (point > 16 || point < -3) {
    const mantissa = digits.length === 1 ? digits : `${digits.slice(0, 1)}.${digits.slice(1)}`;
    const power = String(Math.abs(point - 1)).padStart(2, "0");
    return `${sign}${mantissa}e${point > 0 ? "+" : "-"}${power}`;
  }
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  if (digits.length <= point) return `${sign}${digits.padEnd(point, "0")}.0`;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}
