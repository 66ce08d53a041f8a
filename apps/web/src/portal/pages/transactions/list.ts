import { unwrapResponse, api, asCsv, unwrapData, nextCursor } from '../../../shared/api/client.ts';
import { useRowSource, type RowSource } from '../../../shared/ui/row-source.ts';
import { toApiOrder, type Sort } from '../../../shared/ui/sorting.ts';
import { listedMembers, type Transaction } from '../../transactions/transactions.tsx';
import { toApiFilter, type Filters } from './filter.ts';

/** Default order: newest first. */
export const newestFirst: Sort = { by: 'createdAt', descending: true };

/** Transactions of the sales channel that match. */
export const useTransactions = (filters: Filters, sort: Sort | undefined): RowSource<Transaction> => {
  const $filter = toApiFilter(filters);
  return useRowSource<Transaction>({
    queryKey: ['transactions', $filter, sort ?? null],
    async fetchPage({ offset, limit, signal }) {
      const query = {
        $limit: limit,
        $offset: offset,
        ...toApiOrder(sort),
        $expand: [...listedMembers],
        ...($filter && { $filter }),
      };
      const { data, headers } = await unwrapResponse(
        api.GET('/saleschannel-services/v1/transactions', { signal, params: { query } }),
      );
      return { rows: data, hasMore: nextCursor(headers.get('Link')) !== undefined };
    },
  });
};

/** All optional members of a transaction. */
const allMembers = ['names', 'reference', 'metadata', 'retirement', 'totals'] as const;

/** Matching transactions as CSV, with exact prices and volumes. */
export const loadTransactionsCsv = (filters: Filters, sort: Sort | undefined): Promise<Blob> => {
  const $filter = toApiFilter(filters);
  const query = { ...toApiOrder(sort), $expand: [...allMembers], ...($filter && { $filter }) };
  return unwrapData(api.GET('/saleschannel-services/v1/transactions', { ...asCsv, params: { query } }));
};
