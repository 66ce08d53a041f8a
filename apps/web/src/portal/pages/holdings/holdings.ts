import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { answerOf, api, asCsv, dataOf, type Schemas } from '../../../shared/api/client.ts';
import type { RequestKeys } from '../../../shared/api/idempotency.ts';
import { nextCursor } from '../../../shared/api/paging.ts';
import { useRowSource, type RowSource } from '../../../shared/ui/row-source.ts';
import type { HolderTransaction } from '../../holder/transactions.ts';
import { transactionsKey } from '../../holder/transactions.ts';
import { contractFilter, type Filters } from './filter.ts';
import { totalsOf, type Total } from './totals.ts';

export type Holding = Schemas['Holding'];

const key = ['holder', 'holdings'];
/** Bundles that are added up: a page at its longest. */
export const ADDED_UP_AT_MOST = 1_000;

const filtered = (filters: Filters) => {
  const $filter = contractFilter(filters);
  return $filter ? { $filter } : {};
};

/** The bundles of the account holder that fit. */
export const useHoldings = (filters: Filters): RowSource<Holding> =>
  useRowSource<Holding>({
    queryKey: [...key, 'list', filtered(filters)],
    async fetchPage({ offset, limit, signal }) {
      const query = { ...filtered(filters), $limit: limit, $offset: offset };
      const { data, headers } = await answerOf(api.GET('/account-portal/holdings', { signal, params: { query } }));
      return { rows: data, hasMore: nextCursor(headers.get('Link')) !== undefined };
    },
  });

/** How much that is by state. Null: they are too many to be added up here. */
export const useTotals = (filters: Filters): UseQueryResult<Total[] | null> =>
  useQuery({
    queryKey: [...key, 'totals', filtered(filters)],
    async queryFn({ signal }) {
      const query = { ...filtered(filters), $limit: ADDED_UP_AT_MOST };
      const { data, headers } = await answerOf(api.GET('/account-portal/holdings', { signal, params: { query } }));
      return nextCursor(headers.get('Link')) === undefined ? totalsOf(data) : null;
    },
  });

export const loadCsv = (filters: Filters): Promise<Blob> =>
  dataOf(api.GET('/account-portal/holdings', { ...asCsv, params: { query: filtered(filters) } }));

/** What is outside of every sales channel can be listed on one. */
export const canBeListed = ({ state }: Pick<Holding, 'state'>): boolean =>
  state === 'UNLISTED' || state === 'OFFRAMPED';

export function useOnramp(keys: RequestKeys): UseMutationResult<HolderTransaction, Error, Schemas['OnrampRequest']> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas['OnrampRequest']) =>
      dataOf(
        api.POST('/account-portal/onramps', {
          body,
          params: { header: { 'Idempotency-Key': keys.keyFor(body) } },
        }),
      ),
    onSuccess(_transaction, body) {
      keys.answered(body);
      return Promise.all([key, transactionsKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
}
