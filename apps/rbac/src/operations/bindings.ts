import { recordAudit, type Act } from '@saleschannel/audit';
import type { Role } from '@saleschannel/auth';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { requestRefused, forbidden, notFound, salesChannelSuspended } from '@saleschannel/errors';
import { enqueue } from '@saleschannel/messaging';
import {
  refuseLastAdministrator,
  refuseClosed,
  type Binding,
  type BindingKey,
  type SalesChannel,
} from '../domain/sales-channel.ts';
import {
  deleteBinding,
  deleteRole,
  findBinding,
  findSomeAdministrators,
  insertBinding,
  insertRoles,
  isAdministrator,
} from '../store/bindings.ts';
import { lockSalesChannel } from '../store/sales-channels.ts';

/** One change for the audit trail. */
export type Change = Pick<Act, 'action' | 'before' | 'after'> & {
  /** Default: the user whose binding changes. */
  readonly subject?: Act['subject'];
};

/** Performs changes, and returns them with the caller's result. */
type Work<T> = (em: EntityManager, channel: SalesChannel) => Promise<{ changes: readonly Change[]; result: T }>;

const mayChange = async (em: EntityManager, { kind, id }: Actor, salesChannelId: string): Promise<boolean> =>
  kind === 'operator' || (id !== undefined && (await isAdministrator(em, id, salesChannelId)));

/** Locks the channel until the transaction ends. @throws DomainError 'not-found' */
async function lock(em: EntityManager, salesChannelId: string): Promise<SalesChannel> {
  const channel = await lockSalesChannel(em, salesChannelId);
  if (!channel) throw notFound();
  return channel;
}

/**
 * Runs an administrator's work on their channel. Checks the role again under the lock, because their token may be
 * outdated and grants would stay.
 * @throws DomainError 'not-found' for an unknown channel, 'forbidden' for a former administrator
 */
export const administer = <T>(
  database: Database,
  salesChannelId: string,
  actor: Actor,
  work: (em: EntityManager, channel: SalesChannel) => Promise<T>,
): Promise<T> =>
  database.transaction(async (em) => {
    const channel = await lock(em, salesChannelId);
    if (!(await mayChange(em, actor, salesChannelId))) throw forbidden();
    return work(em, channel);
  });

/** Records changes in the audit trail, and invalidates cached rights of the user. */
async function announce(
  em: EntityManager,
  { userId, salesChannelId }: BindingKey,
  actor: Actor,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length > 0) enqueue(em, 'rbac.binding.changed.v1', [{ userId }]);
  const about = { scopes: [salesChannelId], actor, subject: { type: 'user', id: userId } };
  await recordAudit(
    em,
    changes.map((each) => ({ ...about, ...each })),
  );
}

/**
 * Changes a user's binding for an administrator. Changes are audited and invalidate cached rights.
 * @throws DomainError like {@link administer}
 */
const change = <T>(database: Database, target: BindingKey, actor: Actor, work: Work<T>): Promise<T> =>
  administer(database, target.salesChannelId, actor, async (em, channel) => {
    const { changes, result } = await work(em, channel);
    await announce(em, target, actor, changes);
    return result;
  });

/**
 * Like {@link change}, for the user themselves. The work checks their right to it.
 * @throws DomainError 'not-found' for an unknown channel
 */
export const changeOwn = <T>(database: Database, target: BindingKey, actor: Actor, work: Work<T>): Promise<T> =>
  database.transaction(async (em) => {
    const { changes, result } = await work(em, await lock(em, target.salesChannelId));
    await announce(em, target, actor, changes);
    return result;
  });

/** @throws DomainError 'not-found' for a user without a binding to this channel */
export async function requireBinding(em: EntityManager, { userId, salesChannelId }: BindingKey): Promise<Binding> {
  const binding = await findBinding(em, userId);
  if (binding?.salesChannelId !== salesChannelId) throw notFound();
  return binding;
}

/**
 * Refuses new rights on a suspended channel.
 * @throws DomainError 'sales-channel-suspended', 'request-refused' for a closed one
 */
export function refuseSuspended(channel: SalesChannel): void {
  refuseClosed(channel);
  if (channel.status === 'SUSPENDED') throw salesChannelSuspended();
}

export const bound: Change = { action: 'rbac.user.bound' };

export const granted = (role: Role): Change => ({ action: 'rbac.role.granted', after: { role } });

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
