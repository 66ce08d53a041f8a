import { useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useSubmission } from '../../../shared/api/use-submission.ts';
import { api, dataOf, type Schemas } from '../../../shared/api/client.ts';

function useChange<V>(work: (value: V) => Promise<unknown>): UseMutationResult<unknown, Error, V> {
  const queries = useQueryClient();
  return useSubmission({
    mutationFn: work,
    onSuccess: () =>
      Promise.all(['traders', 'trader', 'proposals'].map((name) => queries.invalidateQueries({ queryKey: [name] }))),
  });
}

export const useCreateTrader = (): UseMutationResult<unknown, Error, Schemas['TraderCreate']> =>
  useChange((body) => dataOf(api.POST('/saleschannel-services/v1/traders', { body })));

export const useUpdateTrader = (traderId: string): UseMutationResult<unknown, Error, Schemas['TraderPatch']> =>
  useChange((body) =>
    dataOf(api.PATCH('/saleschannel-services/v1/traders/{traderId}', { body, params: { path: { traderId } } })),
  );

export const useAnswerProposal = (id: string): UseMutationResult<unknown, Error, 'accept' | 'reject'> =>
  useChange((answer) => {
    const options = { params: { path: { traderOnboardingProposalId: id } } };
    const path = '/saleschannel-services/v1/trader-onboarding-proposals/{traderOnboardingProposalId}';
    return answer === 'accept'
      ? dataOf(api.POST(`${path}/accept`, options))
      : dataOf(api.POST(`${path}/reject`, options));
  });
