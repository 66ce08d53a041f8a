const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;

/** Days as an input of a form has them. */
export interface Days {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Days as times of a contract. They include their last moment. What no day can be is left out. */
export const rangeOfDays = ({ from, to }: Days): { from?: string; to?: string } => ({
  ...(from !== undefined && DAY.test(from) && { from: `${from}T00:00:00.000Z` }),
  ...(to !== undefined && DAY.test(to) && { to: new Date(Date.parse(`${to}T00:00:00Z`) + DAY_MS).toISOString() }),
});

/** Days as the condition on a time that filters of lists take. Undefined: all. */
export function createdOn(days: Days): { gte?: string; lt?: string } | undefined {
  const { from: gte, to: lt } = rangeOfDays(days);
  if (gte === undefined && lt === undefined) return undefined;
  return { ...(gte !== undefined && { gte }), ...(lt !== undefined && { lt }) };
}
