import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../../shared/api/client.ts';

export type Kind = 'api' | 'registry';
export type Key = Pick<Schemas['ApiKey'], 'id' | 'createdOn' | 'expiresAt'>;
export type NewKey = Key & { readonly secret: string };

/** API keys last for a year. */
export type WantedKey = { readonly kind: 'api' } | { readonly kind: 'registry'; readonly expiresAt: string };

const queryKey = (kind: Kind): readonly string[] => ['keys', kind];

const list = (kind: Kind, signal: AbortSignal): Promise<Key[]> =>
  kind === 'api'
    ? dataOf(api.GET('/authentication/users/me/api-keys', { signal }))
    : dataOf(api.GET('/account-portal/registry-keys', { signal }));

async function create(wanted: WantedKey): Promise<NewKey> {
  if (wanted.kind === 'api') {
    // The public API has another name for the secret of this kind of key.
    const { passphrase: secret, ...key } = await dataOf(api.POST('/authentication/users/me/api-keys'));
    return { ...key, secret };
  }
  return dataOf(api.POST('/account-portal/registry-keys', { body: { expiresAt: wanted.expiresAt } }));
}

const remove = (kind: Kind, id: string): Promise<unknown> =>
  kind === 'api'
    ? dataOf(api.DELETE('/authentication/api-keys/{apiKeyId}', { params: { path: { apiKeyId: id } } }))
    : dataOf(api.DELETE('/account-portal/registry-keys/{registryKeyId}', { params: { path: { registryKeyId: id } } }));

export const useKeys = (kind: Kind): UseQueryResult<Key[]> =>
  useQuery({ queryKey: queryKey(kind), queryFn: ({ signal }) => list(kind, signal) });

/** What changes the list of keys, and reads it again. */
function useChange<T, V>(kind: Kind, work: (value: V) => Promise<T>): UseMutationResult<T, Error, V> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: work,
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKey(kind) }),
    // A secret is not kept longer than it is looked at.
    gcTime: 0,
  });
}

export const useCreateKey = (kind: Kind): UseMutationResult<NewKey, Error, WantedKey> => useChange(kind, create);

export const useDeleteKey = (kind: Kind): UseMutationResult<unknown, Error, string> =>
  useChange(kind, (id: string) => remove(kind, id));
