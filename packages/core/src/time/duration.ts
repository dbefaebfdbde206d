import { ok, type Result } from "../result.ts";
import { secondsPerDay } from "./civil.ts";
import { refused, type TimeError } from "./timeError.ts";

declare const unit: unique symbol;
/** A length of time in whole seconds, never negative. Made by `parseDuration`. */
export type Seconds = number & { readonly [unit]: "Seconds" };

/** A hundred years: longer ones are mistakes. */
const longest = 36_525 * secondsPerDay;

const form = /^P(?:([0-9]{1,10})W|(?:([0-9]{1,10})D)?(?:T(?:([0-9]{1,10})H)?(?:([0-9]{1,10})M)?(?:([0-9]{1,10})S)?)?)$/;

/**
 * Reads an ISO 8601 duration of weeks alone, or days, hours, minutes and seconds, each a whole number: `P1D`, `PT90M`,
 * `P1DT12H`. `P1D` is 86,400 seconds whatever a calendar says. Years and months have no length and are refused.
 */
export function parseDuration(text: unknown): Result<Seconds, TimeError> {
  const expected = "an ISO 8601 duration without years and months, such as P1D or PT90M";
  if (typeof text !== "string") return refused("duration.malformed", "a duration is not a string", expected);
  const match = form.exec(text);
  if (match === null || text === "P" || text.endsWith("T")) {
    if (/^P[0-9]+[YM]/.test(text)) {
      return refused("duration.calendar_unit", "a duration counts years or months, which have no length", expected);
    }
    return refused("duration.malformed", "a duration is not in the form of ISO 8601", expected);
  }
  const count = (index: number): number => Number(match[index] ?? 0);
  const days = count(1) * 7 + count(2);
  const seconds = days * secondsPerDay + count(3) * 3600 + count(4) * 60 + count(5);
  if (seconds > longest) return refused("duration.too_long", "a duration is longer than a hundred years", expected);
  return ok(seconds as Seconds);
}

/** The one spelling of a duration: days and what remains, `PT0S` for none. */
export function formatDuration(seconds: Seconds): string {
  const days = Math.floor(seconds / secondsPerDay);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
  const time = (hours > 0 ? `${hours}H` : "") + (minutes > 0 ? `${minutes}M` : "") + (rest > 0 ? `${rest}S` : "");
  if (days === 0 && time === "") return "PT0S";
  return `P${days > 0 ? `${days}D` : ""}${time === "" ? "" : `T${time}`}`;
}
