/** Source of the time, replaced by tests. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Adds a year in the UTC calendar. 29 February becomes 28 February. */
export function oneCalendarYearAfter(date: Date): Date {
  const later = new Date(date);
  later.setUTCFullYear(date.getUTCFullYear() + 1);
  // A year without 29 February rolls over to 1 March. Day 0 of that month is the day before.
  if (later.getUTCMonth() !== date.getUTCMonth()) later.setUTCDate(0);
  return later;
}
