import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { idToFind, parameters, parse } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { renaming } from '../domain/sales-channel.ts';
import { renameSalesChannel as rename } from '../operations/rename-sales-channel.ts';
import { salesChannelMessage } from './messages.ts';

const place = parameters({ name: 'name', reason: 'reason' });

export const renameSalesChannel: Rpc<'rbacAdministration.RenameSalesChannel', Context> =
  ({ database, logger }) =>
  async (request, call) => {
    const { salesChannelId, ...named } = parse(renaming, request, 'The name is not valid.', place);
    const id = idToFind(salesChannelId);
    return answerOnce(
      'rbacAdministration.RenameSalesChannel',
      { database, call, request },
      async (transactional) => {
        const channel = await rename(transactional, { id, ...named }, actorOf(call));
        logger.info({ salesChannelId: id }, 'sales channel renamed');
        return channel;
      },
      salesChannelMessage,
    );
  };
