import type { LookUp } from '@saleschannel/database';
import { lookUpOwnerOf, type Call } from '@saleschannel/grpc';
import {
  hashSecret,
  isId,
  isWellFormedSecret,
  secretsEqual,
  type Clock,
  type SecretPrefix,
} from '@saleschannel/primitives';
import type { Logger } from '@saleschannel/runtime';
import { unauthenticated } from '../domain/credential-errors.ts';
import type { Peppers } from '../domain/peppers.ts';
import type { ApiKeyCredential, KeyId, RegistryKeyCredential, StoredCredential } from '../store/credentials.ts';

/** A key presented by its holder. */
export interface KeyCredential {
  readonly keyId: string;
  readonly secret: string;
}

export interface KeyCheck {
  readonly findApiKey: LookUp<KeyId, ApiKeyCredential>;
  readonly findRegistryKey: LookUp<KeyId, RegistryKeyCredential>;
  readonly peppers: Peppers;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Compared for an unknown id, so that it takes as long as a wrong secret. */
const NO_HASH = Buffer.alloc(32);

/** @throws DomainError 'unauthenticated' */
async function check<T extends StoredCredential>(
  { peppers, clock, logger }: KeyCheck,
  { keyId, secret }: KeyCredential,
  prefix: SecretPrefix,
  find: LookUp<KeyId, T>,
  call: Call,
): Promise<T> {
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
  return key;
}

/** @throws DomainError 'unauthenticated' */
export const checkApiKey = (context: KeyCheck, key: KeyCredential, call: Call): Promise<ApiKeyCredential> =>
  check(context, key, 'scs_key', context.findApiKey, call);

/** @throws DomainError 'unauthenticated' */
export const checkRegistryKey = (context: KeyCheck, key: KeyCredential, call: Call): Promise<RegistryKeyCredential> =>
  check(context, key, 'scs_reg', context.findRegistryKey, call);
