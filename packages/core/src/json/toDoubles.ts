import { NumberText } from "./numberText.ts";
import type { ExactJson, JsonValue } from "./value.ts";

/**
 * A value that was read in the mode "exact" with the nearest double for every number: for checks that ask what a number
 * is and not how it was written. An integer beyond every double becomes an infinity.
 */
export function toDoubles(value: ExactJson): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof NumberText) return Number(value.text);
  if (Array.isArray(value)) return value.map(toDoubles);
  const copy: Record<string, JsonValue> = {};
  for (const [key, member] of Object.entries(value as Readonly<Record<string, ExactJson>>)) {
    Object.defineProperty(copy, key, {
      value: toDoubles(member),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return copy;
}
