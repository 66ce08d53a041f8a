import { hashSecret, isId, isWellFormedSecret, secretsEqual, type SecretPrefix } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import { unauthenticated } from '../domain/credential-errors.ts';
import {
  findApiKeyCredential,
  findRegistryKeyCredential,
  type ApiKeyCredential,
  type RegistryKeyCredential,
} from '../store/keys.ts';

export interface BasicCredential {
  readonly username: string;
  readonly password: string;
}

/** Compared with when there is no such key, so that an unknown id takes as long as a wrong passphrase. */
const NO_HASH = Buffer.alloc(32);

/** @throws DomainError 'unauthenticated' */
async function check<T extends { secretHash: Buffer; expiresAt: Date }>(
  context: Context,
  credential: BasicCredential,
  prefix: SecretPrefix,
  find: (id: string) => Promise<T | undefined>,
): Promise<T> {
  // What has not the shape of a key needs no look-up: that tells nothing but what its sender can see for himself.
  if (!isId(credential.username) || !isWellFormedSecret(credential.password, prefix)) throw unauthenticated();
  const key = await find(credential.username);
  const isRight = secretsEqual(hashSecret(credential.password, context.pepper), key?.secretHash ?? NO_HASH);
  if (!key || !isRight || key.expiresAt <= context.clock.now()) throw unauthenticated();
  return key;
}

export const checkApiKey = (context: Context, credential: BasicCredential): Promise<ApiKeyCredential> =>
  check(context, credential, 'scs_key', (id) => findApiKeyCredential(context.database.em(), id));

export const checkRegistryKey = (context: Context, credential: BasicCredential): Promise<RegistryKeyCredential> =>
  check(context, credential, 'scs_reg', (id) => findRegistryKeyCredential(context.database.em(), id));
