import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { listInvitations as list } from '../store/invitations.ts';
import { invitationMessage } from './messages.ts';

export const listInvitations: Rpc<'rbac.ListInvitations', Context> =
  ({ database }) =>
  async (_request, call) => ({
    invitations: (await list(database.em(), salesChannelOf(call))).map(invitationMessage),
  });
