import {
  createPrincipalSigner,
  createServiceTokens,
  generateServiceKeys,
  keyHolders,
  type KeyHolder,
  type Principal,
  type Role,
  type UserPrincipal,
} from '@saleschannel/auth';
import { createClient, type ServiceClient, type ServiceKey } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';

const keys = await generateServiceKeys(keyHolders);
/** Principal tokens of tests are valid for a minute, in case the machine stalls. */
const signer = await createPrincipalSigner(keys.privateKeys['identity'] as never, { lifetimeMs: 60_000 });

/** Public keys by which the services of a test authenticate each other. */
export const publicKeys = keys.publicKeys;

/** Variables with which a service under test authenticates itself and others. */
export const identityVariables = (service: KeyHolder): Record<string, string> => ({
  SERVICE_PRIVATE_KEY: JSON.stringify(keys.privateKeys[service]),
  SERVICE_PUBLIC_KEYS: JSON.stringify(keys.publicKeys),
});

/**
 * Four times the limit of a user's call, so that on a busy machine a service still reports an unreachable neighbour
 * before its caller gives up.
 */
const CALL_TIMEOUT_MS = 20_000;

/**
 * Creates a client that calls as the named service, to test RPCs over the wire and the rejection of other callers.
 * @param receiver owner of the address, required if several programs serve the service
 */
export async function callAs<K extends ServiceKey>(
  service: KeyHolder,
  key: K,
  address: string,
  receiver?: KeyHolder,
  timeoutMs = CALL_TIMEOUT_MS,
): Promise<ServiceClient<K>> {
  const tokens = await createServiceTokens(service, keys.privateKeys[service] as never);
  return createClient(key, { address, tokens, timeoutMs, ...(receiver && { receiver }) });
}

/** Signs a principal token. It is valid for every service unless the test names receivers. */
export const principalToken = (principal: Principal, receivers: readonly string[] = keyHolders): Promise<string> =>
  signer.sign(principal, receivers);

/** Call options on behalf of a channel's user with these roles. Tokens last a minute, so create them per test. */
export async function asUser(
  salesChannelId: string | undefined,
  roles: readonly Role[],
  userId = newId(),
  accountHolderId?: string,
  claims: Pick<UserPrincipal, 'keyId' | 'isSuspended' | 'isRegistry'> = {},
): Promise<{ principalToken: string }> {
  const principal: Principal = { kind: 'user', userId, salesChannelId, roles, accountHolderId, ...claims };
  return { principalToken: await principalToken(principal) };
}

export async function asRegistry(accountHolderId = newId()): Promise<{ principalToken: string }> {
  return { principalToken: await principalToken({ kind: 'registry', keyId: newId(), accountHolderId }) };
}
