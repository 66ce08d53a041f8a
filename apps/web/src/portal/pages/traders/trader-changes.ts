import { useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { api, unwrapData, type Schemas } from '../../../shared/api/client.ts';
import { useSubmission } from '../../../shared/api/queries.ts';
import { readText } from '../../../shared/ui/form-text.ts';

/** Address members of a trader, named as in forms and the API. */
export const addressFields = ['street', 'zipCode', 'city', 'poBox', 'countryName'] as const;

/** Error pointers of the API for a trader. */
export const pointers: readonly string[] = ['/name', '/businessId', ...addressFields.map((name) => `/address/${name}`)];

/** Reads a new trader from the form. */
export function readTrader(form: FormData): Schemas['TraderCreate'] {
  const address: Record<string, string> = {};
  for (const name of addressFields) {
    const value = readText(form, name);
    if (value !== undefined) address[name] = value;
  }
  return { name: String(form.get('name')).trim(), businessId: String(form.get('businessId')).trim(), address };
}

/** Changes to a trader. Emptied fields become null. */
export function diffTrader(form: FormData, before: Schemas['Trader']): Schemas['TraderPatch'] {
  const { name, businessId, address } = readTrader(form);
  const changed: Record<string, string | null> = {};
  for (const field of addressFields) {
    const value = address[field];
    if (value !== before.address[field]) changed[field] = value ?? null;
  }
  return {
    ...(name === before.name ? {} : { name }),
    ...(businessId === before.businessId ? {} : { businessId }),
    ...(Object.keys(changed).length === 0 ? {} : { address: changed }),
  };
}

function useChange<V>(work: (value: V) => Promise<unknown>): UseMutationResult<unknown, Error, V> {
  const queries = useQueryClient();
  return useSubmission({
    mutationFn: work,
    onSuccess: () =>
      Promise.all(['traders', 'trader', 'proposals'].map((name) => queries.invalidateQueries({ queryKey: [name] }))),
  });
}

export const useCreateTrader = (): UseMutationResult<unknown, Error, Schemas['TraderCreate']> =>
  useChange((body) => unwrapData(api.POST('/saleschannel-services/v1/traders', { body })));

export const useUpdateTrader = (traderId: string): UseMutationResult<unknown, Error, Schemas['TraderPatch']> =>
  useChange((body) =>
    unwrapData(api.PATCH('/saleschannel-services/v1/traders/{traderId}', { body, params: { path: { traderId } } })),
  );

export const useAnswerProposal = (id: string): UseMutationResult<unknown, Error, 'accept' | 'reject'> =>
  useChange((answer) => {
    const options = { params: { path: { traderOnboardingProposalId: id } } };
    const path = '/saleschannel-services/v1/trader-onboarding-proposals/{traderOnboardingProposalId}';
    return answer === 'accept'
      ? unwrapData(api.POST(`${path}/accept`, options))
      : unwrapData(api.POST(`${path}/reject`, options));
  });
