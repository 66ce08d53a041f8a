import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../shared/api/client.ts';

export type Proposal = Schemas['TraderOnboardingProposal'];

/** Those that wait for an answer. */
export const useProposals = (): UseQueryResult<Proposal[]> =>
  useQuery({
    queryKey: ['proposals'],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/saleschannel-services/v1/trader-onboarding-proposals', {
          signal,
          params: { query: { $limit: 1000, $filter: { status: { eq: 'PENDING' } } } },
        }),
      ),
  });
