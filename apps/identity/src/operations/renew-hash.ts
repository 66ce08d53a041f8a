import { hashSecret } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import { replaceApiKeyHash, replaceRegistryKeyHash, type StoredCredential } from '../store/credentials.ts';

interface PresentedKey {
  readonly keyId: string;
  readonly secret: string;
}

/**
 * Hashes a presented key under the current pepper if its hash uses an older version. Runs in the background; a failure
 * is left to the next use. Never moves to an older version: during a change of the pepper, replicas with different
 * current versions would undo each other's work.
 */
function renew(
  { database, peppers: { current }, logger }: Context,
  { keyId, secret }: PresentedKey,
  stored: StoredCredential,
  replace: typeof replaceApiKeyHash,
): void {
  if (stored.pepperVersion >= current.version) return;
  const renewed = { secretHash: hashSecret(secret, current.key), pepperVersion: current.version };
  replace(database.em(), keyId, stored, renewed).catch((error: unknown) =>
    logger.warn({ err: error, keyId }, 'a key cannot be hashed under the current pepper'),
  );
}

export const renewApiKeyHash = (context: Context, key: PresentedKey, stored: StoredCredential): void =>
  renew(context, key, stored, replaceApiKeyHash);

export const renewRegistryKeyHash = (context: Context, key: PresentedKey, stored: StoredCredential): void =>
  renew(context, key, stored, replaceRegistryKeyHash);
