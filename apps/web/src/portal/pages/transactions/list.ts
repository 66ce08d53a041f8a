import { answerOf, api, asCsv, dataOf } from '../../../shared/api/client.ts';
import { nextCursor } from '../../../shared/api/paging.ts';
import { contractFilter, type Filters } from './filter.ts';
import { useRowSource, type RowSource } from '../../../shared/ui/row-source.ts';
import { shownMembers, type Transaction } from '../../transactions/transactions.tsx';

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
        $expand: [...shownMembers],
        ...($filter && { $filter }),
      };
      const { data, headers } = await answerOf(
        api.GET('/saleschannel-services/v1/transactions', { signal, params: { query } }),
      );
      return { rows: data, hasMore: nextCursor(headers.get('Link')) !== undefined };
    },
  });
};

/** Everything that was written of a transaction. */
const everything = ['names', 'reference', 'metadata', 'retirement', 'totals'] as const;

/** All of them that fit, as a file: prices and volumes are exact in it. */
export const loadTransactionsCsv = (filters: Filters): Promise<Blob> => {
  const $filter = contractFilter(filters);
  const query = { $orderBy: { createdAt: 'desc' as const }, $expand: [...everything], ...($filter && { $filter }) };
  return dataOf(api.GET('/saleschannel-services/v1/transactions', { ...asCsv, params: { query } }));
};
