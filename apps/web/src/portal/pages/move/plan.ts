import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, unwrapData, type Schemas } from '../../../shared/api/client.ts';
import { toApiFilter, type Filters } from '../../transfers/filter.ts';
import { transactionTypes, type TransferKind } from '../../transfers/kinds.ts';
import type { SelectedBundle } from '../../transfers/selected.ts';

export type Plan = Schemas['Plan'];

/** Planned certificates: selected bundles, or a volume of the oldest bundles. */
export type Source =
  | { readonly kind: 'selected'; readonly bundles: readonly SelectedBundle[] }
  | { readonly kind: 'oldest'; readonly volume: string; readonly filters: Filters };

/** Whole tonnes. No plan is requested for volumes that JSON cannot represent exactly. */
const VOLUME = /^[1-9]\d{0,15}$/;

export function buildPlanRequest(act: TransferKind, source: Source): Schemas['PlanRequest'] | undefined {
  const type = transactionTypes[act];
  if (source.kind === 'selected') {
    if (source.bundles.length === 0) return undefined;
    return { type, assets: source.bundles.map(({ start, end }) => ({ start, end })) };
  }
  const volume = Number(source.volume);
  if (!VOLUME.test(source.volume) || !Number.isSafeInteger(volume)) return undefined;
  const filter = toApiFilter(source.filters);
  return { type, volume, order: 'OLDEST', ...(filter && { filter }) };
}

/** Plan by the ledger's rules, requested again on every change of the form. It has no side effects. */
export const usePlan = (
  act: TransferKind,
  traderId: string,
  request: Schemas['PlanRequest'] | undefined,
): UseQueryResult<Plan> =>
  useQuery({
    queryKey: ['plan', act, traderId, request],
    enabled: request !== undefined,
    staleTime: 0,
    gcTime: 0,
    queryFn: ({ signal }) =>
      unwrapData(
        api.POST('/saleschannel-services/v1/traders/{traderId}/inventory/plan', {
          signal,
          params: { path: { traderId } },
          body: request as Schemas['PlanRequest'],
        }),
      ),
  });
