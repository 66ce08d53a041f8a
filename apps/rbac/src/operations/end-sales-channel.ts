import { INSTALLATION_SCOPE, recordAudit, type Act } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { notFound, requestRefused, forbidden } from '@saleschannel/errors';
import { enqueue } from '@saleschannel/messaging';
import { newId } from '@saleschannel/primitives';
import { type Binding, type SalesChannel, type NamedSalesChannel } from '../domain/sales-channel.ts';
import { deleteBindings, findBinding, isAdministrator, moveBindings } from '../store/bindings.ts';
import { revokeInvitations } from '../store/invitations.ts';
import {
  close,
  findClosable,
  findSalesChannel,
  lockSalesChannel,
  findReplacement,
  insertSalesChannel,
  replaceSalesChannel as replace,
  type Closable,
} from '../store/sales-channels.ts';
import { bound, granted, refuseSuspended } from './bindings.ts';

/** Bindings of a replaced channel, which move in one transaction. */
const MAX_MOVED_BINDINGS = 1_000;
/** Bindings of a closed channel that one statement deletes. */
const ENDED_BINDINGS_PER_STATEMENT = 1_000;
/** Suspension reason of a replaced channel. */
const REPLACED_REASON = 'Replaced by a new sales channel: the sandbox was reset.';

/** Invalidates cached rights of the users. */
const announceChanges = (em: EntityManager, bindings: readonly Binding[]): void =>
  enqueue(
    em,
    'rbac.binding.changed.v1',
    bindings.map(({ userId }) => ({ userId })),
  );

const toRevocation = (invitationId: string, salesChannelId: string, actor: Actor): Act => ({
  action: 'rbac.invitation.revoked',
  scopes: [salesChannelId],
  actor,
  subject: { type: 'invitation', id: invitationId },
});

const toUnbinding = (
  { userId, roles }: Pick<Binding, 'userId' | 'roles'>,
  salesChannelId: string,
  actor: Actor,
): Act => ({
  action: 'rbac.user.unbound',
  scopes: [salesChannelId],
  actor,
  subject: { type: 'user', id: userId },
  before: { roles },
});

interface Closing {
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
    ...revoked.map((invitationId) => toRevocation(invitationId, id, actor)),
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
    announceChanges(em, ended);
    const acts = ended.map((binding) => toUnbinding(binding, salesChannelId, actor));
    await recordAudit(em, acts);
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

export interface Replacement {
  readonly userId: string;
  readonly salesChannelId: string;
}

/**
 * Replaces a channel by a new one of the same name, and moves its users there with their roles. The old channel is
 * suspended for good and keeps its ledger. Concurrent requests return the same new channel.
 * @returns the new channel
 * @throws DomainError 'not-found', 'forbidden' for a former administrator,
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
    announceChanges(em, bindings);
    await recordAudit(em, [
      ...toChannelActs(salesChannelId, replacement, actor),
      ...revoked.map((id) => toRevocation(id, salesChannelId, actor)),
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
  const about = { actor, scopes: [newChannelId], subject: { type: 'user', id: userId } };
  const changes = [bound, ...roles.map(granted)].map((change): Act => ({ ...about, ...change }));
  return [toUnbinding({ userId, roles }, oldId, actor), ...changes];
}
