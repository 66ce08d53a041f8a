import { recordAudit, REGISTRY_SCOPE, scopeOf, type AuditAction } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { EntityManager } from '@saleschannel/database';
import { forbidden, notFound } from '@saleschannel/errors';
import { hashSecret, newId, newSecret, addCalendarYear, type SecretPrefix } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import type { Peppers } from '../domain/peppers.ts';
import { checkRegistryKeyExpiry, refuseTooManyKeys, type Key } from '../domain/key.ts';
import type { User } from '../domain/user.ts';
import {
  countApiKeys,
  countRegistryKeys,
  insertApiKey,
  insertRegistryKey,
  lockAccountHolderKeys,
  type ApiKeyOwner,
  type RegistryKeyOwner,
  type SecretHash,
} from '../store/keys.ts';
import { hasApiKey } from '../store/key-trees.ts';
import { lockUser } from '../store/users.ts';

export interface CreatedKey {
  readonly key: Key;
  /** Available only here. */
  readonly secret: string;
}

function generateSecret(prefix: SecretPrefix, { current }: Peppers): { secret: string; hash: SecretHash } {
  const secret = newSecret(prefix);
  return { secret, hash: { secretHash: hashSecret(secret, current.key), pepperVersion: current.version } };
}

const toCreation = (type: 'api-key' | 'registry-key', { id }: Key) => ({
  action: `identity.${type}.created` satisfies AuditAction,
  subject: { type, id },
});

/**
 * Locks the creator of a key. The presented key may have been deleted meanwhile: a child created now would outlive its
 * tree.
 * @throws DomainError 'not-found' for an unknown user, 'forbidden' for a disabled one or a deleted key
 */
async function lockCreator(em: EntityManager, { userId, madeWithKeyId }: ApiKeyOwner): Promise<User> {
  const user = await lockUser(em, userId);
  if (!user) throw notFound();
  if (user.disabledAt !== null) throw forbidden();
  if (madeWithKeyId !== undefined && !(await hasApiKey(em, madeWithKeyId, userId))) throw forbidden();
  return user;
}

/**
 * Like {@link lockCreator}. The user may have left the account holder since they signed in.
 * @throws DomainError also 'forbidden' for a user of another account holder
 */
async function lockRegistryKeyCreator(
  em: EntityManager,
  { createdBy, madeWithKeyId, accountHolderId }: RegistryKeyOwner,
): Promise<void> {
  if (createdBy === undefined) return;
  const user = await lockCreator(em, { userId: createdBy, madeWithKeyId });
  if (user.accountHolderId !== accountHolderId) throw forbidden();
}

/**
 * Creates an API key of a user, valid for one calendar year.
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
  const key: Key = { id: newId(), createdAt: now, expiresAt: addCalendarYear(now) };
  const { secret, hash } = generateSecret('scs_key', peppers);
  const created = await database.transaction(async (em): Promise<CreatedKey> => {
    await lockCreator(em, owner);
    refuseTooManyKeys(await countApiKeys(em, userId, now));
    insertApiKey(em, { ...key, ...hash }, owner);
    const after = { userId, expiresAt: key.expiresAt.toISOString() };
    await recordAudit(em, [{ ...toCreation('api-key', key), scopes: [scopeOf(actor)], actor, after }]);
    return { key, secret };
  });
  logger.info({ keyId: key.id, userId }, 'api key created');
  return created;
}

/**
 * Creates a registry key of an account holder.
 * @throws DomainError 'invalid-request' for an expiry out of range, 'forbidden' for a user of another account holder,
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
  const created = await database.transaction(async (em): Promise<CreatedKey> => {
    await lockRegistryKeyCreator(em, owner);
    await lockAccountHolderKeys(em, owner.accountHolderId);
    refuseTooManyKeys(await countRegistryKeys(em, owner.accountHolderId, now));
    insertRegistryKey(em, { ...key, ...hash }, owner);
    const after = { accountHolderId: owner.accountHolderId, expiresAt: expiresAt.toISOString() };
    await recordAudit(em, [{ ...toCreation('registry-key', key), scopes: [REGISTRY_SCOPE], actor, after }]);
    return { key, secret };
  });
  logger.info({ keyId: key.id, ...owner }, 'registry key created');
  return created;
}
