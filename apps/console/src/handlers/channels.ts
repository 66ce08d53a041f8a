import { withShownStatus } from '@saleschannel/edge/administration';
import type { ReplyOf } from '@saleschannel/grpc';
import { unavailable } from '@saleschannel/errors';
import { name, reason } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { channelStatus } from '../http/forms.ts';
import { operation, type Operations } from '../http/operation.ts';

type Handled =
  `${'create' | 'rename' | 'suspend' | 'resume' | 'close'}SalesChannel` | 'listSalesChannels' | 'getSalesChannelUse';

const channelOf = (channel: ReplyOf<'rbacAdministration.CreateSalesChannel'>) => ({
  id: channel.id,
  name: channel.name,
  // The contract promises no other value than ACTIVE and SUSPENDED: `closedAt` tells that it is closed.
  status: channel.status,
  suspendedAt: channel.suspendedAt ?? null,
  suspendedReason: channel.suspendedReason ?? null,
  closedAt: channel.closedAt ?? null,
  closedReason: channel.closedReason ?? null,
});

/** A count that is missing is not zero. @throws DomainError 'unavailable' */
const countOf = (counted: ReplyOf<'channelTasks.CountOpenTasks'>['tasks']) => {
  if (!counted) throw unavailable(new Error('a service answered without a count'));
  return { count: counted.count, isMore: counted.isMore };
};

export const channels = ({ powers: { rbac }, use }: Context): Pick<Operations, Handled> => ({
  listSalesChannels: operation('listSalesChannels')({
    query: z.strictObject({ status: channelStatus.optional() }),
    async handle({ query }, { call }) {
      const { salesChannels } = await rbac.ListSalesChannels({}, call);
      const { status } = query;
      const wanted = salesChannels.filter((each) => status === undefined || withShownStatus(each).status === status);
      return { items: wanted.map(channelOf) };
    },
  }),
  createSalesChannel: operation('createSalesChannel')({
    body: z.strictObject({ name }),
    handle: async ({ body }, { call }) => channelOf(await rbac.CreateSalesChannel(body, call)),
  }),
  renameSalesChannel: operation('renameSalesChannel')({
    body: z.strictObject({ name, reason }),
    handle: async ({ path, body }, { call }) =>
      channelOf(await rbac.RenameSalesChannel({ salesChannelId: path.salesChannelId, ...body }, call)),
  }),
  suspendSalesChannel: operation('suspendSalesChannel')({
    body: z.strictObject({ reason }),
    handle: async ({ path, body }, { call }) =>
      channelOf(await rbac.SuspendSalesChannel({ salesChannelId: path.salesChannelId, ...body }, call)),
  }),
  resumeSalesChannel: operation('resumeSalesChannel')({
    handle: async ({ path: { salesChannelId } }, { call }) =>
      channelOf(await rbac.ResumeSalesChannel({ salesChannelId }, call)),
  }),
  closeSalesChannel: operation('closeSalesChannel')({
    body: z.strictObject({ reason }),
    handle: async ({ path, body }, { call }) =>
      channelOf(await rbac.CloseSalesChannel({ salesChannelId: path.salesChannelId, ...body }, call)),
  }),
  getSalesChannelUse: operation('getSalesChannelUse')({
    async handle({ path: { salesChannelId } }, { call }) {
      const [bound, open, used] = await Promise.all([
        rbac.CountChannelUsers({ salesChannelId }, call),
        use.tasks.CountOpenTasks({ salesChannelId }, call),
        use.inventory.CountChannelUse({ salesChannelId }, call),
      ]);
      return {
        users: countOf(bound.users),
        invitations: countOf(bound.invitations),
        tasks: countOf(open.tasks),
        pendingTransactions: countOf(used.pendingTransactions),
        reservedBundles: countOf(used.reservedBundles),
        listedBundles: countOf(used.listedBundles),
      };
    },
  }),
});
