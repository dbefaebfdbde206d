import { type CivilDate, dateOf, daysInMonth, daysOf, secondsPerDay } from "../../time/civil.ts";
import { offsetAt, parseZone, type Zone } from "../../time/zone.ts";

/** Whose hours an asset follows. `always` never closes. */
export type CalendarName = "nyse" | "always";

export interface MarketState {
  readonly open: boolean;
  /** Why it is closed, or that the session ends early today. */
  readonly reason: "session" | "early_close" | "before_open" | "after_close" | "weekend" | "holiday" | "out_of_range";
  /** Which holiday, where it is one. */
  readonly holiday?: string;
}

/**
 * The regular session of the New York Stock Exchange, 9:30 to 16:00 in New York. Holidays are computed from the
 * exchange's rules, so they hold for any year to come until the rules change; days that followed no rule are listed.
 * Years before 1975 had other rules and count as closed.
 */
export function marketState(calendar: CalendarName, epochSeconds: number): MarketState {
  if (calendar === "always") return { open: true, reason: "session" };
  const local = epochSeconds + offsetAt(newYork(), epochSeconds);
  const days = Math.floor(local / secondsPerDay);
  const date = dateOf(days);
  if (date.year < FIRST_YEAR || date.year > LAST_YEAR) return { open: false, reason: "out_of_range" };
  const weekday = weekdayOf(days);
  if (weekday === SATURDAY || weekday === SUNDAY) return { open: false, reason: "weekend" };
  const holiday = nyseHolidays(date.year).get(days);
  if (holiday !== undefined) return { open: false, reason: "holiday", holiday };
  const second = local - days * secondsPerDay;
  const early = isEarlyClose(date, days);
  if (second < OPENS) return { open: false, reason: "before_open" };
  if (second >= (early ? CLOSES_EARLY : CLOSES)) return { open: false, reason: "after_close" };
  return { open: true, reason: early ? "early_close" : "session" };
}

const FIRST_YEAR = 1975;
const LAST_YEAR = 9998;
const OPENS = 9.5 * 3600;
const CLOSES = 16 * 3600;
const CLOSES_EARLY = 13 * 3600;
const [SUNDAY, MONDAY, THURSDAY, FRIDAY, SATURDAY] = [0, 1, 4, 5, 6];

function newYork(): Zone {
  const zone = parseZone("America/New_York");
  if (!zone.ok) throw new Error("the time zone of New York is not known here");
  return zone.value;
}

/** 1970-01-01 was a Thursday. Sunday is 0. */
const weekdayOf = (days: number): number => (((days + 4) % 7) + 7) % 7;
const day = (year: number, month: number, date: number): number => daysOf({ year, month, day: date });

const nth = (year: number, month: number, weekday: number, count: number): number => {
  const first = day(year, month, 1);
  return first + ((weekday - weekdayOf(first) + 7) % 7) + (count - 1) * 7;
};
const lastMonday = (year: number, month: number): number => {
  const last = day(year, month, daysInMonth(year, month));
  return last - ((weekdayOf(last) - MONDAY + 7) % 7);
};

/** Sunday of Easter in the Gregorian calendar (Meeus, Jones and Butcher). */
function easter(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const month = Math.floor((h + l - 7 * m + 114) / 31);
  return day(year, month, ((h + l - 7 * m + 114) % 31) + 1);
}

/** A Saturday's holiday is kept on Friday, a Sunday's on Monday. */
const observed = (days: number): number =>
  weekdayOf(days) === SATURDAY ? days - 1 : weekdayOf(days) === SUNDAY ? days + 1 : days;

/** Days on which the exchange stayed closed outside its rules. Source: the exchange's list of historical closings. */
const SPECIAL: Readonly<Record<string, string>> = {
  "1976-11-02": "Election Day",
  "1977-07-14": "blackout of New York",
  "1980-11-04": "Election Day",
  "1985-09-27": "Hurricane Gloria",
  "1994-04-27": "mourning for President Nixon",
  "2001-09-11": "attacks of 11 September",
  "2001-09-12": "attacks of 11 September",
  "2001-09-13": "attacks of 11 September",
  "2001-09-14": "attacks of 11 September",
  "2004-06-11": "mourning for President Reagan",
  "2007-01-02": "mourning for President Ford",
  "2012-10-29": "Hurricane Sandy",
  "2012-10-30": "Hurricane Sandy",
  "2018-12-05": "mourning for President Bush",
  "2025-01-09": "mourning for President Carter",
};

/** Full holidays of a year, by day from 1970-01-01. */
export function nyseHolidays(year: number): ReadonlyMap<number, string> {
  const newYear = day(year, 1, 1);
  const holidays: [number, string][] = [
    [nth(year, 2, MONDAY, 3), "Washington's Birthday"],
    [easter(year) - 2, "Good Friday"],
    [lastMonday(year, 5), "Memorial Day"],
    [observed(day(year, 7, 4)), "Independence Day"],
    [nth(year, 9, MONDAY, 1), "Labor Day"],
    [nth(year, 11, THURSDAY, 4), "Thanksgiving Day"],
    [observed(day(year, 12, 25)), "Christmas Day"],
  ];
  // On a Saturday it is not made up for: the Friday before belongs to the old year's books.
  if (weekdayOf(newYear) !== SATURDAY) holidays.push([observed(newYear), "New Year's Day"]);
  if (year >= 1998) holidays.push([nth(year, 1, MONDAY, 3), "Martin Luther King, Jr. Day"]);
  if (year >= 2022) holidays.push([observed(day(year, 6, 19)), "Juneteenth"]);
  for (const [text, name] of Object.entries(SPECIAL)) {
    const [y = 0, m = 0, d = 0] = text.split("-").map(Number);
    if (y === year) holidays.push([day(y, m, d), name]);
  }
  return new Map(holidays);
}

/** Early closes that followed no rule of today. */
const SPECIAL_EARLY: ReadonlySet<string> = new Set([
  "1996-07-05",
  "1997-12-26",
  "1999-12-31",
  "2002-07-05",
  "2003-12-26",
]);
const EARLY_SINCE = 1993;

/** Whether the session ends at 13:00: the day after Thanksgiving, and the eves of Independence Day and Christmas. */
function isEarlyClose({ year, month, day: date }: CivilDate, days: number): boolean {
  if (year < EARLY_SINCE) return false;
  const text = `${year}-${String(month).padStart(2, "0")}-${String(date).padStart(2, "0")}`;
  if (SPECIAL_EARLY.has(text)) return true;
  const weekday = weekdayOf(days);
  if (month === 11) return days === nth(year, 11, THURSDAY, 4) + 1;
  if (month === 7 && date === 3) {
    // Before 2013 a Thursday's holiday shortened the Friday after it instead.
    return weekday >= MONDAY && weekday <= THURSDAY && !(year < 2013 && weekday === THURSDAY - 1);
  }
  return month === 12 && date === 24 && weekday >= MONDAY && weekday < FRIDAY;
}
