import { recordAudit, type AuditAction } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import { notFound, requestRefused } from '@saleschannel/errors';
import { newId, newSecret } from '@saleschannel/primitives';
import {
  hashToken,
  isAddressedTo,
  refuseTooManyInvitations,
  type Invitation,
  type Invitee,
  type NewInvitation,
} from '../domain/invitation.ts';
import { refuseClosed, type Binding } from '../domain/sales-channel.ts';
import { insertBinding, insertRoles } from '../store/bindings.ts';
import {
  acceptInvitation as accept,
  countInvitations,
  findInvitation,
  findInvitationByToken,
  insertInvitation,
  revokeInvitation as revoke,
} from '../store/invitations.ts';
import { administer, bound, changeOwn, granted, refuseSuspended, requireBinding } from './bindings.ts';

/** Omits address and token. */
const toAuditEntry = (action: AuditAction, { id, salesChannelId, roles }: Invitation) => ({
  action,
  scopes: [salesChannelId],
  subject: { type: 'invitation', id },
  after: { roles },
});

/**
 * Creates an invitation. Its token is returned only here.
 * @throws DomainError 'forbidden' for a former administrator, 'sales-channel-suspended',
 * 'request-refused' for too many invitations
 */
export function createInvitation(
  database: Database,
  { salesChannelId, createdBy }: { salesChannelId: string; createdBy: string },
  content: NewInvitation,
  actor: Actor,
): Promise<{ invitation: Invitation; token: string }> {
  const token = newSecret('scs_inv');
  const row = { id: newId(), tokenHash: hashToken(token), salesChannelId, createdBy };
  return administer(database, salesChannelId, actor, async (em, channel) => {
    refuseSuspended(channel);
    refuseTooManyInvitations(await countInvitations(em, salesChannelId));
    const invitation = await insertInvitation(em, { ...row, ...content });
    await recordAudit(em, [{ ...toAuditEntry('rbac.invitation.created', invitation), actor }]);
    return { invitation, token };
  });
}

/**
 * Revokes an invitation and returns it. One that has ended stays unchanged.
 * @throws DomainError 'not-found' for another channel's invitation, 'request-refused' for an accepted one
 */
export const revokeInvitation = (
  database: Database,
  id: string,
  salesChannelId: string,
  actor: Actor,
): Promise<Invitation> =>
  administer(database, salesChannelId, actor, async (em) => {
    const known = await findInvitation(em, id, salesChannelId);
    if (!known) throw notFound();
    if (known.status === 'ACCEPTED')
      throw requestRefused('The invitation was accepted. Unbind the user who accepted it instead.');
    const revoked = await revoke(em, id);
    if (!revoked) return known;
    await recordAudit(em, [{ ...toAuditEntry('rbac.invitation.revoked', revoked), actor }]);
    return revoked;
  });

/**
 * Binds the first user who accepts an invitation to its channel, with its roles. A repeat by the same user returns
 * their current binding and does not restore removed roles.
 * @throws DomainError 'not-found' for an invalid invitation, for one addressed to another user, and for a user of
 * another channel; 'sales-channel-suspended'; 'request-refused' for a closed channel
 */
export async function acceptInvitation(
  database: Database,
  token: string,
  user: Invitee & { readonly userId: string },
  actor: Actor,
): Promise<Binding> {
  const { userId } = user;
  const tokenHash = hashToken(token);
  const found = await findInvitationByToken(database.em(), tokenHash);
  if (!found || !isAddressedTo(found, user)) throw notFound();
  const target = { userId, salesChannelId: found.salesChannelId };
  // The channel's trail records the user as its new member.
  const member = { ...actor, salesChannelId: found.salesChannelId };
  return changeOwn(database, target, member, async (em, channel) => {
    // Read again under the lock of the channel, which revoking and accepting hold.
    refuseClosed(channel);
    const invitation = await findInvitation(em, found.id, found.salesChannelId);
    if (invitation?.status === 'ACCEPTED' && invitation.acceptedBy === userId)
      return { changes: [], result: await requireBinding(em, target) };
    if (invitation?.status !== 'PENDING') throw notFound();
    const isNew = await insertBinding(em, target);
    await requireBinding(em, target);
    refuseSuspended(channel);
    if (!(await accept(em, found.id, userId))) throw notFound();
    const added = await insertRoles(em, userId, invitation.roles);
    const { action, subject, after } = toAuditEntry('rbac.invitation.accepted', invitation);
    const changes = [
      { action, subject, after: { ...after, userId } },
      ...(isNew ? [bound] : []),
      ...added.map(granted),
    ];
    return { changes, result: await requireBinding(em, target) };
  });
}
