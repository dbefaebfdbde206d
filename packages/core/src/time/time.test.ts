import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sharedSuite } from "../testing.ts";
import { dateOf, daysInMonth, daysOf } from "./civil.ts";
import { formatDuration, parseDuration, type Seconds } from "./duration.ts";
import {
  addSeconds,
  compareInstants,
  formatInstant,
  type Instant,
  instantFromMillis,
  millisOf,
  parseInstant,
} from "./instant.ts";
import { type CalendarUnit, calendarWindow, isWithin, rollingWindow } from "./window.ts";
import { offsetAt, parseZone, type Zone } from "./zone.ts";

const instant = (text: string): Instant => {
  const read = parseInstant(text);
  if (!read.ok) throw new Error(`${text}: ${read.error.code}`);
  return read.value;
};
const seconds = (text: string): Seconds => {
  const read = parseDuration(text);
  if (!read.ok) throw new Error(`${text}: ${read.error.code}`);
  return read.value;
};
const zone = (text: string): Zone => {
  const read = parseZone(text);
  if (!read.ok) throw new Error(`${text}: ${read.error.code}`);
  return read.value;
};

describe("civil dates", () => {
  test("agree with Date from the year 0 to 9999", () => {
    fc.assert(
      fc.property(fc.integer({ min: -719_528, max: 2_932_896 }), (days) => {
        const date = new Date(days * 86_400_000);
        const civil = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
        expect(dateOf(days)).toEqual(civil);
        expect(daysOf(civil)).toBe(days);
        expect(daysInMonth(civil.year, civil.month)).toBe(
          new Date(Date.UTC(2000 + (civil.year % 400), civil.month, 0)).getUTCDate(),
        );
      }),
      { numRuns: 3000 },
    );
  });
});

