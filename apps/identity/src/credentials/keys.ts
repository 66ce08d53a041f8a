import type { LookUp } from '@saleschannel/database';
import { lookUpOwnerOf, type Call } from '@saleschannel/grpc';
import { hashSecret, isId, isWellFormedSecret, secretsEqual, type SecretPrefix } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import { unauthenticated } from '../domain/credentials.ts';
import {
  replaceApiKeyHash,
  replaceRegistryKeyHash,
  type ApiKeyCredential,
  type KeyId,
  type RegistryKeyCredential,
  type StoredCredential,
} from '../store/credentials.ts';

/** A key presented by its holder. */
interface KeyCredential {
  readonly keyId: string;
  readonly secret: string;
}

/** A kind of key. */
interface Kind<T> {
  readonly prefix: SecretPrefix;
  readonly find: LookUp<KeyId, T>;
  readonly replaceHash: typeof replaceApiKeyHash;
}

/** Compared for an unknown id, so that it takes as long as a wrong secret. */
const NO_HASH = Buffer.alloc(32);

async function check<T extends StoredCredential>(
  context: Context,
  { keyId, secret }: KeyCredential,
  { prefix, find, replaceHash }: Kind<T>,
  call: Call,
): Promise<T> {
  const { peppers, clock, logger } = context;
  // A malformed key needs no look-up. Its faster refusal reveals nothing that the sender does not know.
  if (!isId(keyId) || !isWellFormedSecret(secret, prefix)) throw unauthenticated();
  const key = await find({ keyId }, lookUpOwnerOf(call));
  const pepper = peppers.byVersion.get(key?.pepperVersion ?? peppers.current.version);
  if (!pepper)
    logger.warn(
      { keyId, pepperVersion: key?.pepperVersion },
      'a key is refused: the version of its pepper is not configured',
    );
  const storedHash = pepper ? key?.secretHash : undefined;
  const isRight = secretsEqual(hashSecret(secret, (pepper ?? peppers.current).key), storedHash ?? NO_HASH);
  if (!key || !isRight || key.isDisabled || key.expiresAt <= clock.now()) throw unauthenticated();
  renewHash(context, { keyId, secret }, key, replaceHash);
  return key;
}

/**
 * Hashes a key under the current pepper if its hash uses an older version. Runs in the background; a failure is left to
 * the next use. Never moves to an older version: during a change of the pepper, replicas with different current
 * versions would undo each other's work.
 */
function renewHash(
  { database, peppers: { current }, logger }: Context,
  { keyId, secret }: KeyCredential,
  stored: StoredCredential,
  replace: typeof replaceApiKeyHash,
): void {
  if (stored.pepperVersion >= current.version) return;
  const renewed = { secretHash: hashSecret(secret, current.key), pepperVersion: current.version };
  replace(database.em(), keyId, stored, renewed).catch((error: unknown) =>
    logger.warn({ err: error, keyId }, 'a key cannot be hashed under the current pepper'),
  );
}

/** @throws DomainError 'unauthenticated' */
export const checkApiKey = (context: Context, key: KeyCredential, call: Call): Promise<ApiKeyCredential> =>
  check(context, key, { prefix: 'scs_key', find: context.findApiKey, replaceHash: replaceApiKeyHash }, call);

/** @throws DomainError 'unauthenticated' */
export const checkRegistryKey = (context: Context, key: KeyCredential, call: Call): Promise<RegistryKeyCredential> =>
  check(context, key, { prefix: 'scs_reg', find: context.findRegistryKey, replaceHash: replaceRegistryKeyHash }, call);
