import { useQuery, useQueryClient, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { api, unwrapData, type Schemas } from '../../shared/api/client.ts';
import { useSubmission } from '../../shared/api/queries.ts';

export type AccountHolder = Schemas['AccountHolder'];
export type Proposal = Schemas['RegistryProposal'];
export type SalesChannel = Schemas['OpenSalesChannel'];

const ownKey = ['holder', 'own'];
const proposalsKey = ['holder', 'proposals'];

/** Page size limit of the API. There are fewer sales channels. */
const ALL = 1_000;

export const useOwnHolder = (): UseQueryResult<AccountHolder> =>
  useQuery({
    queryKey: ownKey,
    queryFn: ({ signal }) => unwrapData(api.GET('/account-portal/account-holder', { signal })),
  });

export function useUpdateOwnHolder(): UseMutationResult<AccountHolder, Error, Schemas['OwnHolderPatch']> {
  const queries = useQueryClient();
  return useSubmission({
    mutationFn: (body: Schemas['OwnHolderPatch']) => unwrapData(api.PATCH('/account-portal/account-holder', { body })),
    onSuccess: (holder) => queries.setQueryData(ownKey, holder),
  });
}

export const useHolderProposals = (): UseQueryResult<Proposal[]> =>
  useQuery({
    queryKey: proposalsKey,
    queryFn: ({ signal }) =>
      unwrapData(
        api.GET('/account-portal/trader-onboarding-proposals', { signal, params: { query: { $limit: ALL } } }),
      ),
  });

export function useSubmitProposal(): UseMutationResult<Proposal, Error, string> {
  const queries = useQueryClient();
  return useSubmission({
    mutationFn: (salesChannelId: string) =>
      unwrapData(api.POST('/account-portal/trader-onboarding-proposals', { body: { salesChannelId } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: proposalsKey }),
  });
}

export const useSalesChannels = (): UseQueryResult<SalesChannel[]> =>
  useQuery({
    queryKey: ['holder', 'sales-channels'],
    queryFn: ({ signal }) =>
      unwrapData(api.GET('/account-portal/sales-channels', { signal, params: { query: { $limit: ALL } } })),
  });

/** Names of sales channels by id. Suspended channels are not listed, so the id is shown. */
export function useChannelNames(): (id: string) => string {
  const { data } = useSalesChannels();
  return (id) => data?.find((channel) => channel.id === id)?.name ?? id;
}

/** Traders of the account holder, from accepted proposals. */
export const onboardedTraders = (
  proposals: readonly Pick<Proposal, 'status' | 'onboardedTraderId'>[],
): ReadonlySet<string> =>
  new Set(
    proposals.flatMap(({ status, onboardedTraderId }) =>
      status === 'ACCEPTED' && onboardedTraderId !== null ? [onboardedTraderId] : [],
    ),
  );

export const addressFields = ['street1', 'street2', 'postalCode', 'city', 'country'] as const;
type AddressField = (typeof addressFields)[number];

/** Error pointers of the API for an address. */
export const addressPointers: readonly string[] = addressFields.map((name) => `/address/${name}`);

/** Changes to an address. Only the second line can be removed; other emptied lines are left unchanged. */
export function diffAddress(
  valueOf: (name: AddressField) => string | undefined,
  before: Schemas['AccountHolderAddress'],
): Schemas['AccountHolderAddressPatch'] {
  const changed: Partial<Record<AddressField, string | null>> = {};
  for (const name of addressFields) {
    const value = valueOf(name) ?? null;
    if (value !== before[name] && (value !== null || name === 'street2')) changed[name] = value;
  }
  return changed as Schemas['AccountHolderAddressPatch'];
}
