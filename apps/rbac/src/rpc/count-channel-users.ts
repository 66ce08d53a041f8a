import { notFound } from '@saleschannel/errors';
import type { Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { countUsers } from '../store/bindings.ts';
import { countPendingInvitations } from '../store/invitations.ts';
import { findSalesChannel } from '../store/sales-channels.ts';

export const countChannelUsers: Rpc<'rbacAdministration.CountChannelUsers', Context> =
  ({ database }) =>
  async (request) => {
    const id = idToFind(request.salesChannelId);
    const [channel, users, invitations] = await Promise.all([
      findSalesChannel(database.em(), id),
      countUsers(database.em(), id),
      countPendingInvitations(database.em(), id),
    ]);
    if (!channel) throw notFound();
    return { users, invitations };
  };
