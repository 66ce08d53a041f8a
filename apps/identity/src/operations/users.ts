import { INSTALLATION_SCOPE, recordAudit, type Act } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import { notFound, requestRefused } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import type { User, UserClaims } from '../domain/user.ts';
import * as store from '../store/users.ts';
import { endAndDescribe } from './sessions.ts';

/** Users introduced by one sales channel who never signed in. */
const MAX_UNSEEN = 1_000;

/**
 * Creates a user for a sales channel before their first token, and returns their id. A known user stays unchanged. Only
 * the installation's trail records it: the channel's trail would reveal which users were known.
 * @throws DomainError 'request-refused' if the channel introduced too many users who never signed in
 */
export const introduceUser = (
  database: Database,
  claims: UserClaims,
  salesChannelId: string,
  actor: Actor,
): Promise<string> =>
  database.transaction(async (em) => {
    const [, known, isFull] = await Promise.all([
      store.lockIntroductions(em, salesChannelId),
      store.findUserByClaims(em, claims),
      store.hasIntroduced(em, salesChannelId, MAX_UNSEEN),
    ]);
    if (known) return known.id;
    if (isFull)
      throw requestRefused(
        `The sales channel has introduced ${MAX_UNSEEN} users who never signed in, which is the limit.`,
      );
    const id = newId();
    // A concurrent first token may have created the user.
    if (!(await store.insertUserOnce(em, claims, { id, introducedBy: salesChannelId })))
      return (await store.requireUser(em, claims)).id;
    const act = { action: 'identity.user.introduced', subject: { type: 'user', id } } as const;
    await recordAudit(em, [{ ...act, scopes: [INSTALLATION_SCOPE], actor, after: { salesChannelId } }]);
    return id;
  });

/**
 * Sets the account holder of a user.
 * @param accountHolderId undefined removes the user from theirs
 * @throws DomainError 'not-found' for an unknown user
 */
export const setAccountHolder = (
  database: Database,
  id: string,
  accountHolderId: string | undefined,
  actor: Actor,
): Promise<User> =>
  database.transaction(async (em) => {
    const known = await store.lockUser(em, id);
    const user = known && (await store.updateAccountHolder(em, id, accountHolderId));
    if (!user) throw notFound();
    const act = { action: 'identity.user.account-holder-set', subject: { type: 'user', id } } as const;
    const before = { accountHolderId: known.accountHolderId };
    const after = { accountHolderId: user.accountHolderId };
    await recordAudit(em, [{ ...act, scopes: [INSTALLATION_SCOPE], actor, before, after }]);
    return user;
  });

const toAuditState = ({ disabledAt, disabledReason: reason }: User) => ({ disabledAt, reason });

const toAct = (before: User, after: User, act: Pick<Act, 'action' | 'actor'>): Act => ({
  ...act,
  scopes: [INSTALLATION_SCOPE],
  subject: { type: 'user', id: after.id },
  before: toAuditState(before),
  after: toAuditState(after),
});

/** Refuses the user's credentials from now on, and ends their sessions. @throws DomainError 'not-found' */
export const disableUser = (
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  id: string,
  reason: string,
  actor: Actor,
): Promise<User> =>
  database.transaction(async (em) => {
    const known = await store.lockUser(em, id);
    const user = known && (await store.disableUser(em, id, reason));
    if (!user) throw notFound();
    const { issuer, subject } = user;
    const { acts } = await endAndDescribe(em, { issuer, subject }, { by: 'USER_DISABLED', actor, now: clock.now() });
    await recordAudit(em, [toAct(known, user, { action: 'identity.user.disabled', actor }), ...acts]);
    return user;
  });

/** Accepts the user's credentials again. Sessions stay ended. @throws DomainError 'not-found' */
export const enableUser = ({ database }: Pick<Context, 'database'>, id: string, actor: Actor): Promise<User> =>
  database.transaction(async (em) => {
    const known = await store.lockUser(em, id);
    const user = known && (await store.enableUser(em, id));
    if (!user) throw notFound();
    await recordAudit(em, [toAct(known, user, { action: 'identity.user.enabled', actor })]);
    return user;
  });
