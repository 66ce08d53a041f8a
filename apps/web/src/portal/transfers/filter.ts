import type { Schemas } from '../../shared/api/client.ts';

export const filterNames = ['trader', 'vintage', 'methodologyCode', 'productionFacilityId', 'issuanceId'] as const;
export type Filters = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

/** API filter by equality. */
export function toApiFilter(filters: Filters): Schemas['InventoryFilter'] | undefined {
  const { vintage, methodologyCode, productionFacilityId, issuanceId } = filters;
  const filter: Schemas['InventoryFilter'] = {
    ...(vintage === undefined ? {} : { vintage: { eq: vintage } }),
    ...(methodologyCode === undefined ? {} : { methodologyCode: { eq: methodologyCode } }),
    ...(productionFacilityId === undefined ? {} : { productionFacilityId: { eq: productionFacilityId } }),
    ...(issuanceId === undefined ? {} : { issuanceId: { eq: issuanceId } }),
  };
  return Object.keys(filter).length === 0 ? undefined : filter;
}
