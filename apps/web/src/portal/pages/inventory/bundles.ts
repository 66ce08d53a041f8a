import { answerOf, api, type Schemas } from '../../../shared/api/client.ts';
import { nextCursor } from '../../../shared/api/paging.ts';
import { useRowSource, type RowSource } from '../../../shared/ui/row-source.ts';

export type Bundle = Schemas['ListableAsset'];

export const filterNames = ['trader', 'vintage', 'methodologyCode', 'productionFacilityId', 'issuanceId'] as const;
export type Filters = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

/** The filter of the contract: equality by member. */
export function contractFilter(filters: Filters): Schemas['InventoryFilter'] | undefined {
  const { vintage, methodologyCode, productionFacilityId, issuanceId } = filters;
  const filter: Schemas['InventoryFilter'] = {
    ...(vintage === undefined ? {} : { vintage: { eq: vintage } }),
    ...(methodologyCode === undefined ? {} : { methodologyCode: { eq: methodologyCode } }),
    ...(productionFacilityId === undefined ? {} : { productionFacilityId: { eq: productionFacilityId } }),
    ...(issuanceId === undefined ? {} : { issuanceId: { eq: issuanceId } }),
  };
  return Object.keys(filter).length === 0 ? undefined : filter;
}

/** The bundles of a trader that fit. */
export const useBundles = (traderId: string, filters: Filters): RowSource<Bundle> => {
  const $filter = contractFilter(filters);
  return useRowSource<Bundle>({
    queryKey: ['inventory', traderId, $filter],
    async fetchPage({ offset, limit, signal }) {
      const { data, headers } = await answerOf(
        api.GET('/saleschannel-services/v1/traders/{traderId}/inventory', {
          signal,
          params: {
            path: { traderId },
            query: { $limit: limit, $offset: offset, ...($filter && { $filter }) },
          },
        }),
      );
      return { rows: data, hasMore: nextCursor(headers.get('Link')) !== undefined };
    },
  });
};
