import { INSTALLATION_SCOPE, recordAudit, type AuditAction } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { notFound } from '@saleschannel/errors';
import type { User } from '../domain/user.ts';
import { disableUser as disable, enableUser as enable } from '../store/users.ts';

const change = (
  database: Database,
  work: (em: EntityManager) => Promise<User | undefined>,
  act: { action: AuditAction; actor: Actor },
): Promise<User> =>
  database.transaction(async (em) => {
    const user = await work(em);
    if (!user) throw notFound();
    const after = { disabledAt: user.disabledAt, reason: user.disabledReason };
    await recordAudit(em, [{ ...act, scopes: [INSTALLATION_SCOPE], subject: { type: 'user', id: user.id }, after }]);
    return user;
  });

/** None of the user's credentials is good from now on. @throws DomainError 'not-found' */
export const disableUser = (database: Database, id: string, reason: string, actor: Actor): Promise<User> =>
  change(database, (em) => disable(em, id, reason), { action: 'identity.user.disabled', actor });

/** The user's credentials are good again. @throws DomainError 'not-found' */
export const enableUser = (database: Database, id: string, actor: Actor): Promise<User> =>
  change(database, (em) => enable(em, id), { action: 'identity.user.enabled', actor });
