import type { Role } from '@saleschannel/auth';
import type { EntityManager } from '@saleschannel/database';
import { notFound, requestRefused } from '@saleschannel/errors';
import { enqueue } from '@saleschannel/messaging';
import type { Context } from '../context.ts';
import { refuseLastAdministrator, type Binding } from '../domain/binding.ts';
import {
  deleteBinding,
  deleteRole,
  findBinding,
  insertBinding,
  insertRoles,
  someAdministrators,
} from '../store/bindings.ts';
import { lockSalesChannel } from '../store/sales-channels.ts';

interface Target {
  readonly userId: string;
  readonly salesChannelId: string;
}

/** Says whether anything became different, and what to answer. */
type Work<T> = (em: EntityManager) => Promise<{ changed: boolean; answer: T }>;

/**
 * One change of a channel's bindings. When anything became different, everybody who remembers the user's rights hears of it.
 * @throws DomainError 'not-found' for an unknown channel
 */
async function change<T>(context: Context, { userId, salesChannelId }: Target, work: Work<T>): Promise<T> {
  return context.database.transaction(async (em) => {
    if (!(await lockSalesChannel(em, salesChannelId))) throw notFound();
    const { changed, answer } = await work(em);
    if (changed) await enqueue(em, 'rbac.binding.changed.v1', [{ userId }]);
    return answer;
  });
}

/** @throws DomainError 'not-found' for a user who is not bound to this channel */
async function bindingIn(em: EntityManager, { userId, salesChannelId }: Target): Promise<Binding> {
  const binding = await findBinding(em, userId);
  if (binding?.salesChannelId !== salesChannelId) throw notFound();
  return binding;
}

/** Binding twice is the same as once. @throws DomainError 'not-found' for a user who is bound to another channel: he stays there */
export const bindUser = (context: Context, target: Target): Promise<Binding> =>
  change(context, target, async (em) => {
    const changed = await insertBinding(em, target.userId, target.salesChannelId);
    return { changed, answer: await bindingIn(em, target) };
  });

/** Answers the binding as it was. @throws DomainError 'not-found', 'request-refused' for the last administrator */
export const unbindUser = (context: Context, target: Target): Promise<Binding> =>
  change(context, target, async (em) => {
    const answer = await bindingIn(em, target);
    refuseLastAdministrator(target.userId, await someAdministrators(em, target.salesChannelId));
    await deleteBinding(em, target.userId);
    return { changed: true, answer };
  });

/** Granting twice is the same as once. @throws DomainError 'not-found' */
export const grantRole = (context: Context, target: Target, role: Role): Promise<void> =>
  change(context, target, async (em) => {
    await bindingIn(em, target);
    return { changed: await insertRoles(em, target.userId, [role]), answer: undefined };
  });

/** Removing a role that is not held changes nothing. @throws DomainError 'not-found', 'request-refused' for the last administrator */
export const removeRole = (context: Context, target: Target, role: Role): Promise<void> =>
  change(context, target, async (em) => {
    await bindingIn(em, target);
    if (role === 'ROLE_ADMINISTRATOR')
      refuseLastAdministrator(target.userId, await someAdministrators(em, target.salesChannelId));
    return { changed: await deleteRole(em, target.userId, role), answer: undefined };
  });

/** Binds and grants at once, for an operator. @throws DomainError 'not-found' for the channel, 'request-refused' for a user of another one */
export const assignRoles = (context: Context, target: Target, roles: readonly Role[]): Promise<Binding> =>
  change(context, target, async (em) => {
    const bound = await insertBinding(em, target.userId, target.salesChannelId);
    const before = await findBinding(em, target.userId);
    if (before?.salesChannelId !== target.salesChannelId)
      throw requestRefused('The user is bound to another sales channel.');
    const granted = await insertRoles(em, target.userId, roles);
    return { changed: bound || granted, answer: await bindingIn(em, target) };
  });
