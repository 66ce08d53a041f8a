import { INSTALLATION_SCOPE, recordAudit, type Act } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { forbidden, notFound, requestRefused } from '@saleschannel/errors';
import { enqueue } from '@saleschannel/messaging';
import { newId } from '@saleschannel/primitives';
import { BINDINGS_MOVED_AT_MOST, type Binding } from '../domain/binding.ts';
import { REPLACED, type NamedSalesChannel } from '../domain/sales-channel.ts';
import { findBinding, isAdministrator, moveBindings } from '../store/bindings.ts';
import { revokeInvitations } from '../store/invitations.ts';
import {
  findReplacement,
  insertSalesChannel,
  lockSalesChannel,
  replaceSalesChannel as replace,
} from '../store/sales-channels.ts';
import { bound, granted, refuseSuspended } from './change.ts';

/** What a user asks for who resets their channel. */
export interface Replacement {
  readonly userId: string;
  readonly salesChannelId: string;
}

/**
 * Makes a channel of the same name in place of another one, and moves its users there with their roles. The other one
 * is suspended for good: its ledger stays as it is. Who asks while somebody else has just done it gets the same answer.
 * @returns the new channel
 * @throws DomainError 'not-found', 'forbidden' for who does not administer the channel any more,
 * 'sales-channel-suspended', 'request-refused' for a channel with too many users
 */
export const replaceSalesChannel = (database: Database, asked: Replacement, actor: Actor): Promise<string> =>
  database.transaction(async (em) => {
    const { userId, salesChannelId } = asked;
    const channel = await lockSalesChannel(em, salesChannelId);
    if (!channel) throw notFound();
    const known = await findReplacement(em, salesChannelId);
    if (known !== undefined) return movedWith(em, userId, known);
    if (!(await isAdministrator(em, userId, salesChannelId))) throw forbidden();
    refuseSuspended(channel);
    const made: NamedSalesChannel = { id: newId(), name: channel.name };
    await insertSalesChannel(em, made);
    const bindings = await moveBindings(em, salesChannelId, made.id, BINDINGS_MOVED_AT_MOST + 1);
    if (bindings.length > BINDINGS_MOVED_AT_MOST)
      throw requestRefused(
        `The sales channel has more than ${BINDINGS_MOVED_AT_MOST} users: unbind some of them first.`,
      );
    const revoked = await revokeInvitations(em, salesChannelId);
    await replace(em, salesChannelId, made.id, REPLACED);
    enqueue(
      em,
      'rbac.binding.changed.v1',
      bindings.map((binding) => ({ userId: binding.userId })),
    );
    await recordAudit(em, [
      ...actsOnChannels(salesChannelId, made, actor),
      ...revoked.map((id) => ({
        action: 'rbac.invitation.revoked' as const,
        scopes: [salesChannelId],
        actor,
        subject: { type: 'invitation', id },
      })),
      ...bindings.flatMap((binding) => actsOnUser(binding, salesChannelId, made.id, actor)),
    ]);
    return made.id;
  });

/** @throws DomainError 'forbidden' for who has not come along: they are no user of either channel */
async function movedWith(em: EntityManager, userId: string, salesChannelId: string): Promise<string> {
  const binding = await findBinding(em, userId);
  if (binding?.salesChannelId !== salesChannelId) throw forbidden();
  return salesChannelId;
}

function actsOnChannels(oldId: string, { id, name }: NamedSalesChannel, actor: Actor): Act[] {
  const created = { action: 'rbac.sales-channel.created', actor, subject: { type: 'sales-channel', id } } as const;
  const replaced = {
    action: 'rbac.sales-channel.replaced',
    actor,
    subject: { type: 'sales-channel', id: oldId },
  } as const;
  return [
    { ...created, scopes: [INSTALLATION_SCOPE, id], after: { name, replaces: oldId } },
    {
      ...replaced,
      scopes: [INSTALLATION_SCOPE, oldId],
      before: { status: 'ACTIVE' },
      after: { status: 'SUSPENDED', replacedBy: id },
    },
  ];
}

/** One trail tells that the user has left, with which roles. The other one tells what they hold now. */
function actsOnUser({ userId, roles }: Binding, oldId: string, newChannelId: string, actor: Actor): Act[] {
  const about = { actor, subject: { type: 'user', id: userId } };
  return [
    { ...about, action: 'rbac.user.unbound', scopes: [oldId], before: { roles } },
    ...[bound, ...roles.map(granted)].map((change) => ({ ...about, ...change, scopes: [newChannelId] })),
  ];
}
