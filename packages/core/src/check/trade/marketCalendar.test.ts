import { expect, test } from "vitest";
import { marketState, nyseHolidays } from "./marketCalendar.ts";

const at = (text: string) => marketState("nyse", Date.parse(text) / 1000);
const dates = (year: number) =>
  [...nyseHolidays(year).keys()]
    .sort((a, b) => a - b)
    .map((days) => new Date(days * 86_400_000).toISOString().slice(5, 10));

test.each([
  { year: 1997, want: ["01-01", "02-17", "03-28", "05-26", "07-04", "09-01", "11-27", "12-25"] },
  { year: 2021, want: ["01-01", "01-18", "02-15", "04-02", "05-31", "07-05", "09-06", "11-25", "12-24"] },
  { year: 2022, want: ["01-17", "02-21", "04-15", "05-30", "06-20", "07-04", "09-05", "11-24", "12-26"] },
  { year: 2024, want: ["01-01", "01-15", "02-19", "03-29", "05-27", "06-19", "07-04", "09-02", "11-28", "12-25"] },
  {
    year: 2025,
    want: ["01-01", "01-09", "01-20", "02-17", "04-18", "05-26", "06-19", "07-04", "09-01", "11-27", "12-25"],
  },
  { year: 2026, want: ["01-01", "01-19", "02-16", "04-03", "05-25", "06-19", "07-03", "09-07", "11-26", "12-25"] },
  { year: 2027, want: ["01-01", "01-18", "02-15", "03-26", "05-31", "06-18", "07-05", "09-06", "11-25", "12-24"] },
  { year: 2028, want: ["01-17", "02-21", "04-14", "05-29", "06-19", "07-04", "09-04", "11-23", "12-25"] },
])("the holidays of $year are those of the exchange", ({ year, want }) => {
  expect(dates(year)).toEqual(want);
});

test.each([
  { it: "opens at half past nine in winter", time: "2026-01-05T14:30:00Z", want: { open: true, reason: "session" } },
  { it: "is closed a second before", time: "2026-01-05T14:29:59Z", want: { open: false, reason: "before_open" } },
  {
    it: "opens an hour earlier by UTC in summer",
    time: "2026-07-06T13:30:00Z",
    want: { open: true, reason: "session" },
  },
  { it: "closes at four", time: "2026-07-06T20:00:00Z", want: { open: false, reason: "after_close" } },
  {
    it: "keeps New York's clock on the Monday after it is set forward",
    time: "2026-03-09T13:30:00Z",
    want: { open: true, reason: "session" },
  },
  {
    it: "and on the Monday after it is set back",
    time: "2026-11-02T14:29:59Z",
    want: { open: false, reason: "before_open" },
  },
  { it: "knows the summer time of 2006", time: "2006-03-20T14:00:00Z", want: { open: false, reason: "before_open" } },
  { it: "is closed on Saturday", time: "2026-01-10T15:00:00Z", want: { open: false, reason: "weekend" } },
  { it: "counts days in New York", time: "2026-01-10T01:00:00Z", want: { open: false, reason: "after_close" } },
  {
    it: "is closed on Good Friday",
    time: "2026-04-03T15:00:00Z",
    want: { open: false, reason: "holiday", holiday: "Good Friday" },
  },
  {
    it: "was closed after 11 September 2001",
    time: "2001-09-13T15:00:00Z",
    want: { open: false, reason: "holiday", holiday: "attacks of 11 September" },
  },
  {
    it: "closes early on the day after Thanksgiving",
    time: "2026-11-27T18:00:00Z",
    want: { open: false, reason: "after_close" },
  },
  { it: "and is open before that", time: "2026-11-27T17:59:59Z", want: { open: true, reason: "early_close" } },
  { it: "closes early on Christmas Eve", time: "2025-12-24T17:00:00Z", want: { open: true, reason: "early_close" } },
  {
    it: "closes early on the eve of Independence Day",
    time: "2025-07-03T17:30:00Z",
    want: { open: false, reason: "after_close" },
  },
  {
    it: "did so on the day after it in 2002",
    time: "2002-07-05T17:30:00Z",
    want: { open: false, reason: "after_close" },
  },
  {
    it: "has no early close on the eve of a holiday that is kept on Friday",
    time: "2026-07-02T19:00:00Z",
    want: { open: true, reason: "session" },
  },
  {
    it: "says nothing of years with other rules",
    time: "1969-07-21T15:00:00Z",
    want: { open: false, reason: "out_of_range" },
  },
])("$it", ({ time, want }) => {
  expect(at(time)).toEqual(want);
});

test("a market without hours is always open", () => {
  expect(marketState("always", 0)).toEqual({ open: true, reason: "session" });
});

test("no year has a holiday on a weekend or two on one day", () => {
  for (let year = 1975; year < 2200; year += 1) {
    const days = [...nyseHolidays(year).keys()];
    expect(days.every((one) => (one + 4) % 7 !== 0 && (one + 4) % 7 !== 6)).toBe(true);
    expect(days.length).toBeGreaterThanOrEqual(7);
  }
});
