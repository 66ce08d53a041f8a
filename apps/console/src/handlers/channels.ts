import type { ReplyOf } from '@saleschannel/grpc';
import { name, reason } from '@saleschannel/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { status } from '../http/forms.ts';
import { operation, type Operations } from '../http/operation.ts';

type Handled = `${'create' | 'rename' | 'suspend' | 'resume'}SalesChannel` | 'listSalesChannels';

const channelOf = ({
  id,
  name: called,
  status: standing,
  suspendedAt,
  suspendedReason,
}: ReplyOf<'rbacAdministration.CreateSalesChannel'>) => ({
  id,
  name: called,
  status: standing,
  suspendedAt: suspendedAt ?? null,
  suspendedReason: suspendedReason ?? null,
});

export const channels = ({ powers: { rbac } }: Context): Pick<Operations, Handled> => ({
  listSalesChannels: operation('listSalesChannels')({
    query: z.strictObject({ status: status.optional() }),
    async handle({ query }, { call }) {
      const { salesChannels } = await rbac.ListSalesChannels({}, call);
      const wanted = salesChannels.filter((each) => query.status === undefined || each.status === query.status);
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
});
