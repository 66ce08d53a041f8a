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
): Promise<Key> {
  const deleted = await database.transaction(async (em) => {
    const key = await remove(em);
    if (!key) throw notFound();
    await enqueue(em, 'identity.key.deleted.v1', [{ keyId: key.id }]);
    return key;
  });
  logger.info({ keyId: deleted.id }, 'key deleted');
  return deleted;
}

/** @throws DomainError 'not-found' for anything but a key of this user */
export const deleteApiKey = (context: Context, id: string, userId: string): Promise<Key> =>
  deleteKey(context, (em) => removeApiKey(em, id, userId));

/** @throws DomainError 'not-found' for anything but a key of this account holder */
export const deleteRegistryKey = (context: Context, id: string, accountHolderId: string): Promise<Key> =>
  deleteKey(context, (em) => removeRegistryKey(em, id, accountHolderId));