describe("instants", () => {
  test.each([
    { text: "2026-01-01T00:00:00", code: "time.offset_missing" },
    { text: "2026-02-29T00:00:00Z", code: "time.impossible" },
    { text: "2026-01-01T24:00:00Z", code: "time.impossible" },
    { text: "2026-01-01T00:00:00+24:00", code: "time.impossible" },
    { text: "2016-12-31T23:59:60+01:00", code: "time.impossible" },
    { text: "2026-01-01T00:00:61Z", code: "time.impossible" },
    { text: "2026-01-01 00:00:00Z", code: "time.malformed" },
    { text: "2026-01-01T00:00:00Z\n", code: "time.malformed" },
    { text: "２026-01-01T00:00:00Z", code: "time.malformed" },
    { text: "1".repeat(1_000_000), code: "time.malformed" },
    { text: "", code: "time.malformed" },
    { text: 1_767_225_600, code: "time.malformed" },
    { text: ["2026-01-01T00:00:00Z"], code: "time.malformed" },
    { text: null, code: "time.malformed" },
  ])("refuses $text with $code", ({ text, code }) => {
    expect(parseInstant(text)).toMatchObject({ ok: false, error: { code } });
  });

  test.each([
    { text: "2016-12-31T23:59:60Z", following: 1_483_228_800, as59: 1_483_228_799 },
    { text: "2017-01-01T00:59:60.25+01:00", following: 1_483_228_800, as59: 1_483_228_799 },
  ])("reads $text as the second after, and as the one before for the mandate dialect", ({ text, following, as59 }) => {
    expect(parseInstant(text)).toMatchObject({ ok: true, value: { epochSeconds: following } });
    expect(parseInstant(text, "59")).toMatchObject({ ok: true, value: { epochSeconds: as59 } });
  });

  test("the mandate dialect too takes a leap second only at the end of a UTC day", () => {
    expect(parseInstant("2016-12-31T12:00:60Z", "59").ok).toBe(false);
  });

  test.each([
    ["2026-01-01t00:00:00.120z", "2026-01-01T00:00:00.12Z"],
    ["2026-01-01T00:00:00.000-00:30", "2026-01-01T00:30:00Z"],
    ["1969-12-31T23:59:59.9Z", "1969-12-31T23:59:59.9Z"],
    ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"],
    ["9999-12-31T23:59:59.5-23:59", "9999-12-31T23:59:59.5-23:59"],
    ["9999-12-31T23:59:59-01:00", "9999-12-31T01:00:59-23:59"],
    ["0000-01-01T00:00:00+23:59", "0000-01-01T00:00:00+23:59"],
  ])("writes %s as %s, and reads it back", (text, want) => {
    expect(formatInstant(instant(text))).toBe(want);
    expect(instant(want)).toEqual(instant(text));
  });

  test.each([253_402_387_200, -62_167_305_600])(
    "does not write second %d, which no year of four digits holds",
    (epochSeconds) => {
      expect(() => formatInstant({ epochSeconds, fraction: "" })).toThrow(RangeError);
    },
  );

  test("milliseconds go there and back, as Date has them", () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }), (millis) => {
        const at = instantFromMillis(millis);
        expect(millisOf(at)).toBe(millis);
        expect(instant(new Date(millis).toISOString())).toEqual(at);
        expect(instant(formatInstant(at))).toEqual(at);
      }),
    );
    expect(millisOf(instant("1969-12-31T23:59:59.9999Z"))).toBe(-1);
    expect(() => instantFromMillis(0.5)).toThrow(RangeError);
    expect(() => addSeconds(instantFromMillis(0), Number.NaN)).toThrow(RangeError);
  });

  test("are ordered exactly, as integers of nanoseconds are", () => {
    const any = fc.tuple(fc.integer({ min: -5, max: 5 }), fc.constantFrom("", "1", "09", "1000001", "999999999"));
    const nanos = ([whole, fraction]: [number, string]): bigint =>
      BigInt(whole) * 10n ** 9n + BigInt(fraction.padEnd(9, "0"));
    fc.assert(
      fc.property(any, any, (a, b) => {
        const [left, right] = [a, b].map(([epochSeconds, fraction]) => ({ epochSeconds, fraction }));
        const difference = nanos(a) - nanos(b);
        expect(compareInstants(left!, right!)).toBe(difference < 0n ? -1 : difference > 0n ? 1 : 0);
      }),
    );
  });

  test("never throws on a text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."0123456789-+:.TtZz "), maxLength: 40 }), (text) => {
        const read = parseInstant(text);
        if (read.ok) expect(instant(formatInstant(read.value))).toEqual(read.value);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("durations", () => {
  test.each([
    ["P1D", 86_400],
    ["P2W", 1_209_600],
    ["PT90M", 5400],
    ["P1DT12H", 129_600],
    ["PT0S", 0],
    ["P1DT1H1M1S", 90_061],
    ["P36525D", 3_155_760_000],
  ])("%s is %d seconds", (text, want) => {
    expect(seconds(text)).toBe(want);
  });

  test.each([
    ["P1Y", "duration.calendar_unit"],
    ["P1M", "duration.calendar_unit"],
    ["P1Y2M3DT4H", "duration.calendar_unit"],
    ["P36526D", "duration.too_long"],
    ["PT9999999999S", "duration.too_long"],
    ["P", "duration.malformed"],
    ["PT", "duration.malformed"],
    ["P1DT", "duration.malformed"],
    ["P1W1D", "duration.malformed"],
    ["P1H", "duration.malformed"],
    ["PT1M1H", "duration.malformed"],
    ["P-1D", "duration.malformed"],
    ["-P1D", "duration.malformed"],
    ["P1.5D", "duration.malformed"],
    ["PT0,5S", "duration.malformed"],
    ["p1d", "duration.malformed"],
    ["P1D ", "duration.malformed"],
    ["P\u0661D", "duration.malformed"],
    [`P${"1".repeat(1_000_000)}D`, "duration.malformed"],
    ["", "duration.malformed"],
    [86_400, "duration.malformed"],
    [null, "duration.malformed"],
  ])("%j is refused with %s", (text, code) => {
    expect(parseDuration(text)).toMatchObject({ ok: false, error: { code } });
  });

  test("have one spelling that reads back", () => {
    fc.assert(
      fc.property(fc.nat(3_155_760_000), (length) => {
        expect(seconds(formatDuration(length as Seconds))).toBe(length);
      }),
    );
  });
});

describe("rolling windows", () => {
  const now = instant("2026-03-02T12:00:00.5Z");
  test.each([
    { it: "does not hold what happened exactly its length ago", at: "2026-03-01T12:00:00.5Z", want: false },
    { it: "holds what happened a moment less ago", at: "2026-03-01T12:00:00.500000000001Z", want: true },
    { it: "holds the present", at: "2026-03-02T12:00:00.5Z", want: true },
    { it: "does not hold the future", at: "2026-03-02T12:00:00.50001Z", want: false },
  ])("$it", ({ at, want }) => {
    expect(isWithin(rollingWindow(now, seconds("P1D")), instant(at))).toBe(want);
  });
});

describe("calendar windows", () => {
  const bounds = (now: string, unit: CalendarUnit, name: string): [string, string] => {
    const window = calendarWindow(instant(now), unit, zone(name));
    if (!window.ok || window.value.kind !== "calendar") throw new Error("no calendar window");
    return [formatInstant(window.value.start), formatInstant(window.value.before)];
  };

  test.each<[string, CalendarUnit, string, string, string]>([
    ["2026-03-02T12:00:00Z", "day", "UTC", "2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z"],
    ["2026-03-01T23:30:00Z", "day", "Europe/Berlin", "2026-03-01T23:00:00Z", "2026-03-02T23:00:00Z"],
    // A day of 23 hours, one of 25, and one whose first hour does not exist.
    ["2026-03-29T12:00:00Z", "day", "Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"],
    ["2026-10-25T12:00:00Z", "day", "Europe/Berlin", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"],
    ["2018-11-04T12:00:00Z", "day", "America/Sao_Paulo", "2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z"],
    // Midnight twice: clocks in Havana go from 01:00 back to 00:00.
    ["2025-11-02T12:00:00Z", "day", "America/Havana", "2025-11-02T04:00:00Z", "2025-11-03T05:00:00Z"],
    // From 00:01 back to 23:01: the old date shows again after the new one began, and belongs to the new one.
    ["2010-11-07T02:45:00Z", "day", "America/St_Johns", "2010-11-07T02:30:00Z", "2010-11-08T03:30:00Z"],
    ["2010-11-07T02:30:30Z", "day", "America/St_Johns", "2010-11-07T02:30:00Z", "2010-11-08T03:30:00Z"],
    ["2010-11-07T02:29:59Z", "day", "America/St_Johns", "2010-11-06T02:30:00Z", "2010-11-07T02:30:00Z"],
    // 30 December 2011 did not happen in Samoa.
    ["2011-12-30T09:00:00Z", "day", "Pacific/Apia", "2011-12-29T10:00:00Z", "2011-12-30T10:00:00Z"],
    ["2011-12-30T10:00:00Z", "day", "Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-31T10:00:00Z"],
    ["2026-03-01T12:00:00Z", "week", "UTC", "2026-02-23T00:00:00Z", "2026-03-02T00:00:00Z"],
    ["2026-03-02T00:00:00Z", "week", "UTC", "2026-03-02T00:00:00Z", "2026-03-09T00:00:00Z"],
    ["1969-12-30T00:00:00Z", "week", "UTC", "1969-12-29T00:00:00Z", "1970-01-05T00:00:00Z"],
    ["2024-02-29T12:00:00Z", "month", "UTC", "2024-02-01T00:00:00Z", "2024-03-01T00:00:00Z"],
    ["2026-12-31T23:30:00Z", "month", "Asia/Tokyo", "2026-12-31T15:00:00Z", "2027-01-31T15:00:00Z"],
    ["2026-03-31T12:00:00Z", "month", "America/New_York", "2026-03-01T05:00:00Z", "2026-04-01T04:00:00Z"],
  ])("at %s the %s in %s runs from %s to %s", (now, unit, name, start, end) => {
    expect(bounds(now, unit, name)).toEqual([start, end]);
  });

  test("holds its start and not its end", () => {
    const window = calendarWindow(instant("2026-03-02T12:00:00Z"), "day", zone("UTC"));
    if (!window.ok) throw new Error("no window");
    expect(isWithin(window.value, instant("2026-03-02T00:00:00Z"))).toBe(true);
    expect(isWithin(window.value, instant("2026-03-01T23:59:59.999999Z"))).toBe(false);
    expect(isWithin(window.value, instant("2026-03-02T23:59:59.999999Z"))).toBe(true);
    expect(isWithin(window.value, instant("2026-03-03T00:00:00Z"))).toBe(false);
  });

  const names = [
    "UTC",
    "Europe/Berlin",
    "America/St_Johns",
    "America/Havana",
    "Africa/Cairo",
    "Asia/Beirut",
    "Pacific/Apia",
    "Australia/Lord_Howe",
    "Africa/Casablanca",
    "America/Asuncion",
    "Asia/Gaza",
  ];
  const units = fc.constantFrom<CalendarUnit>("day", "week", "month");
  const times = fc.integer({
    min: daysOf({ year: 1970, month: 1, day: 3 }) * 86_400,
    max: daysOf({ year: 2040, month: 1, day: 1 }) * 86_400,
  });

  test("holds the present, and the window of every instant in it is the same one: the windows tile time", () => {
    fc.assert(
      fc.property(
        times,
        units,
        fc.constantFrom(...names),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (now, unit, name, share) => {
          const of = (epochSeconds: number) => {
            const window = calendarWindow({ epochSeconds, fraction: "" }, unit, zone(name));
            if (!window.ok || window.value.kind !== "calendar") throw new Error("no calendar window");
            return window.value;
          };
          const { start, before } = of(now);
          expect(isWithin(of(now), { epochSeconds: now, fraction: "" })).toBe(true);
          const inside = start.epochSeconds + Math.floor(share * (before.epochSeconds - 1 - start.epochSeconds));
          for (const at of [start.epochSeconds, inside, before.epochSeconds - 1]) expect(of(at)).toEqual(of(now));
          expect(of(before.epochSeconds).start).toEqual(before);
          expect(of(start.epochSeconds - 1).before).toEqual(start);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("begins when the clocks first show its date: found again by walking through the minutes", () => {
    fc.assert(
      fc.property(times, fc.constantFrom(...names), (now, name) => {
        const window = calendarWindow({ epochSeconds: now, fraction: "" }, "day", zone(name));
        if (!window.ok || window.value.kind !== "calendar") throw new Error("no calendar window");
        const start = window.value.start.epochSeconds;
        const dayAt = (at: number): number => Math.floor((at + offsetAt(zone(name), at)) / 86_400);
        const shown = dayAt(start);
        let first = start - 30 * 3600;
        while (dayAt(first) < shown) first += 60;
        expect(first).toBe(start);
      }),
      { numRuns: 30 },
    );
  });

  test.each(["0001-06-01T00:00:00Z", "9999-01-01T00:00:00Z"])(
    "refuses %s, beyond which clocks have no names",
    (now) => {
      expect(calendarWindow(instant(now), "day", zone("UTC"))).toMatchObject({
        ok: false,
        error: { code: "time.out_of_range" },
      });
    },
  );

  test.each([
    "",
    "Mars/Base",
    "+01:00",
    "Europe/Berlin ",
    "Europe\\Berlin",
    "../etc",
    "x".repeat(65),
    1,
    null,
    undefined,
  ])("%j is no time zone", (text) => {
    expect(parseZone(text)).toMatchObject({ ok: false, error: { code: "zone.unknown" } });
  });
});

sharedSuite("conformance/rfc3339", (folder) => {
  const rows = <T>(file: string): T[] =>
    readFileSync(join(folder, file), "utf8")
      .trimEnd()
      .split("\n")
      .map((row) => JSON.parse(row) as T);

  test.each(
    rows<{
      id: string;
      text: string;
      valid: boolean | "either";
      epoch_seconds?: string;
      fraction?: string;
      why: string;
    }>("own-times.jsonl"),
  )("$id: $why", ({ text, valid, epoch_seconds, fraction }) => {
    const read = parseInstant(text);
    // The one open case is a space for the T: refused, as its grammar and JSON Schema do.
    expect(read.ok).toBe(valid === true);
    if (!read.ok) return;
    expect(read.value).toEqual({ epochSeconds: Number(epoch_seconds), fraction });
    expect(instant(formatInstant(read.value))).toEqual(read.value);
  });

  test.each(rows<{ id: string; a: string; b: string; order: number; why: string }>("own-compare.jsonl"))(
    "$id: $why",
    ({ a, b, order }) => {
      expect(compareInstants(instant(a), instant(b))).toBe(order);
      expect(compareInstants(instant(b), instant(a))).toBe(order === 0 ? 0 : -order);
    },
  );
});
