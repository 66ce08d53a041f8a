import { recordAudit, type Act } from '@saleschannel/audit';
import type { Role } from '@saleschannel/auth';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { forbidden, notFound, salesChannelSuspended } from '@saleschannel/errors';
import { enqueue } from '@saleschannel/messaging';
import type { Binding, BindingKey } from '../domain/binding.ts';
import { refuseClosed, type SalesChannel } from '../domain/sales-channel.ts';
import { findBinding, isAdministrator } from '../store/bindings.ts';
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
 * @throws DomainError 'not-found' for an unknown channel, 'forbidden' for a user who is no longer an administrator
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
export const change = <T>(database: Database, target: BindingKey, actor: Actor, work: Work<T>): Promise<T> =>
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
