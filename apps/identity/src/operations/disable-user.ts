import { INSTALLATION_SCOPE, recordAudit, type Act } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import { notFound } from '@saleschannel/errors';
import type { Context } from '../context.ts';
import type { User } from '../domain/user.ts';
import { disableUser as disable, enableUser as enable, lockUser } from '../store/users.ts';
import { takeSessions } from './end-sessions.ts';

const standingOf = ({ disabledAt, disabledReason: reason }: User) => ({ disabledAt, reason });

const changeOf = (before: User, after: User, act: Pick<Act, 'action' | 'actor'>): Act => ({
  ...act,
  scopes: [INSTALLATION_SCOPE],
  subject: { type: 'user', id: after.id },
  before: standingOf(before),
  after: standingOf(after),
});

/** Refuses the user's credentials from now on, and ends their sessions. @throws DomainError 'not-found' */
export const disableUser = (
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  id: string,
  reason: string,
  actor: Actor,
): Promise<User> =>
  database.transaction(async (em) => {
    const known = await lockUser(em, id);
    const user = known && (await disable(em, id, reason));
    if (!user) throw notFound();
    const { issuer, subject } = user;
    const { acts } = await takeSessions(em, { issuer, subject }, { by: 'USER_DISABLED', actor, now: clock.now() });
    await recordAudit(em, [changeOf(known, user, { action: 'identity.user.disabled', actor }), ...acts]);
    return user;
  });

/** The user's credentials are good again. Sessions stay ended. @throws DomainError 'not-found' */
export const enableUser = ({ database }: Pick<Context, 'database'>, id: string, actor: Actor): Promise<User> =>
  database.transaction(async (em) => {
    const known = await lockUser(em, id);
    const user = known && (await enable(em, id));
    if (!user) throw notFound();
    await recordAudit(em, [changeOf(known, user, { action: 'identity.user.enabled', actor })]);
    return user;
  });
