import { ok, type Result } from "../result.ts";
import { daysOf, secondsPerDay } from "./civil.ts";
import { refused, type TimeError } from "./timeError.ts";

declare const known: unique symbol;
/** The name of a time zone that this engine's IANA database has. Made by `parseZone`. */
export type Zone = string & { readonly [known]: "Zone" };

/** Formats are costly to make, and names that differ in letter case only are many. */
const kept = 256;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Reads the IANA name of a time zone, `Europe/Berlin` or `UTC`. Offsets such as `+01:00` are no names. */
export function parseZone(text: unknown): Result<Zone, TimeError> {
  const expected = "an IANA time zone such as Europe/Berlin or UTC";
  const refusal = refused("zone.unknown", "a time zone is not known", expected);
  // Some engines take offsets for zones and some do not; the shape of a name decides it for all.
  if (typeof text !== "string" || !/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(text)) return refusal;
  try {
    formatOf(text);
  } catch {
    return refusal;
  }
  return ok(text as Zone);
}

/** How far the zone's clocks are ahead of UTC at a second of the years 1 to 9999, in seconds. */
export function offsetAt(zone: Zone, epochSeconds: number): number {
  const at: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(epochSeconds * 1000)) at[type] = Number(value);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = at;
  return daysOf({ year, month, day }) * secondsPerDay + hour * 3600 + minute * 60 + second - epochSeconds;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const found = formats.get(zone);
  if (found !== undefined) return found;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  if (formats.size >= kept) formats.clear();
  formats.set(zone, format);
  return format;
}
