/** `2026-03-04 11:02`, in UTC as everywhere in the pages. */
export const formatDateTime = (text: string): string =>
  `${formatDay(text)} ${new Date(text).toISOString().slice(11, 16)}`;

/** `2026-03-04` in UTC. */
export const formatDay = (text: string): string => new Date(text).toISOString().slice(0, 10);

const DAY_MS = 86_400_000;

/** Whole days between two times, rounded down. */
export const daysBetween = (from: number, to: string): number => Math.floor((Date.parse(to) - from) / DAY_MS);

/** `12:04:07` in UTC. */
export const formatTime = (text: string): string => new Date(text).toISOString().slice(11, 19);

/** `2026-03-04 12:04:07` in UTC. */
export const formatMoment = (text: string): string => `${formatDay(text)} ${formatTime(text)}`;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Days in the format of date inputs. */
export interface Days {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Converts days to API times, including the last moment. Invalid days are omitted. */
export const toTimeRange = ({ from, to }: Days): { from?: string; to?: string } => ({
  ...(from !== undefined && DAY.test(from) && { from: `${from}T00:00:00.000Z` }),
  ...(to !== undefined && DAY.test(to) && { to: new Date(Date.parse(`${to}T00:00:00Z`) + DAY_MS).toISOString() }),
});

/** Converts days to the time condition of list filters. Undefined for all. */
export function toTimeCondition(days: Days): { gte?: string; lt?: string } | undefined {
  const { from: gte, to: lt } = toTimeRange(days);
  if (gte === undefined && lt === undefined) return undefined;
  return { ...(gte !== undefined && { gte }), ...(lt !== undefined && { lt }) };
}
