import type { Role } from '@saleschannel/auth';
import type { Database, EntityManager } from '@saleschannel/database';
import { notFound, requestRefused } from '@saleschannel/errors';
import { enqueue } from '@saleschannel/messaging';
import { refuseLastAdministrator, type Binding, type Target } from '../domain/binding.ts';
import {
  deleteBinding,
  deleteRole,
  findBinding,
  findSomeAdministrators,
  insertBinding,
  insertRoles,
} from '../store/bindings.ts';
import { lockSalesChannel } from '../store/sales-channels.ts';

/** Says whether anything became different, and what to answer. */
type Work<T> = (em: EntityManager) => Promise<{ changed: boolean; answer: T }>;

/**
 * One change of a channel's bindings. When anything became different, whoever remembers the user's rights hears of it.
 * @throws DomainError 'not-found' for an unknown channel
 */
const change = <T>(database: Database, { userId, salesChannelId }: Target, work: Work<T>): Promise<T> =>
  database.transaction(async (em) => {
    if (!(await lockSalesChannel(em, salesChannelId))) throw notFound();
    const { changed, answer } = await work(em);
    if (changed) await enqueue(em, 'rbac.binding.changed.v1', [{ userId }]);
    return answer;
  });

/** @throws DomainError 'not-found' for a user who is not bound to this channel */
async function bindingIn(em: EntityManager, { userId, salesChannelId }: Target): Promise<Binding> {
  const binding = await findBinding(em, userId);
  if (binding?.salesChannelId !== salesChannelId) throw notFound();
  return binding;
}

/**
 * Binds a user. Twice is the same as once. A user of another channel stays there.
 * @throws DomainError 'not-found' for a user of another channel
 */
export const bindUser = (database: Database, target: Target): Promise<Binding> =>
  change(database, target, async (em) => {
    const changed = await insertBinding(em, target);
    return { changed, answer: await bindingIn(em, target) };
  });

/**
 * Ends a binding and returns what it was.
 * @throws DomainError 'not-found', or 'request-refused' for the last administrator
 */
export const unbindUser = (database: Database, target: Target): Promise<Binding> =>
  change(database, target, async (em) => {
    const answer = await bindingIn(em, target);
    refuseLastAdministrator(target.userId, await findSomeAdministrators(em, target.salesChannelId));
    await deleteBinding(em, target.userId);
    return { changed: true, answer };
  });

/** Gives a role. Twice is the same as once. @throws DomainError 'not-found' */
export const grantRole = (database: Database, target: Target, role: Role): Promise<void> =>
  change(database, target, async (em) => {
    await bindingIn(em, target);
    return { changed: await insertRoles(em, target.userId, [role]), answer: undefined };
  });

/**
 * Takes a role. Taking one that is not held changes nothing.
 * @throws DomainError 'not-found', or 'request-refused' for the last administrator
 */
export const removeRole = (database: Database, target: Target, role: Role): Promise<void> =>
  change(database, target, async (em) => {
    await bindingIn(em, target);
    if (role === 'ROLE_ADMINISTRATOR')
      refuseLastAdministrator(target.userId, await findSomeAdministrators(em, target.salesChannelId));
    return { changed: await deleteRole(em, target.userId, role), answer: undefined };
  });

/**
 * Binds a user and gives roles at once, for an operator.
 * @throws DomainError 'not-found' for an unknown channel, 'request-refused' for a user of another one
 */
export const assignRoles = (database: Database, target: Target, roles: readonly Role[]): Promise<Binding> =>
  change(database, target, async (em) => {
    const bound = await insertBinding(em, target);
    const before = await findBinding(em, target.userId);
    if (before?.salesChannelId !== target.salesChannelId)
      throw requestRefused('The user is bound to another sales channel.');
    const granted = await insertRoles(em, target.userId, roles);
    return { changed: bound || granted, answer: await bindingIn(em, target) };
  });
