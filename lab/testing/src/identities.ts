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
/** Principals of tests live for a minute: one shall not end because the machine stands still for a while. */
const signer = await createPrincipalSigner(keys.privateKeys['identity'] as never, { lifetimeMs: 60_000 });

/** The keys by which every service of the tests knows the others. */
export const publicKeys = keys.publicKeys;

/** The variables by which a service under test knows itself and the others. */
export const identityVariables = (service: KeyHolder): Record<string, string> => ({
  SERVICE_PRIVATE_KEY: JSON.stringify(keys.privateKeys[service]),
  SERVICE_PUBLIC_KEYS: JSON.stringify(keys.publicKeys),
});

/**
 * Calls of tests may take four times as long as a user's: a service that waits for one that cannot be reached says so
 * before its caller has given up, also on a busy machine.
 */
const CALL_TIMEOUT_MS = 20_000;

/**
 * A client that calls as the named service: the way to test an RPC over the wire, and that other callers are refused.
 * @param receiver whose address it is, for a service that several programs serve
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

/** For every service, unless the test names the receivers. */
export const principalToken = (principal: Principal, receivers: readonly string[] = keyHolders): Promise<string> =>
  signer.sign(principal, receivers);

/** Call options on behalf of a user of a channel with these roles. Tokens live for a minute, so make one per test. */
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
