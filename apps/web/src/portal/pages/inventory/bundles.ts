import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { unwrapResponse, api, unwrapData, nextCursor, type Schemas } from '../../../shared/api/client.ts';
import { useRowSource, type RowSource } from '../../../shared/ui/row-source.ts';
import { toApiOrder, type Sort } from '../../../shared/ui/sorting.ts';
import { hasChannelRole, useMe } from '../../me.ts';
import { toApiFilter, type Filters } from '../../transfers/filter.ts';

export type Bundle = Schemas['ListableAsset'];

/** Bundles of a trader that match. @param total number of bundles, once known */
export const useBundles = (
  traderId: string,
  filters: Filters,
  sort: Sort | undefined,
  total: number | undefined,
): RowSource<Bundle> => {
  const $filter = toApiFilter(filters);
  return useRowSource<Bundle>({
    queryKey: ['inventory', traderId, 'bundles', $filter ?? null, sort ?? null],
    total,
    async fetchPage({ offset, limit, signal }) {
      const { data, headers } = await unwrapResponse(
        api.GET('/saleschannel-services/v1/traders/{traderId}/inventory', {
          signal,
          params: {
            path: { traderId },
            query: { $limit: limit, $offset: offset, ...($filter && { $filter }), ...toApiOrder(sort) },
          },
        }),
      );
      return { rows: data, hasMore: nextCursor(headers.get('Link')) !== undefined };
    },
  });
};

/** Facility labels with the code, which certificate ids contain. Ids for users without the role. */
export function useFacilityNames(): (facilityId: string) => string {
  const { data: me } = useMe();
  const { data } = useQuery({
    queryKey: ['facilities'],
    enabled: me !== undefined && hasChannelRole(me, 'PRODUCTIONFACILITY_VIEWER'),
    staleTime: 600_000,
    queryFn: async ({ signal }) => {
      const facilities = await unwrapData(api.GET('/saleschannel-services/v1/production-facilities', { signal }));
      return new Map(facilities.map(({ id, code, name }) => [id, `${code} ${name}`]));
    },
  });
  return (facilityId) => data?.get(facilityId) ?? facilityId;
}

export type InventorySummary = Schemas['InventorySummary'];

/** Totals of a trader's matching bundles. */
export const useInventorySummary = (traderId: string, filters: Filters): UseQueryResult<InventorySummary> => {
  const $filter = toApiFilter(filters);
  return useQuery({
    queryKey: ['inventory', traderId, 'summary', $filter ?? null],
    placeholderData: (before) => before,
    queryFn: ({ signal }) =>
      unwrapData(
        api.GET('/saleschannel-services/v1/traders/{traderId}/inventory/summary', {
          signal,
          params: { path: { traderId }, query: { ...($filter && { $filter }) } },
        }),
      ),
  });
};
