import { hashSecret } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import { replaceApiKeyHash, replaceRegistryKeyHash, type StoredCredential } from '../store/credentials.ts';

interface ShownKey {
  readonly keyId: string;
  readonly secret: string;
}

/**
 * Hashes a key under the current pepper when it is under an older one: only now is its secret known. Nobody waits for
 * it, and when it fails the next time will do. It never goes to an older version: while replicas differ in what is
 * current, they would undo each other's work.
 */
function renew(
  { database, peppers: { current }, logger }: Context,
  { keyId, secret }: ShownKey,
  stored: StoredCredential,
  replace: typeof replaceApiKeyHash,
): void {
  if (stored.pepperVersion >= current.version) return;
  const fresh = { secretHash: hashSecret(secret, current.key), pepperVersion: current.version };
  replace(database.em(), keyId, stored, fresh).catch((error: unknown) =>
    logger.warn({ err: error, keyId }, 'a key cannot be hashed under the current pepper'),
  );
}

export const renewApiKeyHash = (context: Context, key: ShownKey, stored: StoredCredential): void =>
  renew(context, key, stored, replaceApiKeyHash);

export const renewRegistryKeyHash = (context: Context, key: ShownKey, stored: StoredCredential): void =>
  renew(context, key, stored, replaceRegistryKeyHash);
