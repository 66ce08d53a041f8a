import { recordAudit, type Act } from '@saleschannel/audit';
import type { Role } from '@saleschannel/auth';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { forbidden, notFound, requestRefused, salesChannelSuspended } from '@saleschannel/errors';
import { enqueue } from '@saleschannel/messaging';
import { refuseLastAdministrator, type Binding, type Target } from '../domain/binding.ts';
import type { SalesChannel } from '../domain/sales-channel.ts';
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

/** What became different. */
type Change = Pick<Act, 'action' | 'before' | 'after'>;

/** Says what became different, and what to answer. */
type Work<T> = (em: EntityManager, channel: SalesChannel) => Promise<{ changes: readonly Change[]; answer: T }>;

const mayChange = async (em: EntityManager, { kind, id }: Actor, salesChannelId: string): Promise<boolean> =>
  kind === 'operator' || (id !== undefined && (await isAdministrator(em, id, salesChannelId)));

/**
 * One change of a channel's bindings. When anything became different, it is recorded, and whoever remembers the user's
 * rights hears of it. Whether a user may make it is asked under the lock: their token tells of a moment ago, and what
 * they give would stay.
 * @throws DomainError 'not-found' for an unknown channel, 'forbidden' for a user who does not administer it any more
 */
const change = <T>(database: Database, { userId, salesChannelId }: Target, actor: Actor, work: Work<T>): Promise<T> =>
  database.transaction(async (em) => {
    const channel = await lockSalesChannel(em, salesChannelId);
    if (!channel) throw notFound();
    if (!(await mayChange(em, actor, salesChannelId))) throw forbidden();
    const { changes, answer } = await work(em, channel);
    if (changes.length > 0) enqueue(em, 'rbac.binding.changed.v1', [{ userId }]);
    const about = { scopes: [salesChannelId], actor, subject: { type: 'user', id: userId } };
    await recordAudit(
      em,
      changes.map((each) => ({ ...about, ...each })),
    );
    return answer;
  });

/** @throws DomainError 'not-found' for a user who is not bound to this channel */
async function bindingIn(em: EntityManager, { userId, salesChannelId }: Target): Promise<Binding> {
  const binding = await findBinding(em, userId);
  if (binding?.salesChannelId !== salesChannelId) throw notFound();
  return binding;
}

/** A suspended channel gains no rights. @throws DomainError 'sales-channel-suspended' */
function refuseSuspended({ status }: SalesChannel): void {
  if (status === 'SUSPENDED') throw salesChannelSuspended();
}

const bound: Change = { action: 'rbac.user.bound' };

const granted = (role: Role): Change => ({ action: 'rbac.role.granted', after: { role } });

/**
 * Binds a user. Twice is the same as once. A user of another channel stays there.
 * @throws DomainError 'not-found' for a user of another channel, 'sales-channel-suspended'
 */
export const bindUser = (database: Database, target: Target, actor: Actor): Promise<Binding> =>
  change(database, target, actor, async (em, channel) => {
    refuseSuspended(channel);
    const changes = (await insertBinding(em, target)) ? [bound] : [];
    return { changes, answer: await bindingIn(em, target) };
  });

/**
 * Ends a binding and returns what it was.
 * @throws DomainError 'not-found', or 'request-refused' for the last administrator
 */
export const unbindUser = (database: Database, target: Target, actor: Actor): Promise<Binding> =>
  change(database, target, actor, async (em) => {
    const answer = await bindingIn(em, target);
    refuseLastAdministrator(target.userId, await findSomeAdministrators(em, target.salesChannelId));
    await deleteBinding(em, target.userId);
    return { changes: [{ action: 'rbac.user.unbound', before: { roles: answer.roles } }], answer };
  });

/**
 * Ends the binding of a user for an operator, whichever channel it is to. The operator may leave a channel without an
 * administrator, and is told so.
 * @returns undefined for a user who is bound to nothing
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
    // Unbound or bound elsewhere meanwhile: the operator looks again.
    if (binding?.salesChannelId !== before.salesChannelId) return { changes: [], answer: undefined };
    const administrators = await findSomeAdministrators(em, binding.salesChannelId);
    await deleteBinding(em, userId);
    const wasLastAdministrator = administrators.length === 1 && administrators[0] === userId;
    const unbound: Change = { action: 'rbac.user.unbound', before: { roles: binding.roles } };
    return { changes: [unbound], answer: { binding, wasLastAdministrator } };
  });
}

/** Gives a role. Twice is the same as once. @throws DomainError 'not-found' or 'sales-channel-suspended' */
export const grantRole = (database: Database, target: Target, role: Role, actor: Actor): Promise<void> =>
  change(database, target, actor, async (em, channel) => {
    refuseSuspended(channel);
    await bindingIn(em, target);
    return { changes: (await insertRoles(em, target.userId, [role])).map(granted), answer: undefined };
  });

/**
 * Takes a role. Taking one that is not held changes nothing.
 * @throws DomainError 'not-found', or 'request-refused' for the last administrator
 */
export const removeRole = (database: Database, target: Target, role: Role, actor: Actor): Promise<void> =>
  change(database, target, actor, async (em) => {
    await bindingIn(em, target);
    if (role === 'ROLE_ADMINISTRATOR')
      refuseLastAdministrator(target.userId, await findSomeAdministrators(em, target.salesChannelId));
    const removed: Change = { action: 'rbac.role.removed', before: { role } };
    return { changes: (await deleteRole(em, target.userId, role)) ? [removed] : [], answer: undefined };
  });

/**
 * Binds a user and gives roles at once, for an operator.
 * @throws DomainError 'not-found' for an unknown channel, 'request-refused' for a user of another one
 */
export const assignRoles = (
  database: Database,
  target: Target,
  roles: readonly Role[],
  actor: Actor,
): Promise<Binding> =>
  change(database, target, actor, async (em) => {
    const isNew = await insertBinding(em, target);
    const before = await findBinding(em, target.userId);
    if (before?.salesChannelId !== target.salesChannelId)
      throw requestRefused('The user is bound to another sales channel.');
    const added = await insertRoles(em, target.userId, roles);
    const changes = [...(isNew ? [bound] : []), ...added.map(granted)];
    return { changes, answer: await bindingIn(em, target) };
  });
