import { answerOf, api, type Schemas } from '../../../shared/api/client.ts';
import { nextCursor } from '../../../shared/api/paging.ts';
import { useRowSource, type RowSource } from '../../../shared/ui/row-source.ts';
import type { Transaction } from '../../transactions/transactions.tsx';

export const filterNames = ['type', 'status', 'trader', 'from', 'to'] as const;
export type Filters = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The moment at which the day after a day begins, in UTC. */
const dayAfter = (day: string): string => {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString();
};

/** The filter of the contract. Days include their last moment. What no day can be is left out. */
export function contractFilter({ type, status, trader, from, to }: Filters): Schemas['TransactionFilter'] | undefined {
  const createdAt = {
    ...(from !== undefined && DAY.test(from) ? { gte: `${from}T00:00:00Z` } : {}),
    ...(to !== undefined && DAY.test(to) ? { lt: dayAfter(to) } : {}),
  };
  const filter = {
    ...(type === undefined ? {} : { type: { eq: type } }),
    ...(status === undefined ? {} : { status: { eq: status } }),
    ...(trader === undefined ? {} : { traderId: { eq: trader } }),
    ...(Object.keys(createdAt).length === 0 ? {} : { createdAt }),
  };
  return Object.keys(filter).length === 0 ? undefined : (filter as Schemas['TransactionFilter']);
}

/** The transactions of the sales channel that fit, the newest first. */
export const useTransactions = (filters: Filters): RowSource<Transaction> => {
  const $filter = contractFilter(filters);
  return useRowSource<Transaction>({
    queryKey: ['transactions', $filter],
    async fetchPage({ offset, limit, signal }) {
      const query = {
        $limit: limit,
        $offset: offset,
        $orderBy: { createdAt: 'desc' as const },
        ...($filter && { $filter }),
      };
      const { data, headers } = await answerOf(
        api.GET('/saleschannel-services/v1/transactions', { signal, params: { query } }),
      );
      return { rows: data, hasMore: nextCursor(headers.get('Link')) !== undefined };
    },
  });
};
