import { notFound } from '@saleschannel/errors';
import { hashSecret, newId, newSecret, oneCalendarYearAfter, type SecretPrefix } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import { refuseTooManyKeys, registryKeyExpiry } from '../domain/key-rules.ts';
import { addApiKey, addRegistryKey, countApiKeys, countRegistryKeys, lockAccountHolderKeys } from '../store/keys.ts';
import { lockUser } from '../store/users.ts';

export interface NewKey {
  readonly id: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Known now and never again. */
  readonly secret: string;
}

interface Generated {
  readonly key: NewKey;
  readonly row: Omit<NewKey, 'secret'> & { readonly secretHash: Buffer };
}

function generate(context: Context, prefix: SecretPrefix, createdAt: Date, expiresAt: Date): Generated {
  const id = newId();
  const secret = newSecret(prefix);
  return {
    key: { id, createdAt, expiresAt, secret },
    row: { id, createdAt, expiresAt, secretHash: hashSecret(secret, context.pepper) },
  };
}

/**
 * A sales-channel key of a user, good for one calendar year.
 * @throws DomainError 'not-found' for an unknown user, 'request-refused' for one who has too many keys
 */
export async function createApiKey(context: Context, userId: string): Promise<NewKey> {
  const now = context.clock.now();
  const { key, row } = generate(context, 'scs_key', now, oneCalendarYearAfter(now));
  await context.database.transaction(async (em) => {
    if (!(await lockUser(em, userId))) throw notFound();
    refuseTooManyKeys(await countApiKeys(em, userId, now));
    addApiKey(em, { ...row, userId });
  });
  context.logger.info({ keyId: key.id, userId }, 'api key created');
  return key;
}

/**
 * A registry key of an account holder.
 * @param createdBy the user; null for an operator
 * @throws DomainError 'invalid-request' for an expiry out of range, 'request-refused' for too many keys
 */
export async function createRegistryKey(
  context: Context,
  owner: { accountHolderId: string; createdBy: string | null },
  expiresAt: string,
): Promise<NewKey> {
  const now = context.clock.now();
  const { key, row } = generate(context, 'scs_reg', now, registryKeyExpiry(expiresAt, now));
  await context.database.transaction(async (em) => {
    await lockAccountHolderKeys(em, owner.accountHolderId);
    refuseTooManyKeys(await countRegistryKeys(em, owner.accountHolderId, now));
    addRegistryKey(em, { ...row, ...owner });
  });
  context.logger.info({ keyId: key.id, ...owner }, 'registry key created');
  return key;
}
