import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../shared/api/client.ts';
import { contractFilter, type Filters } from './filter.ts';

export type InventorySummary = Schemas['InventorySummary'];

/** How much a trader has of what fits, as the API counts it. */
export const useInventorySummary = (traderId: string, filters: Filters): UseQueryResult<InventorySummary> => {
  const $filter = contractFilter(filters);
  return useQuery({
    queryKey: ['inventory', traderId, 'summary', $filter ?? null],
    placeholderData: (before) => before,
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/saleschannel-services/v1/traders/{traderId}/inventory/summary', {
          signal,
          params: { path: { traderId }, query: { ...($filter && { $filter }) } },
        }),
      ),
  });
};
