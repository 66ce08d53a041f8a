import { recordAudit, REGISTRY_SCOPE, scopeOf, type Act } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { EntityManager } from '@saleschannel/database';
import { notFound } from '@saleschannel/errors';
import { enqueue } from '@saleschannel/messaging';
import type { Context } from '../context.ts';
import type { Key } from '../domain/key.ts';
import { deleteApiKey as removeApiKey, deleteRegistryKey as removeRegistryKey } from '../store/keys.ts';

/** Deletes a key and returns what it was. Whoever remembers it hears of it. */
async function deleteKey(
  { database, logger }: Context,
  remove: (em: EntityManager) => Promise<Key | undefined>,
  act: Omit<Act, 'subject'> & { readonly kind: string },
): Promise<Key> {
  const deleted = await database.transaction(async (em) => {
    const key = await remove(em);
    if (!key) throw notFound();
    await enqueue(em, 'identity.key.deleted.v1', [{ keyId: key.id }]);
    const { kind: type, ...done } = act;
    const before = { ...done.before, expiresAt: key.expiresAt.toISOString() };
    await recordAudit(em, [{ ...done, subject: { type, id: key.id }, before }]);
    return key;
  });
  logger.info({ keyId: deleted.id }, 'key deleted');
  return deleted;
}

/** @throws DomainError 'not-found' for anything but a key of this user */
export const deleteApiKey = (context: Context, id: string, userId: string, actor: Actor): Promise<Key> =>
  deleteKey(context, (em) => removeApiKey(em, id, userId), {
    kind: 'api-key',
    action: 'identity.api-key.deleted',
    scopes: [scopeOf(actor)],
    actor,
    before: { userId },
  });

/** @throws DomainError 'not-found' for anything but a key of this account holder */
export const deleteRegistryKey = (context: Context, id: string, accountHolderId: string, actor: Actor): Promise<Key> =>
  deleteKey(context, (em) => removeRegistryKey(em, id, accountHolderId), {
    kind: 'registry-key',
    action: 'identity.registry-key.deleted',
    scopes: [REGISTRY_SCOPE],
    actor,
    before: { accountHolderId },
  });
