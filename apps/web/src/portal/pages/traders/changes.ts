import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schemas } from '../../../shared/api/client.ts';

export type Proposal = Schemas['TraderOnboardingProposal'];

function useChange<V>(work: (value: V) => Promise<unknown>): UseMutationResult<unknown, Error, V> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: work,
    onSuccess: () =>
      Promise.all(['traders', 'trader', 'proposals'].map((name) => queries.invalidateQueries({ queryKey: [name] }))),
  });
}

/** One key for one form: sent again after a lost answer, it creates nothing twice. */
export function useCreateTrader(): UseMutationResult<unknown, Error, Schemas['TraderCreate']> {
  const [key] = useState(() => crypto.randomUUID());
  return useChange((body) =>
    dataOf(api.POST('/saleschannel-services/v1/traders', { body, params: { header: { 'Idempotency-Key': key } } })),
  );
}

export const useUpdateTrader = (traderId: string): UseMutationResult<unknown, Error, Schemas['TraderPatch']> =>
  useChange((body) =>
    dataOf(api.PATCH('/saleschannel-services/v1/traders/{traderId}', { body, params: { path: { traderId } } })),
  );

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

export const useAnswerProposal = (id: string): UseMutationResult<unknown, Error, 'accept' | 'reject'> =>
  useChange((answer) => {
    const options = { params: { path: { traderOnboardingProposalId: id } } };
    const path = '/saleschannel-services/v1/trader-onboarding-proposals/{traderOnboardingProposalId}';
    return answer === 'accept'
      ? dataOf(api.POST(`${path}/accept`, options))
      : dataOf(api.POST(`${path}/reject`, options));
  });
