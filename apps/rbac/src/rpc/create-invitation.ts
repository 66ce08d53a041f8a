import { actorOf } from '@saleschannel/audit';
import { salesChannelOf, userOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { parse } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { newInvitation } from '../domain/invitation.ts';
import { createInvitation as create } from '../operations/invitations.ts';
import { invitationMessage } from './messages.ts';

export const createInvitation: Rpc<'rbac.CreateInvitation', Context> =
  ({ database, sealer, logger }) =>
  async (request, call) => {
    const maker = { salesChannelId: salesChannelOf(call), createdBy: userOf(call).userId };
    const wanted = parse(newInvitation, request, 'The invitation is not valid.');
    return answerOnce(
      'rbac.CreateInvitation',
      { database, sealer, call, request },
      async (transactional) => {
        const made = await create(transactional, maker, wanted, actorOf(call));
        logger.info({ invitationId: made.invitation.id, salesChannelId: maker.salesChannelId }, 'invitation created');
        return made;
      },
      ({ invitation, token }) => ({ invitation: invitationMessage(invitation), token }),
    );
  };
