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
import { createClient, type ServiceClient, type ServiceKey, type CallOptions } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';

const AT_ONCE = 5;

export interface RepeatResults<Reply> {
  /** Answers to five concurrent calls and a later one, all with one idempotency key. */
  readonly answers: Reply[];
  /** Number of answers marked as replays. */
  readonly replays: number;
  /** Result of another request with the same key. */
  readonly refusal: unknown;
}

/**
 * Repeats a call that creates something.
 * @param ask makes the call with these options: always the same request, or one other request if `isOther`
 */
export async function repeatCall<Reply>(
  as: { readonly principalToken: string } | { readonly operator: string },
  ask: (options: CallOptions, isOther: boolean) => Promise<Reply>,
): Promise<RepeatResults<Reply>> {
  let replays = 0;
  const options: CallOptions = { ...as, idempotencyKey: newId(), onReplayed: () => (replays += 1) };
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => ask(options, false)));
  answers.push(await ask(options, false));
  const refusal = await ask(options, true).catch((error: unknown) => error);
  return { answers, replays, refusal };
}

/** Result of {@link repeatCall} if the call created one object. */
export const createdOnce = <Reply>(answer: Reply) => ({
  answers: Array.from({ length: AT_ONCE + 1 }, () => answer),
  replays: AT_ONCE,
  refusal: expectedRefusal,
});

const expectedRefusal: object = {
  asymmetricMatch: (error: unknown) => (error as { code?: unknown } | undefined)?.code === 'idempotency-key-reused',
  toString: () => 'IdempotencyKeyReused',
};

/** Removes the markers that tell which optional fields a message has. */
export function removeMarkers<T>(message: T): T {
  if (Array.isArray(message)) return message.map(removeMarkers) as T;
  if (typeof message !== 'object' || message === null || Buffer.isBuffer(message)) return message;
  const fields = Object.entries(message).filter(([name]) => !name.startsWith('_'));
  return Object.fromEntries(fields.map(([name, value]) => [name, removeMarkers(value as unknown)])) as T;
}

/** Collects the messages of a stream without markers: all, or the first `atMost`. */
export async function collect<T>(messages: AsyncIterable<T>, atMost = Infinity): Promise<T[]> {
  const all: T[] = [];
  for await (const message of messages) if (all.push(removeMarkers(message)) === atMost) break;
  return all;
}

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
