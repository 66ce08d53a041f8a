import type { Schemas } from '../../../shared/api/client.ts';

export const filterNames = ['type', 'status', 'trader', 'reference', 'from', 'to'] as const;
export type Filters = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The moment at which the day after a day begins, in UTC. */
const dayAfter = (day: string): string => {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString();
};

/** The filter of the contract. Days include their last moment. What no day can be is left out. */
export function contractFilter(filters: Filters): Schemas['TransactionFilter'] | undefined {
  const { type, status, trader, reference, from, to } = filters;
  const createdAt = {
    ...(from !== undefined && DAY.test(from) ? { gte: `${from}T00:00:00Z` } : {}),
    ...(to !== undefined && DAY.test(to) ? { lt: dayAfter(to) } : {}),
  };
  const filter = {
    ...(type === undefined ? {} : { type: { eq: type } }),
    ...(status === undefined ? {} : { status: { eq: status } }),
    ...(trader === undefined ? {} : { traderId: { eq: trader } }),
    ...(reference === undefined ? {} : { externalReference: { eq: reference } }),
    ...(Object.keys(createdAt).length === 0 ? {} : { createdAt }),
  };
  return Object.keys(filter).length === 0 ? undefined : (filter as Schemas['TransactionFilter']);
}
