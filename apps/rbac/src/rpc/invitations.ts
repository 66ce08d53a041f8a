import { actorOf } from '@saleschannel/audit';
import { notFound } from '@saleschannel/errors';
import { salesChannelOf, userOf, type ResponseOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { isWellFormedSecret } from '@saleschannel/primitives';
import { idToFind, parse } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { newInvitation, type Invitation } from '../domain/invitation.ts';
import { findUsers } from '../neighbours/users.ts';
import {
  acceptInvitation as accept,
  createInvitation as create,
  revokeInvitation as revoke,
} from '../operations/invitations.ts';
import { listInvitations as list } from '../store/invitations.ts';

/** Omits the channel, which is the reader's own. */
function toInvitationMessage(invitation: Invitation): ResponseOf<'rbac.RevokeInvitation'> {
  const { id, email, roles, createdOn, expiresAt, createdBy, status, acceptedBy } = invitation;
  return {
    id,
    ...(email === null ? {} : { email }),
    roles,
    createdOn,
    expiresAt,
    createdBy,
    status,
    ...(acceptedBy === null ? {} : { acceptedBy }),
  };
}

export const listInvitations: Rpc<'rbac.ListInvitations', Context> =
  ({ database }) =>
  async (_request, call) => ({
    invitations: (await list(database.em(), salesChannelOf(call))).map(toInvitationMessage),
  });

export const createInvitation: Rpc<'rbac.CreateInvitation', Context> =
  ({ database, sealer, logger }) =>
  async (request, call) => {
    const origin = { salesChannelId: salesChannelOf(call), createdBy: userOf(call).userId };
    const content = parse(newInvitation, request, 'The invitation is not valid.');
    return answerOnce(
      'rbac.CreateInvitation',
      { database, sealer, call, request },
      async (transactional) => {
        const created = await create(transactional, origin, content, actorOf(call));
        logger.info(
          { invitationId: created.invitation.id, salesChannelId: origin.salesChannelId },
          'invitation created',
        );
        return created;
      },
      ({ invitation, token }) => ({ invitation: toInvitationMessage(invitation), token }),
    );
  };

export const revokeInvitation: Rpc<'rbac.RevokeInvitation', Context> =
  ({ database }) =>
  async ({ invitationId }, call) =>
    toInvitationMessage(await revoke(database, idToFind(invitationId), salesChannelOf(call), actorOf(call)));

export const acceptInvitation: Rpc<'rbac.AcceptInvitation', Context> =
  ({ database, identity }) =>
  async (request, call) => {
    const { token } = request;
    const { userId } = userOf(call);
    // A malformed token needs no look-up. Its faster refusal reveals nothing that the sender does not know.
    if (!isWellFormedSecret(token, 'scs_inv')) throw notFound();
    const user = (await findUsers(identity, [userId], call)).get(userId);
    if (!user) throw notFound();
    const { email, emailVerified } = user;
    const invited = { userId, email, emailVerified };
    return answerOnce(
      'rbac.AcceptInvitation',
      { database, call, request },
      (transactional) => accept(transactional, token, invited, actorOf(call)),
      (binding) => binding,
    );
  };
