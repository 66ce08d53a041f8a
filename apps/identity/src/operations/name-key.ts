import { recordAudit, REGISTRY_SCOPE, scopeOf } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import { notFound } from '@saleschannel/errors';
import { lockKeyDetail, nameKey as write, type KeyDetail, type KeyOwner } from '../store/key-details.ts';

/**
 * Gives a key a name, or takes it away. The trail says that it was done, not the name: it may be that of a person.
 * @param owner whose key it must be
 * @throws DomainError 'not-found' for any other key
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
