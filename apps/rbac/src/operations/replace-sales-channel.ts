import { INSTALLATION_SCOPE, recordAudit, type Act } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { forbidden, notFound, requestRefused } from '@saleschannel/errors';
import { enqueue } from '@saleschannel/messaging';
import { newId } from '@saleschannel/primitives';
import { MAX_MOVED_BINDINGS, type Binding } from '../domain/binding.ts';
import { REPLACED_REASON, type NamedSalesChannel } from '../domain/sales-channel.ts';
import { findBinding, isAdministrator, moveBindings } from '../store/bindings.ts';
import { revokeInvitations } from '../store/invitations.ts';
import {
  findReplacement,
  insertSalesChannel,
  lockSalesChannel,
  replaceSalesChannel as replace,
} from '../store/sales-channels.ts';
import { bound, granted, refuseSuspended } from './change.ts';

export interface Replacement {
  readonly userId: string;
  readonly salesChannelId: string;
}

/**
 * Replaces a channel by a new one of the same name, and moves its users there with their roles. The old channel is
 * suspended for good and keeps its ledger. Concurrent requests return the same new channel.
 * @returns the new channel
 * @throws DomainError 'not-found', 'forbidden' for a user who is no longer an administrator,
 * 'sales-channel-suspended', 'request-refused' for a channel with too many users
 */
export const replaceSalesChannel = (database: Database, request: Replacement, actor: Actor): Promise<string> =>
  database.transaction(async (em) => {
    const { userId, salesChannelId } = request;
    const channel = await lockSalesChannel(em, salesChannelId);
    if (!channel) throw notFound();
    const known = await findReplacement(em, salesChannelId);
    if (known !== undefined) return requireMoved(em, userId, known);
    if (!(await isAdministrator(em, userId, salesChannelId))) throw forbidden();
    refuseSuspended(channel);
    const replacement: NamedSalesChannel = { id: newId(), name: channel.name };
    insertSalesChannel(em, replacement);
    const bindings = await moveBindings(em, salesChannelId, replacement.id, MAX_MOVED_BINDINGS + 1);
    if (bindings.length > MAX_MOVED_BINDINGS)
      throw requestRefused(`The sales channel has more than ${MAX_MOVED_BINDINGS} users. Unbind some of them first.`);
    const revoked = await revokeInvitations(em, salesChannelId);
    await replace(em, salesChannelId, replacement.id, REPLACED_REASON);
    enqueue(
      em,
      'rbac.binding.changed.v1',
      bindings.map((binding) => ({ userId: binding.userId })),
    );
    await recordAudit(em, [
      ...toChannelActs(salesChannelId, replacement, actor),
      ...revoked.map((id) => ({
        action: 'rbac.invitation.revoked' as const,
        scopes: [salesChannelId],
        actor,
        subject: { type: 'invitation', id },
      })),
      ...bindings.flatMap((binding) => toUserActs(binding, salesChannelId, replacement.id, actor)),
    ]);
    return replacement.id;
  });

/** @throws DomainError 'forbidden' for a user who did not move to the new channel */
async function requireMoved(em: EntityManager, userId: string, salesChannelId: string): Promise<string> {
  const binding = await findBinding(em, userId);
  if (binding?.salesChannelId !== salesChannelId) throw forbidden();
  return salesChannelId;
}

function toChannelActs(oldId: string, { id, name }: NamedSalesChannel, actor: Actor): Act[] {
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

/** The old trail records the former roles, the new trail the current ones. */
function toUserActs({ userId, roles }: Binding, oldId: string, newChannelId: string, actor: Actor): Act[] {
  const about = { actor, subject: { type: 'user', id: userId } };
  return [
    { ...about, action: 'rbac.user.unbound', scopes: [oldId], before: { roles } },
    ...[bound, ...roles.map(granted)].map((change) => ({ ...about, ...change, scopes: [newChannelId] })),
  ];
}
