/** A day of the proleptic Gregorian calendar. Months and days count from 1. */
export interface CivilDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export const secondsPerDay = 86_400;

const floorDiv = (a: number, b: number): number => Math.floor(a / b);

/**
 * Days from 1970-01-01. The year is taken to begin in March, which puts the leap day last: the days before a month then
 * follow from one line, and 400 years have 146,097 days.
 */
export function daysOf({ year, month, day }: CivilDate): number {
  const shifted = month > 2 ? year : year - 1;
  const monthFromMarch = (month + 9) % 12;
  const dayOfYear = floorDiv(153 * monthFromMarch + 2, 5) + day - 1;
  const leapDays = floorDiv(shifted, 4) - floorDiv(shifted, 100) + floorDiv(shifted, 400);
  return shifted * 365 + leapDays + dayOfYear - 719_468;
}

/** The inverse of `daysOf`. */
export function dateOf(days: number): CivilDate {
  const fromMarch = days + 719_468;
  const era = floorDiv(fromMarch, 146_097);
  const dayOfEra = fromMarch - era * 146_097;
  const yearOfEra = floorDiv(
    dayOfEra - floorDiv(dayOfEra, 1460) + floorDiv(dayOfEra, 36_524) - floorDiv(dayOfEra, 146_096),
    365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + floorDiv(yearOfEra, 4) - floorDiv(yearOfEra, 100));
  const monthFromMarch = floorDiv(5 * dayOfYear + 2, 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  return {
    year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - floorDiv(153 * monthFromMarch + 2, 5) + 1,
  };
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
