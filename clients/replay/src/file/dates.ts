const ISO = /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[T ].*)?$/;
const AMERICAN = /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})(?: +\d{1,2}:\d{2}(?::\d{2})?(?: *[AP]M)?)?$/i;
const YEAR = /(?<!\d)(?:19|2\d)\d{2}(?!\d)/;
const YEAR_AT_LEAST = 1900;

/** A period in API format. */
interface Period {
  readonly start: string;
  readonly end: string;
}

/** Day of a date cell as `YYYY-MM-DD`. Accepts ISO 8601, `M/D/YYYY` and `MM/DD/YYYY`, and ignores the time. */
export function parseDay(cell: string): string | undefined {
  const { year, month, day } = (ISO.exec(cell) ?? AMERICAN.exec(cell))?.groups ?? {};
  if (!year || !month || !day || Number(year) < YEAR_AT_LEAST) return undefined;
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${text}T00:00:00Z`);
  // JavaScript parses 30 February as 1 March.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined;
}

/** Year of a vintage cell, the first year if there are several. */
export function parseYear(cell: string): number | undefined {
  const [year] = YEAR.exec(cell) ?? [];
  return year === undefined ? undefined : Number(year);
}

/** @param day as `YYYY-MM-DD` */
export const toDayPeriod = (day: string): Period => ({ start: `${day}T00:00:00.000Z`, end: `${day}T23:59:59.999Z` });

export const toYearPeriod = (year: number): Period => ({
  start: `${year}-01-01T00:00:00.000Z`,
  end: `${year}-12-31T23:59:59.999Z`,
});
