import { useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useSubmission } from '../../../shared/api/use-submission.ts';
import { answerOf, api, dataOf, type Schemas } from '../../../shared/api/client.ts';
import { makeSecret } from '../../../shared/api/idempotency.ts';
import { keysKey, type Key, type Kind } from '../../keys/keys.ts';

export interface NewKey {
  readonly id: string;
  readonly secret: string;
  /** Undefined: none was asked for. Null: the key is made, and could not be given its name. */
  readonly name: string | null | undefined;
}

interface Wanted {
  readonly kind: Kind;
  readonly name: string | undefined;
  /** API keys last for a year. */
  readonly expiresAt: string;
}

const setName = (keyId: string, name: string | null): Promise<Schemas['KeyDetail']> =>
  dataOf(api.PATCH('/account-portal/keys/{keyId}', { params: { path: { keyId } }, body: { name } }));

const isThere = async ({ id }: { readonly id: string }): Promise<boolean> =>
  (await dataOf(api.GET('/account-portal/keys'))).some((key) => key.id === id);

async function make({ kind, expiresAt }: Wanted): Promise<{ id: string; secret: string }> {
  if (kind === 'REGISTRY') {
    return makeSecret(() => answerOf(api.POST('/account-portal/registry-keys', { body: { expiresAt } })), isThere);
  }
  // The public API has another name for the secret of this kind of key.
  const made = await makeSecret(() => answerOf(api.POST('/authentication/users/me/api-keys')), isThere);
  return { id: made.id, secret: made.passphrase };
}

/** Makes a key, then names it. The secret is there even if the name is not: it is told only once. */
async function create(wanted: Wanted): Promise<NewKey> {
  const { id, secret } = await make(wanted);
  const { name } = wanted;
  if (name === undefined) return { id, secret, name };
  const named = await setName(id, name).catch(() => null);
  return { id, secret, name: named === null ? null : name };
}

interface Removal extends Pick<Key, 'kind' | 'id'> {
  /** Also deletes every key made with it. */
  readonly descendants: boolean;
}

const remove = ({ kind, id, descendants }: Removal): Promise<unknown> =>
  kind === 'API'
    ? dataOf(
        api.DELETE('/authentication/api-keys/{apiKeyId}', {
          params: { path: { apiKeyId: id }, ...(descendants && { query: { descendants } }) },
        }),
      )
    : dataOf(api.DELETE('/account-portal/registry-keys/{registryKeyId}', { params: { path: { registryKeyId: id } } }));

/** What changes the list of keys, and reads it again. */
function useChange<T, V>(work: (value: V) => Promise<T>): UseMutationResult<T, Error, V> {
  const queries = useQueryClient();
  return useSubmission({
    mutationFn: work,
    onSuccess: () => queries.invalidateQueries({ queryKey: keysKey }),
    // A secret is not kept longer than it is looked at.
    gcTime: 0,
  });
}

export const useCreateKey = (): UseMutationResult<NewKey, Error, Wanted> => useChange(create);

export const useDeleteKey = (): UseMutationResult<unknown, Error, Removal> => useChange(remove);

export const useNameKey = (keyId: string): UseMutationResult<unknown, Error, string | null> =>
  useChange((name: string | null) => setName(keyId, name));
