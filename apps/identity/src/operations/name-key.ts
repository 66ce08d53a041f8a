import { recordAudit, REGISTRY_SCOPE, scopeOf } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import { notFound } from '@saleschannel/errors';
import { lockKeyDetail, nameKey as write, type KeyDetail, type KeyOwner } from '../store/key-details.ts';

/**
 * Sets or removes the name of a key. The trail does not record the name, which may be that of a person.
 * @throws DomainError 'not-found' unless the owner has the key
 */
export const nameKey = (
  database: Database,
  id: string,
  name: string | null,
  owner: KeyOwner,
  actor: Actor,
): Promise<KeyDetail> =>
  database.transaction(async (em) => {
    const key = await lockKeyDetail(em, id, owner);
    if (!key) throw notFound();
    if (key.name === name) return key;
    await write(em, key, name);
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
