import { INSTALLATION_SCOPE, recordAudit } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { notFound, requestRefused } from '@saleschannel/errors';
import { enqueue } from '@saleschannel/messaging';
import { ENDED_BINDINGS_PER_STATEMENT } from '../domain/binding.ts';
import type { SalesChannel } from '../domain/sales-channel.ts';
import { deleteBindings } from '../store/bindings.ts';
import { revokeInvitations } from '../store/invitations.ts';
import { close, findClosable, findSalesChannel, lockSalesChannel, type Closable } from '../store/sales-channels.ts';

export interface Closing {
  readonly id: string;
  readonly reason: string;
  /** Asks other services for open records of the channel. @throws DomainError if there are any */
  refuseUsed(): Promise<void>;
}

/**
 * Closes a suspended channel for good, ends its bindings and revokes its pending invitations. Idempotent.
 * @throws DomainError 'not-found', 'request-refused' for a channel that is in use or not suspended for long enough,
 * 'unavailable'
 */
export async function closeSalesChannel(
  database: Database,
  { id, reason, refuseUsed }: Closing,
  actor: Actor,
): Promise<SalesChannel> {
  const before = await findSalesChannel(database.em(), id);
  if (!before) throw notFound();
  if (before.closedAt === null) {
    refuseUnsuspended(await findClosable(database.em(), id));
    // Other services are called without a lock.
    await refuseUsed();
  }
  return database.transaction(async (em) => {
    const known = await lockSalesChannel(em, id);
    if (!known) throw notFound();
    if (known.closedAt !== null) return known;
    const closable = await findClosable(em, id);
    refuseUnsuspended(closable);
    // Resumed and suspended again meanwhile: the counts are outdated.
    if (known.suspendedAt !== before.suspendedAt) throw notSuspended(closable);
    return closeSuspended(em, id, reason, actor);
  });
}

async function closeSuspended(em: EntityManager, id: string, reason: string, actor: Actor): Promise<SalesChannel> {
  await endBindings(em, id, actor);
  const revoked = await revokeInvitations(em, id);
  const channel = await close(em, id, reason);
  if (!channel) throw notFound();
  const closed = {
    action: 'rbac.sales-channel.closed',
    actor,
    subject: { type: 'sales-channel', id },
    before: { status: 'SUSPENDED' },
  } as const;
  await recordAudit(em, [
    ...revoked.map((invitationId) => ({
      action: 'rbac.invitation.revoked' as const,
      scopes: [id],
      actor,
      subject: { type: 'invitation', id: invitationId },
    })),
    // The channel's own trail has the change without the reason.
    { ...closed, scopes: [INSTALLATION_SCOPE], after: { status: 'CLOSED', reason } },
    { ...closed, scopes: [id], after: { status: 'CLOSED' } },
  ]);
  return channel;
}

async function endBindings(em: EntityManager, salesChannelId: string, actor: Actor): Promise<void> {
  for (;;) {
    const ended = await deleteBindings(em, salesChannelId, ENDED_BINDINGS_PER_STATEMENT);
    if (ended.length === 0) return;
    enqueue(
      em,
      'rbac.binding.changed.v1',
      ended.map(({ userId }) => ({ userId })),
    );
    await recordAudit(
      em,
      ended.map(({ userId, roles }) => ({
        action: 'rbac.user.unbound' as const,
        scopes: [salesChannelId],
        actor,
        subject: { type: 'user', id: userId },
        before: { roles },
      })),
    );
    if (ended.length < ENDED_BINDINGS_PER_STATEMENT) return;
  }
}

/** @throws DomainError 'request-refused' unless the channel is suspended for long enough */
function refuseUnsuspended(closable: Closable | undefined): void {
  if (!closable?.isClosable) throw notSuspended(closable);
}

const notSuspended = (closable: Closable | undefined): Error =>
  requestRefused('The sales channel cannot be closed yet.', [
    {
      parameter: 'salesChannelId',
      code: 'sales-channel-not-suspended',
      detail: closable?.closableAt
        ? `names a sales channel that was suspended just now. Retry after ${closable.closableAt}.`
        : 'names a sales channel that is not suspended. Suspend it, and retry 30 seconds later.',
    },
  ]);
