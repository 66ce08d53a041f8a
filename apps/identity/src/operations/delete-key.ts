import { INSTALLATION_SCOPE, recordAudit, REGISTRY_SCOPE, scopeOf, type Act } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { EntityManager } from '@saleschannel/database';
import { notFound } from '@saleschannel/errors';
import { enqueue } from '@saleschannel/messaging';
import type { Context } from '../context.ts';
import { findApiKey, lockRegistryKey, type ListedKey } from '../store/keys.ts';
import { deleteKeys, findKeysOfUser, findKeyCreator, moveChildrenUp, type DeletedKey } from '../store/key-trees.ts';
import { lockUser } from '../store/users.ts';

/** The actor, and the trail that records deletions of API keys. */
type Deleter = Pick<Act, 'actor'> & { readonly scope: string };

/** Deletes keys with all descendants, records each deletion, and announces it to every gateway. */
async function deleteWithDescendants(em: EntityManager, ids: readonly string[], by: Deleter): Promise<string[]> {
  const deleted = await deleteKeys(em, ids);
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

function toAct({ id, userId, accountHolderId, expiresAt }: DeletedKey, { actor, scope }: Deleter): Act {
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
): Promise<ListedKey> {
  const { key, deleted } = await database.transaction(async (em) => {
    await lockUser(em, userId);
    const found = await findApiKey(em, id, userId);
    if (!found) throw notFound();
    if (!withDescendants) await moveChildrenUp(em, id);
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
): Promise<ListedKey> {
  const key = await database.transaction(async (em) => {
    const found = await lockRegistryKey(em, id, accountHolderId);
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
    const maker = await findKeyCreator(em, id);
    if (maker?.userId) await lockUser(em, maker.userId);
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
    return deleteWithDescendants(em, await findKeysOfUser(em, userId), byOperator(actor));
  });
  logger.info({ keyIds: deleted, userId }, 'keys of a user revoked by the operator');
  return deleted;
}
