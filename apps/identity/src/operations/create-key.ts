import { recordAudit, REGISTRY_SCOPE, scopeOf, type AuditAction } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { EntityManager } from '@saleschannel/database';
import { forbidden, notFound } from '@saleschannel/errors';
import { hashSecret, newId, newSecret, oneCalendarYearAfter, type SecretPrefix } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import type { Peppers } from '../domain/peppers.ts';
import { checkRegistryKeyExpiry, refuseTooManyKeys, type Key } from '../domain/key.ts';
import type { User } from '../domain/user.ts';
import {
  addApiKey,
  addRegistryKey,
  countApiKeys,
  countRegistryKeys,
  lockAccountHolderKeys,
  type ApiKeyOwner,
  type RegistryKeyOwner,
  type SecretHash,
} from '../store/keys.ts';
import { hasApiKey } from '../store/key-trees.ts';
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
 * Locks the user who makes a key. The key that they showed may have been deleted since they showed it: a key that
 * nobody would find below it would outlive it.
 * @throws DomainError 'not-found' for an unknown user, 'forbidden' for a disabled one and without that key
 */
async function lockMaker(em: EntityManager, { userId, madeWithKeyId }: ApiKeyOwner): Promise<User> {
  const user = await lockUser(em, userId);
  if (!user) throw notFound();
  if (user.disabledAt !== null) throw forbidden();
  if (madeWithKeyId !== undefined && !(await hasApiKey(em, madeWithKeyId, userId))) throw forbidden();
  return user;
}

/**
 * As {@link lockMaker}. The user may have left the account holder since they signed in, and the key would stay.
 * @throws DomainError 'forbidden' for a user of another account holder, too
 */
async function lockMakerOfRegistryKey(
  em: EntityManager,
  { createdBy, madeWithKeyId, accountHolderId }: RegistryKeyOwner,
): Promise<void> {
  if (createdBy === undefined) return;
  const user = await lockMaker(em, { userId: createdBy, madeWithKeyId });
  if (user.accountHolderId !== accountHolderId) throw forbidden();
}

/**
 * Makes an API key of a user, good for one calendar year.
 * @throws DomainError 'not-found' for an unknown user, 'forbidden' for a disabled one, 'request-refused' for too many
 * keys
 */
export async function createApiKey(
  { database, peppers, clock, logger }: Context,
  owner: ApiKeyOwner,
  actor: Actor,
): Promise<CreatedKey> {
  const { userId } = owner;
  const now = clock.now();
  const key: Key = { id: newId(), createdAt: now, expiresAt: oneCalendarYearAfter(now) };
  const { secret, hash } = generateSecret('scs_key', peppers);
  const made = await database.transaction(async (em): Promise<CreatedKey> => {
    await lockMaker(em, owner);
    refuseTooManyKeys(await countApiKeys(em, userId, now));
    addApiKey(em, { ...key, ...hash }, owner);
    const after = { userId, expiresAt: key.expiresAt.toISOString() };
    await recordAudit(em, [{ ...created('api-key', key), scopes: [scopeOf(actor)], actor, after }]);
    return { key, secret };
  });
  logger.info({ keyId: key.id, userId }, 'api key created');
  return made;
}

/**
 * Makes a registry key of an account holder.
 * @throws DomainError 'invalid-request' for an expiry out of range, 'forbidden' for a user who does not belong to it,
 * 'request-refused' for too many keys
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
  const made = await database.transaction(async (em): Promise<CreatedKey> => {
    await lockMakerOfRegistryKey(em, owner);
    await lockAccountHolderKeys(em, owner.accountHolderId);
    refuseTooManyKeys(await countRegistryKeys(em, owner.accountHolderId, now));
    addRegistryKey(em, { ...key, ...hash }, owner);
    const after = { accountHolderId: owner.accountHolderId, expiresAt: expiresAt.toISOString() };
    await recordAudit(em, [{ ...created('registry-key', key), scopes: [REGISTRY_SCOPE], actor, after }]);
    return { key, secret };
  });
  logger.info({ keyId: key.id, ...owner }, 'registry key created');
  return made;
}
