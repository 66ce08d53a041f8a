import { recordAudit, REGISTRY_SCOPE, scopeOf, type AuditAction } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import { notFound } from '@saleschannel/errors';
import { hashSecret, newId, newSecret, oneCalendarYearAfter, type SecretPrefix } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import type { Peppers } from '../domain/peppers.ts';
import { checkRegistryKeyExpiry, refuseTooManyKeys, type Key } from '../domain/key.ts';
import {
  addApiKey,
  addRegistryKey,
  countApiKeys,
  countRegistryKeys,
  lockAccountHolderKeys,
  type RegistryKeyOwner,
  type SecretHash,
} from '../store/keys.ts';
import { lockUser } from '../store/users.ts';

export interface CreatedKey {
  readonly key: Key;
  /** Known now and never again. */
  readonly secret: string;
}

function generateSecret(prefix: SecretPrefix, { current }: Peppers): { secret: string; hash: SecretHash } {
  const secret = newSecret(prefix);
  return { secret, hash: { secretHash: hashSecret(secret, current.key), pepperVersion: current.version } };
}

const created = (type: 'api-key' | 'registry-key', { id }: Key) => ({
  action: `identity.${type}.created` satisfies AuditAction as AuditAction,
  subject: { type, id },
});

/**
 * Makes an API key of a user, good for one calendar year.
 * @throws DomainError 'not-found' for an unknown user, 'request-refused' for one who has too many keys
 */
export async function createApiKey(
  { database, peppers, clock, logger }: Context,
  userId: string,
  actor: Actor,
): Promise<CreatedKey> {
  const now = clock.now();
  const key: Key = { id: newId(), createdAt: now, expiresAt: oneCalendarYearAfter(now) };
  const { secret, hash } = generateSecret('scs_key', peppers);
  await database.transaction(async (em) => {
    if (!(await lockUser(em, userId))) throw notFound();
    refuseTooManyKeys(await countApiKeys(em, userId, now));
    addApiKey(em, { ...key, ...hash }, userId);
    const after = { userId, expiresAt: key.expiresAt.toISOString() };
    await recordAudit(em, [{ ...created('api-key', key), scopes: [scopeOf(actor)], actor, after }]);
  });
  logger.info({ keyId: key.id, userId }, 'api key created');
  return { key, secret };
}

/**
 * Makes a registry key of an account holder.
 * @throws DomainError 'invalid-request' for an expiry out of range, 'request-refused' for too many keys
 */
export async function createRegistryKey(
  { database, peppers, clock, logger }: Context,
  owner: RegistryKeyOwner,
  expiresAt: Date,
  actor: Actor,
): Promise<CreatedKey> {
  const now = clock.now();
  checkRegistryKeyExpiry(expiresAt, now);
  const key: Key = { id: newId(), createdAt: now, expiresAt };
  const { secret, hash } = generateSecret('scs_reg', peppers);
  await database.transaction(async (em) => {
    await lockAccountHolderKeys(em, owner.accountHolderId);
    refuseTooManyKeys(await countRegistryKeys(em, owner.accountHolderId, now));
    addRegistryKey(em, { ...key, ...hash }, owner);
    const after = { accountHolderId: owner.accountHolderId, expiresAt: expiresAt.toISOString() };
    await recordAudit(em, [{ ...created('registry-key', key), scopes: [REGISTRY_SCOPE], actor, after }]);
  });
  logger.info({ keyId: key.id, ...owner }, 'registry key created');
  return { key, secret };
}
