import type { Rpc } from '@saleschannel/grpc';
import { isStorable, parse } from '@saleschannel/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { findSalesChannels } from '../store/sales-channels.ts';
import { salesChannelMessage } from './messages.ts';

const IDS_AT_MOST = 10_000;

/** Ids that no sales channel can have are left out, as unknown ones are. */
const requestSchema = z.object({
  salesChannelIds: z
    .array(z.string())
    .max(IDS_AT_MOST)
    .transform((ids) => ids.filter(isStorable)),
});

export const getSalesChannels: Rpc<'bindingDirectory.GetSalesChannels', Context> =
  ({ database }) =>
  async (request) => {
    const { salesChannelIds } = parse(requestSchema, request, 'The sales channels cannot be looked up.');
    return { salesChannels: (await findSalesChannels(database.em(), salesChannelIds)).map(salesChannelMessage) };
  };
