import type { EntityManager } from '@saleschannel/database';
import { notFound } from '@saleschannel/errors';
import { enqueue } from '@saleschannel/messaging';
import { isId } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import { lockApiKey, lockRegistryKey, type ListedKey } from '../store/keys.ts';

async function deleteKey<K extends ListedKey>(
  context: Context,
  id: string,
  lock: (em: EntityManager) => Promise<K | null>,
): Promise<K> {
  if (!isId(id)) throw notFound();
  const deleted = await context.database.transaction(async (em) => {
    const key = await lock(em);
    if (!key) throw notFound();
    em.remove(key);
    await enqueue(em, 'identity.key.deleted.v1', [{ keyId: id }]);
    return key;
  });
  context.logger.info({ keyId: id }, 'key deleted');
  return deleted;
}

/** @throws DomainError 'not-found' for anything but a key of this user */
export const deleteApiKey = (context: Context, id: string, userId: string): Promise<ListedKey> =>
  deleteKey(context, id, (em) => lockApiKey(em, id, userId));

/** @throws DomainError 'not-found' for anything but a key of this account holder */
export const deleteRegistryKey = (context: Context, id: string, accountHolderId: string): Promise<ListedKey> =>
  deleteKey(context, id, (em) => lockRegistryKey(em, id, accountHolderId));
