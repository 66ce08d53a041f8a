import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { newId } from '@saleschannel/primitives';
import { parameters, parse } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { newSalesChannel } from '../domain/sales-channel.ts';
import { createSalesChannel as create } from '../operations/create-sales-channel.ts';

const place = parameters({ name: 'name' });

export const createSalesChannel: Rpc<'rbacAdministration.CreateSalesChannel', Context> =
  ({ database, logger }) =>
  async (request, call) => {
    const { name } = parse(newSalesChannel, request, 'The name is not valid.', place);
    const channel = { id: newId(), name };
    return answerOnce(
      'rbacAdministration.CreateSalesChannel',
      { database, call, request },
      async (transactional) => {
        await create(transactional, channel, actorOf(call));
        logger.info({ salesChannelId: channel.id }, 'sales channel created');
      },
      () => ({ ...channel, status: 'ACTIVE' }),
    );
  };
