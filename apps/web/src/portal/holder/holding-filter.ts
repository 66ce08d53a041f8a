import type { Schemas } from '../../shared/api/client.ts';

export const holdingsKey = ['holder', 'holdings'];

export const filterNames = ['state', 'vintage', 'productionFacilityId', 'salesChannelId'] as const;
export type Filters = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

export const states = ['UNLISTED', 'LISTED', 'RESERVED', 'RETIRED', 'OFFRAMPED'] as const;
export type State = (typeof states)[number];

const isState = (text: string | undefined): text is State => states.some((state) => state === text);

/** API filter by equality. Unknown states are ignored. */
function contractFilter(filters: Filters): Schemas['HoldingFilter'] | undefined {
  const { state, vintage, productionFacilityId, salesChannelId } = filters;
  const filter: Schemas['HoldingFilter'] = {
    ...(isState(state) ? { state: { eq: state } } : {}),
    ...(vintage === undefined ? {} : { vintage: { eq: vintage } }),
    ...(productionFacilityId === undefined ? {} : { productionFacilityId: { eq: productionFacilityId } }),
    ...(salesChannelId === undefined ? {} : { salesChannelId: { eq: salesChannelId } }),
  };
  return Object.keys(filter).length === 0 ? undefined : filter;
}

/** Query parameter for operations that list holdings. */
export const toQuery = (filters: Filters): { $filter?: Schemas['HoldingFilter'] } => {
  const $filter = contractFilter(filters);
  return $filter ? { $filter } : {};
};
