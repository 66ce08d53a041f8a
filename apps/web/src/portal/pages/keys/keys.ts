import { useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { unwrapResponse, api, unwrapData, type Schemas } from '../../../shared/api/client.ts';
import { createSecret } from '../../../shared/api/idempotency.ts';
import { useSubmission } from '../../../shared/api/queries.ts';
import { keysKey, type Key, type Kind } from '../../keys/keys.ts';

export interface NewKey {
  readonly id: string;
  readonly secret: string;
  /** Undefined if no name was given. Null if the key was created but could not be named. */
  readonly name: string | null | undefined;
}

interface KeyRequest {
  readonly kind: Kind;
  readonly name: string | undefined;
  /** Applies to registry keys. API keys last one year. */
  readonly expiresAt: string;
}

const setName = (keyId: string, name: string | null): Promise<Schemas['KeyDetail']> =>
  unwrapData(api.PATCH('/account-portal/keys/{keyId}', { params: { path: { keyId } }, body: { name } }));

const isThere = async ({ id }: { readonly id: string }): Promise<boolean> =>
  (await unwrapData(api.GET('/account-portal/keys'))).some((key) => key.id === id);

async function createKey({ kind, expiresAt }: KeyRequest): Promise<{ id: string; secret: string }> {
  if (kind === 'REGISTRY') {
    return createSecret(
      () => unwrapResponse(api.POST('/account-portal/registry-keys', { body: { expiresAt } })),
      isThere,
    );
  }
  // The public API calls the secret of an API key a passphrase.
  const created = await createSecret(() => unwrapResponse(api.POST('/authentication/users/me/api-keys')), isThere);
  return { id: created.id, secret: created.passphrase };
}

/** Creates a key and then names it. Returns the secret even if naming fails, because it cannot be read again. */
async function create(request: KeyRequest): Promise<NewKey> {
  const { id, secret } = await createKey(request);
  const { name } = request;
  if (name === undefined) return { id, secret, name };
  const named = await setName(id, name).catch(() => null);
  return { id, secret, name: named === null ? null : name };
}

interface Removal extends Pick<Key, 'kind' | 'id'> {
  /** Also deletes every key created with it. */
  readonly descendants: boolean;
}

const remove = ({ kind, id, descendants }: Removal): Promise<unknown> =>
  kind === 'API'
    ? unwrapData(
        api.DELETE('/authentication/api-keys/{apiKeyId}', {
          params: { path: { apiKeyId: id }, ...(descendants && { query: { descendants } }) },
        }),
      )
    : unwrapData(
        api.DELETE('/account-portal/registry-keys/{registryKeyId}', { params: { path: { registryKeyId: id } } }),
      );

/** Changes keys and reloads the list. */
function useChange<T, V>(work: (value: V) => Promise<T>): UseMutationResult<T, Error, V> {
  const queries = useQueryClient();
  return useSubmission({
    mutationFn: work,
    onSuccess: () => queries.invalidateQueries({ queryKey: keysKey }),
    // Secrets leave the cache once they are off screen.
    gcTime: 0,
  });
}

export const useCreateKey = (): UseMutationResult<NewKey, Error, KeyRequest> => useChange(create);

export const useDeleteKey = (): UseMutationResult<unknown, Error, Removal> => useChange(remove);

export const useNameKey = (keyId: string): UseMutationResult<unknown, Error, string | null> =>
  useChange((name: string | null) => setName(keyId, name));
