import { api, toEqualityFilter, asCsv, unwrapData, unwrapPage, type Schemas } from '../../shared/api/client.ts';
import { toTimeCondition } from '../../shared/format/time.ts';
import { toApiOrder, type Sort } from '../../shared/ui/filters.ts';
import { useRowSource, type RowSource } from '../../shared/ui/row-source.ts';
import type { Transaction } from './transactions.tsx';

export const filterNames = ['type', 'status', 'trader', 'reference', 'from', 'to'] as const;
type Filters = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

/** Optional members that lists show. */
export const listedMembers = ['names', 'totals'] as const;

/** API filter. Days include their last moment; invalid days are ignored. */
export function toApiFilter(filters: Filters): Schemas['TransactionFilter'] | undefined {
  const { type, status, trader, reference, from, to } = filters;
  const createdAt = toTimeCondition({ from, to });
  const equal = toEqualityFilter<Schemas['TransactionFilter']>({
    type,
    status,
    traderId: trader,
    externalReference: reference,
  });
  return createdAt ? { ...equal, createdAt } : equal;
}

/** Default order: newest first. */
export const newestFirst: Sort = { by: 'createdAt', descending: true };

/** Transactions of the sales channel that match. */
export const useTransactions = (filters: Filters, sort: Sort | undefined): RowSource<Transaction> => {
  const $filter = toApiFilter(filters);
  return useRowSource<Transaction>({
    queryKey: ['transactions', $filter, sort ?? null],
    fetchPage({ offset, limit, signal }) {
      const query = {
        $limit: limit,
        $offset: offset,
        ...toApiOrder(sort),
        $expand: [...listedMembers],
        ...($filter && { $filter }),
      };
      return unwrapPage(api.GET('/saleschannel-services/v1/transactions', { signal, params: { query } }));
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
