import type { Rpc } from '@saleschannel/grpc';
import { idListToFind, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { findSalesChannels } from '../store/sales-channels.ts';
import { salesChannelMessage } from './messages.ts';

const requestSchema = z.object({ salesChannelIds: idListToFind });

export const getSalesChannels: Rpc<'bindingDirectory.GetSalesChannels', Context> =
  ({ database }) =>
  async (request) => {
    const { salesChannelIds } = parse(requestSchema, request, 'The sales channels cannot be looked up.');
    return { salesChannels: (await findSalesChannels(database.em(), salesChannelIds)).map(salesChannelMessage) };
  };
