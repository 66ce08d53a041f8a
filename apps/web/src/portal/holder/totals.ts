import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../shared/api/client.ts';
import { filtered, holdingsKey, type Filters } from './holding-filter.ts';

/** How much that is, in all and by what the bundles have in common. */
export const useTotals = (filters: Filters): UseQueryResult<Schemas['HoldingSummary']> =>
  useQuery({
    queryKey: [...holdingsKey, 'totals', filtered(filters)],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/account-portal/holdings/summary', { signal, params: { query: filtered(filters) } })),
  });
