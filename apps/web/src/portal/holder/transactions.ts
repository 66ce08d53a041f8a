import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { unwrapResponse, api, asCsv, unwrapData, nextCursor, type Schemas } from '../../shared/api/client.ts';
import { useRowSource, type RowSource } from '../../shared/ui/row-source.ts';

export type HolderTransaction = Schemas['HolderTransaction'];
type Filter = Schemas['HolderTransactionFilter'];

interface ListOptions {
  readonly $filter?: Filter | undefined;
  readonly direction: 'asc' | 'desc';
}

const buildQuery = ({ $filter, direction }: ListOptions) => ({
  $orderBy: { createdAt: direction },
  ...($filter && { $filter }),
});

/** Members in CSV in addition to the default members. */
const csvMembers = ['retirement', 'totals'] as const;

export const transactionsKey = ['holder', 'transactions'];

/** Transactions of the account holder that match. */
export const useHolderTransactions = (options: ListOptions): RowSource<HolderTransaction> =>
  useRowSource<HolderTransaction>({
    queryKey: [...transactionsKey, options],
    async fetchPage({ offset, limit, signal }) {
      const query = { ...buildQuery(options), $limit: limit, $offset: offset, $expand: ['totals' as const] };
      const { data, headers } = await unwrapResponse(
        api.GET('/account-portal/transactions', { signal, params: { query } }),
      );
      return { rows: data, hasMore: nextCursor(headers.get('Link')) !== undefined };
    },
  });

export const loadTransactionsCsv = (options: ListOptions): Promise<Blob> =>
  unwrapData(
    api.GET('/account-portal/transactions', {
      ...asCsv,
      params: { query: { ...buildQuery(options), $expand: [...csvMembers] } },
    }),
  );

const waiting = { $filter: { status: { eq: 'PENDING' } }, direction: 'asc' } as const;
/** Limit of the list. Further transactions appear as these are decided. */
const WAITING_AT_MOST = 100;

/** Transactions awaiting a decision, oldest first. */
export const usePendingTransactions = (): UseQueryResult<HolderTransaction[]> =>
  useQuery({
    queryKey: [...transactionsKey, 'waiting'],
    queryFn: ({ signal }) =>
      unwrapData(
        api.GET('/account-portal/transactions', {
          signal,
          params: { query: { ...buildQuery(waiting), $limit: WAITING_AT_MOST } },
        }),
      ),
  });
