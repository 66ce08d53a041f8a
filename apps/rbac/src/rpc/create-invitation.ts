import { actorOf } from '@saleschannel/audit';
import { salesChannelOf, userOf, type Rpc } from '@saleschannel/grpc';
import { parse } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { newInvitation } from '../domain/invitation.ts';
import { createInvitation as create } from '../operations/invitations.ts';
import { invitationMessage } from './messages.ts';

export const createInvitation: Rpc<'rbac.CreateInvitation', Context> =
  ({ database, logger }) =>
  async (request, call) => {
    const maker = { salesChannelId: salesChannelOf(call), createdBy: userOf(call).userId };
    const wanted = parse(newInvitation, request, 'The invitation is not valid.');
    const { invitation, token } = await create(database, maker, wanted, actorOf(call));
    logger.info({ invitationId: invitation.id, salesChannelId: maker.salesChannelId }, 'invitation created');
    return { invitation: invitationMessage(invitation), token };
  };
