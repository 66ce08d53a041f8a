import { recordAudit, type Act } from '@saleschannel/audit';
import type { Role } from '@saleschannel/auth';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { forbidden, notFound, salesChannelSuspended } from '@saleschannel/errors';
import { enqueue } from '@saleschannel/messaging';
import type { Binding, Target } from '../domain/binding.ts';
import { refuseClosed, type SalesChannel } from '../domain/sales-channel.ts';
import { findBinding, isAdministrator } from '../store/bindings.ts';
import { lockSalesChannel } from '../store/sales-channels.ts';

/** What became different. */
export type Change = Pick<Act, 'action' | 'before' | 'after'> & {
  /** What it happened to. The user whose binding is changed, unless told. */
  readonly subject?: Act['subject'];
};

/** Says what became different, and what to answer. */
type Work<T> = (em: EntityManager, channel: SalesChannel) => Promise<{ changes: readonly Change[]; answer: T }>;

const mayChange = async (em: EntityManager, { kind, id }: Actor, salesChannelId: string): Promise<boolean> =>
  kind === 'operator' || (id !== undefined && (await isAdministrator(em, id, salesChannelId)));

/** Locks the channel: what is asked of it stays true until the transaction ends. @throws DomainError 'not-found' */
async function lock(em: EntityManager, salesChannelId: string): Promise<SalesChannel> {
  const channel = await lockSalesChannel(em, salesChannelId);
  if (!channel) throw notFound();
  return channel;
}

/**
 * Something that an administrator does on their channel. Whether they may is asked under the lock: their token tells of
 * a moment ago, and what they give would stay.
 * @throws DomainError 'not-found' for an unknown channel, 'forbidden' for a user who does not administer it any more
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

/** Records what became different, and tells whoever remembers the user's rights. */
async function tell(
  em: EntityManager,
  { userId, salesChannelId }: Target,
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
 * One change of a channel's bindings by an administrator. When anything became different, it is recorded, and whoever
 * remembers the user's rights hears of it.
 * @throws DomainError as {@link administer}
 */
export const change = <T>(database: Database, target: Target, actor: Actor, work: Work<T>): Promise<T> =>
  administer(database, target.salesChannelId, actor, async (em, channel) => {
    const { changes, answer } = await work(em, channel);
    await tell(em, target, actor, changes);
    return answer;
  });

/**
 * As {@link change}, by the user themselves: the work says what gives them the right to it.
 * @throws DomainError 'not-found' for an unknown channel
 */
export const changeOwn = <T>(database: Database, target: Target, actor: Actor, work: Work<T>): Promise<T> =>
  database.transaction(async (em) => {
    const { changes, answer } = await work(em, await lock(em, target.salesChannelId));
    await tell(em, target, actor, changes);
    return answer;
  });

/** @throws DomainError 'not-found' for a user who is not bound to this channel */
export async function bindingIn(em: EntityManager, { userId, salesChannelId }: Target): Promise<Binding> {
  const binding = await findBinding(em, userId);
  if (binding?.salesChannelId !== salesChannelId) throw notFound();
  return binding;
}

/**
 * A suspended channel gains no rights.
 * @throws DomainError 'sales-channel-suspended', 'request-refused' for a closed one
 */
export function refuseSuspended(channel: SalesChannel): void {
  refuseClosed(channel);
  if (channel.status === 'SUSPENDED') throw salesChannelSuspended();
}

export const bound: Change = { action: 'rbac.user.bound' };

export const granted = (role: Role): Change => ({ action: 'rbac.role.granted', after: { role } });
