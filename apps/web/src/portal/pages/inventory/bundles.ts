import { answerOf, api, nextCursor, type Schemas } from '../../../shared/api/client.ts';
import { useRowSource, type RowSource } from '../../../shared/ui/row-source.ts';
import { contractOrder, type Sort } from '../../../shared/ui/sorting.ts';
import { contractFilter, type Filters } from '../../transfers/filter.ts';

export type Bundle = Schemas['ListableAsset'];

/** The bundles of a trader that fit. @param total how many they are, once that is known */
export const useBundles = (
  traderId: string,
  filters: Filters,
  sort: Sort | undefined,
  total: number | undefined,
): RowSource<Bundle> => {
  const $filter = contractFilter(filters);
  return useRowSource<Bundle>({
    queryKey: ['inventory', traderId, 'bundles', $filter ?? null, sort ?? null],
    total,
    async fetchPage({ offset, limit, signal }) {
      const { data, headers } = await answerOf(
        api.GET('/saleschannel-services/v1/traders/{traderId}/inventory', {
          signal,
          params: {
            path: { traderId },
            query: { $limit: limit, $offset: offset, ...($filter && { $filter }), ...contractOrder(sort) },
          },
        }),
      );
      return { rows: data, hasMore: nextCursor(headers.get('Link')) !== undefined };
    },
  });
};
