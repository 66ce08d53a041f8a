import { INSTALLATION_SCOPE, recordAudit, type AuditAction } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { notFound } from '@saleschannel/errors';
import type { User } from '../domain/user.ts';
import { disableUser as disable, enableUser as enable, lockUser } from '../store/users.ts';

const standingOf = ({ disabledAt, disabledReason: reason }: User) => ({ disabledAt, reason });

const change = (
  database: Database,
  id: string,
  work: (em: EntityManager) => Promise<User | undefined>,
  act: { action: AuditAction; actor: Actor },
): Promise<User> =>
  database.transaction(async (em) => {
    const known = await lockUser(em, id);
    const user = known && (await work(em));
    if (!user) throw notFound();
    const states = { before: standingOf(known), after: standingOf(user) };
    await recordAudit(em, [{ ...act, scopes: [INSTALLATION_SCOPE], subject: { type: 'user', id }, ...states }]);
    return user;
  });

/** None of the user's credentials is good from now on. @throws DomainError 'not-found' */
export const disableUser = (database: Database, id: string, reason: string, actor: Actor): Promise<User> =>
  change(database, id, (em) => disable(em, id, reason), { action: 'identity.user.disabled', actor });

/** The user's credentials are good again. @throws DomainError 'not-found' */
export const enableUser = (database: Database, id: string, actor: Actor): Promise<User> =>
  change(database, id, (em) => enable(em, id), { action: 'identity.user.enabled', actor });
