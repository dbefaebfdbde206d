import { ok, type Result } from "../result.ts";
import { type CivilDate, dateOf, daysOf, secondsPerDay } from "./civil.ts";
import type { Seconds } from "./duration.ts";
import { addSeconds, compareInstants, type Instant } from "./instant.ts";
import { refused, type TimeError } from "./timeError.ts";
import { offsetAt, type Zone } from "./zone.ts";

/** What a budget counts over. A rolling window ends with the present and holds it; a calendar one holds its start. */
export type Window =
  | { readonly kind: "rolling"; readonly after: Instant; readonly through: Instant }
  | { readonly kind: "calendar"; readonly start: Instant; readonly before: Instant };

/** Weeks begin on Monday, as in ISO 8601. */
export type CalendarUnit = "day" | "week" | "month";

/** `(now − length, now]`: what happened exactly `length` ago no longer counts. */
export function rollingWindow(now: Instant, length: Seconds): Window {
  return { kind: "rolling", after: addSeconds(now, -length), through: now };
}

/**
 * `[start, start of the next)` of the day, week or month that `now` falls in by the clocks of `zone`. A day begins with
 * its first second, which is not midnight where clocks skip it. Every instant lies in exactly one window, also where
 * clocks are set back over midnight: a second midnight begins nothing.
 * Refused outside the years 2 to 9998 (`time.out_of_range`).
 */
export function calendarWindow(now: Instant, unit: CalendarUnit, zone: Zone): Result<Window, TimeError> {
  const seconds = now.epochSeconds;
  if (seconds < earliest || seconds >= latest) {
    return refused("time.out_of_range", "a calendar window lies outside the years 2 to 9998", "a time of our era");
  }
  const today = Math.floor((seconds + offsetAt(zone, seconds)) / secondsPerDay);
  let first = firstDay(today, unit);
  let start = startOfDay(first, zone);
  // Set back over midnight, clocks show the old date again after the new one has begun, or the new one before.
  while (seconds < start) {
    first = firstDay(first - 1, unit);
    start = startOfDay(first, zone);
  }
  let next = firstDayAfter(first, unit);
  let end = startOfDay(next, zone);
  while (seconds >= end) {
    start = end;
    next = firstDayAfter(next, unit);
    end = startOfDay(next, zone);
  }
  return ok({ kind: "calendar", start: atSecond(start), before: atSecond(end) });
}

export function isWithin(window: Window, at: Instant): boolean {
  return window.kind === "rolling"
    ? compareInstants(at, window.after) > 0 && compareInstants(at, window.through) <= 0
    : compareInstants(at, window.start) >= 0 && compareInstants(at, window.before) < 0;
}

const atSecond = (epochSeconds: number): Instant => ({ epochSeconds, fraction: "" });

const earliest = daysOf({ year: 2, month: 1, day: 1 }) * secondsPerDay;
const latest = daysOf({ year: 9999, month: 1, day: 1 }) * secondsPerDay;

/** Days are counted from 1970-01-01, which was a Thursday. */
function firstDay(day: number, unit: CalendarUnit): number {
  if (unit === "day") return day;
  if (unit === "week") return day - ((((day + 3) % 7) + 7) % 7);
  return daysOf({ ...dateOf(day), day: 1 });
}

function firstDayAfter(first: number, unit: CalendarUnit): number {
  if (unit === "day") return first + 1;
  if (unit === "week") return first + 7;
  const { year, month }: CivilDate = dateOf(first);
  return month === 12 ? daysOf({ year: year + 1, month: 1, day: 1 }) : daysOf({ year, month: month + 1, day: 1 });
}

/** The first second at which the clocks of `zone` show this day or a later one. */
function startOfDay(day: number, zone: Zone): number {
  const midnight = day * secondsPerDay;
  const before = offsetAt(zone, midnight - secondsPerDay);
  const after = offsetAt(zone, midnight + secondsPerDay);
  if (before === after) return midnight - before;
  const change = changeOfOffset(zone, midnight - secondsPerDay, midnight + secondsPerDay, before);
  if (midnight - before < change) return midnight - before;
  // Clocks that were set forward over midnight show this day from the change on.
  return Math.max(change, midnight - after);
}

/** The first second in (low, high] whose offset is no longer `before`; there is one, since at `high` it is not. */
function changeOfOffset(zone: Zone, low: number, high: number, before: number): number {
  let [same, other] = [low, high];
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if (offsetAt(zone, middle) === before) same = middle;
    else other = middle;
  }
  return other;
}
