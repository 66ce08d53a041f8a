import { pick } from '@saleschannel/edge';
import { withOperatorStatus } from '@saleschannel/edge/administration';
import type { ReplyOf } from '@saleschannel/grpc';
import { unavailable } from '@saleschannel/errors';
import { name, reason } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import { type Context, operation, type Operations } from '../http/operation.ts';
import { channelStatus } from '../http/forms.ts';

const toChannel = (channel: ReplyOf<'rbacAdministration.CreateSalesChannel'>) => ({
  // The status is ACTIVE or SUSPENDED, as the contract says. A closed channel has `closedAt`.
  ...pick(channel, 'id', 'name', 'status'),
  suspendedAt: channel.suspendedAt ?? null,
  suspendedReason: channel.suspendedReason ?? null,
  closedAt: channel.closedAt ?? null,
  closedReason: channel.closedReason ?? null,
});

/** @throws DomainError 'unavailable' for a missing count, which is not zero */
const toCount = (counted: ReplyOf<'channelTasks.CountOpenTasks'>['tasks']) => {
  if (!counted) throw unavailable(new Error('a service returned no count'));
  return pick(counted, 'count', 'isMore');
};

export const channels = ({ operatorClients: { rbac }, channelUse }: Context) =>
  ({
    listSalesChannels: operation('listSalesChannels')({
      query: z.strictObject({ status: channelStatus.optional() }),
      async handle({ query }, { call }) {
        const { salesChannels } = await rbac.ListSalesChannels({}, call);
        const { status } = query;
        const found = salesChannels.filter(
          (each) => status === undefined || withOperatorStatus(each).status === status,
        );
        return { items: found.map(toChannel) };
      },
    }),
    createSalesChannel: operation('createSalesChannel')({
      body: z.strictObject({ name }),
      handle: async ({ body }, { call }) => toChannel(await rbac.CreateSalesChannel(body, call)),
    }),
    renameSalesChannel: operation('renameSalesChannel')({
      body: z.strictObject({ name, reason }),
      handle: async ({ path, body }, { call }) =>
        toChannel(await rbac.RenameSalesChannel({ salesChannelId: path.salesChannelId, ...body }, call)),
    }),
    suspendSalesChannel: operation('suspendSalesChannel')({
      body: z.strictObject({ reason }),
      handle: async ({ path, body }, { call }) =>
        toChannel(await rbac.SuspendSalesChannel({ salesChannelId: path.salesChannelId, ...body }, call)),
    }),
    resumeSalesChannel: operation('resumeSalesChannel')({
      handle: async ({ path }, { call }) => toChannel(await rbac.ResumeSalesChannel(path, call)),
    }),
    closeSalesChannel: operation('closeSalesChannel')({
      body: z.strictObject({ reason }),
      handle: async ({ path, body }, { call }) =>
        toChannel(await rbac.CloseSalesChannel({ salesChannelId: path.salesChannelId, ...body }, call)),
    }),
    getSalesChannelUse: operation('getSalesChannelUse')({
      async handle({ path: { salesChannelId } }, { call }) {
        const [bound, open, used] = await Promise.all([
          rbac.CountChannelUsers({ salesChannelId }, call),
          channelUse.tasks.CountOpenTasks({ salesChannelId }, call),
          channelUse.inventory.CountChannelUse({ salesChannelId }, call),
        ]);
        return {
          users: toCount(bound.users),
          invitations: toCount(bound.invitations),
          tasks: toCount(open.tasks),
          pendingTransactions: toCount(used.pendingTransactions),
          reservedBundles: toCount(used.reservedBundles),
          listedBundles: toCount(used.listedBundles),
        };
      },
    }),
  }) satisfies Partial<Operations>;
