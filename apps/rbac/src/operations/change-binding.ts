import type { Role } from '@saleschannel/auth';
import type { Actor } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import { requestRefused } from '@saleschannel/errors';
import { refuseLastAdministrator, type Binding, type BindingKey } from '../domain/binding.ts';
import {
  deleteBinding,
  deleteRole,
  findBinding,
  findSomeAdministrators,
  insertBinding,
  insertRoles,
} from '../store/bindings.ts';
import { refuseClosed } from '../domain/sales-channel.ts';
import { bound, change, granted, refuseSuspended, requireBinding, type Change } from './change.ts';

/**
 * Binds a user. Idempotent. A user of another channel stays there.
 * @throws DomainError 'not-found' for a user of another channel, 'sales-channel-suspended'
 */
export const bindUser = (database: Database, target: BindingKey, actor: Actor): Promise<Binding> =>
  change(database, target, actor, async (em, channel) => {
    refuseSuspended(channel);
    const changes = (await insertBinding(em, target)) ? [bound] : [];
    return { changes, result: await requireBinding(em, target) };
  });

/**
 * Ends a binding and returns it.
 * @throws DomainError 'not-found', or 'request-refused' for the last administrator
 */
export const unbindUser = (database: Database, target: BindingKey, actor: Actor): Promise<Binding> =>
  change(database, target, actor, async (em) => {
    const result = await requireBinding(em, target);
    refuseLastAdministrator(target.userId, await findSomeAdministrators(em, target.salesChannelId));
    await deleteBinding(em, target.userId);
    return { changes: [{ action: 'rbac.user.unbound', before: { roles: result.roles } }], result };
  });

/**
 * Ends the binding of a user to any channel, for an operator. The result reports a channel left without an
 * administrator.
 * @returns undefined for a user without a binding
 */
export async function endBinding(
  database: Database,
  userId: string,
  actor: Actor,
): Promise<{ binding: Binding; wasLastAdministrator: boolean } | undefined> {
  const before = await findBinding(database.em(), userId);
  if (!before) return undefined;
  return change(database, before, actor, async (em) => {
    const binding = await findBinding(em, userId);
    // Unbound or bound elsewhere meanwhile. The operator can retry.
    if (binding?.salesChannelId !== before.salesChannelId) return { changes: [], result: undefined };
    const administrators = await findSomeAdministrators(em, binding.salesChannelId);
    await deleteBinding(em, userId);
    const wasLastAdministrator = administrators.length === 1 && administrators[0] === userId;
    const unbound: Change = { action: 'rbac.user.unbound', before: { roles: binding.roles } };
    return { changes: [unbound], result: { binding, wasLastAdministrator } };
  });
}

/** Grants a role. Idempotent. @throws DomainError 'not-found' or 'sales-channel-suspended' */
export const grantRole = (database: Database, target: BindingKey, role: Role, actor: Actor): Promise<void> =>
  change(database, target, actor, async (em, channel) => {
    refuseSuspended(channel);
    await requireBinding(em, target);
    return { changes: (await insertRoles(em, target.userId, [role])).map(granted), result: undefined };
  });

/**
 * Removes a role. Idempotent.
 * @throws DomainError 'not-found', or 'request-refused' for the last administrator
 */
export const removeRole = (database: Database, target: BindingKey, role: Role, actor: Actor): Promise<void> =>
  change(database, target, actor, async (em) => {
    await requireBinding(em, target);
    if (role === 'ROLE_ADMINISTRATOR')
      refuseLastAdministrator(target.userId, await findSomeAdministrators(em, target.salesChannelId));
    const removed: Change = { action: 'rbac.role.removed', before: { role } };
    return { changes: (await deleteRole(em, target.userId, role)) ? [removed] : [], result: undefined };
  });

/**
 * Binds a user and grants roles in one transaction, for an operator.
 * @throws DomainError 'not-found' for an unknown channel, 'request-refused' for a closed one and for another's user
 */
export const assignRoles = (
  database: Database,
  target: BindingKey,
  roles: readonly Role[],
  actor: Actor,
): Promise<Binding> =>
  change(database, target, actor, async (em, channel) => {
    refuseClosed(channel);
    const isNew = await insertBinding(em, target);
    const before = await findBinding(em, target.userId);
    if (before?.salesChannelId !== target.salesChannelId)
      throw requestRefused('The user is bound to another sales channel.');
    const added = await insertRoles(em, target.userId, roles);
    const changes = [...(isNew ? [bound] : []), ...added.map(granted)];
    return { changes, result: await requireBinding(em, target) };
  });
