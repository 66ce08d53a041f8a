import type { Rpc } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { parameters, parse } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { newSalesChannel } from '../domain/sales-channel.ts';
import { addSalesChannel } from '../store/sales-channels.ts';

const place = parameters({ name: 'name' });

export const createSalesChannel: Rpc<'rbacAdministration.CreateSalesChannel', Context> =
  ({ database, logger }) =>
  async (request) => {
    const { name } = parse(newSalesChannel, request, 'The name is not valid.', place);
    const channel = { id: newId(), name };
    await database.transaction(async (em) => addSalesChannel(em, channel));
    logger.info({ salesChannelId: channel.id }, 'sales channel created');
    return channel;
  };
