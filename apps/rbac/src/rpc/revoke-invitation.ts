import { actorOf } from '@saleschannel/audit';
import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { revokeInvitation as revoke } from '../operations/invitations.ts';
import { invitationMessage } from './messages.ts';

export const revokeInvitation: Rpc<'rbac.RevokeInvitation', Context> =
  ({ database }) =>
  async ({ invitationId }, call) =>
    invitationMessage(await revoke(database, idToFind(invitationId), salesChannelOf(call), actorOf(call)));
