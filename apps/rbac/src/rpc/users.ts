import { notFound } from '@saleschannel/errors';
import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { findUsers } from '../neighbours/users.ts';
import { countUsers, listBindings } from '../store/bindings.ts';
import { countPendingInvitations } from '../store/invitations.ts';
import { findSalesChannel } from '../store/sales-channels.ts';

const PAGE_ROWS = 500;

/** Streams the users of the caller's channel page by page, so that memory stays flat. */
export const listUsers: Rpc<'rbac.ListUsers', Context> = ({ database, identity }) =>
  async function* (_request, call) {
    const salesChannelId = salesChannelOf(call);
    for (let after: string | undefined, more = true; more;) {
      const bindings = await listBindings(database.em(), { limit: PAGE_ROWS, after, salesChannelId });
      const userIds = bindings.map(({ userId }) => userId);
      const users = userIds.length === 0 ? undefined : await findUsers(identity, userIds, call);
      for (const { userId, roles } of bindings) {
        const user = users?.get(userId);
        if (!user) throw new Error('identity does not know a bound user.');
        const { issuer, subject, email, name, lastSeenOn } = user;
        yield { userId, issuer, subject, email, name, lastSeenOn, roles };
      }
      after = userIds.at(-1);
      more = bindings.length === PAGE_ROWS;
    }
  };

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
