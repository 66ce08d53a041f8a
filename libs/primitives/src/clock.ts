/** Where the time comes from, so that tests can set it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** The same moment of the UTC calendar one year later; 29 February becomes 28 February. */
export function oneCalendarYearAfter(date: Date): Date {
  const later = new Date(date);
  later.setUTCFullYear(date.getUTCFullYear() + 1);
  // A year without 29 February rolls over to 1 March. Day 0 of that month is the day before.
  if (later.getUTCMonth() !== date.getUTCMonth()) later.setUTCDate(0);
  return later;
}
