import { recordAudit, type AuditAction } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import { notFound, requestRefused } from '@saleschannel/errors';
import { newId, newSecret } from '@saleschannel/primitives';
import type { Binding } from '../domain/binding.ts';
import {
  hashOfToken,
  isFor,
  refuseTooManyInvitations,
  type Invitation,
  type Invited,
  type NewInvitation,
} from '../domain/invitation.ts';
import { refuseClosed } from '../domain/sales-channel.ts';
import { insertBinding, insertRoles } from '../store/bindings.ts';
import {
  acceptInvitation as accept,
  countInvitations,
  findInvitation,
  findInvitationByToken,
  insertInvitation,
  revokeInvitation as revoke,
} from '../store/invitations.ts';
import { administer, bindingIn, bound, changeOwn, granted, refuseSuspended } from './change.ts';

/** The id stands for the address, and nothing stands for the token. */
const actOn = (action: AuditAction, { id, salesChannelId, roles }: Invitation) => ({
  action,
  scopes: [salesChannelId],
  subject: { type: 'invitation', id },
  after: { roles },
});

/**
 * Makes an invitation. Its token is known now and never again.
 * @throws DomainError 'forbidden' for who does not administer the channel any more, 'sales-channel-suspended',
 * 'request-refused' for too many
 */
export function createInvitation(
  database: Database,
  { salesChannelId, createdBy }: { salesChannelId: string; createdBy: string },
  wanted: NewInvitation,
  actor: Actor,
): Promise<{ invitation: Invitation; token: string }> {
  const token = newSecret('scs_inv');
  const made = { id: newId(), tokenHash: hashOfToken(token), salesChannelId, createdBy };
  return administer(database, salesChannelId, actor, async (em, channel) => {
    refuseSuspended(channel);
    refuseTooManyInvitations(await countInvitations(em, salesChannelId));
    const invitation = await insertInvitation(em, { ...made, ...wanted });
    await recordAudit(em, [{ ...actOn('rbac.invitation.created', invitation), actor }]);
    return { invitation, token };
  });
}

/**
 * Ends an invitation and returns it. One that has ended already stays as it is.
 * @throws DomainError 'not-found' for one of another channel, 'request-refused' for one that was accepted
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
      throw requestRefused('The invitation was accepted: unbind the user who accepted it instead.');
    const revoked = await revoke(em, id);
    if (!revoked) return known;
    await recordAudit(em, [{ ...actOn('rbac.invitation.revoked', revoked), actor }]);
    return revoked;
  });

/**
 * Binds a user to the channel that invites, with the roles of the invitation. Of several users the first one is bound.
 * The same user again gets their binding as it is now: what was taken from them since does not come back.
 * @throws DomainError 'not-found' for an invitation that is not for them or not good any more, and for a user of
 * another channel; 'sales-channel-suspended'; 'request-refused' for one of a closed channel
 */
export async function acceptInvitation(
  database: Database,
  token: string,
  user: Invited & { readonly userId: string },
  actor: Actor,
): Promise<Binding> {
  const { userId } = user;
  const tokenHash = hashOfToken(token);
  const found = await findInvitationByToken(database.em(), tokenHash);
  if (!found || !isFor(found, user)) throw notFound();
  const target = { userId, salesChannelId: found.salesChannelId };
  // They join the channel with it, and its trail says who did.
  const member = { ...actor, salesChannelId: found.salesChannelId };
  return changeOwn(database, target, member, async (em, channel) => {
    // Under the lock of the channel, which whoever revokes or accepts holds too.
    refuseClosed(channel);
    const invitation = await findInvitation(em, found.id, found.salesChannelId);
    if (invitation?.status === 'ACCEPTED' && invitation.acceptedBy === userId)
      return { changes: [], answer: await bindingIn(em, target) };
    if (invitation?.status !== 'PENDING') throw notFound();
    const isNew = await insertBinding(em, target);
    await bindingIn(em, target);
    refuseSuspended(channel);
    if (!(await accept(em, found.id, userId))) throw notFound();
    const added = await insertRoles(em, userId, invitation.roles);
    const { action, subject, after } = actOn('rbac.invitation.accepted', invitation);
    const changes = [
      { action, subject, after: { ...after, userId } },
      ...(isNew ? [bound] : []),
      ...added.map(granted),
    ];
    return { changes, answer: await bindingIn(em, target) };
  });
}
