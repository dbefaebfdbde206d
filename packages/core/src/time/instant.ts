import { ok, type Result } from "../result.ts";
import { dateOf, daysInMonth, daysOf, secondsPerDay } from "./civil.ts";
import { refused, type TimeError } from "./timeError.ts";

/**
 * A point in time, exact to any number of digits. Plain data: equal instants have equal members.
 * Made by `parseInstant`, `instantFromMillis` and `addSeconds`.
 */
export interface Instant {
  /** Whole seconds since 1970-01-01T00:00:00Z, leap seconds not counted; rounded down before the epoch. */
  readonly epochSeconds: number;
  /** Digits after the point, without trailing zeros: "5" is half a second later than "". */
  readonly fraction: string;
}

/** What 23:59:60 UTC means: the second that follows it, or, in the mandate dialect, the one before. */
export type LeapSecond = "following" | "59";

const form =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?([Zz]|([+-])([0-9]{2}):([0-9]{2}))?$/;

/**
 * Reads RFC 3339. The offset is required; a date or time that no clock shows is refused, and `:60` too unless it is
 * 23:59:60 UTC.
 */
export function parseInstant(text: unknown, leapSecond: LeapSecond = "following"): Result<Instant, TimeError> {
  const expected = "RFC 3339 with an offset, such as 2026-01-31T12:00:00Z";
  if (typeof text !== "string") return refused("time.malformed", "a time is not a string", expected);
  const match = form.exec(text);
  if (match === null) return refused("time.malformed", "a time is not in the form of RFC 3339", expected);
  if (match[8] === undefined) return refused("time.offset_missing", "a time has no offset from UTC", expected);
  const part = (index: number): number => Number(match[index] ?? 0);
  const [year, month, day] = [part(1), part(2), part(3)];
  const [hour, minute, second] = [part(4), part(5), part(6)];
  const [offsetHours, offsetMinutes] = [part(10), part(11)];
  const possible =
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysInMonth(year, month) &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 60 &&
    offsetHours <= 23 &&
    offsetMinutes <= 59;
  if (!possible) return refused("time.impossible", "a time names a date or an hour that does not exist", expected);
  const offset = (match[9] === "-" ? -1 : 1) * (offsetHours * 3600 + offsetMinutes * 60);
  const epochSeconds = daysOf({ year, month, day }) * secondsPerDay + hour * 3600 + minute * 60 + second - offset;
  if (second === 60 && modulo(epochSeconds, secondsPerDay) !== 0) {
    return refused("time.impossible", "a leap second stands elsewhere than at 23:59:60 UTC", expected);
  }
  const fraction = withoutTrailingZeros(match[7] ?? "");
  return ok({ epochSeconds: second === 60 && leapSecond === "59" ? epochSeconds - 1 : epochSeconds, fraction });
}

/** The one spelling of an instant: UTC, no trailing zeros in the fraction. Reads back as the same instant. */
export function formatInstant({ epochSeconds, fraction }: Instant): string {
  const days = Math.floor(epochSeconds / secondsPerDay);
  const { year, month, day } = dateOf(days);
  // Four digits hold every instant that was read, but for the day before and after, which an offset brings back.
  if (year === 10_000) return writeLocal(epochSeconds, fraction, -1);
  if (year === -1) return writeLocal(epochSeconds, fraction, 1);
  if (year < 0 || year > 9999) throw new RangeError("the instant is outside the years 0 to 9999");
  return `${writeClock(year, month, day, epochSeconds - days * secondsPerDay, fraction)}Z`;
}

function writeLocal(epochSeconds: number, fraction: string, sign: 1 | -1): string {
  const local = epochSeconds + sign * (secondsPerDay - 60);
  const days = Math.floor(local / secondsPerDay);
  const { year, month, day } = dateOf(days);
  if (year < 0 || year > 9999) throw new RangeError("the instant is outside the years 0 to 9999");
  const clock = writeClock(year, month, day, local - days * secondsPerDay, fraction);
  return `${clock}${sign < 0 ? "-" : "+"}23:59`;
}

function writeClock(year: number, month: number, day: number, second: number, fraction: string): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const date = `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
  const time = `${two(Math.floor(second / 3600))}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}`;
  return `${date}T${time}${fraction === "" ? "" : `.${fraction}`}`;
}

export function compareInstants(a: Instant, b: Instant): -1 | 0 | 1 {
  if (a.epochSeconds !== b.epochSeconds) return a.epochSeconds < b.epochSeconds ? -1 : 1;
  // Digits without trailing zeros: the order of the text is the order of the fraction.
  return a.fraction === b.fraction ? 0 : a.fraction < b.fraction ? -1 : 1;
}

/** The instant of a clock that counts whole milliseconds since the epoch, as `Date` does. */
export function instantFromMillis(millis: number): Instant {
  if (!Number.isSafeInteger(millis)) throw new RangeError("milliseconds are not a whole number");
  const epochSeconds = Math.floor(millis / 1000);
  const rest = millis - epochSeconds * 1000;
  return { epochSeconds, fraction: rest === 0 ? "" : withoutTrailingZeros(String(rest).padStart(3, "0")) };
}

/** Whole milliseconds since the epoch, rounded down. */
export function millisOf({ epochSeconds, fraction }: Instant): number {
  return epochSeconds * 1000 + Number(fraction.slice(0, 3).padEnd(3, "0"));
}

/** The instant `seconds` later (earlier when negative). Whole seconds. */
export function addSeconds(instant: Instant, seconds: number): Instant {
  if (!Number.isSafeInteger(seconds)) throw new RangeError("seconds are not a whole number");
  return { epochSeconds: instant.epochSeconds + seconds, fraction: instant.fraction };
}

const modulo = (a: number, b: number): number => a - Math.floor(a / b) * b;

function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end -= 1;
  return digits.slice(0, end);
}
