import {
  INSTALLATION_SCOPE,
  recordAudit,
  REGISTRY_SCOPE,
  scopeOf,
  type Act,
  type AuditAction,
} from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { forbidden, notFound } from '@saleschannel/errors';
import { enqueue } from '@saleschannel/messaging';
import { addCalendarYear, hashSecret, newId, newSecret, type SecretPrefix } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import { checkRegistryKeyExpiry, refuseTooManyKeys, type Key, type Peppers } from '../domain/credentials.ts';
import type { User } from '../domain/user.ts';
import * as trees from '../store/key-trees.ts';
import * as store from '../store/keys.ts';
import { lockUser } from '../store/users.ts';

export interface CreatedKey {
  readonly key: Key;
  /** Available only here. */
  readonly secret: string;
}

function generateSecret(prefix: SecretPrefix, { current }: Peppers): { secret: string; hash: store.SecretHash } {
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
async function lockCreator(em: EntityManager, { userId, madeWithKeyId }: store.ApiKeyOwner): Promise<User> {
  const user = await lockUser(em, userId);
  if (!user) throw notFound();
  if (user.disabledAt !== null) throw forbidden();
  if (madeWithKeyId !== undefined && !(await trees.hasApiKey(em, madeWithKeyId, userId))) throw forbidden();
  return user;
}

/**
 * Like {@link lockCreator}. The user may have left the account holder since they signed in.
 * @throws DomainError also 'forbidden' for a user of another account holder
 */
async function lockRegistryKeyCreator(
  em: EntityManager,
  { createdBy, madeWithKeyId, accountHolderId }: store.RegistryKeyOwner,
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
  owner: store.ApiKeyOwner,
  actor: Actor,
): Promise<CreatedKey> {
  const { userId } = owner;
  const now = clock.now();
  const key: Key = { id: newId(), createdAt: now, expiresAt: addCalendarYear(now) };
  const { secret, hash } = generateSecret('scs_key', peppers);
  const created = await database.transaction(async (em): Promise<CreatedKey> => {
    await lockCreator(em, owner);
    refuseTooManyKeys(await store.countApiKeys(em, userId, now));
    store.insertApiKey(em, { ...key, ...hash }, owner);
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
  owner: store.RegistryKeyOwner,
  expiresAt: Date,
  actor: Actor,
): Promise<CreatedKey> {
  const now = clock.now();
  checkRegistryKeyExpiry(expiresAt, now);
  const key: Key = { id: newId(), createdAt: now, expiresAt };
  const { secret, hash } = generateSecret('scs_reg', peppers);
  const created = await database.transaction(async (em): Promise<CreatedKey> => {
    await lockRegistryKeyCreator(em, owner);
    await store.lockAccountHolderKeys(em, owner.accountHolderId);
    refuseTooManyKeys(await store.countRegistryKeys(em, owner.accountHolderId, now));
    store.insertRegistryKey(em, { ...key, ...hash }, owner);
    const after = { accountHolderId: owner.accountHolderId, expiresAt: expiresAt.toISOString() };
    await recordAudit(em, [{ ...toCreation('registry-key', key), scopes: [REGISTRY_SCOPE], actor, after }]);
    return { key, secret };
  });
  logger.info({ keyId: key.id, ...owner }, 'registry key created');
  return created;
}

/**
 * Sets or removes the name of a key. The trail does not record the name, which may be that of a person.
 * @throws DomainError 'not-found' unless the owner has the key
 */
export const nameKey = (
  database: Database,
  id: string,
  name: string | null,
  owner: store.KeyOwner,
  actor: Actor,
): Promise<store.KeyDetail> =>
  database.transaction(async (em) => {
    const key = await store.lockKeyDetail(em, id, owner);
    if (!key) throw notFound();
    if (key.name === name) return key;
    await store.nameKey(em, key, name);
    const isApiKey = key.kind === 'API';
    await recordAudit(em, [
      {
        action: isApiKey ? 'identity.api-key.named' : 'identity.registry-key.named',
        scopes: [isApiKey ? scopeOf(actor) : REGISTRY_SCOPE],
        actor,
        subject: { type: isApiKey ? 'api-key' : 'registry-key', id },
        after: { members: ['name'] },
      },
    ]);
    return { ...key, name };
  });

/** The actor, and the trail that records deletions of API keys. */
type Deleter = Pick<Act, 'actor'> & { readonly scope: string };

/** Deletes keys with all descendants, records each deletion, and announces it to every gateway. */
async function deleteWithDescendants(em: EntityManager, ids: readonly string[], by: Deleter): Promise<string[]> {
  const deleted = await trees.deleteKeys(em, ids);
  enqueue(
    em,
    'identity.key.deleted.v1',
    deleted.map(({ id: keyId }) => ({ keyId })),
  );
  await recordAudit(
    em,
    deleted.map((key) => toAct(key, by)),
  );
  return deleted.map(({ id }) => id);
}

function toAct({ id, userId, accountHolderId, expiresAt }: trees.DeletedKey, { actor, scope }: Deleter): Act {
  if (accountHolderId === null)
    return {
      action: 'identity.api-key.deleted',
      scopes: [scope],
      actor,
      subject: { type: 'api-key', id },
      before: { userId, expiresAt },
    };
  return {
    action: 'identity.registry-key.deleted',
    scopes: [REGISTRY_SCOPE],
    actor,
    subject: { type: 'registry-key', id },
    before: { accountHolderId, expiresAt },
  };
}

/** Operators' acts belong to the trail of the installation. */
const byOperator = (actor: Actor): Deleter => ({ actor, scope: INSTALLATION_SCOPE });

interface Deletion {
  /** Owner of the key. */
  readonly userId: string;
  /** Also deletes all descendants, even the key that authenticated the request. */
  readonly withDescendants: boolean;
}

/**
 * Deletes an API key and returns it. Keys created with it are attached to its parent, unless they are deleted too.
 * @throws DomainError 'not-found' unless the user owns the key
 */
export async function deleteApiKey(
  { database, logger }: Context,
  id: string,
  { userId, withDescendants }: Deletion,
  actor: Actor,
): Promise<store.ListedKey> {
  const { key, deleted } = await database.transaction(async (em) => {
    await lockUser(em, userId);
    const found = await store.findApiKey(em, id, userId);
    if (!found) throw notFound();
    if (!withDescendants) await trees.moveChildrenUp(em, id);
    return { key: found, deleted: await deleteWithDescendants(em, [id], { actor, scope: scopeOf(actor) }) };
  });
  logger.info({ keyIds: deleted, userId }, 'keys deleted');
  return key;
}

/** @throws DomainError 'not-found' unless the account holder owns the key */
export async function deleteRegistryKey(
  { database, logger }: Context,
  id: string,
  accountHolderId: string,
  actor: Actor,
): Promise<store.ListedKey> {
  const key = await database.transaction(async (em) => {
    const found = await store.lockRegistryKey(em, id, accountHolderId);
    if (!found) throw notFound();
    await deleteWithDescendants(em, [id], { actor, scope: REGISTRY_SCOPE });
    return found;
  });
  logger.info({ keyIds: [id], accountHolderId }, 'keys deleted');
  return key;
}

/** Deletes a key of either kind with all descendants, for an operator. Returns the ids of all deleted keys. */
export async function revokeKey({ database, logger }: Context, id: string, actor: Actor): Promise<string[]> {
  const deleted = await database.transaction(async (em) => {
    const creator = await trees.findKeyCreator(em, id);
    if (creator?.userId) await lockUser(em, creator.userId);
    return deleteWithDescendants(em, [id], byOperator(actor));
  });
  logger.info({ keyIds: deleted }, 'keys revoked by the operator');
  return deleted;
}

/**
 * Deletes the API keys of a user and the registry keys that they created, for an operator.
 * @throws DomainError 'not-found' for an unknown user
 */
export async function revokeUserKeys({ database, logger }: Context, userId: string, actor: Actor): Promise<string[]> {
  const deleted = await database.transaction(async (em) => {
    if (!(await lockUser(em, userId))) throw notFound();
    return deleteWithDescendants(em, await trees.findKeysOfUser(em, userId), byOperator(actor));
  });
  logger.info({ keyIds: deleted, userId }, 'keys of a user revoked by the operator');
  return deleted;
}
