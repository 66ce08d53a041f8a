/** RFC 3339 section 5.6, without leap seconds and without the lower-case and space forms, which not every parser behind reads alike. */
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.\d{1,9})?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

const EARLIEST_MS = Date.parse('0001-01-01T00:00:00Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59Z');

/** Whether a text names a real instant of the years 1 to 9999: the 30th of February does not. */
export function isDateTime(text: string): boolean {
  const match = DATE_TIME.exec(text);
  if (!match) return false;
  const [, year, month, day, hour, minute, second, sign, zoneHour, zoneMinute] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return false;
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  const zoneMs =
    sign === undefined ? 0 : (Number(zoneHour) * 60 + Number(zoneMinute)) * 60_000 * (sign === '+' ? 1 : -1);
  const instantMs = date.getTime() - zoneMs;
  return instantMs >= EARLIEST_MS && instantMs <= LATEST_MS;
}
